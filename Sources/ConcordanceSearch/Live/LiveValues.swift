import ConcordanceSQLite

/// An asynchronous sequence of what a fetch returns, now and after every commit that changes it, created by
/// `DatabaseReader.values(pollingEvery:of:)`.
///
/// ```swift
/// for try await count in dbPool.values(of: { try Int.fetchOne($0, sql: "SELECT count(*) FROM reminders") }) {
///     print(count ?? 0)
/// }
/// ```
///
/// - It yields at once, and then after each commit, by whatever connection or process, that changes what the fetch
///   returns. A value equal to the previous one is not yielded.
/// - Nothing is fetched ahead: a slow consumer gets the newest value next, and none of those in between. Fetches
///   begin at least 20 ms apart, so that a burst of commits takes few of them.
/// - The last value is never missed: every commit is followed by a fetch that begins after it.
/// - It ends when its task is cancelled, and when the fetch throws an error. Each iteration watches for changes on its
///   own, and stops when it ends or its iterator is released.
/// - A `DatabaseSnapshot` never changes: its sequence ends after the first value.
///
/// While an app is in the background, it does not look for changes by other processes, since the system ends an app
/// that is suspended while it has a file of its app group locked. It finds them when it returns to the foreground. Its
/// own commits are always reported.
///
/// Cost: one fetch for each burst of commits to the database, relevant or not, because SQLite does not always report
/// which table a change concerns; and one look at the file's version per interval, about ten microseconds, for all
/// sequences of a queue or pool together.
public struct LiveValues<Element: Sendable>: AsyncSequence, Sendable {
    private let reader: any ConnectionReader
    /// The indexes that the fetch searches.
    private let indexes: [IndexDefinition]
    private let interval: Duration?
    private let fetch: @Sendable (Database) throws -> Element
    private let isDuplicate: @Sendable (Element, Element) -> Bool

    init(
        reader: any ConnectionReader, indexes: [IndexDefinition] = [], interval: Duration?,
        fetch: @escaping @Sendable (Database) throws -> Element,
        isDuplicate: @escaping @Sendable (Element, Element) -> Bool
    ) {
        self.reader = reader
        self.indexes = indexes
        self.interval = interval
        self.fetch = fetch
        self.isDuplicate = isDuplicate
    }

    public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

    /// One iteration over the values.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        /// The shortest time between the starts of two fetches: nobody can tell more than 50 states a second apart.
        private static var pause: Duration { .milliseconds(20) }

        private let values: LiveValues
        private var watch: Watch?
        private var last: Element?
        private var nextFetch: ContinuousClock.Instant = .now
        private var isFinished = false

        fileprivate init(values: LiveValues) { self.values = values }

        /// Returns the next value, once there is one; nil when the task is cancelled, and after an error.
        ///
        /// - Throws: the error of the fetch, once.
        public mutating func next() async throws -> Element? {
            guard !isFinished else { return nil }
            do {
                if let value = try await nextChange() { return value }
                finish()
                return nil
            } catch {
                finish()
                if Task.isCancelled { return nil }
                throw error
            }
        }

        private mutating func nextChange() async throws -> Element? {
            guard let watch else { return try await first() }
            if values.reader.isSnapshot { return nil }
            while true {
                try await watch.signal.wait()
                try await Task.sleep(until: nextFetch, clock: .continuous)
                let value = try await fetch(watch.signal)
                if let last, values.isDuplicate(last, value) { continue }
                last = value
                return value
            }
        }

        private mutating func first() async throws -> Element {
            let watch = await CommitMonitor.of(values.reader).watch(every: values.interval)
            self.watch = watch
            let value = try await fetch(watch.signal)
            last = value
            return value
        }

        private mutating func fetch(_ signal: ChangeSignal) async throws -> Element {
            nextFetch = .now + Self.pause
            // What is fetched now includes all commits so far; later ones raise the signal again.
            signal.lower()
            return try await values.indexes.isEmpty
                ? values.reader.read(values.fetch) : values.reader.reading(values.indexes, values.fetch)
        }

        private mutating func finish() {
            isFinished = true
            watch = nil
            last = nil
        }
    }
}

import ConcordanceSQLite
import ConcordanceText
import Dispatch

/// The words of an index, as people wrote them, with their counts. They are kept in memory for one queue or pool and
/// one index, and are updated by reading the texts in the index, never by the writer.
///
/// If the engine's change mark shows that nothing was committed, there is nothing to do. Otherwise all rows are read
/// and hashed, and the words of those that changed are added. If that takes only a moment, the call that notices does
/// it; otherwise it happens in the background, for at most a tenth of the time, and the call uses the old words. A word
/// is looked up in the index before it is shown, so words that no longer exist never show. The counts of removed texts
/// stay until they are a tenth of all; then everything is counted again.
///
/// Sendable because `sweep`, `rows` and `cost` are used only on `queue`, and the rest is constant or locked.
final class IndexVocabulary: @unchecked Sendable {
    private struct Published {
        var dictionary: SpellingDictionary
        var mark: [UInt8]
        /// The expected time of the next refresh.
        var cost: Duration
        var isRefreshing = false
    }

    private let definition: IndexDefinition
    private let maximumWordCount: Int
    private let published = Locked<Published?>(nil)
    private let queue: DispatchQueue
    private let callers: DispatchQueue
    private var sweep: VocabularySweep?
    private var rows = CountedRows()

    /// How long a call may update the words before it answers.
    private let patience: Duration
    /// How many different words of an index are kept: some ten bytes each, and two hundred while they are counted.
    static let maximumWordCount = 1_000_000

    init(
        _ definition: IndexDefinition, maximumWordCount: Int = IndexVocabulary.maximumWordCount,
        patience: Duration = .milliseconds(25)
    ) {
        self.definition = definition
        self.patience = patience
        self.maximumWordCount = maximumWordCount
        queue = DispatchQueue(label: "Concordance vocabulary \(definition.name)", qos: .utility)
        callers = DispatchQueue(label: "Concordance suggestions \(definition.name)", qos: .userInitiated)
    }

    /// The present words or, in a large index that has changed, those of a little while ago.
    ///
    /// - Parameter isCancelled: Asked between two batches; the next call continues a build that was cancelled.
    func dictionary(
        for reader: some ConnectionReader, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> SpellingDictionary {
        let mark = try changeMark(reader)
        let (known, refreshesLater) = published.withLock { published in
            guard let current = published else { return (nil as SpellingDictionary?, false) }
            if current.mark == mark { return (current.dictionary, false) }
            if current.cost <= patience { return (nil, false) }
            defer { published?.isRefreshing = true }
            return (current.dictionary, !current.isRefreshing)
        }
        if refreshesLater { refreshLater(reader) }
        if let known { return known }
        return try queue.sync {
            try refresh(reader, isCancelled)
            return published.withLock { $0?.dictionary ?? SpellingDictionary() }
        }
    }

    /// Runs `body` on a thread outside the cooperative pool, and tells it when the task is cancelled.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                callers.async {
                    let check: @Sendable () -> Bool = { isCancelled.withLock { $0 } }
                    continuation.resume(
                        with: Result {
                            if check() { throw CancellationError() }
                            return try body(check)
                        })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private func changeMark(_ reader: some ConnectionReader) throws -> [UInt8] {
        try reader.read { [definition] db in
            _ = db.storage(of: Lifetime.self) { Lifetime() }
            return try definition.engine.changeMark(of: definition.name, in: db)
        }
    }

    private func refreshLater(_ reader: some ConnectionReader) {
        let cost = published.withLock { $0?.cost ?? .zero }
        // It rests nine times as long as it works.
        let seconds = Double(cost.components.seconds) + Double(cost.components.attoseconds) / 1e18
        queue.asyncAfter(deadline: .now() + min(seconds * 9, 60)) { [weak self, weak reader] in
            guard let self else { return }
            // A failure shows in the next call that needs the database; the next change tries again.
            if let reader { try? self.refresh(reader, { false }) }
            self.published.withLock { $0?.isRefreshing = false }
        }
    }

    /// Updates the words; runs on `queue`.
    private func refresh(_ reader: some ConnectionReader, _ isCancelled: () -> Bool) throws {
        let mark = try changeMark(reader)
        if published.withLock({ $0?.mark == mark }) { return }
        let start = ContinuousClock.now
        let isFirst = rows.ids.isEmpty
        var dictionary = published.withLock { $0?.dictionary } ?? SpellingDictionary()
        var finished = try finishSweep(mark, reader, isCancelled)
        if finished.rows.stale * 10 > finished.rows.ids.count || dictionary.wordCount > maximumWordCount, !isFirst {
            dictionary = SpellingDictionary()
            rows = CountedRows()
            finished = try finishSweep(mark, reader, isCancelled)
        }
        if finished.countedRows > 0 { dictionary = finished.counter.makeDictionary(adding: dictionary) }
        rows = finished.rows
        // Counting all words takes several times as long as finding the changed rows.
        let elapsed = ContinuousClock.now - start
        let cost = isFirst ? elapsed / 8 : elapsed
        published.withLock { published in
            let isRefreshing = published?.isRefreshing ?? false
            published = Published(
                dictionary: dictionary, mark: finished.mark, cost: cost, isRefreshing: isRefreshing)
        }
    }

    private func finishSweep(
        _ mark: [UInt8], _ reader: some ConnectionReader, _ isCancelled: () -> Bool
    ) throws -> VocabularySweep {
        let sweep =
            self.sweep
            ?? VocabularySweep(definition, mark: mark, previous: rows, maximumWordCount: maximumWordCount)
        self.sweep = sweep
        while !sweep.isFinished {
            if isCancelled() { throw CancellationError() }
            for text in try reader.read({ try sweep.readBatch(in: $0) }) {
                text.withUnsafeBufferPointer { sweep.counter.add($0) }
            }
        }
        self.sweep = nil
        return sweep
    }
}

// MARK: - The vocabularies of this process

extension IndexVocabulary {
    private struct Key: Hashable {
        var index: String
        var fields: [String]
    }

    private static let all = ReaderTable<Key, IndexVocabulary>()

    /// The vocabulary of an index for a queue or pool, which is released along with that.
    static func of(_ definition: IndexDefinition, for reader: some ConnectionReader) -> IndexVocabulary {
        let key = Key(index: definition.name, fields: definition.fields.filter(\.isIndexed).map(\.name))
        return all.value(key, of: reader) { IndexVocabulary(definition) }.value
    }

    /// Frees the vocabularies of a queue or pool that no longer exists; lives as long as a connection.
    private final class Lifetime {
        deinit { IndexVocabulary.all.removeGone() }
    }
}

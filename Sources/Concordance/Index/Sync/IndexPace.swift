import Foundation

/// How much work one transaction does, and how long the next one waits, so that nobody who wants to write waits long.
///
/// Writers of the same queue or pool stand in one line with us and are next when a transaction ends. Those of other
/// processes look again and again whether the lock is free, in SQLite's busy handler after 1, 2, 5, 10, 15, 20, 25 …
/// milliseconds: with transactions of 16 ms and pauses of 10 ms between, one of the first four or five looks, after at
/// most 33 ms, falls into a pause.
struct IndexPace: Sendable {
    private static let longest = Duration.milliseconds(16)
    private static let pause = Duration.milliseconds(10)

    /// How long a transaction may work before it commits. Committing takes time too, which this learns.
    private(set) var budget = Duration.milliseconds(8)
    /// Whether only this process can be waiting: for a database in memory.
    let isPrivate: Bool

    init(path: String) { isPrivate = path.isEmpty || path == ":memory:" || path.hasPrefix("file:") }

    /// Takes notice of what a transaction took as a whole.
    mutating func took(_ duration: Duration) {
        if duration > Self.longest {
            budget = max(budget / 2, .milliseconds(1))
        } else if duration < Self.longest / 2 {
            budget = min(budget * 5 / 4, Self.longest)
        }
    }

    /// Waits on the calling thread.
    func rest() { if !isPrivate { Thread.sleep(forTimeInterval: Double(Self.pause.components.attoseconds) / 1e18) } }

    /// Waits in the calling task.
    /// - Throws: `CancellationError`.
    func rest() async throws {
        if isPrivate {
            try Task.checkCancellation()
            await Task.yield()
        } else {
            try await Task.sleep(for: Self.pause)
        }
    }
}

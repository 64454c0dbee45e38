import Foundation

/// How much work one transaction does, and how long the next one waits, so that nobody who wants to write waits long.
///
/// Writers of the same queue or pool stand in one line with us and are next when a transaction ends. Those of other
/// connections look again and again whether the lock is free, in SQLite's busy handler after 1, 2, 5, 10, 15, 20, 25 …
/// milliseconds, and nothing tells us that they do. So:
///
/// - While writers stand in that line, or have within the last seconds, transactions take 10 ms, without pauses.
/// - At first, and for two seconds after another connection has committed something, transactions take 16 ms, with
///   pauses of 10 ms between: one of the first four or five looks, after at most 33 ms, falls into a pause.
/// - Otherwise they take 18 ms, with pauses of 2 ms. Who comes in such a time from another connection may look in vain for
///   some tenths of a second, and is noticed with his first commit.
struct IndexPace: Sendable {
    /// How long a transaction is to take, and the pause behind it.
    private struct Rhythm: Sendable {
        let longest: Duration
        let pause: Duration

        static let amongOthers = Rhythm(longest: .milliseconds(16), pause: .milliseconds(10))
        static let inLine = Rhythm(longest: .milliseconds(10), pause: .zero)
        static let alone = Rhythm(longest: .milliseconds(18), pause: .milliseconds(2))
    }

    /// How long others are expected to write at first, before anything is known of them, and again, after they have.
    private static let firstExpectation = Duration.milliseconds(200)
    private static let expectation = Duration.seconds(2)

    /// How long a transaction may work before it commits. Committing takes time too, which this learns.
    private(set) var budget = Duration.milliseconds(8)
    /// Whether only this process can be waiting: for a database in memory.
    let isPrivate: Bool
    private var othersExpected = ContinuousClock.now + firstExpectation
    private var lineExpected = ContinuousClock.now
    private var lastVersion: Int?

    init(path: String) { isPrivate = path.isEmpty || path == ":memory:" || path.hasPrefix("file:") }

    private var rhythm: Rhythm {
        let now = ContinuousClock.now
        return now < othersExpected ? .amongOthers : now < lineExpected ? .inLine : .alone
    }

    /// Takes notice of what a transaction took as a whole.
    ///
    /// - Parameter version: The connection's `data_version`, another one when another connection has committed; nil
    ///   where it is not always the same connection.
    /// - Parameter hasLine: Whether somebody waits for the connection.
    mutating func took(_ duration: Duration, version: Int?, hasLine: Bool) {
        if hasLine { lineExpected = ContinuousClock.now + Self.expectation }
        if version == nil || lastVersion != nil && version != lastVersion {
            othersExpected = ContinuousClock.now + Self.expectation
        }
        lastVersion = version
        let longest = rhythm.longest
        if duration > longest {
            budget = max(budget * (longest / duration), .milliseconds(1))
        } else if duration < longest * 3 / 4 {
            budget = min(budget * 5 / 4, longest)
        }
    }

    /// Waits on the calling thread.
    func rest() {
        if !isPrivate { Thread.sleep(forTimeInterval: Double(rhythm.pause.components.attoseconds) / 1e18) }
    }

    /// Waits in the calling task.
    /// - Throws: `CancellationError`.
    func rest() async throws {
        if isPrivate {
            try Task.checkCancellation()
            await Task.yield()
        } else {
            try await Task.sleep(for: rhythm.pause)
        }
    }
}

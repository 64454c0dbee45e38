import Foundation

/// How a long job on an index shares the database with other writers.
public enum IndexingPace: Sendable {
    /// Others can write at any time: transactions of 10 to 18 ms, with pauses while others write.
    case considerate
    /// As fast as possible, for times when nobody else writes much: transactions of a quarter of a second, without
    /// pauses. Other writers wait that long.
    case fast
}

/// Decides how long each transaction of a job works and how long the next one waits, so that no other writer waits
/// long.
///
/// Writers of the same queue or pool wait in line with the job and are next when a transaction ends. Other connections
/// poll the lock in SQLite's busy handler, after 1, 2, 5, 10, 15, 20, 25 … milliseconds, which the job cannot see. So,
/// unless it is `fast`:
///
/// - While writers wait in the line, and for two seconds afterwards, transactions take 10 ms, without pauses.
/// - At first, and for two seconds after another connection has committed, transactions take 16 ms, with pauses of 10
///   ms between them: one of the first four or five polls, after at most 33 ms, falls into a pause.
/// - Otherwise transactions take 18 ms, with pauses of 2 ms. A writer on another connection that arrives then may poll
///   for some tenths of a second; its first commit changes the pace.
struct IndexPace: Sendable {
    /// How long a transaction should take, and the pause after it.
    private struct Rhythm: Sendable {
        let longest: Duration
        let pause: Duration

        static let amongOthers = Rhythm(longest: .milliseconds(16), pause: .milliseconds(10))
        static let inLine = Rhythm(longest: .milliseconds(10), pause: .zero)
        static let alone = Rhythm(longest: .milliseconds(18), pause: .milliseconds(2))
        static let fast = Rhythm(longest: .milliseconds(250), pause: .zero)
    }

    /// How long others are expected to write: at first, when nothing is known about them, and after they have written.
    private static let firstExpectation = Duration.milliseconds(200)
    private static let expectation = Duration.seconds(2)

    /// How long a transaction may work before it commits. It is adjusted to the time that committing takes.
    private(set) var budget = Duration.milliseconds(8)
    private let pace: IndexingPace
    /// Whether nobody else can be waiting: for a database in memory.
    let isPrivate: Bool
    private var othersExpected = ContinuousClock.now + firstExpectation
    private var lineExpected = ContinuousClock.now
    private var lastVersion: Int?

    init(_ pace: IndexingPace, isPrivate: Bool) {
        self.pace = pace
        self.isPrivate = isPrivate
    }

    private var rhythm: Rhythm {
        if pace == .fast { return .fast }
        let now = ContinuousClock.now
        return now < othersExpected ? .amongOthers : now < lineExpected ? .inLine : .alone
    }

    /// Adjusts the pace to the whole duration of a transaction.
    ///
    /// - Parameter version: The connection's `data_version`, which changes when another connection commits; nil if it
    ///   is not always the same connection.
    /// - Parameter hasLine: Whether other writers wait for the connection.
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
        let pause = rhythm.pause
        if !isPrivate, pause > .zero { Thread.sleep(forTimeInterval: Double(pause.components.attoseconds) / 1e18) }
    }

    /// Waits in the calling task.
    /// - Throws: `CancellationError`.
    func rest() async throws {
        let pause = rhythm.pause
        if isPrivate || pause == .zero {
            try Task.checkCancellation()
            await Task.yield()
        } else {
            try await Task.sleep(for: pause)
        }
    }
}

import ConcordanceSQLite
import Foundation
import TestSupport

/// The place of one test's database files.
final class TemporaryDatabase: Sendable {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Where a database file can be.
    var path: String { path(named: "test.sqlite") }

    func path(named name: String) -> String { folder[name] }
}

/// Counts, and remembers the highest count.
final class Gauge: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var count = 0
    nonisolated(unsafe) private var highest = 0

    func enter() {
        lock.withLock {
            count += 1
            highest = max(highest, count)
        }
    }

    func leave() { lock.withLock { count -= 1 } }

    var maximum: Int { lock.withLock { highest } }
}

/// Waits, without holding a thread, until `condition` holds, however long that takes on a busy machine.
func eventually(_ condition: @Sendable () throws -> Bool) async rethrows {
    while try !condition() { await Task.yield() }
}

extension Configuration {
    /// Waits for other connections' locks however long that takes on a busy machine.
    static var patient: Configuration {
        var configuration = Configuration()
        configuration.busyTimeout = 3600
        return configuration
    }
}

/// A statement that runs for hours.
let endlessQuery = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000) SELECT count(*) FROM n
    """

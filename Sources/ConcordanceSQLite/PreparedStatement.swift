import CSQLite

/// A compiled statement: what a `Statement` uses, and what the cache keeps between two of them.
final class PreparedStatement {
    let handle: OpaquePointer
    let sql: String

    /// The names of the columns, as of the given number of recompilations.
    var columns: (names: ColumnNames, generation: Int32)?

    init(handle: OpaquePointer, sql: String) {
        self.handle = handle
        self.sql = sql
    }

    deinit { csqlite_finalize(handle) }
}

/// The idle compiled statements of a connection, the least recently used of which makes room for the next.
///
/// A statement in use is not in here, so that none is handed out twice. Costs: a hash of the SQL to take or put one; a
/// scan of all when one has to go.
struct StatementCache {
    private let capacity: Int
    private var entries: [String: (statement: PreparedStatement, lastUse: Int)] = [:]
    private var clock = 0

    /// Longer ones, which a program is likely to have generated for one use, are not kept.
    private static let maximumLength = 16_384

    init(capacity: Int) { self.capacity = capacity }

    /// The idle statement with that text, if any, which is then in use.
    mutating func take(_ sql: String) -> PreparedStatement? { entries.removeValue(forKey: sql)?.statement }

    /// Keeps a reset statement without bindings for its next use.
    mutating func put(_ statement: PreparedStatement) {
        guard capacity > 0, statement.sql.utf8.count <= Self.maximumLength else { return }
        clock += 1
        entries[statement.sql] = (statement, clock)
        if entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
        }
    }

    mutating func removeAll() { entries = [:] }

    var count: Int { entries.count }
}

import CConcordanceSQLite

/// A compiled statement: it is used by a `Statement`, and cached in between.
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

/// The idle compiled statements of a connection; the least recently used makes room for the next.
///
/// A statement in use is not in here, so none is handed out twice. Cost: a hash of the SQL to take or put one; a scan
/// of all when one is evicted.
struct StatementCache {
    private let capacity: Int
    private var entries: [Key: (statement: PreparedStatement, lastUse: Int)] = [:]
    private var clock = 0

    /// Longer ones, which a program has probably generated for a single use, are not cached.
    private static let maximumLength = 16_384

    init(capacity: Int) { self.capacity = capacity }

    /// A text by its bytes. Swift's strings are equal by Unicode's rules, SQL texts are not: `'é'` in one code point
    /// and in two are different texts.
    private struct Key: Hashable {
        var sql: String

        static func == (left: Key, right: Key) -> Bool { left.sql.utf8.elementsEqual(right.sql.utf8) }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Removes and returns the idle statement with that text, if any.
    mutating func take(_ sql: String) -> PreparedStatement? {
        entries.removeValue(forKey: Key(sql: sql))?.statement
    }

    /// Caches a reset statement without bindings for its next use; returns the one that it replaces.
    mutating func put(_ statement: PreparedStatement) -> PreparedStatement? {
        guard capacity > 0, statement.sql.utf8.count <= Self.maximumLength else { return statement }
        clock &+= 1
        if let same = entries.updateValue((statement, clock), forKey: Key(sql: statement.sql)) { return same.statement }
        guard entries.count > capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return nil
        }
        return entries.removeValue(forKey: oldest.key)?.statement
    }

    mutating func removeAll() { entries = [:] }

    var count: Int { entries.count }
}

import ConcordanceEngine
import ConcordanceSQLite

/// The sets of rows that pass the filters of a connection's last searches.
///
/// A set stays valid while its statement would read the same rows: no commit has changed the main database, the
/// statement need not be compiled again, and it reads only tables of the main database, by deterministic functions.
/// During a write transaction, which may be rolled back, sets are neither stored nor used.
final class FilterSets {
    /// What is known about the rows that pass one filter.
    final class Entry {
        /// Reads the rows, up to the number in the last argument.
        let filter: SQL
        fileprivate let version: UInt32?
        fileprivate var compilation: StatementCompilation?
        private var isKnownLasting: Bool?

        fileprivate(set) var rows: RowSet?
        /// What searches without the set have spent on looking matches up, in rows of a set.
        var spent = 0
        /// A price that was too low for the set.
        var refusedPrice = 0

        fileprivate init(_ filter: SQL, version: UInt32?) {
            self.filter = filter
            self.version = version
        }

        /// Whether later searches may find the same rows.
        func isLasting(in db: Database) throws -> Bool {
            guard version != nil else { return false }
            if let isKnownLasting { return isKnownLasting }
            let isLasting = try FilterSets.isLasting(filter, in: db)
            isKnownLasting = isLasting
            return isLasting
        }
    }

    /// The most recently used entry is last.
    private var entries: [Entry] = []
    private let entryLimit: Int
    private let rowLimit: Int

    /// - Parameters:
    ///   - entryLimit: The number of filters that are remembered.
    ///   - rowLimit: The number of rows in all sets together; by default they take 8 MB.
    init(entryLimit: Int = 16, rowLimit: Int = 1 << 20) {
        self.entryLimit = entryLimit
        self.rowLimit = rowLimit
    }

    /// The sets of a connection.
    static func of(_ db: Database) -> FilterSets { db.storage(of: FilterSets.self) { FilterSets() } }

    /// What is known about a filter in the open read transaction.
    ///
    /// - Parameter filter: Selects rowids; its last argument is a LIMIT.
    func entry(for filter: SQL, in db: Database) throws -> Entry {
        guard let version = try Self.version(of: db) else { return Entry(filter, version: nil) }
        entries.removeAll { $0.version != version }
        let known = entries.firstIndex {
            // Texts in SQL differ if their bytes do.
            $0.filter.sql.utf8.elementsEqual(filter.sql.utf8) && $0.filter.arguments == filter.arguments
        }
        var entry = Entry(filter, version: version)
        if let known {
            let old = entries.remove(at: known)
            if try old.rows == nil || Self.isCurrent(old, in: db) { entry = old }
        }
        entries.append(entry)
        if entries.count > entryLimit { entries.removeFirst() }
        return entry
    }

    /// Reads the rows that pass, unless there are at least so many.
    func read(_ entry: Entry, limit: Int, in db: Database) throws -> RowSet? {
        var rowIDs: [Int64] = []
        let statement = try Self.statement(entry.filter, limit: limit, in: db)
        while try statement.step() { rowIDs.append(statement.int64(at: 0)) }
        guard rowIDs.count < limit else { return nil }
        let rows = RowSet(rowIDs)
        entry.rows = rows
        entry.compilation = statement.compilation
        // An entry serves one search in any case.
        if try !entry.isLasting(in: db) || rows.count > rowLimit { entries.removeAll { $0 === entry } }
        var total = entries.reduce(0) { $0 + ($1.rows?.count ?? 0) }
        while total > rowLimit, let oldest = entries.firstIndex(where: { $0.rows != nil && $0 !== entry }) {
            total -= entries.remove(at: oldest).rows?.count ?? 0
        }
        return rows
    }

    // MARK: - Validity

    private static func version(of db: Database) throws -> UInt32? {
        guard let version = db.committedVersion else { return nil }
        // With a shared cache it may see uncommitted changes of others.
        var isUncommittedSeen = false
        try db.cachedStatement(sql: "PRAGMA read_uncommitted").forEachRow { isUncommittedSeen = $0.int64(at: 0) != 0 }
        return isUncommittedSeen ? nil : version
    }

    /// Whether SQLite would execute the statement as it is compiled.
    private static func isCurrent(_ entry: Entry, in db: Database) throws -> Bool {
        guard let compilation = entry.compilation else { return false }
        // With a LIMIT of 0 SQLite reads nothing, but first checks whether the statement is still valid.
        let statement = try statement(entry.filter, limit: 0, in: db)
        _ = try statement.step()
        return statement.isCompiled(as: compilation)
    }

    private static func statement(_ filter: SQL, limit: Int, in db: Database) throws -> Statement {
        let sql = filter + " LIMIT \(limit)"
        let statement = try db.cachedStatement(sql: sql.sql)
        try statement.setArguments(sql.arguments)
        return statement
    }

    /// Built-in functions that SQLite regards as deterministic, but that read the clock for some arguments.
    private static let clockFunctions: Set<String> = [
        "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff", "current_date", "current_time",
        "current_timestamp",
    ]

    /// Whether a query returns the same rows as long as the main database stays the same, judged by its bytecode.
    private static func isLasting(_ query: SQL, in db: Database) throws -> Bool {
        var isLasting = true
        var functions: Set<String> = []
        try db.makeStatement(sql: "EXPLAIN " + query.sql).forEachRow(arguments: query.arguments) { operation in
            let name = operation.string(at: 1) ?? ""
            // Operations of virtual tables begin so.
            if name.hasPrefix("V"), name != "Variable" { isLasting = false }
            // Of another database.
            if name == "Transaction", operation.int64(at: 2) != 0 { isLasting = false }
            // `name(argumentCount)`.
            if name.contains("Func") || name.hasPrefix("Agg") {
                functions.insert((operation.string(at: 5) ?? "").prefix { $0 != "(" }.lowercased())
            }
        }
        for function in functions where isLasting {
            let flags = try Row.fetchOne(
                db,
                literal: """
                    SELECT count(*), total(NOT builtin OR NOT flags & 0x800) FROM pragma_function_list \
                    WHERE name = \(function)
                    """)
            let (count, others) = (flags?[0] as Int? ?? 0, flags?[1] as Double? ?? 1)
            isLasting = count > 0 && others == 0 && !clockFunctions.contains(function)
        }
        return isLasting
    }
}

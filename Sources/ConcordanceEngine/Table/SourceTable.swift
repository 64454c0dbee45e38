import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// What a full-text table must hold, row by row: a query over ordinary tables, in the form of a virtual table.
///
///     CREATE VIRTUAL TABLE noteTexts_source USING concordancesource("title", "tags", (SELECT id, title, … FROM main.notes))
///
/// The arguments are the names of the columns, then a query in parentheses, whose first column is the rowid; what follows
/// is for others to read. It is a view in all but one respect: `ALTER TABLE` compiles every view of the schema and fails
/// where one does not compile, and passes over virtual tables. So any program can rename, rebuild or drop what the query
/// reads.
///
/// As in a view, functions that are marked SQLITE_DIRECTONLY cannot be called, and where the schema is not trusted, only
/// functions that are marked SQLITE_INNOCUOUS.
final class SourceTable: VirtualTable {
    static let moduleName = "concordancesource"

    let connection: OpaquePointer
    private let schema: String
    private let name: String
    private let columns: [String]
    private let query: String
    private var isChecked = false
    /// Whether the query is being compiled or executed: if it then asks this table, it is defined by itself.
    private var isLocked = false
    /// Statements that are not in use.
    private var idle: [Scan: KeptStatement] = [:]

    /// What a statement is compiled for.
    struct Scan: Hashable {
        var plan: Plan = []
        /// Bit n for column n, bit 63 for all from 63 on.
        var usedColumns: UInt64 = 0
    }

    init(connecting request: VirtualTableRequest<Void>) throws {
        connection = try request.database.sqliteConnection
        schema = request.databaseName
        name = request.tableName
        guard let source = SourceArguments(request.arguments) else {
            throw failure("concordancesource takes names of columns, and a query in parentheses")
        }
        columns = source.columns
        query = source.query
        try request.declare(.directOnly)
    }

    var declaration: String {
        "CREATE TABLE source(\(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))"
    }

    // MARK: Plans

    /// What a plan takes as arguments, in this order, and how its rows come.
    struct Plan: OptionSet, Hashable {
        let rawValue: Int32

        /// `rowid = ?`
        static let equal = Plan(rawValue: 1)
        /// `rowid >= ?`, or `>`, which SQLite checks again.
        static let lowerBound = Plan(rawValue: 2)
        /// `rowid <= ?`, or `<`.
        static let upperBound = Plan(rawValue: 4)
        /// `ORDER BY rowid`
        static let ascending = Plan(rawValue: 8)
        /// `ORDER BY rowid DESC`
        static let descending = Plan(rawValue: 16)
    }

    func bestIndex(_ index: inout VirtualTableIndex) throws {
        var plan: Plan = []
        var taken: [Plan: VirtualTableIndex.Constraint] = [:]
        for constraint in index.constraints where constraint.isUsable && constraint.column == -1 {
            switch constraint.comparison {
            case .equal: taken[.equal] = constraint
            case .greater, .greaterOrEqual: taken[.lowerBound] = constraint
            case .less, .lessOrEqual: taken[.upperBound] = constraint
            default: break
            }
        }
        if taken[.equal] != nil { taken = taken.filter { $0.key == .equal } }
        for part in [Plan.equal, .lowerBound, .upperBound] {
            guard let constraint = taken[part] else { continue }
            plan.insert(part)
            index.take(constraint)
        }
        let order = index.orderBy
        if order.count == 1, let term = order.first, term.column == -1 {
            plan.insert(term.isDescending ? .descending : .ascending)
            index.isOrdered = true
        }
        index.planNumber = plan.rawValue
        try index.setPlanText(String(index.usedColumns))
        index.isUnique = plan.contains(.equal)
        index.estimatedRows = plan.contains(.equal) ? 1 : 100_000
        index.estimatedCost =
            plan.contains(.equal) ? 10 : plan.isDisjoint(with: [.lowerBound, .upperBound]) ? 1e6 : 5e5
    }

    func makeCursor() throws -> SourceCursor { SourceCursor(self) }

    // MARK: The query

    /// The SQL of a scan, which computes the columns that are used, and NULL for the others.
    private func sql(_ scan: Scan) -> String {
        let (plan, usedColumns) = (scan.plan, scan.usedColumns)
        let names = (["k"] + columns.indices.map { "c\($0)" }).joined(separator: ", ")
        let values = columns.indices.map { usedColumns & (1 << UInt64(min($0, 63))) == 0 ? "NULL" : "c\($0)" }
        var sql = "WITH source(\(names)) AS (\(query)\n) SELECT \((["k"] + values).joined(separator: ", ")) FROM source"
        let conditions = [(Plan.equal, "k = ?"), (.lowerBound, "k >= ?"), (.upperBound, "k <= ?")]
            .filter { plan.contains($0.0) }.map(\.1)
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        if plan.contains(.ascending) { sql += " ORDER BY k" }
        if plan.contains(.descending) { sql += " ORDER BY k DESC" }
        return sql
    }

    /// A statement for a scan, which `giveBack` takes back.
    func take(_ scan: Scan) throws -> KeptStatement {
        if let statement = idle.removeValue(forKey: scan) { return statement }
        guard schema == "main" else {
            throw failure("\(name) can be read only where its file is the main database")
        }
        return try locked {
            if !isChecked { try SchemaQuery.check(query, on: connection) }
            isChecked = true
            return try KeptStatement(connection, sql(scan), access: .anything)
        }
    }

    func giveBack(_ statement: KeptStatement, _ scan: Scan) {
        statement.clear()
        if idle.count < 8 { idle[scan] = statement }
    }

    func step(_ statement: KeptStatement) throws -> Bool { try locked { try statement.step() } }

    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isLocked else { throw failure("recursive definition of \(name)") }
        isLocked = true
        defer { isLocked = false }
        return try body()
    }
}

/// The rows of one scan of a `SourceTable`.
final class SourceCursor: VirtualTableCursor {
    private let table: SourceTable
    private var scan = SourceTable.Scan()
    private var statement: KeptStatement?
    private(set) var isAtEnd = true

    init(_ table: SourceTable) { self.table = table }

    deinit { giveBack() }

    private func giveBack() {
        if let statement { table.giveBack(statement, scan) }
        statement = nil
    }

    func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws {
        let used = plan.withUTF8 { digits in digits.reduce(0) { $0 &* 10 &+ UInt64($1 &- UInt8(ascii: "0")) } }
        let scan = SourceTable.Scan(plan: SourceTable.Plan(rawValue: plan.number), usedColumns: used)
        if scan == self.scan { statement?.reset() } else { giveBack() }
        let statement = try self.statement ?? table.take(scan)
        (self.scan, self.statement) = (scan, statement)
        for (index, value) in arguments.enumerated() { try statement.bind(value, at: Int32(clamping: index + 1)) }
        try next()
    }

    func next() throws {
        guard let statement else { return isAtEnd = true }
        isAtEnd = true
        isAtEnd = try !table.step(statement)
    }

    func column(_ column: Int, into result: ResultContext) throws {
        if let statement { result.set(statement.value(at: Int32(clamping: column + 1))) }
    }

    func rowID() throws -> Int64 { statement?.int64(at: 0) ?? 0 }
}

/// The arguments of a `SourceTable`.
package struct SourceArguments {
    /// The names of the columns.
    package let columns: [String]
    /// The query for the rows: the rowid, then the columns.
    package let query: String
    /// The queries that follow it.
    package let furtherQueries: [String]

    /// Nil if there are no columns, or no query.
    package init?(_ arguments: [String]) {
        let queries = arguments.drop { !$0.hasPrefix("(") }
        columns = arguments.prefix(arguments.count - queries.count).map(\.dequoted)
        guard let first = queries.first, !columns.isEmpty,
            queries.allSatisfy({ $0.hasPrefix("(") && $0.hasSuffix(")") })
        else { return nil }
        query = String(first.dropFirst().dropLast())
        furtherQueries = queries.dropFirst().map { String($0.dropFirst().dropLast()) }
    }
}

/// A query that is part of a schema, whose author may be anybody: what views may not do, it may not.
package enum SchemaQuery {
    /// Bits of `pragma_function_list` (https://www.sqlite.org/c3ref/c_deterministic.html).
    private static let directOnly: Int64 = 0x80000
    private static let innocuous: Int64 = 0x200000
    /// The tables with arguments that a query may read, which are functions of these.
    private static let tableFunctions = ["json_each", "json_tree"]

    /// Checks every name in front of a parenthesis.
    ///
    /// - Throws: SQLITE_ERROR for a function that views could not call either.
    package static func check(_ sql: String, on connection: OpaquePointer) throws {
        var trustsSchema: Int32 = 0
        csqlite_db_config_switch(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, -1, &trustsSchema)
        for name in calledNames(in: sql) {
            let flags = try integers(connection, "SELECT flags FROM pragma_function_list WHERE name = ?", name)
            let isUnsafe = flags.contains { $0 & directOnly != 0 || trustsSchema == 0 && $0 & innocuous == 0 }
            let modules = try integers(connection, "SELECT 1 FROM pragma_module_list WHERE name = ?", name)
            let isTable = flags.isEmpty && (name.hasPrefix("pragma_") || !modules.isEmpty)
            if isUnsafe || isTable && !tableFunctions.contains(name) { throw failure("unsafe use of \(name)()") }
        }
    }

    private static func calledNames(in sql: String) -> Set<String> {
        var names: Set<String> = []
        var scanner = SQLScanner(sql)
        var last: String?
        while let word = scanner.next() {
            if word == "(", let last { names.insert(last.lowercasedASCII) }
            last = word
        }
        return names
    }

    private static func integers(_ connection: OpaquePointer, _ sql: String, _ name: String) throws -> [Int64] {
        let statement = try KeptStatement(connection, sql + " COLLATE NOCASE", access: .anything)
        try statement.bind(name, at: 1)
        var values: [Int64] = []
        while try statement.step() { values.append(statement.int64(at: 0)) }
        return values
    }
}

import ConcordanceSQLite
import ConcordanceText

/// Asks SQLite whether an expression reads only the columns of its row and always gives the same result.
///
/// It asks on its own connection, in memory, with a table that has the columns of the source table, and with stand-ins
/// for the functions and collations of the app's connection. So the database is not touched, no matter who owns the
/// connection and what it may do: an authorizer, for one, could only be set by replacing the owner's.
struct ExpressionChecker {
    /// Why an expression cannot be used.
    struct Problem: Error {
        let reason: String
    }

    private let scratch: Database
    private let source: TableSchema
    private let rowID: String
    private let columnList: String

    /// The name of the table in the scratch database; an expression that names its own table reads other rows.
    private static let rowTable = "concordance_row"
    /// What a subquery may read: SQLite's JSON tables, which are functions of their arguments.
    private static let tableFunctions = ["json_each", "json_tree"]
    /// Date and time functions, which return the time of the call when asked for it.
    private static let dateFunctions: Set<String> = [
        "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff",
    ]

    init(source: TableSchema, rowID: String, in db: Database) throws {
        self.source = source
        self.rowID = rowID
        columnList = source.columns.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
        scratch = try Database(path: ":memory:")
        try scratch.refuseDoubleQuotedText()
        try Self.copyFunctions(from: db, to: scratch)
        try scratch.execute(sql: "CREATE TABLE \(Self.rowTable)(\(columnList))")
    }

    /// The columns of the source table that the expression reads, or why it cannot be used.
    func check(_ expression: String) throws -> Result<Set<String>, Problem> {
        let row = "FROM \(Self.rowTable) AS \(source.name.quotedDatabaseIdentifier)"
        do {
            // The line break ends a comment at the end of the expression.
            let sql = "SELECT (\(expression)\n) \(row)"
            // The first use of a table function declares it, which reads the schema.
            _ = try scratch.makeStatement(sql: sql)
            let (statement, access) = try scratch.access(of: sql)
            if statement.columnCount != 1 { return problem("it is more than one expression") }
            if statement.parameterCount != 0 { return problem("it has a parameter; write the value itself") }
            if let reason = try obstacle(in: access, expression) { return problem(reason) }
            // WHERE allows no aggregates, and a comparison needs the collation.
            _ = try scratch.makeStatement(sql: "SELECT 1 \(row) WHERE (\(expression)\n) = ''")
            return .success(columns(in: access))
        } catch let error as DatabaseError {
            return problem(reason(of: error))
        }
    }

    private func problem(_ reason: String) -> Result<Set<String>, Problem> { .failure(Problem(reason: reason)) }

    private func columns(in access: StatementAccess) -> Set<String> {
        var names: Set<String> = []
        for name in access.columns[Self.rowTable] ?? [] where !name.isEmpty {
            let column = source.columns.first { $0.name.equalsIgnoringASCIICase(name) }
            names.insert(column?.name ?? rowID)
        }
        return names
    }

    private func obstacle(in access: StatementAccess, _ expression: String) throws -> String? {
        let tables = access.columns.keys.filter { $0 != Self.rowTable && !Self.tableFunctions.contains($0) }
        if let table = tables.min() {
            return "it reads the table \(table), but may read only its own row; use joined for text of other rows"
        }
        let dates = access.functions.filter { Self.dateFunctions.contains($0.lowercasedASCII) }
        for function in access.functions.subtracting(dates).sorted() {
            if let reason = try obstacle(inFunction: function) { return reason }
        }
        if !dates.isEmpty, try dependsOnTime(expression) {
            return "it depends on the time or the time zone; an index must not depend on when it is built"
        }
        return nil
    }

    /// Bits of `pragma_function_list` (https://www.sqlite.org/c3ref/c_deterministic.html).
    private static let deterministic = 0x800
    private static let directOnly = 0x80000

    private func obstacle(inFunction name: String) throws -> String? {
        // Aggregates are never marked as deterministic; SQLite's own are, inside subqueries over JSON.
        let variants = try Row.fetchAll(
            scratch, sql: "SELECT builtin, type, flags FROM pragma_function_list WHERE name = ? COLLATE NOCASE",
            arguments: [name])
        for variant in variants {
            let flags: Int = variant["flags"] ?? 0
            if flags & Self.directOnly != 0 {
                return "views and triggers may not call \(name)(); a DatabaseFunction must be innocuous for that"
            }
            let isScalar = variant["type"] as String? == "s"
            let isBuiltIn: Bool = variant["builtin"] ?? false
            if flags & Self.deterministic == 0, isScalar || !isBuiltIn {
                return "\(name)() may return different results for the same arguments; a DatabaseFunction must be pure"
            }
        }
        return nil
    }

    /// Whether the expression depends on the current time.
    private func dependsOnTime(_ expression: String) throws -> Bool {
        let text = expression.lowercasedASCII.filter { !$0.isWhitespace }
        let words = ["'now'", "'localtime'", "'utc'", "date()", "time()", "julianday()", "unixepoch()"]
        if words.contains(where: text.contains) { return true }
        // SQLite checks this when it computes a generated column, which allows no subqueries and no `table.column`.
        guard
            (try? scratch.execute(
                sql: "CREATE TABLE generated(\(columnList), \"concordance value\" AS (\(expression)\n))")) != nil
        else { return false }
        defer { try? scratch.execute(sql: "DROP TABLE generated") }
        let first = source.columns.first?.name.quotedDatabaseIdentifier ?? ""
        try scratch.execute(sql: "INSERT INTO generated(\(first)) VALUES (NULL)")
        return (try? Row.fetchOne(scratch, sql: "SELECT \"concordance value\" FROM generated")) == nil
    }

    private func reason(of error: DatabaseError) -> String {
        let message = error.message ?? "\(error)"
        if message.hasPrefix("no such table: ") {
            return "\(message); it may read only its own row; use joined for text of other rows"
        }
        if message.hasPrefix("no such column: ") {
            let name = String(message.dropFirst("no such column: ".count))
            let known = source.columns.map(\.name)
            let nearest = SearchIndexError.nearestName(to: name, in: known).map { "; did you mean \($0)?" } ?? ";"
            return "\(message)\(nearest) Columns are: \(known.joined(separator: ", "))"
        }
        if message.hasPrefix("no such function: ") {
            return "\(message); add it to every connection that writes, with add(function:)"
        }
        return message
    }

    /// Gives the scratch database stand-ins for the app's functions and collations that SQLite does not have itself.
    private static func copyFunctions(from db: Database, to scratch: Database) throws {
        let list = "SELECT DISTINCT name, narg, type, flags FROM pragma_function_list WHERE builtin = 0"
        let known = Set(try Row.fetchAll(scratch, sql: list).compactMap { $0["name"] as String? })
        for row in try Row.fetchAll(db, sql: list) {
            guard let name: String = row["name"], !known.contains(name) else { continue }
            let flags: Int = row["flags"] ?? 0
            let count: Int? = row["narg"]
            let isScalar = row["type"] as String? == "s"
            let argumentCount = count.flatMap { $0 < 0 ? nil : $0 }
            let (pure, innocuous) = (flags & deterministic != 0, flags & directOnly == 0)
            try scratch.add(
                function: isScalar
                    ? DatabaseFunction(
                        name, argumentCount: argumentCount, pure: pure, innocuous: innocuous, function: { _ in nil })
                    : DatabaseFunction(
                        name, argumentCount: argumentCount, pure: pure, innocuous: innocuous,
                        aggregate: StandInAggregate.self))
        }
        let collations = "SELECT name FROM pragma_collation_list"
        let existing = Set(try String.fetchAll(scratch, sql: collations))
        for name in try String.fetchAll(db, sql: collations) where !existing.contains(name) {
            try scratch.add(collation: .bytes(name) { _, _ in .same })
        }
    }
}

/// An aggregate over no rows.
private struct StandInAggregate: DatabaseAggregate {
    mutating func step(_ values: [DatabaseValue]) {}
    func finalize() -> (any DatabaseValueConvertible)? { nil }
}

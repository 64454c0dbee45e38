import Concordance
import ConcordanceSQLite

/// Pages of 20 hits by SQL over FTS5's table, as people write it.
struct HandWrittenPages {
    private let bareStatement: Statement
    private let shownStatement: Statement
    private let countStatement: Statement

    init(_ db: Database) throws {
        bareStatement = try db.makeStatement(
            sql: "SELECT rowid FROM handTexts WHERE handTexts MATCH ? ORDER BY rank LIMIT 20")
        shownStatement = try db.makeStatement(
            sql: """
                SELECT documents.*, highlight(handTexts, 0, '<b>', '</b>'), snippet(handTexts, 1, '<b>', '</b>', '…', 24)
                FROM handTexts JOIN documents ON documents.id = handTexts.rowid
                WHERE handTexts MATCH ? ORDER BY rank LIMIT 20
                """)
        countStatement = try db.makeStatement(sql: "SELECT count(*) FROM handTexts WHERE handTexts MATCH ?")
    }

    /// The rowids.
    func bare(_ match: String) throws { try run(bareStatement, match) }

    /// The rows, with titles highlighted and snippets of bodies.
    func shown(_ match: String) throws { try run(shownStatement, match) }

    /// How many rows match.
    func count(_ match: String) throws -> Int {
        var count = 0
        try countStatement.forEachRow(arguments: [match]) { count = Int(clamping: $0.int64(at: 0)) }
        return count
    }

    /// Reads the columns of each row as stored.
    private func run(_ statement: Statement, _ match: String) throws {
        var byteCount = 0
        try statement.forEachRow(arguments: [match]) { row in
            for column in 0..<row.columnCount { row.withBytes(at: column) { byteCount += $0.count } }
        }
        withExtendedLifetime(byteCount) {}
    }
}

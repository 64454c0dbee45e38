import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

/// A full-text table with stored values beside a plain table with the same rows and the same changes: the full-text
/// table must find what SQLite finds in the plain table.
struct ValueTableHistory {
    /// Where the texts of the full-text table are.
    enum Content: CaseIterable {
        case stored, contentless, external
    }

    let db: Database
    let content: Content
    var random: SeededGenerator
    /// What was executed, for the report of a failure.
    private(set) var log: [String] = []

    static let words = ["one", "two", "three", "four", "five"]

    init(_ content: Content, seed: UInt64, in folder: TemporaryFolder) throws {
        db = try Database(path: folder["values.db"])
        try ConcordanceModule.register(on: db)
        self.content = content
        random = SeededGenerator(seed: seed)
        let option =
            switch content {
            case .stored: ""
            case .contentless: ", content = '', contentless_delete = 1"
            case .external: ", content = 'p', content_rowid = 'id'"
            }
        try db.execute(
            sql: """
                CREATE TABLE p(id INTEGER PRIMARY KEY, body, folder, year, tags);
                CREATE VIRTUAL TABLE t USING concordance(body, folder VALUE, year VALUE, tags VALUE\(option));
                """)
    }

    // MARK: - Random rows

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func text() -> String {
        "'" + (0..<Int.random(in: 1...4, using: &random)).map { _ in pick(Self.words) }.joined(separator: " ") + "'"
    }

    mutating func folder() -> String { pick(["'inbox'", "'sent'", "'archive'", "'spam'", "NULL", "x'00'"]) }

    mutating func year() -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: pick(["NULL", "''", "'2001'", "1e300", "-9e999", "9223372036854775807"])
        // Which of 1 and 1.0 a facet shows is open, so there is no such pair.
        case 1: "\(Int.random(in: 1995...2005, using: &random)).5"
        default: "\(Int.random(in: 1995...2005, using: &random))"
        }
    }

    mutating func tag() -> String { pick(["red", "green", "blue", "white"]) }

    mutating func tags() -> String {
        let count = Int.random(in: 0...4, using: &random)
        if count == 4 { return pick(["NULL", "'red'", "'[not json'", "7"]) }
        return "'[" + (0..<count).map { _ in "\"\(tag())\"" }.joined(separator: ",") + "]'"
    }

    // MARK: - Changes

    mutating func execute(_ sql: String) throws {
        log.append(sql)
        try db.execute(sql: sql)
    }

    mutating func insert(_ rowID: Int) throws {
        let values = "(\(rowID), \(text()), \(folder()), \(year()), \(tags()))"
        try execute("INSERT INTO p VALUES \(values)")
        if content == .external {
            try execute("INSERT INTO t(rowid, body, folder, year, tags) SELECT * FROM p WHERE id = \(rowID)")
        } else {
            try execute("INSERT INTO t(rowid, body, folder, year, tags) VALUES \(values)")
        }
    }

    mutating func delete(_ rowID: Int) throws {
        if content == .external {
            try execute("INSERT INTO t(t, rowid, body) SELECT 'delete', id, body FROM p WHERE id = \(rowID)")
        } else {
            try execute("DELETE FROM t WHERE rowid = \(rowID)")
        }
        try execute("DELETE FROM p WHERE id = \(rowID)")
    }

    /// Changes stored values, and no text.
    mutating func changeValues(where condition: (String) -> String) throws {
        var changes: [String] = []
        if Bool.random(using: &random) { changes.append("folder = \(folder())") }
        if Bool.random(using: &random) { changes.append("year = \(year())") }
        if changes.isEmpty || Bool.random(using: &random) { changes.append("tags = \(tags())") }
        try execute("UPDATE p SET \(changes.joined(separator: ", ")) WHERE \(condition("id"))")
        if content == .external {
            try execute(
                """
                INSERT INTO t(t, rowid, folder, year, tags) SELECT 'values', id, folder, year, tags FROM p
                WHERE \(condition("id"))
                """)
        } else {
            try execute("UPDATE t SET \(changes.joined(separator: ", ")) WHERE \(condition("rowid"))")
        }
    }

    /// Changes a text, and a value.
    mutating func changeText(_ rowID: Int) throws {
        guard content == .stored else {
            let isThere = try Int.fetchOne(db, sql: "SELECT count(*) FROM p WHERE id = \(rowID)") == 1
            guard isThere else { return }
            try delete(rowID)
            return try insert(rowID)
        }
        let changes = "body = \(text()), folder = \(folder())"
        try execute("UPDATE t SET \(changes) WHERE rowid = \(rowID)")
        try execute("UPDATE p SET \(changes) WHERE id = \(rowID)")
    }

    // MARK: - Questions

    /// A condition on a column, and its SQL for the plain table; if there are several values, one must fulfil it.
    private mutating func condition() -> (String, plain: String) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let value = folder() == "NULL" ? "'inbox'" : folder()
            return pick([
                ("folder = \(value)", "folder = \(value)"), ("folder IS NULL", "folder IS NULL"),
                ("folder IS NOT NULL", "folder IS NOT NULL"), ("folder > \(value)", "folder > \(value)"),
                ("folder IN (\(value), 'sent', NULL)", "folder IN (\(value), 'sent', NULL)"),
                ("folder <> \(value)", "folder <> \(value)"), ("folder LIKE 'S%'", "folder LIKE 'S%'"),
            ])
        case 1:
            let tag = tag()
            let values = "(SELECT value FROM json_each(CASE WHEN json_valid(p.tags) THEN p.tags END))"
            let plain = "(p.tags = '\(tag)' OR '\(tag)' IN \(values))"
            return ("tags = '\(tag)'", plain)
        default:
            let (low, high) = (year(), year())
            return pick([
                ("year = \(low)", "year = \(low)"), ("year < \(low)", "year < \(low)"),
                ("year <= \(low)", "year <= \(low)"), ("year > \(low)", "year > \(low)"),
                ("year >= \(low)", "year >= \(low)"),
                ("year BETWEEN \(low) AND \(high)", "year BETWEEN \(low) AND \(high)"),
                ("year IN (\(low), \(high))", "year IN (\(low), \(high))"),
                ("year >= \(low) AND year < \(high)", "year >= \(low) AND year < \(high)"),
            ])
        }
    }

    /// Asks both tables the same.
    mutating func compare(_ location: SourceLocation = #_sourceLocation) throws {
        let word = pick(Self.words)
        let match = "t MATCH '\(word)'"
        let plainMatch = "' ' || p.body || ' ' LIKE '% \(word) %'"
        let (first, second) = (condition(), condition())
        // SQLite makes `tags = 'a' AND tags = 'b'` false before the table is asked.
        let isDouble = Bool.random(using: &random) && !(first.0.hasPrefix("tags") && second.0.hasPrefix("tags"))
        let filter = isDouble ? "\(first.0) AND \(second.0)" : first.0
        let plainFilter = isDouble ? "\(first.plain) AND \(second.plain)" : first.plain
        let direction = pick(["", " DESC"])
        let limit = pick(["", " LIMIT 3", " LIMIT 5 OFFSET 4", " LIMIT 30"])
        try check(
            "SELECT rowid FROM t WHERE \(match) AND \(filter) ORDER BY rowid\(limit)",
            "SELECT id FROM p WHERE \(plainMatch) AND \(plainFilter) ORDER BY id\(limit)", location)
        try check(
            "SELECT rowid FROM t WHERE \(match) AND \(filter) ORDER BY year\(direction)\(limit)",
            "SELECT id FROM p WHERE \(plainMatch) AND \(plainFilter) ORDER BY year\(direction), id\(limit)", location)
        let last = pick(["", " DESC"])
        try check(
            "SELECT rowid FROM t WHERE \(match) ORDER BY folder\(direction), rowid\(last)\(limit)",
            "SELECT id FROM p WHERE \(plainMatch) ORDER BY folder\(direction), id\(last)\(limit)", location)
        try check(
            "SELECT rowid, rank FROM t WHERE \(match) AND \(filter) ORDER BY rank, rowid\(limit)",
            """
            SELECT id, score FROM p JOIN (SELECT rowid AS r, rank AS score FROM t WHERE \(match)) ON r = id
            WHERE \(plainFilter) ORDER BY score, id\(limit)
            """, location)
        let column = pick(["year", "folder"])
        try check(
            "SELECT rowid FROM t WHERE \(match) AND \(filter) ORDER BY \(column)\(direction), rank\(limit)",
            """
            SELECT id FROM p JOIN (SELECT rowid AS r, rank AS score FROM t WHERE \(match)) ON r = id
            WHERE \(plainFilter) ORDER BY \(column)\(direction), score, id\(limit)
            """, location)
        let ranges = ["year < 1998", "year >= 1998 AND year < 2001.5", "year >= 2001.5"]
        try check(
            "SELECT count FROM concordance_facets('t', '\(word)', 'year', '[null, 1998, 2001.5]')",
            ranges.map { "SELECT count(*) FROM p WHERE \(plainMatch) AND \($0)" }.joined(separator: " UNION ALL "),
            location)
        try check(
            "SELECT value, count FROM concordance_facets('t', '\(word)', 'folder')",
            "SELECT folder, count(*) FROM p WHERE \(plainMatch) GROUP BY 1 ORDER BY 2 DESC, 1", location)
        try check(
            "SELECT value, count FROM concordance_facets('t', NULL, 'year')",
            "SELECT year, count(*) FROM p GROUP BY 1 ORDER BY 2 DESC, 1", location)
        if content != .contentless {
            try check("SELECT rowid, * FROM t WHERE \(match)", "SELECT * FROM p WHERE \(plainMatch)", location)
        } else {
            try check(
                "SELECT rowid, folder, year FROM t WHERE \(match)",
                "SELECT id, folder, year FROM p WHERE \(plainMatch)",
                location)
        }
    }

    private func check(_ sql: String, _ plain: String, _ location: SourceLocation) throws {
        let (found, expected) = (SideBySide.outcome(of: sql, on: db), SideBySide.outcome(of: plain, on: db))
        #expect(
            found == expected, "\(sql)\n\(plain)\nafter \(log.suffix(40).joined(separator: ";\n"))",
            sourceLocation: location)
    }

    /// The index is sound, and matches the texts and values.
    func checkIntegrity() throws {
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('integrity-check', 1)")
    }
}

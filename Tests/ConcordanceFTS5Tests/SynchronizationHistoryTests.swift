import ConcordanceFTS5
import ConcordanceSQLite
import TestSupport
import Testing

/// A random table `t` with the texts `a` and `b`, and random statements over it of all the kinds that change rows.
private struct RandomTable {
    private enum Key: CaseIterable {
        case integer, text, descending, composite, columnNamedRowID, none
    }

    private var random: SeededGenerator
    private let key: Key
    private(set) var schema = ""

    /// A name of the rowid.
    var rowID: String { key == .integer ? "k" : "_rowid_" }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        key = Key.allCases.randomElement(using: &random) ?? .integer
        schema = makeSchema()
    }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    // MARK: The schema

    private mutating func conflictClause() -> String {
        pick(["", "", "", " ON CONFLICT REPLACE", " ON CONFLICT IGNORE", " ON CONFLICT FAIL", " ON CONFLICT ROLLBACK"])
    }

    private mutating func makeSchema() -> String {
        var columns: [String]
        switch key {
        case .integer: columns = ["k INTEGER PRIMARY KEY" + pick(["", " ON CONFLICT REPLACE", " ON CONFLICT IGNORE"])]
        case .text: columns = ["k TEXT PRIMARY KEY" + conflictClause() + pick(["", " COLLATE NOCASE"])]
        case .descending: columns = ["k INTEGER PRIMARY KEY DESC" + conflictClause()]
        case .composite, .none: columns = ["k"]
        case .columnNamedRowID: columns = ["k UNIQUE" + conflictClause(), "rowid"]
        }
        columns += ["a TEXT" + pick(["", " COLLATE NOCASE"]), "b"]
        let unique = oneIn(2) ? " UNIQUE" + conflictClause() : ""
        let hasDefault = oneIn(4)
        let type =
            hasDefault
            ? pick([" NOT NULL DEFAULT 3", " TEXT NOT NULL DEFAULT x"]) : pick([" INT", " TEXT COLLATE NOCASE", ""])
        columns += ["u\(type)\(unique)", "w INT"]
        if !hasDefault, oneIn(4) {
            columns.append("g AS (lower(a) || u) \(pick(["STORED", "VIRTUAL"])) UNIQUE\(conflictClause())")
        }
        let refers = [.integer, .text, .descending].contains(key) && oneIn(3)
        columns.append(
            "p" + (refers ? " REFERENCES t(k) ON DELETE \(pick(["CASCADE", "SET NULL"])) ON UPDATE CASCADE" : ""))
        if key == .composite { columns.append("PRIMARY KEY (k, w)" + conflictClause()) }
        if oneIn(3) { columns.append("UNIQUE (w, u)" + conflictClause()) }
        let indexes = [
            "CREATE UNIQUE INDEX i1 ON t(u) WHERE w = 1", "CREATE UNIQUE INDEX i2 ON t(lower(a) DESC)",
            "CREATE UNIQUE INDEX i3 ON t((CASE WHEN w = '1' THEN p END), b) WHERE b > ''",
            "CREATE UNIQUE INDEX i4 ON t(b COLLATE NOCASE, w)",
        ].filter { _ in oneIn(4) }
        let triggers = [
            "CREATE TRIGGER x1 AFTER INSERT ON t WHEN NEW.w = 2 BEGIN UPDATE t SET b = 'three' WHERE w = 1; END",
            "CREATE TRIGGER x2 AFTER DELETE ON t WHEN OLD.w = 2 BEGIN DELETE FROM t WHERE w = 3; END",
            "CREATE TRIGGER x3 AFTER INSERT ON t WHEN NEW.w = 3 BEGIN REPLACE INTO t(a, u, w) VALUES ('one', 9, 4); END",
            "CREATE TRIGGER x4 BEFORE INSERT ON t WHEN NEW.w = 0 BEGIN SELECT RAISE(IGNORE); END",
        ].filter { _ in oneIn(6) }
        return (["CREATE TABLE t(\(columns.joined(separator: ", ")))"] + indexes + triggers).joined(separator: ";\n")
    }

    // MARK: Statements

    private mutating func keyValue() -> String {
        pick(
            key == .integer
                ? ["1", "2", "3", "4", "'3'", "NULL", "-1"] : ["'a'", "'b'", "'A'", "1", "2", "'1'", "NULL"])
    }

    private mutating func text() -> String {
        pick(["'one'", "'two'", "'Two'", "'three'", "'four one'", "''", "NULL", "1", "1.0", "'1'", "x'6F6E65'"])
    }

    private mutating func value(of column: String) -> String {
        switch column {
        case "k", "p": column == "p" && !oneIn(3) ? "NULL" : keyValue()
        case "a", "b": text()
        case "u": pick(["1", "2", "3", "'x'", "'X'", "'1'", "2.0", "NULL"])
        case "w": pick(["0", "1", "2", "3", "'1'", "NULL"])
        case "_rowid_": pick(["1", "2", "3", "4", "NULL"])
        default: "NULL"
        }
    }

    private mutating func columns() -> [String] {
        var columns = ["k", "a", "b", "u", "w", "p"].filter { _ in !oneIn(8) }
        if key != .integer, oneIn(5) { columns.append("_rowid_") }
        return columns.isEmpty ? ["a"] : columns
    }

    private mutating func condition() -> String {
        let column = pick(["k", "a", "u", "w", rowID])
        return oneIn(4) ? "\(rowID) % 2 = 1" : "\(column) = \(value(of: column))"
    }

    private mutating func changes() -> String {
        let changes = columns().shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).map { column in
            let further = ["w": "w + 1", "a": "a || ' two'", "u": "u + 1", "_rowid_": "_rowid_ + 1"][column]
            return "\(column) = \(oneIn(3) ? further ?? column : value(of: column))"
        }
        return changes.joined(separator: ", ")
    }

    private mutating func insert() -> String {
        let columns = columns()
        let verb = pick([
            "INSERT", "INSERT", "INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE", "INSERT OR FAIL",
            "INSERT OR ROLLBACK",
        ])
        var sql = "\(verb) INTO t(\(columns.joined(separator: ", ")))"
        if oneIn(8) {
            let values = columns.map { oneIn(2) ? $0 : value(of: $0) }
            sql += " SELECT \(values.joined(separator: ", ")) FROM t WHERE \(condition())"
        } else {
            let rows = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                "(\(columns.map { value(of: $0) }.joined(separator: ", ")))"
            }
            sql += " VALUES \(rows.joined(separator: ", "))"
        }
        if oneIn(3) {
            let hasTarget = [.integer, .text, .descending].contains(key) && oneIn(2)
            sql += " ON CONFLICT\(hasTarget ? "(k)" : "") DO \(oneIn(3) ? "NOTHING" : "UPDATE SET \(changes())")"
        }
        return sql
    }

    mutating func statement(insideTransaction: Bool) -> String {
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<11: return insert()
        case 11..<18:
            let verb = pick(["UPDATE", "UPDATE OR REPLACE", "UPDATE OR REPLACE", "UPDATE OR IGNORE", "UPDATE OR FAIL"])
            return "\(verb) t SET \(changes()) WHERE \(condition())"
        case 18..<20: return oneIn(6) ? "DELETE FROM t" : "DELETE FROM t WHERE \(condition())"
        case 20: return insideTransaction ? pick(["COMMIT", "ROLLBACK"]) : "BEGIN"
        case 21: return "SAVEPOINT s; \(insert()); ROLLBACK TO s; RELEASE s"
        case 22: return "PRAGMA recursive_triggers = \(oneIn(2)); PRAGMA foreign_keys = \(!oneIn(3))"
        default: return insideTransaction ? "INSERT INTO f(f) VALUES ('optimize')" : "VACUUM"
        }
    }
}

@Suite struct `Any history of a synchronized table` {
    /// The rows that have a word, found without the index.
    private func rows(with word: String, in texts: [Row]) -> [Int] {
        texts.filter { row in
            (1...2).contains { column in
                let text: String = row[column] ?? ""
                return text.lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0 == word }
            }
        }
        .compactMap { $0[0] }
    }

    @Test(arguments: UInt64(0)..<60)
    func `leaves the index as the table is`(seed: UInt64) throws {
        var table = RandomTable(seed: seed)
        let t = try Synchronized(table.schema)
        var history = [table.schema]
        for _ in 0..<40 {
            let sql = table.statement(insideTransaction: t.db.isInsideTransaction)
            history.append(sql)
            let comment: Comment = "seed \(seed):\n\(history.joined(separator: ";\n"))"
            do {
                try t.db.execute(sql: sql)
            } catch let error as DatabaseError {
                #expect([.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode), "\(error) \(comment)")
            }
            t.check(comment)
            let texts = try Row.fetchAll(
                t.db, sql: "SELECT \(table.rowID), CAST(a AS TEXT), CAST(b AS TEXT) FROM t ORDER BY 1")
            for word in ["one", "two", "three", "four", "1", "0"] {
                let found = try t.rows(word)
                #expect(found == rows(with: word, in: texts), "\(word), \(comment)")
            }
        }
    }
}

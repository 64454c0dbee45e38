/// Random writes to a table: each is valid on its own, so that a history stays valid when steps are removed.
struct RandomHistory {
    let schema: RandomSchema
    let isFile: Bool
    let changesSettings: Bool
    /// Whether no statement may fail, after which FTS5 keeps a lock that stops the other connection.
    let avoidsFailures: Bool
    /// Whether there are many merges in small steps.
    let mergesOften: Bool
    private let expressions: RandomExpression
    private let conditions: RandomCondition
    private var savepoints: [String] = []
    private var isInTransaction = false

    init(_ schema: RandomSchema, isFile: Bool, changesSettings: Bool, avoidsFailures: Bool, mergesOften: Bool) {
        self.schema = schema
        self.isFile = isFile
        self.changesSettings = changesSettings
        self.avoidsFailures = avoidsFailures
        self.mergesOften = mergesOften
        expressions = RandomExpression(schema: schema)
        conditions = RandomCondition(schema: schema)
    }

    /// Not the largest, after which SQLite chooses random ones.
    static func rowID(_ chance: inout Chance) -> Int {
        chance.percent(96) ? chance.int(1...30) : chance.pick([-5, 0, 1 << 40, -(1 << 40), 1 << 62, Int.min, 1000])
    }

    mutating func make(_ chance: inout Chance) -> FuzzStep {
        if mergesOften, chance.percent(25) {
            // As much at a time as a commit does, or less.
            return FuzzStep(
                "INSERT INTO t(t, rank) VALUES ('merge', \(chance.pick([1, 1, 2, 3, 8, 20, 50, -1, -3, -20])))")
        }
        if mergesOften, chance.percent(4) { return FuzzStep(RandomBulk.insert(schema, &chance)) }
        if chance.percent(14) { return transaction(&chance) }
        if chance.percent(14) { return command(&chance) }
        if chance.percent(3) { return maintenance(&chance) }
        if schema.content == .stored && chance.percent(5) {
            let insert = "INSERT INTO t(\(schema.columnList)) VALUES (\(values(&chance)))"
            return FuzzStep("\(insert); SELECT changes(), last_insert_rowid()")
        }
        if schema.content == .unsynchronized && chance.percent(20) { return rebuild(&chance) }
        return FuzzStep(write(&chance))
    }

    // MARK: Rows

    private var target: String { schema.target }
    private var key: String { schema.key }

    private func values(_ chance: inout Chance) -> String {
        schema.quotedColumns.map { schema.value(of: $0, &chance) }.joined(separator: ", ")
    }

    /// FTS5 knows OR REPLACE only: any other conflict mode is ABORT to its tables.
    private func conflict(_ chance: inout Chance) -> String {
        if avoidsFailures { return " OR REPLACE" }
        guard schema.content != .stored else {
            return chance.weighted([(70, ""), (25, " OR REPLACE"), (5, " OR ABORT")])
        }
        return chance.weighted([
            (60, ""), (20, " OR REPLACE"), (8, " OR IGNORE"), (4, " OR FAIL"), (4, " OR ABORT"), (4, " OR ROLLBACK"),
        ])
    }

    private func write(_ chance: inout Chance) -> String {
        if !schema.valueColumns.isEmpty, chance.percent(12) { return updateValues(&chance) }
        return switch chance.int(0...99) {
        case 0...34: insert(&chance)
        case 35...42: insertSelect(&chance)
        case 43...64: update(&chance)
        case 65...70: updateKey(&chance)
        case 71...88: delete(&chance)
        case 89...93: upsert(&chance)
        case 94...96: "INSERT INTO \(target) DEFAULT VALUES"
        default:
            "REPLACE INTO \(target)(\(key), \(schema.columnList)) VALUES (\(Self.rowID(&chance)), \(values(&chance)))"
        }
    }

    private func insert(_ chance: inout Chance) -> String {
        let count = chance.weighted([(70, 1), (15, 3), (10, 6), (5, 30)])
        if chance.percent(35) {
            let rows = (0..<count).map { _ in "(\(values(&chance)))" }.joined(separator: ", ")
            return "INSERT\(conflict(&chance)) INTO \(target)(\(schema.columnList)) VALUES \(rows)"
        }
        let rows = (0..<count).map { _ in
            let key =
                avoidsFailures || chance.percent(97)
                ? "\(Self.rowID(&chance))" : chance.pick(["'7'", "5.0", "'x'", "1.5", "NULL", "x'31'"])
            return "(\(key), \(values(&chance)))"
        }.joined(separator: ", ")
        return "INSERT\(conflict(&chance)) INTO \(target)(\(key), \(schema.columnList)) VALUES \(rows)"
    }

    private func insertSelect(_ chance: inout Chance) -> String {
        if chance.percent(50) {
            let first = chance.int(1...60)
            let row = schema.quotedColumns.map { column in
                schema.valueColumns.contains(column)
                    ? chance.storedValueOfNumber() : "\(chance.word().textExpression)||' '||(n % \(chance.int(2...5)))"
            }
            return
                "WITH RECURSIVE s(n) AS (VALUES (\(first)) UNION ALL SELECT n + 1 FROM s WHERE n < \(first + chance.int(0...40))) "
                + "INSERT\(conflict(&chance)) INTO \(target)(\(key), \(schema.columnList)) SELECT n, \(row.joined(separator: ", ")) FROM s"
        }
        return
            "INSERT\(conflict(&chance)) INTO \(target)(\(key), \(schema.columnList)) SELECT \(key) + \(chance.int(0...40)), "
            + "\(schema.columnList) FROM \(target) WHERE \(key) % \(chance.int(1...4)) = 0 AND \(key) < 100"
    }

    private func rows(_ chance: inout Chance) -> String {
        if schema.content == .stored, !schema.valueColumns.isEmpty, chance.percent(15) {
            let match = expressions.make(&chance, isScored: false).sqlLiteral
            return "t MATCH \(match) AND \(conditions.make(&chance))"
        }
        let low = Self.rowID(&chance)
        switch chance.int(0...9) {
        case 0...5: return "\(key) = \(low)"
        case 6...7: return "\(key) BETWEEN \(low) AND \(low &+ chance.int(0...8))"
        case 8: return matchedRows(&chance)
        default: return "\(key) % \(chance.int(2...5)) = 0"
        }
    }

    private func matchedRows(_ chance: inout Chance) -> String {
        let match = "t MATCH \(expressions.make(&chance, isScored: false).sqlLiteral)"
        return schema.content == .stored ? match : "\(key) IN (SELECT rowid FROM t WHERE \(match))"
    }

    private func update(_ chance: inout Chance) -> String {
        let columns = chance.some(schema.quotedColumns) + [chance.pick(schema.quotedColumns)]
        return update(columns, &chance)
    }

    /// Leaves the texts as they are.
    private func updateValues(_ chance: inout Chance) -> String {
        update(chance.some(schema.valueColumns) + [chance.pick(schema.valueColumns)], &chance)
    }

    private func update(_ columns: [String], _ chance: inout Chance) -> String {
        let settings = columns.map { "\($0) = \(schema.newValue(of: $0, &chance))" }.joined(separator: ", ")
        return "UPDATE\(conflict(&chance)) \(target) SET \(settings) WHERE \(rows(&chance))"
    }

    private func updateKey(_ chance: inout Chance) -> String {
        let value = chance.pick(["\(Self.rowID(&chance))", "\(key) + 1", "\(key) - 3", "\(key) * 2", "\(key)"])
        let column = chance.pick(schema.quotedColumns)
        let extra = chance.percent(40) ? ", \(column) = \(schema.value(of: column, &chance))" : ""
        let wrong = !avoidsFailures && chance.percent(3) ? chance.pick(["NULL", "'x'", "1.5"]) : value
        return "UPDATE\(conflict(&chance)) \(target) SET \(key) = \(wrong)\(extra) WHERE \(rows(&chance))"
    }

    private func delete(_ chance: inout Chance) -> String {
        chance.percent(96) ? "DELETE FROM \(target) WHERE \(rows(&chance))" : "DELETE FROM \(target)"
    }

    private func upsert(_ chance: inout Chance) -> String {
        let column = chance.pick(schema.quotedColumns)
        return
            "INSERT INTO \(target)(\(key), \(schema.columnList)) VALUES (\(Self.rowID(&chance)), \(values(&chance))) "
            + "ON CONFLICT(\(key)) DO \(chance.percent(70) ? "UPDATE SET \(column) = excluded.\(column)" : "NOTHING")"
    }

    // MARK: Transactions

    private mutating func transaction(_ chance: inout Chance) -> FuzzStep {
        let name = "s\(chance.int(1...3))"
        switch chance.int(0...11) {
        case 0...2 where !isInTransaction, 0 where isInTransaction:
            isInTransaction = true
            return FuzzStep(chance.pick(["BEGIN", "BEGIN", "BEGIN IMMEDIATE"]))
        case 0...5:
            savepoints.append(name)
            return FuzzStep("SAVEPOINT \(name)")
        case 6...7: return FuzzStep("ROLLBACK TO \(savepoints.last ?? name)")
        case 8...9:
            let last = savepoints.popLast() ?? name
            return FuzzStep("RELEASE \(last)")
        default:
            isInTransaction = false
            savepoints = []
            return FuzzStep(chance.percent(60) ? "COMMIT" : "ROLLBACK")
        }
    }

    // MARK: Commands

    private func command(_ chance: inout Chance) -> FuzzStep {
        func simple(_ name: String) -> FuzzStep { FuzzStep("INSERT INTO t(t) VALUES ('\(name)')") }
        func valued(_ name: String, _ values: [String]) -> FuzzStep {
            let valid = values.filter { !Self.invalidValues.contains("\(name) \($0)") }
            return FuzzStep(
                "INSERT INTO t(t, rank) VALUES ('\(name)', \(chance.pick(avoidsFailures ? valid : values)))")
        }
        switch chance.int(0...(avoidsFailures ? 16 : 19)) {
        case 0...1: return simple("optimize")
        case 2...3: return valued("merge", ["1", "5", "100", "-1", "-8", "-500", "0", "'x'"])
        case 4...8 where !changesSettings: return simple("integrity-check")
        case 4: return valued("automerge", ["0", "1", "2", "4", "16", "64", "-1", "'x'"])
        case 5: return valued("crisismerge", ["0", "1", "2", "3", "16", "1000"])
        case 6: return valued("usermerge", ["1", "2", "4", "16", "17"])
        // On smaller pages, FTS5 misses rows of an AND by descending rowid; on pages of 64 kB it damages its index.
        case 7: return valued("pgsz", ["4050", "10000", "31", "40000", "65537"])
        case 8: return valued("hashsize", ["100", "1000", "10000", "0", "-1"])
        case 9...10: return rebuild(&chance)
        case 11: return deleteAll(&chance)
        case 12...16: return chance.percent(70) ? simple("integrity-check") : valued("integrity-check", ["0", "1"])
        default:
            // An error if rows are deleted by their rowids.
            return simple(
                chance.pick(["stuff", "", "OPTIMIZE", "reindex"] + (schema.deletesByRowID ? [] : ["delete"])))
        }
    }

    /// Those that `command` chooses although they are errors.
    private static let invalidValues: Set = [
        "merge 'x'", "automerge -1", "automerge 'x'", "crisismerge -1", "usermerge 1", "usermerge 17", "pgsz 31",
        "pgsz 65537",
        "hashsize 0", "hashsize -1",
    ]

    private func rebuild(_ chance: inout Chance) -> FuzzStep { FuzzStep("INSERT INTO t(t) VALUES ('rebuild')") }

    /// Empties the index, and fills it again from the texts, with which it must agree.
    private func deleteAll(_ chance: inout Chance) -> FuzzStep {
        let empty = "INSERT INTO t(t) VALUES ('delete-all')"
        switch schema.content {
        case .stored: return FuzzStep(empty)
        case .external, .unsynchronized: return FuzzStep("\(empty); INSERT INTO t(t) VALUES ('rebuild')")
        case .contentless:
            return FuzzStep(
                "\(empty); INSERT INTO t(rowid, \(schema.columnList)) SELECT id, \(schema.columnList) FROM m")
        }
    }

    // MARK: The database

    private func maintenance(_ chance: inout Chance) -> FuzzStep {
        switch chance.int(0...5) {
        case 0...2 where isFile: return FuzzStep(action: .reopen)
        // A rollback of a changed schema connects the table again.
        case 0...1, 4: return FuzzStep(chance.pick(["CREATE TABLE IF NOT EXISTS x(y)", "DROP TABLE IF EXISTS x"]))
        case 3 where schema.content == .stored:
            return FuzzStep("ALTER TABLE t RENAME TO t2; ALTER TABLE t2 RENAME TO t")
        default: return FuzzStep("VACUUM")
        }
    }
}

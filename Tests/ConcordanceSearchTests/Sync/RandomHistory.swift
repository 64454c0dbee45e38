import Concordance
import TestSupport

/// A random schema, and statements over it of all the kinds that change rows.
struct RandomHistory {
    /// A statement, and the connection that executes it.
    struct Step {
        var connection: Int
        var sql: String
    }

    let seed: UInt64
    let schema: RandomSchema
    let connectionCount: Int
    private(set) var steps: [Step] = []

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        schema = RandomSchema(&random)
        connectionCount = random.oneIn(5) ? 2 : 1
        for table in schema.tables {
            let rows = Self.insert(table, schema, &random, rowCount: 5).replacing(
                /^.* INTO/, with: "INSERT OR IGNORE INTO")
            steps.append(Step(connection: 0, sql: rows))
        }
        let count = Int.random(in: 5...40, using: &random)
        for _ in 0..<count {
            steps.append(
                Step(
                    connection: Int.random(in: 0..<connectionCount, using: &random),
                    sql: Self.statement(schema, &random)))
        }
    }

    private init(_ other: RandomHistory, steps: [Step]) {
        (seed, schema, connectionCount) = (other.seed, other.schema, other.connectionCount)
        self.steps = steps
    }

    /// The shortest history found, by leaving out statements, of which `fails` still holds.
    func shrunk(while fails: (RandomHistory) -> Bool) -> RandomHistory {
        var best = self
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            var hasShrunk = false
            while start < best.steps.count {
                var steps = best.steps
                steps.removeSubrange(start..<min(start + size, steps.count))
                let candidate = RandomHistory(best, steps: steps)
                if fails(candidate) {
                    best = candidate
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1 && !hasShrunk { return best }
            size = max(1, size / 2)
        }
    }

    /// The history as a script, without the index.
    var script: String {
        let lines = schema.sql + steps.map { connectionCount == 1 ? $0.sql : "/* \($0.connection) */ \($0.sql)" }
        let fields = schema.indexes.map { index in
            "-- \(index.definition.name): \(index.definition.fields.map(\.name).joined(separator: ", "))"
        }
        return (["-- seed \(seed)"] + fields + lines.map { $0 + ";" }).joined(separator: "\n")
    }

    // MARK: Statements

    private static func statement(_ schema: RandomSchema, _ random: inout SeededGenerator) -> String {
        let table = random.pick(schema.tables)
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<6: return insert(table, schema, &random)
        case 6..<9: return upsert(table, schema, &random)
        case 9..<15: return update(table, schema, &random)
        case 15..<17: return "DELETE FROM \(table.name) WHERE \(condition(table, schema, &random))"
        case 17: return random.oneIn(3) ? "DELETE FROM \(table.name)" : insert(table, schema, &random)
        case 18: return random.pick(["BEGIN", "COMMIT", "ROLLBACK", "END"])
        case 19: return random.pick(["SAVEPOINT x", "ROLLBACK TO x", "RELEASE x"])
        case 20: return "PRAGMA foreign_keys = \(random.oneIn(2))"
        case 21: return "PRAGMA recursive_triggers = \(random.oneIn(2))"
        case 22:
            let columns = table.columns.joined(separator: ", ")
            return "\(insertion(&random)) INTO \(table.name)(\(columns)) SELECT "
                + table.columns.map { random.oneIn(2) ? $0 : value(of: $0, schema, &random) }.joined(separator: ", ")
                + " FROM \(table.name) WHERE \(condition(table, schema, &random))"
        default: return random.oneIn(8) ? "VACUUM" : update(table, schema, &random)
        }
    }

    private static func insertion(_ random: inout SeededGenerator) -> String {
        random.pick([
            "INSERT", "INSERT", "INSERT OR REPLACE", "REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE",
            "INSERT OR FAIL", "INSERT OR ROLLBACK",
        ])
    }

    private static func insert(
        _ table: RandomSchema.Table, _ schema: RandomSchema, _ random: inout SeededGenerator, rowCount: Int? = nil
    ) -> String {
        var columns = table.columns.filter { _ in !random.oneIn(6) }
        if columns.isEmpty { columns = table.columns }
        if table.hasRowID, random.oneIn(8) { columns.append("rowid") }
        let rows = (0..<(rowCount ?? Int.random(in: 1...3, using: &random))).map { _ in
            "(" + columns.map { value(of: $0, schema, &random) }.joined(separator: ", ") + ")"
        }
        return "\(insertion(&random)) INTO \(table.name)(\(columns.joined(separator: ", "))) VALUES "
            + rows.joined(separator: ", ")
    }

    private static func upsert(
        _ table: RandomSchema.Table, _ schema: RandomSchema, _ random: inout SeededGenerator
    ) -> String {
        let target = random.oneIn(4) ? "" : " " + random.pick(table.targets)
        let column = random.pick(table.columns)
        let action =
            random.oneIn(3)
            ? "DO NOTHING"
            : "DO UPDATE SET \(column) = \(random.oneIn(2) ? "excluded.\(column)" : value(of: column, schema, &random))"
        return insert(table, schema, &random) + " ON CONFLICT\(target) \(action)"
    }

    private static func update(
        _ table: RandomSchema.Table, _ schema: RandomSchema, _ random: inout SeededGenerator
    ) -> String {
        let verb = random.pick([
            "UPDATE", "UPDATE", "UPDATE OR REPLACE", "UPDATE OR REPLACE", "UPDATE OR IGNORE", "UPDATE OR FAIL",
        ])
        var columns = [random.pick(table.columns)]
        if random.oneIn(3) { columns.append(random.pick(table.columns)) }
        if table.hasRowID, random.oneIn(6) { columns = ["rowid"] }
        let changes = columns.map { column in
            let value = random.oneIn(4) && !schema.hasTextKeys ? "\(column) + 1" : value(of: column, schema, &random)
            return "\(column) = \(value)"
        }
        return "\(verb) \(table.name) SET \(changes.joined(separator: ", "))"
            + (random.oneIn(5) ? "" : " WHERE \(condition(table, schema, &random))")
    }

    private static func condition(
        _ table: RandomSchema.Table, _ schema: RandomSchema, _ random: inout SeededGenerator
    ) -> String {
        let column = random.pick(table.columns)
        return "\(column) \(random.pick(["=", "IS", "<", ">="])) \(value(of: column, schema, &random))"
    }

    /// A value from a small set, so that rows meet.
    private static func value(
        of column: String, _ schema: RandomSchema, _ random: inout SeededGenerator
    ) -> String {
        if column == "rowid" { return String(Int.random(in: 1...6, using: &random)) }
        if ["id", "sid", "tid", "owner", "parent"].contains(column) {
            if random.oneIn(column == "id" ? 12 : 6) { return "NULL" }
            if schema.hasTextKeys { return "'\(random.pick(["k1", "k2", "k3", "k4", "K1"]))'" }
            return String(Int.random(in: 1...5, using: &random))
        }
        return random.pick([
            "'red'", "'Red'", "'blue sky'", "'b'", "'c'", "NULL", "1", "1.0", "'1'", "2.5", "x'6162'", "''",
        ])
    }
}

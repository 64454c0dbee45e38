import ConcordanceSQLite
import TestSupport

/// A transaction of a `Workload`.
struct WorkloadStep {
    /// A command to the table that changes no row.
    var command: TableChange?
    var isRolledBack = false
    var changes: [TableChange] = []
    /// Undone by a savepoint.
    var undoneChanges: [TableChange] = []
    var laterChanges: [TableChange] = []

    init(_ workload: Workload, number: Int) {
        var random = SeededGenerator(seed: workload.seed &* 1_000_003 &+ UInt64(truncatingIfNeeded: number))
        var texts = RandomTexts(number: number, hasValues: workload.hasValues)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<4: changes = (0..<Int.random(in: 60...150, using: &random)).map { _ in .put(&texts, &random) }
        case 4..<12:
            let pages = [1, 2, 4, 16, 100, -8].randomElement(using: &random) ?? 1
            command = .command("merge", pages)
        case 12..<14: command = .command("optimize", nil)
        case 14..<15: command = .command("rebuild", nil)
        case 15..<17:
            let first = RowIDs.random(&random)
            changes = [.delete(first...max(first, 1000))]
        case 17..<27:
            isRolledBack = true
            texts.isPhantom = true
            changes = Self.few(&texts, &random)
        case 27..<47:
            changes = Self.few(&texts, &random)
            texts.isPhantom = true
            undoneChanges = Self.few(&texts, &random)
            texts.isPhantom = false
            laterChanges = Self.few(&texts, &random)
        default: changes = Self.few(&texts, &random)
        }
    }

    private static func few(_ texts: inout RandomTexts, _ random: inout SeededGenerator) -> [TableChange] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: .put(&texts, &random)
            case 5, 6: .update(&texts, &random)
            case 7: .move(RowIDs.random(&random), to: RowIDs.random(&random))
            default:
                {
                    let first = RowIDs.random(&random)
                    return .delete(first...first + 3)
                }()
            }
        }
    }
}

/// One statement.
enum TableChange: Sendable {
    case put(Int64, a: String, b: String, v: DatabaseValue)
    case update(Int64, column: Character, String)
    case setValue(Int64, DatabaseValue)
    case move(Int64, to: Int64)
    case delete(ClosedRange<Int64>)
    case command(String, Int?)

    static func put(_ texts: inout RandomTexts, _ random: inout SeededGenerator) -> TableChange {
        .put(
            RowIDs.random(&random), a: texts.next(&random), b: texts.next(&random), v: texts.nextValue(&random))
    }

    /// Of a text, or of the stored value.
    static func update(_ texts: inout RandomTexts, _ random: inout SeededGenerator) -> TableChange {
        let id = RowIDs.random(&random)
        if texts.hasValues, Int.random(in: 0..<2, using: &random) == 0 {
            return .setValue(id, texts.nextValue(&random))
        }
        return .update(id, column: "ab".randomElement(using: &random) ?? "a", texts.next(&random))
    }

    func execute(in db: Database, _ workload: Workload) throws {
        let (table, key) = (workload.writtenTable, workload.keyColumn)
        switch self {
        case .put(let id, let a, let b, let v):
            let names = workload.columnNames.joined(separator: ", ")
            var arguments: StatementArguments = [id, a, b]
            if workload.hasValues { arguments.append(v) }
            let values = workload.hasValues ? "?, ?, ?, ?" : "?, ?, ?"
            try db.cachedStatement(sql: "REPLACE INTO \(table)(\(key), \(names)) VALUES (\(values))")
                .execute(arguments: arguments)
        case .update(let id, let column, let text):
            try db.cachedStatement(sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ?")
                .execute(arguments: [text, id])
        case .setValue(let id, let v):
            try db.cachedStatement(sql: "UPDATE \(table) SET v = ? WHERE \(key) = ?").execute(arguments: [v, id])
        case .move(let id, let other):
            try db.cachedStatement(sql: "UPDATE OR REPLACE \(table) SET \(key) = ? WHERE \(key) = ?")
                .execute(arguments: [other, id])
        case .delete(let ids):
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE \(key) BETWEEN ? AND ?")
                .execute(arguments: [ids.lowerBound, ids.upperBound])
        case .command(let name, let value):
            try db.execute(sql: "INSERT INTO t(t, rank) VALUES (?, ?)", arguments: [name, value])
        }
    }
}

/// Rowids that recur; a few of them are far away.
enum RowIDs {
    static func random(_ random: inout SeededGenerator) -> Int64 {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: Int64.random(in: -5...0, using: &random)
        case 1: Int64.max / 2 + Int64.random(in: 0...3, using: &random)
        default: Int64.random(in: 1...160, using: &random)
        }
    }
}

/// Texts of few words, common and rare, and the number of the transaction; and stored values.
struct RandomTexts {
    let number: Int
    /// Whether rows have stored values.
    let hasValues: Bool
    /// Whether nobody may ever find these texts and values.
    var isPhantom = false

    init(number: Int, hasValues: Bool) {
        self.number = number
        self.hasValues = hasValues
    }

    /// The value of rows that nobody may ever find.
    static let phantomValue: Int64 = 1_000_000

    /// A value, mostly an integer below 50; NULL where rows have none.
    func nextValue(_ random: inout SeededGenerator) -> DatabaseValue {
        guard hasValues else { return .null }
        let number = Int64.random(in: 0..<50, using: &random)
        let kind = Int.random(in: 0..<10, using: &random)
        if isPhantom { return .int64(Self.phantomValue) }
        return switch kind {
        case 0: .null
        case 1: .text("v\(number)")
        case 2: .double(Double(number) + 0.5)
        default: .int64(number)
        }
    }

    func next(_ random: inout SeededGenerator) -> String {
        let isLong = Int.random(in: 0..<60, using: &random) == 0
        var words = (0..<Int.random(in: isLong ? 200...600 : 0...14, using: &random)).map { _ in
            let most = Int.random(in: 1...60, using: &random)
            return "w\(Int.random(in: 0..<most, using: &random))"
        }
        words.append("s\(number)")
        if isPhantom { words.append("phantom") }
        return words.joined(separator: " ")
    }
}

/// A row that a table must have.
struct TableRow: Sendable {
    /// Of `a` and `b`.
    var texts: [String]
    /// Of `v`.
    var value: DatabaseValue

    /// The row as the table returns it.
    func databaseValues(rowID: Int64, hasValue: Bool) -> [DatabaseValue] {
        let values: [DatabaseValue] = [.int64(rowID), .text(texts[0]), .text(texts[1])]
        return hasValue ? values + [value] : values
    }

    func contains(word: String) -> Bool {
        texts.contains { text in text.split(separator: " ").contains { $0 == word } }
    }
}

/// The rows that a table must have.
package struct TableModel: Sendable {
    private(set) var rows: [Int64: TableRow] = [:]

    package init() {}

    /// Does transaction number `number`.
    package mutating func apply(_ workload: Workload, _ number: Int) {
        let step = WorkloadStep(workload, number: number)
        if step.isRolledBack { return }
        for change in step.changes + step.laterChanges { apply(change) }
    }

    private mutating func apply(_ change: TableChange) {
        switch change {
        case .put(let id, let a, let b, let v): rows[id] = TableRow(texts: [a, b], value: v)
        case .update(let id, let column, let text): rows[id]?.texts[column == "a" ? 0 : 1] = text
        case .setValue(let id, let v): rows[id]?.value = v
        case .move(let id, let other):
            guard let row = rows.removeValue(forKey: id) else { return }
            rows[other] = row
        case .delete(let ids): rows = rows.filter { !ids.contains($0.key) }
        case .command: break
        }
    }
}

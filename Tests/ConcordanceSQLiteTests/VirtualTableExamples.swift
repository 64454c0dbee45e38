import ConcordanceSQLite

/// A table-valued function: `SELECT value FROM series(1, 10)`, also `series` with constraints on `start` and `stop`.
final class Series: VirtualTable {
    static let kind = VirtualTableKind.eponymousOnly

    let declaration = "CREATE TABLE series(value INTEGER, start HIDDEN, stop HIDDEN)"

    init(connecting request: VirtualTableRequest<Void>) throws { try request.declare(.innocuous) }

    /// Bits of the plan: which arguments are given.
    private static let hasStart: Int32 = 1
    private static let hasStop: Int32 = 2
    private static let isDescending: Int32 = 4

    func bestIndex(_ index: inout VirtualTableIndex) throws {
        var plan: Int32 = 0
        // In the order of the columns, as the cursor reads them.
        for (column, bit) in [(1, Self.hasStart), (2, Self.hasStop)] {
            for constraint in index.constraints where constraint.column == column && constraint.comparison == .equal {
                guard constraint.isUsable else { throw VirtualTableIndex.NoPlan() }
                index.take(constraint, omit: true)
                plan |= bit
            }
        }
        let order = Array(index.orderBy)
        if order.count == 1, order[0].column == 0 {
            if order[0].isDescending { plan |= Self.isDescending }
            index.isOrdered = true
        }
        index.planNumber = plan
        index.estimatedCost = plan & Self.hasStop != 0 ? 10 : 1e9
    }

    func makeCursor() -> Cursor { Cursor() }

    struct Cursor: VirtualTableCursor {
        private var start: Int64 = 0
        private var stop: Int64 = 0
        private var value: Int64 = 0
        private var isDescending = false
        private(set) var isAtEnd = true

        mutating func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws {
            var index = 0
            func argument(_ bit: Int32, else fallback: Int64) -> Int64 {
                guard plan.number & bit != 0 else { return fallback }
                defer { index += 1 }
                return arguments[index].int64
            }
            start = argument(Series.hasStart, else: 0)
            stop = argument(Series.hasStop, else: Int64(UInt32.max))
            isDescending = plan.number & Series.isDescending != 0
            value = isDescending ? stop : start
            isAtEnd = start > stop
        }

        mutating func next() {
            isAtEnd = value == (isDescending ? start : stop)
            if !isAtEnd { value += isDescending ? -1 : 1 }
        }

        func column(_ column: Int, into result: ResultContext) {
            switch column {
            case 0: result.set(value)
            case 1: result.set(start)
            default: result.set(stop)
            }
        }

        func rowID() -> Int64 { value }
    }
}

/// The numbers from 0 below 1000, which a cursor finds ten at a time: `SELECT value FROM tens`. Two out of three tens
/// have their rowids ready, and for the tens from 500 on, SQLite must ask for each step.
final class Tens: VirtualTable {
    /// What the cursors were called for.
    final class Calls {
        var next = 0
        var rowID = 0
        var open = 0
    }

    static let kind = VirtualTableKind.eponymousOnly
    let declaration = "CREATE TABLE tens(value INTEGER)"
    private let calls: Calls

    init(connecting request: VirtualTableRequest<Calls>) throws { calls = request.context }

    func bestIndex(_ index: inout VirtualTableIndex) {}

    func makeCursor() -> Cursor { Cursor(calls) }

    final class Cursor: VirtualTableCursor {
        let run: UnsafeMutablePointer<VirtualTableRun>?
        private let numbers: UnsafeMutablePointer<Int64>
        private let calls: Calls
        private var first: Int64 = 0
        private(set) var isAtEnd = true

        init(_ calls: Calls) {
            self.calls = calls
            calls.open += 1
            run = .allocate(capacity: 1)
            run?.initialize(to: VirtualTableRun())
            numbers = .allocate(capacity: 10)
        }

        deinit {
            calls.open -= 1
            run?.deallocate()
            numbers.deallocate()
        }

        private var index: Int { run?.pointee.index ?? 0 }

        func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) {
            first = 0
            isAtEnd = false
            find()
        }

        func next() {
            calls.next += 1
            if index < 9 {
                run?.pointee.index += 1
                return
            }
            first += 10
            isAtEnd = first == 1000
            find()
        }

        private func find() {
            for number in 0..<10 { numbers[number] = first + Int64(number) }
            run?.pointee.index = 0
            run?.pointee.end = first < 500 ? 10 : 0
            run?.pointee.rowIDs = first % 3 == 0 ? nil : UnsafePointer(numbers)
        }

        func column(_ column: Int, into result: ResultContext) { result.set(first + Int64(index)) }

        func rowID() -> Int64 {
            calls.rowID += 1
            return first + Int64(index)
        }
    }
}

/// The rows of `KeyValueTable`s: in memory, by the table's name.
final class KeyValueStore {
    struct Row: Equatable {
        var key: DatabaseValue
        var value: DatabaseValue
    }

    var tables: [String: [Int64: Row]] = [:]
    /// The methods that fail, and what was called.
    var failing: [String: any Error] = [:]
    var calls: [String] = []
    /// Those of the last table created.
    var arguments: [String] = []

    func call(_ name: String) throws {
        calls.append(name)
        if let error = failing[name] { throw error }
    }
}

/// A table of unique keys and their values, with transactions and savepoints: `USING keyvalue(…)`.
final class KeyValueTable: WritableVirtualTable {
    static let isShadowName: ShadowNameTest? = { virtualTableName($0, isOneOf: "data", "idx") ? 1 : 0 }

    let declaration = "CREATE TABLE x(key, value)"
    private let store: KeyValueStore
    private var name: String
    private var saved: [Int64: KeyValueStore.Row]?
    private var savepoints: [Int: [Int64: KeyValueStore.Row]] = [:]

    private var rows: [Int64: KeyValueStore.Row] {
        get { store.tables[name] ?? [:] }
        set { store.tables[name] = newValue }
    }

    init(creating request: VirtualTableRequest<KeyValueStore>) throws {
        store = request.context
        name = request.tableName
        store.arguments = request.arguments
        try store.call("create")
        try request.declare(.innocuous)
        try request.declareConflictSupport()
        rows = [:]
    }

    init(connecting request: VirtualTableRequest<KeyValueStore>) throws {
        store = request.context
        name = request.tableName
        try store.call("connect")
        try request.declare(.innocuous)
        try request.declareConflictSupport()
    }

    func bestIndex(_ index: inout VirtualTableIndex) throws {
        try store.call("bestIndex")
        for constraint in index.constraints where constraint.column == 0 && constraint.isUsable {
            if constraint.comparison == .equal {
                let isList = index.isList(constraint) && index.takeAllAtOnce(constraint)
                index.take(constraint, omit: true)
                try index.setPlanText(isList ? "keys" : "key")
                index.estimatedRows = 1
                index.estimatedCost = 1
                return
            }
        }
        index.estimatedCost = 1e6
    }

    func makeCursor() throws -> Cursor {
        try store.call("open")
        return Cursor(rows: rows, store: store)
    }

    struct Cursor: VirtualTableCursor {
        private let rows: [Int64: KeyValueStore.Row]
        private let store: KeyValueStore
        private var ids: [Int64] = []
        private var position = 0

        init(rows: [Int64: KeyValueStore.Row], store: KeyValueStore) {
            self.rows = rows
            self.store = store
        }

        mutating func filter(_ plan: VirtualTablePlan, arguments: BorrowedValues) throws {
            try store.call("filter \(plan.text ?? "all")")
            var keys: Set<DatabaseValue>?
            if plan.text == "key" { keys = [arguments[0].databaseValue] }
            if plan.text == "keys" {
                keys = []
                try arguments[0].forEachElement { keys?.insert($0.databaseValue) }
            }
            ids = rows.keys.filter { id in keys.map { $0.contains(rows[id]?.key ?? .null) } ?? true }.sorted()
            position = 0
        }

        mutating func next() throws {
            try store.call("next")
            position += 1
        }

        var isAtEnd: Bool { position >= ids.count }

        func column(_ column: Int, into result: ResultContext) throws {
            try store.call("column")
            if result.isUnchangedColumn { return }
            guard let row = rows[ids[position]] else { return }
            result.set(column == 0 ? row.key : row.value)
        }

        func rowID() throws -> Int64 {
            try store.call("rowID")
            return ids[position]
        }
    }

    func insert(_ row: VirtualTableRow) throws -> Int64 {
        try store.call("insert")
        let new = KeyValueStore.Row(key: row.values[0].databaseValue, value: row.values[1].databaseValue)
        let id = row.rowID.isNull ? (rows.keys.max() ?? 0) + 1 : row.rowID.int64
        try makeRoom(for: new.key, id: id, except: nil, conflict: row.conflict)
        rows[id] = new
        return id
    }

    func update(_ key: BorrowedValue, to row: VirtualTableRow) throws {
        try store.call("update")
        guard let old = rows[key.int64] else { return }
        let new = KeyValueStore.Row(
            key: row.values[0].isUnchanged ? old.key : row.values[0].databaseValue,
            value: row.values[1].isUnchanged ? old.value : row.values[1].databaseValue)
        try makeRoom(for: new.key, id: row.rowID.int64, except: key.int64, conflict: row.conflict)
        rows[key.int64] = nil
        rows[row.rowID.int64] = new
    }

    func delete(_ key: BorrowedValue) throws {
        try store.call("delete")
        rows[key.int64] = nil
    }

    private func makeRoom(
        for key: DatabaseValue, id: Int64, except own: Int64?, conflict: VirtualTableConflict
    ) throws {
        let rivals = rows.filter { $0.key != own && ($0.key == id || ($0.value.key == key && !key.isNull)) }.keys
        guard !rivals.isEmpty else { return }
        guard conflict == .replace else {
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: "the key is taken")
        }
        for rival in rivals { rows[rival] = nil }
    }

    func rename(to name: String) throws {
        try store.call("rename")
        store.tables[name] = store.tables.removeValue(forKey: self.name)
        self.name = name
    }

    func destroy() throws {
        try store.call("destroy")
        store.tables[name] = nil
    }

    func begin() throws {
        try store.call("begin")
        saved = rows
    }

    func sync() throws { try store.call("sync") }

    func commit() throws {
        try store.call("commit")
        saved = nil
        savepoints = [:]
    }

    func rollback() throws {
        try store.call("rollback")
        if let saved { rows = saved }
        saved = nil
        savepoints = [:]
    }

    func savepoint(_ number: Int) throws {
        try store.call("savepoint")
        savepoints[number] = rows
    }

    func release(_ number: Int) throws {
        try store.call("release")
        savepoints = savepoints.filter { $0.key < number }
    }

    func rollback(to number: Int) throws {
        try store.call("rollback to")
        if let state = savepoints[number] ?? saved { rows = state }
        savepoints = savepoints.filter { $0.key <= number }
    }

    func function(named name: String, argumentCount: Int) -> VirtualTableFunction? {
        guard name == "match", argumentCount == 2 || argumentCount == 1 else { return nil }
        return VirtualTableFunction { arguments, result in
            try self.store.call("match")
            result.set("own match of \(arguments.count)")
        }
    }
}

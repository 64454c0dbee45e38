import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

extension FullTextTable {
    /// The auxiliary functions of the connection, which get the table's hidden column as their first argument.
    func function(named name: String, argumentCount: Int) -> VirtualTableFunction? {
        guard let function = registry.function(named: name) else { return nil }
        let call = AuxiliaryCall(registry, name, function, calledCursor)
        return VirtualTableFunction { arguments, result in try call.perform(arguments, result) }
    }
}

/// A call of an auxiliary function in a statement, which may live longer than the function: another may get its name.
private final class AuxiliaryCall {
    private let registry: ExtensionRegistry
    private let name: String
    @exclusivity(unchecked) private var function: AuxiliaryFunction
    @exclusivity(unchecked) private var version: Int
    private let called: CalledCursor

    init(_ registry: ExtensionRegistry, _ name: String, _ function: AuxiliaryFunction, _ called: CalledCursor) {
        self.registry = registry
        self.name = name
        self.function = function
        self.called = called
        version = registry.version
    }

    func perform(_ arguments: BorrowedValues, _ result: ResultContext) throws {
        if version != registry.version {
            version = registry.version
            function = registry.function(named: name) ?? function
        }
        let id = arguments[0].int64
        let cursor = try called.cursor(id) ?? find(id)
        try cursor._withUnsafeGuaranteedRef { cursor in
            guard cursor.hasPlan else { throw failure("no such cursor: \(id)") }
            let arguments = BorrowedValues(arguments.pointers.withoutFirst)
            if try cursor.setScore(inPlaceOf: ObjectIdentifier(function), arguments, result) { return }
            try cursor.invoke(function, arguments, into: result)
        }
    }

    @inline(never)
    private func find(_ id: Int64) throws -> Unmanaged<TableCursor> {
        guard let cursor = registry.cursors[id] as? TableCursor else { throw failure("no such cursor: \(id)") }
        called.note(cursor)
        return .passUnretained(cursor)
    }
}

/// The cursor of a table that an auxiliary function was called for last: the next call, mostly for the next row, need not
/// look it up.
final class CalledCursor {
    @exclusivity(unchecked) private var id: Int64 = 0
    @exclusivity(unchecked) private var known: Unmanaged<TableCursor>?

    /// The cursor of that number, if it is the one.
    @inline(__always)
    func cursor(_ id: Int64) -> Unmanaged<TableCursor>? { id == self.id ? known : nil }

    /// Registers a cursor of the table, which says when it is closed.
    fileprivate func note(_ cursor: TableCursor) {
        guard cursor.table.calledCursor === self else { return }
        id = cursor.id
        known = .passUnretained(cursor)
    }

    /// The cursor with that number is closed.
    func forget(_ id: Int64) {
        if id == self.id { known = nil }
    }
}

extension UnsafeBufferPointer<OpaquePointer?> {
    @inline(__always)
    fileprivate var withoutFirst: Self { isEmpty ? self : Self(start: baseAddress.map { $0 + 1 }, count: count &- 1) }
}

extension TableCursor: AuxiliaryHost {
    var connection: OpaquePointer { table.connection }
    var options: TableOptions { table.options }
    var tokenizer: any Tokenizer { table.tokenizer }

    func columnText(_ column: Int) throws -> UnsafeBufferPointer<UInt8>? {
        guard table.content.hasTexts else { return nil }
        return try contentStatement()?.text(at: Int32(clamping: column + 1))
    }

    func makeRowTexts() throws -> any RowTexts { try ContentRowTexts(table.content) }
}

/// Texts of rows of a table by rowid.
private final class ContentRowTexts: RowTexts {
    private let content: ContentStore
    private let statement: KeptStatement
    private var row: Int64?

    init(_ content: ContentStore) throws {
        self.content = content
        statement = try content.take(.lookup)
    }

    deinit { content.giveBack(statement, .lookup) }

    func text(ofColumn column: Int, rowID: Int64) throws -> UnsafeBufferPointer<UInt8>? {
        if row != rowID {
            row = nil
            statement.reset()
            try statement.bind(rowID, at: 1)
            guard try content.step(statement) else {
                try content.missRow()
                return nil
            }
            row = rowID
        }
        return statement.text(at: Int32(clamping: column + 1))
    }
}

extension KeptStatement {
    /// The bytes of a text of the row, good until the next step; nil for NULL.
    fileprivate func text(at column: Int32) -> UnsafeBufferPointer<UInt8>? {
        let value = value(at: column)
        return value.isNull ? nil : value.withUTF8 { $0 }
    }
}

import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

extension FullTextTable {
    /// The auxiliary functions of the connection, which get the table's hidden column as their first argument.
    func function(named name: String, argumentCount: Int) -> VirtualTableFunction? {
        guard let function = registry.function(named: name) else { return nil }
        let call = AuxiliaryCall(registry, name, function)
        return VirtualTableFunction { arguments, result in try call.perform(arguments, result) }
    }
}

/// A call of an auxiliary function in a statement, which may live longer than the function: another may get its name.
private final class AuxiliaryCall {
    private let registry: ExtensionRegistry
    private let name: String
    @exclusivity(unchecked) private var function: AuxiliaryFunction
    @exclusivity(unchecked) private var version: Int

    init(_ registry: ExtensionRegistry, _ name: String, _ function: AuxiliaryFunction) {
        self.registry = registry
        self.name = name
        self.function = function
        version = registry.version
    }

    func perform(_ arguments: BorrowedValues, _ result: ResultContext) throws {
        if version != registry.version {
            version = registry.version
            function = registry.function(named: name) ?? function
        }
        let id = arguments[0].int64
        guard let cursor = registry.cursors[id] as? TableCursor, cursor.hasPlan else {
            throw failure("no such cursor: \(id)")
        }
        cursor.invoke(function, UnsafeBufferPointer(rebasing: arguments.pointers.dropFirst()), into: result)
    }
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

import ConcordanceSQLite

/// A kind of virtual table with a typed definition.
package protocol VirtualTableModule {
    /// A class that the closure of `create(virtualTable:using:_:)` fills in.
    associatedtype TableDefinition: AnyObject

    /// The name after `USING`.
    var moduleName: String { get }

    /// An empty definition, for the closure to fill in.
    func makeTableDefinition() -> TableDefinition

    /// The arguments in parentheses, as SQL.
    func moduleArguments(
        for definition: TableDefinition, named table: QualifiedName, in db: Database
    ) throws -> [String]

    /// Called when the table has been created, within the savepoint that created it.
    func database(_ db: Database, didCreate table: QualifiedName, using definition: TableDefinition) throws
}

extension VirtualTableModule {
    /// Does nothing more.
    package func database(_ db: Database, didCreate table: QualifiedName, using definition: TableDefinition) throws {}
}

/// The name of a table, optionally with that of its schema: `main`, `temp`, or that of an attached database.
package struct QualifiedName: Hashable, Sendable {
    /// The name of the schema; nil for SQLite's choice.
    package var schema: String?
    /// The name of the table.
    package var name: String

    /// Creates a name, without quotes.
    package init(_ name: String, in schema: String? = nil) {
        self.schema = schema
        self.name = name
    }

    /// The name as SQL: `"schema"."name"`.
    package var sql: String {
        (schema.map { $0.quotedDatabaseIdentifier + "." } ?? "") + name.quotedDatabaseIdentifier
    }

    /// Another name in the same schema.
    func sibling(_ name: String) -> QualifiedName { QualifiedName(name, in: schema) }

    /// - Throws: `FTS5Error.invalidName` for a name that SQL cannot contain.
    func validate() throws(FTS5Error) {
        for name in [schema, name].compactMap(\.self) { try name.validateAsName() }
    }
}

extension String {
    /// - Throws: `FTS5Error.invalidName` for a name that SQL cannot contain.
    func validateAsName() throws(FTS5Error) {
        if isEmpty || utf8.contains(0) { throw .invalidName(self) }
    }
}

extension Database {
    /// Creates a virtual table of any kind; see `create(virtualTable:in:ifNotExists:temporary:using:_:)`.
    package func createVirtualTable<Module: VirtualTableModule>(
        _ name: String, in schema: String?, ifNotExists: Bool, temporary: Bool, using module: Module,
        _ define: (Module.TableDefinition) throws -> Void = { _ in }
    ) throws {
        let table = QualifiedName(name, in: temporary ? schema ?? "temp" : schema)
        try table.validate()
        let definition = module.makeTableDefinition()
        try define(definition)
        try inSavepoint {
            if try ifNotExists && exists(table) { return .commit }
            let arguments = try module.moduleArguments(for: definition, named: table, in: self)
            let condition = ifNotExists ? "IF NOT EXISTS " : ""
            let list = arguments.joined(separator: ", ")
            try execute(sql: "CREATE VIRTUAL TABLE \(condition)\(table.sql) USING \(module.moduleName)(\(list))")
            try module.database(self, didCreate: table, using: definition)
            return .commit
        }
    }

    /// Whether there is a table or view with that name in its schema; without a schema, in `main`, where SQLite would
    /// create it.
    private func exists(_ table: QualifiedName) throws -> Bool {
        let schema = (table.schema ?? "main").quotedDatabaseIdentifier
        return try Bool.fetchOne(
            self, sql: "SELECT EXISTS (SELECT 1 FROM \(schema).sqlite_master WHERE name = ? COLLATE NOCASE)",
            arguments: [table.name]) ?? false
    }
}

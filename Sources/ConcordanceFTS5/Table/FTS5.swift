import ConcordanceSQLite

/// SQLite's full-text engine (https://www.sqlite.org/fts5.html).
///
/// ```swift
/// // CREATE VIRTUAL TABLE "documents" USING fts5(tokenize='porter', title, body)
/// try db.create(virtualTable: "documents", using: FTS5()) { t in
///     t.tokenizer = .porter()
///     t.column("title")
///     t.column("body")
/// }
/// ```
public struct FTS5: VirtualTableModule {
    /// SQLite's FTS5.
    public init() {}

    package var moduleName: String { "fts5" }

    package func makeTableDefinition() -> FTS5TableDefinition { FTS5TableDefinition() }

    package func moduleArguments(
        for definition: FTS5TableDefinition, named table: QualifiedName, in db: Database
    ) throws -> [String] {
        try FTS5Connection.of(db).library.requireFTS5()
        if let column = definition.columns.first(where: \.isValue) {
            throw FTS5Error.invalidOption(
                "column \(column.name)",
                reason: "stores values, which FTS5 cannot; use Concordance's engine, or notIndexed()")
        }
        return try definition.moduleArguments(table: table, in: db)
    }

    package func database(_ db: Database, didCreate table: QualifiedName, using definition: FTS5TableDefinition) throws
    {
        let columns = definition.columns.filter(\.isIndexed).map(\.name)
        try definition.synchronization?.start(for: table, columns: columns, in: db)
    }

    /// Where an FTS5 table stores the text of its rows.
    public enum Content: Hashable, Sendable {
        /// In the table itself.
        case own
        /// In a table or view of the same schema with columns of the same names, whose column `rowID` has the rowids.
        /// Every change of that table must also be made in the FTS5 table;
        /// `FTS5TableDefinition.synchronize(withTable:)` creates triggers that do so.
        case external(table: String, rowID: String = "rowid")
        /// Nowhere: rows can be found, but not read, changed or deleted.
        case contentless
        /// Nowhere, but rows can be deleted and replaced; requires SQLite 3.43.
        case contentlessWithDelete
    }

    /// What the index stores about the places of a token (https://www.sqlite.org/fts5.html#the_detail_option).
    public enum Detail: String, Hashable, Sendable {
        /// Row, column and position: everything works.
        case full
        /// Row and column: no phrases, `NEAR` or initial tokens.
        case column
        /// Only the row: no column filters either.
        case none

        var optionValue: String { self == .column ? "columns" : rawValue }
    }
}

extension Database {
    /// Creates a full-text table of SQLite's FTS5.
    ///
    /// ```swift
    /// // CREATE VIRTUAL TABLE IF NOT EXISTS "documents" USING fts5(content)
    /// try db.create(virtualTable: "documents", ifNotExists: true, using: FTS5()) { t in
    ///     t.column("content")
    /// }
    /// ```
    ///
    /// If anything fails, nothing is created.
    ///
    /// - Parameters:
    ///   - name: Any name; it is quoted.
    ///   - schema: `main`, `temp`, or the name of an attached database.
    ///   - ifNotExists: Whether to leave an existing table with that name as it is.
    ///   - temporary: Whether the table belongs to the connection, and disappears with it: the schema `temp`.
    ///   - module: The module, `FTS5()`.
    ///   - define: Fills in the definition: columns, tokenizer, options.
    /// - Throws: `FTS5Error` for a definition that is not valid; `DatabaseError`.
    public func create(
        virtualTable name: String, in schema: String? = nil, ifNotExists: Bool = false, temporary: Bool = false,
        using module: FTS5, _ define: (FTS5TableDefinition) throws -> Void
    ) throws {
        try createVirtualTable(
            name, in: schema, ifNotExists: ifNotExists, temporary: temporary, using: module, define)
    }
}

import ConcordanceSQLite

extension Database {
    /// Returns a pattern from an expression in FTS5's query language, checked for a table: its column filters name
    /// columns of the table, and the table's index can answer it.
    ///
    /// - Throws: `FTS5Error.malformedPattern`, `noSuchTable`; for a table whose `detail` is not `full`, FTS5's error
    ///   for a phrase.
    public func makeFTS5Pattern(
        rawPattern: String, forTable table: String, in schema: String? = nil
    ) throws -> FTS5Pattern {
        let table = QualifiedName(table, in: schema)
        let options = try fts5Options(of: table).options
        let pattern = try FTS5Pattern(rawPattern: rawPattern, allowedColumns: options.columns.map(\.name))
        if options.detail != .full {
            // What counts as a phrase depends on the tokenizer; FTS5 knows.
            _ = try Row.fetchOne(
                self, sql: "SELECT 1 FROM \(table.sql) WHERE \(table.name.quotedDatabaseIdentifier) MATCH ? LIMIT 1",
                arguments: [pattern])
        }
        return pattern
    }

    /// Returns a pattern for a text that a user typed, with the words that the table's own tokenizer finds; nil if
    /// there are none. The tokenizer is created once for each connection.
    ///
    /// - Throws: `FTS5Error.noSuchTable`; the errors of the tokenizer.
    public func makeFTS5Pattern(
        matching match: FTS5Pattern.Match, in text: String, forTable table: String, in schema: String? = nil
    ) throws -> FTS5Pattern? {
        let tokenizer = try fts5Tokenizer(of: QualifiedName(table, in: schema))
        return try FTS5Pattern(matching: match, in: text, tokenizer: tokenizer)
    }

    /// The tokenizer of a table.
    private func fts5Tokenizer(of table: QualifiedName) throws -> any FTS5Tokenizer {
        let connection = try FTS5Connection.of(self)
        let (sql, options) = try fts5Options(of: table)
        if let known = connection.tokenizers[table], known.sql.utf8.elementsEqual(sql.utf8) { return known.tokenizer }
        let tokenizer = try makeTokenizer(FTS5TokenizerDescriptor(components: options.tokenizer))
        if connection.tokenizers.count >= FTS5Connection.tokenizerLimit { connection.tokenizers.removeAll() }
        connection.tokenizers[table] = .init(sql: sql, options: options, tokenizer: tokenizer)
        return tokenizer
    }

    /// The arguments in a table's `CREATE VIRTUAL TABLE`.
    ///
    /// - Throws: `FTS5Error.noSuchTable` if there is no FTS5 table with that name.
    func fts5Options(of table: QualifiedName) throws -> (sql: String, options: TableOptions) {
        let known = try FTS5Connection.of(self).tokenizers[table]
        guard let sql = try fts5SchemaText(of: table) else { throw FTS5Error.noSuchTable(table.name) }
        if let known, known.sql.utf8.elementsEqual(sql.utf8) { return (sql, known.options) }
        guard let options = VirtualTableStatement(sql)?.tableOptions else { throw FTS5Error.noSuchTable(table.name) }
        return (sql, options)
    }

    /// The SQL of a table in the schema; without a schema name, it is looked for in all of them, in SQLite's order.
    private func fts5SchemaText(of table: QualifiedName) throws -> String? {
        if let schema = table.schema { return try fts5SchemaText(of: table.name, in: schema) }
        for schema in ["temp", "main"] {
            if let sql = try fts5SchemaText(of: table.name, in: schema) { return sql }
        }
        for schema in try String.fetchAll(cachedStatement(sql: "SELECT name FROM pragma_database_list")) {
            if let sql = try fts5SchemaText(of: table.name, in: schema) { return sql }
        }
        return nil
    }

    private func fts5SchemaText(of table: String, in schema: String) throws -> String? {
        let sql = """
            SELECT sql FROM \(schema.quotedDatabaseIdentifier).sqlite_master \
            WHERE type = 'table' AND name = ? COLLATE NOCASE
            """
        return try String.fetchOne(cachedStatement(sql: sql), arguments: [table])
    }
}

import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

extension Database {
    /// Adds a tokenizer to the connection, for tables opened from now on.
    ///
    /// ```swift
    /// db.add(tokenizer: MyTokenizer.self)
    /// try db.create(virtualTable: "documents", using: FTS5()) { t in
    ///     t.tokenizer = MyTokenizer.tokenizerDescriptor()
    ///     t.column("content")
    /// }
    /// ```
    ///
    /// If SQLite is out of memory, the tokenizer is not added: the statements that need it throw.
    public func add<Tokenizer: FTS5CustomTokenizer>(tokenizer: Tokenizer.Type) {
        try? FTS5.add(tokenizer: tokenizer, to: self)
    }

    /// Creates a tokenizer: a built-in one, one that was added, or one of ours.
    ///
    /// ```swift
    /// let tokenizer = try db.makeTokenizer(.porter(wrapping: .unicode61(diacritics: .remove)))
    /// let tokens = try tokenizer.tokens(in: "Databases")  // databas
    /// ```
    ///
    /// - Throws: `FTS5Error.noSuchTokenizer`, `tokenizerRefused`; the errors of the initializer of a tokenizer in
    ///   Swift.
    public func makeTokenizer(_ descriptor: FTS5TokenizerDescriptor) throws -> any FTS5Tokenizer {
        let library = try FTS5Connection.of(self).library
        let isOurs = [ConcordanceTokenizers.name, ConcordanceTokenizers.fieldsName].contains(descriptor.name)
        if isOurs, library.tokenizer(named: descriptor.name) == nil {
            try ConcordanceTokenizers.register(on: self)
        }
        return try FTS5ModuleTokenizer(descriptor, library: library)
    }
}

extension FTS5 {
    /// Adds a tokenizer to a connection, like `Database.add(tokenizer:)`.
    ///
    /// - Throws: `FTS5Error.invalidName`; `DatabaseError`.
    public static func add<Tokenizer: FTS5CustomTokenizer>(tokenizer: Tokenizer.Type, to db: Database) throws {
        try add(tokenizer: tokenizer, library: try FTS5Connection.of(db).library, to: try db.sqliteConnection)
    }

    /// Adds a tokenizer to a connection of another library.
    ///
    /// The `Database` passed to the tokenizer stands for that connection, and never closes it.
    ///
    /// - Parameters:
    ///   - tokenizer: The class of the tokenizer.
    ///   - connection: An open `sqlite3*`, which no other thread uses during the call.
    /// - Throws: `FTS5Error.invalidName`; `DatabaseError`.
    public static func add<Tokenizer: FTS5CustomTokenizer>(
        tokenizer: Tokenizer.Type, to connection: OpaquePointer
    ) throws {
        try add(tokenizer: tokenizer, library: FTS5Library(connection: connection), to: connection)
    }

    private static func add<Tokenizer: FTS5CustomTokenizer>(
        tokenizer: Tokenizer.Type, library: FTS5Library, to connection: OpaquePointer
    ) throws {
        try tokenizer.name.validateAsName()
        let module = CustomTokenizerModule(tokenizer, connection: ConnectionReference(pointer: connection))
        let code = library.add(
            tokenizer: tokenizer.name, functions: CustomTokenizerModule.functions,
            context: Unmanaged.passRetained(module).toOpaque(),
            destroy: { if let module = $0 { Unmanaged<CustomTokenizerModule>.fromOpaque(module).release() } })
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

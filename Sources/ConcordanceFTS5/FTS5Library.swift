import CSQLite

/// The part of SQLite's FTS5 that an application may extend: its `fts5_api`
/// (https://www.sqlite.org/fts5.html#extending_fts5) on one connection.
struct FTS5Library {
    private let api: UnsafeMutablePointer<fts5_api>

    /// - Throws: `FTS5Error.unavailable` where the connection's SQLite has no FTS5.
    init(connection: OpaquePointer) throws(FTS5Error) {
        guard let api = Self.find(connection) else { throw .unavailable }
        self.api = api
    }

    /// A tokenizer as FTS5 knows it: its C functions, and what its constructor gets.
    struct TokenizerModule {
        var context: UnsafeMutableRawPointer?
        var functions: fts5_tokenizer
    }

    func tokenizer(named name: String) -> TokenizerModule? {
        guard let find = api.pointee.xFindTokenizer else { return nil }
        var module = TokenizerModule(context: nil, functions: fts5_tokenizer())
        guard find(api, name, &module.context, &module.functions) == SQLITE_OK else { return nil }
        return module
    }

    /// Adds a tokenizer, or replaces the one of that name for tables that are opened from now on.
    ///
    /// `context` goes to the constructor, and is released by `destroy` with the connection, at the latest; at once when
    /// this fails.
    func add(
        tokenizer name: String, functions: fts5_tokenizer, context: UnsafeMutableRawPointer?,
        destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    ) -> Int32 {
        var functions = functions
        guard let create = api.pointee.xCreateTokenizer else {
            destroy?(context)
            return SQLITE_ERROR
        }
        let code = create(api, name, context, &functions, destroy)
        if code != SQLITE_OK { destroy?(context) }
        return code
    }

    /// Adds an auxiliary function; `context` as in `add(tokenizer:)`.
    func add(
        function name: String, context: UnsafeMutableRawPointer?, function: fts5_extension_function,
        destroy: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    ) -> Int32 {
        guard let create = api.pointee.xCreateFunction else {
            destroy?(context)
            return SQLITE_ERROR
        }
        let code = create(api, name, context, function, destroy)
        if code != SQLITE_OK { destroy?(context) }
        return code
    }

    private static func find(_ connection: OpaquePointer) -> UnsafeMutablePointer<fts5_api>? {
        var statement: OpaquePointer?
        defer { _ = csqlite_finalize(statement) }
        guard csqlite_prepare_v3(connection, "SELECT fts5(?1)", -1, 0, &statement, nil) == SQLITE_OK else {
            return nil
        }
        var api: UnsafeMutablePointer<fts5_api>?
        withUnsafeMutablePointer(to: &api) { pointer in
            // SQLite keeps the type's name where it is, and compares it when the function runs.
            "fts5_api_ptr".withCString { type in
                _ = csqlite_bind_pointer(statement, 1, pointer, type, nil)
                _ = csqlite_step(statement)
            }
        }
        return api
    }
}

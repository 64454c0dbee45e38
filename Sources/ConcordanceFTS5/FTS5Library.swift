import CConcordanceSQLite
import ConcordanceSQLite

/// What an application may extend on one connection: SQLite's FTS5, by its `fts5_api`
/// (https://www.sqlite.org/fts5.html#extending_fts5), if SQLite has it, and our registry.
struct FTS5Library {
    let registry: ExtensionRegistry

    init(connection: OpaquePointer) throws { registry = try ExtensionRegistry.of(connection) }

    init(registry: ExtensionRegistry) { self.registry = registry }

    /// - Throws: `FTS5Error.unavailable` where the connection's SQLite has no FTS5.
    func requireFTS5() throws(FTS5Error) {
        if registry.fts5 == nil { throw .unavailable }
    }

    /// A tokenizer, as FTS5 knows it: its C functions, and the argument of its constructor.
    struct TokenizerModule {
        var context: UnsafeMutableRawPointer?
        var functions: fts5_tokenizer
    }

    /// The tokenizer with that name, ignoring ASCII case.
    func tokenizer(named name: String) -> TokenizerModule? {
        guard let fts5 = registry.fts5 else { return registry.tokenizer(named: name) }
        return Self.tokenizer(named: name, in: fts5)
    }

    static func tokenizer(named name: String, in api: UnsafeMutablePointer<fts5_api>) -> TokenizerModule? {
        guard let find = api.pointee.xFindTokenizer else { return nil }
        var module = TokenizerModule(context: nil, functions: fts5_tokenizer())
        guard find(api, name, &module.context, &module.functions) == SQLITE_OK else { return nil }
        return module
    }

    /// Adds a tokenizer, or replaces the one with that name for tables opened from now on.
    ///
    /// `context` is passed to the constructor. `destroy` releases it, at the latest when the connection is closed; not
    /// if this fails.
    func create(
        tokenizer name: String, functions: fts5_tokenizer, context: UnsafeMutableRawPointer?,
        destroy: ExtensionRegistry.Destructor?
    ) -> Int32 {
        guard let fts5 = registry.fts5 else {
            registry.add(tokenizer: name, functions: functions, context: context, destroy: destroy)
            return SQLITE_OK
        }
        var functions = functions
        return fts5.pointee.xCreateTokenizer?(fts5, name, context, &functions, destroy) ?? SQLITE_ERROR
    }

    /// The same, but releases `context` on failure, too.
    func add(
        tokenizer name: String, functions: fts5_tokenizer, context: UnsafeMutableRawPointer?,
        destroy: ExtensionRegistry.Destructor?
    ) -> Int32 {
        let code = create(tokenizer: name, functions: functions, context: context, destroy: destroy)
        if code != SQLITE_OK { destroy?(context) }
        return code
    }

    /// Adds an auxiliary function for tables of FTS5 and of ours. `makeContext` creates a context for each of the two,
    /// which `destroy` releases.
    func add(
        function name: String, makeContext: () -> UnsafeMutableRawPointer? = { nil },
        function: @escaping fts5_extension_function, destroy: ExtensionRegistry.Destructor? = nil
    ) -> Int32 {
        if let fts5 = registry.fts5, let create = fts5.pointee.xCreateFunction {
            let context = makeContext()
            let code = create(fts5, name, context, function, destroy)
            guard code == SQLITE_OK else {
                destroy?(context)
                return code
            }
        }
        return registry.add(function: name, context: makeContext(), function: function, destroy: destroy)
    }

    /// Adds an auxiliary function for tables of FTS5 only, if SQLite has it.
    func addToFTS5(function name: String, function: @escaping fts5_extension_function) -> Int32 {
        guard let fts5 = registry.fts5, let create = fts5.pointee.xCreateFunction else { return SQLITE_OK }
        return create(fts5, name, nil, function, nil)
    }

    /// The pointer that the function called by `sql` writes to its argument: FTS5's own way to its `fts5_api`.
    static func api(from sql: String, on connection: OpaquePointer) -> UnsafeMutablePointer<fts5_api>? {
        var statement: OpaquePointer?
        defer { _ = csqlite_finalize(statement) }
        guard csqlite_prepare_v3(connection, sql, -1, 0, &statement, nil) == SQLITE_OK else { return nil }
        var api: UnsafeMutablePointer<fts5_api>?
        withUnsafeMutablePointer(to: &api) { pointer in
            // SQLite keeps a pointer to the type's name, and compares the name when the function runs.
            "fts5_api_ptr".withCString { type in
                _ = csqlite_bind_pointer(statement, 1, pointer, type, nil)
                _ = csqlite_step(statement)
            }
        }
        return api
    }
}

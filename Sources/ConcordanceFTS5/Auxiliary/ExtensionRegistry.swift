import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// What was added to a connection for full-text tables of our own module: auxiliary functions and, if SQLite has no
/// FTS5 to hold them, tokenizers.
///
/// It is the context of an SQL function, `concordance`, and so lives as long as the connection is open, whoever opened
/// it. A program in C extends it as it extends FTS5 (https://www.sqlite.org/fts5.html#extending_fts5): `SELECT
/// concordance(?1)` with a pointer of type "fts5_api_ptr" bound gives it an `fts5_api` whose functions are these, and so does
/// `SELECT fts5(?1)` from `answerForFTS5()` on. Used on the connection's thread only.
package final class ExtensionRegistry {
    private let connection: OpaquePointer
    /// SQLite's own, which keeps the tokenizers; nil where it was built without, and where it is gone.
    package private(set) var fts5: UnsafeMutablePointer<fts5_api>?
    /// Whether another module has the name `fts5`.
    private var isFTS5Replaced = false
    /// Whether SQLite's own is gone, and the connection is not.
    package private(set) var isFTS5Gone = false
    private let memory: UnsafeMutablePointer<csqlite_fts5_api>
    /// An `fts5_api`, with a pointer to this behind it.
    var api: UnsafeMutablePointer<fts5_api> { UnsafeMutableRawPointer(memory).assumingMemoryBound(to: fts5_api.self) }
    private var functions: [String: AuxiliaryFunction] = [:]
    private var builtInFunctions: [String: AuxiliaryFunction] = [:]
    private var tokenizers: [String: KeptTokenizer] = [:]
    /// FTS5's own tokenizers, as they were when this object was created.
    private let originals: [String: fts5_tokenizer]
    /// Grows when a function is added; a function that was found can be kept until then.
    package var version: Int { addedCount }
    /// Behind a computed property: in other modules the compiler ignores the attribute of a stored one.
    @exclusivity(unchecked) private var addedCount = 0
    /// The cursors of our tables for which auxiliary functions may be called.
    package var cursors = CursorNumbers()

    /// A tokenizer, as FTS5 would hold it.
    private final class KeptTokenizer {
        let module: FTS5Library.TokenizerModule
        private let destroy: Destructor?

        init(_ module: FTS5Library.TokenizerModule, destroy: Destructor?) {
            self.module = module
            self.destroy = destroy
        }

        deinit { destroy?(module.context) }
    }

    package typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// The registry of an open connection, created when it is first asked for.
    package static func of(_ connection: OpaquePointer) throws -> ExtensionRegistry {
        if let known = FTS5Library.api(from: "SELECT concordance(?1)", on: connection).flatMap(registry) {
            return known
        }
        return try ExtensionRegistry(connection)
    }

    private init(_ connection: OpaquePointer) throws {
        self.connection = connection
        fts5 = FTS5Library.api(from: "SELECT fts5(?1)", on: connection)
        memory = .allocate(capacity: 1)
        memory.initialize(to: Self.functions)
        if let fts5, fts5.pointee.iVersion >= 3 {
            memory.pointee.iVersion = 3
            memory.pointee.xCreateTokenizer_v2 = Self.createTokenizerV2
            memory.pointee.xFindTokenizer_v2 = Self.findTokenizerV2
        }
        var originals: [String: fts5_tokenizer] = [:]
        for name in NativeTokenizer.names {
            originals[name] = fts5.flatMap { FTS5Library.tokenizer(named: name, in: $0)?.functions }
        }
        self.originals = originals
        memory.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        let code = answer(to: "concordance")
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Has `SELECT fts5(?1)`, the way of C programs to add functions and tokenizers to FTS5, lead here, so that what they add
    /// reaches tables of ours as well. Where SQLite has no FTS5, or a statement is running, which SQLite does not let replace
    /// functions, everything stays as it is.
    package func answerForFTS5() {
        if fts5 != nil { _ = answer(to: "fts5") }
    }

    /// Has the SQL function `name` give `api` to C programs, and keep this.
    private func answer(to name: String) -> Int32 {
        // SQLite calls the destructor when it fails, too.
        csqlite_create_function_v2(
            connection, name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(self).toOpaque(),
            { context, _, values in
                guard let registry = csqlite_user_data(context),
                    let result = BorrowedValue(values?.pointee).pointer(type: "fts5_api_ptr")
                else { return }
                result.assumingMemoryBound(to: UnsafeMutablePointer<fts5_api>?.self).pointee =
                    Unmanaged<ExtensionRegistry>.fromOpaque(registry).takeUnretainedValue().api
            }, nil, nil, { if let registry = $0 { Unmanaged<ExtensionRegistry>.fromOpaque(registry).release() } })
    }

    deinit { memory.deallocate() }

    /// Takes note that another module gets the name `fts5`; false where it is not the first to get it.
    package func beginReplacingFTS5() -> Bool {
        defer { isFTS5Replaced = true }
        return !isFTS5Replaced
    }

    /// SQLite frees its own: `sqlite3_close` has disconnected all tables, and fails if statements are left.
    package func forgetFTS5() {
        fts5 = nil
        isFTS5Gone = true
    }

    // MARK: Functions

    /// Adds an auxiliary function, replacing one with the same name, whatever its ASCII case. `destroy` gets `context`
    /// when the connection is closed, or when the function was replaced and no statement calls it any more; at once if
    /// this fails.
    package func add(
        function name: String, context: UnsafeMutableRawPointer?, function: @escaping fts5_extension_function,
        destroy: Destructor?
    ) -> Int32 {
        let added = AuxiliaryFunction(context: context, function: function, destroy: destroy)
        // A statement that calls it can be prepared only if the name is that of a function, and only then do tables get
        // to see it.
        let code = csqlite_overload_function(connection, name, -1)
        guard code == SQLITE_OK else { return code }
        functions[name.lowercasedASCII] = added
        addedCount += 1
        return SQLITE_OK
    }

    /// Adds a function that is used unless another one with its name was added, or will be.
    package func add(builtInFunction name: String, _ function: @escaping fts5_extension_function) throws {
        let code = csqlite_overload_function(connection, name, -1)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        builtInFunctions[name] = AuxiliaryFunction(context: nil, function: function, destroy: nil)
        addedCount += 1
    }

    /// The auxiliary function with that name, ignoring ASCII case.
    package func function(named name: String) -> AuxiliaryFunction? {
        let name = name.lowercasedASCII
        return functions[name] ?? builtInFunctions[name]
    }

    /// Whether the name, ignoring ASCII case, is that of a built-in function that nobody has replaced.
    package func isBuiltIn(function name: String) -> Bool {
        let name = name.lowercasedASCII
        return functions[name] == nil && builtInFunctions[name] != nil
    }

    // MARK: Tokenizers

    /// Whether the name, ignoring ASCII case, is that of one of FTS5's own tokenizers, which nobody has replaced.
    package func isOriginalTokenizer(_ name: String) -> Bool {
        let name = name.lowercasedASCII
        guard NativeTokenizer.names.contains(name) else { return false }
        guard let fts5 else { return tokenizers[name] == nil }
        guard let found = FTS5Library.tokenizer(named: name, in: fts5)?.functions else { return false }
        return originals[name].map { $0.isSame(as: found) } ?? false
    }

    /// Adds a tokenizer if SQLite has no FTS5 to hold it.
    func add(
        tokenizer name: String, functions: fts5_tokenizer, context: UnsafeMutableRawPointer?, destroy: Destructor?
    ) {
        tokenizers[name.lowercasedASCII] = KeptTokenizer(
            FTS5Library.TokenizerModule(context: context, functions: functions), destroy: destroy)
    }

    /// The tokenizer with that name if SQLite has no FTS5; those that FTS5 would have are ours.
    func tokenizer(named name: String) -> FTS5Library.TokenizerModule? {
        let name = name.lowercasedASCII
        return tokenizers[name]?.module ?? NativeTokenizer.module(named: name, registry: self)
    }
}

/// An auxiliary function of one connection; statements, and the data that a query stores for it, know it by identity.
package final class AuxiliaryFunction {
    /// The value that `xUserData` returns.
    package let context: UnsafeMutableRawPointer?
    /// The function.
    package let function: fts5_extension_function
    private let destroy: ExtensionRegistry.Destructor?

    init(
        context: UnsafeMutableRawPointer?, function: @escaping fts5_extension_function,
        destroy: ExtensionRegistry.Destructor?
    ) {
        self.context = context
        self.function = function
        self.destroy = destroy
    }

    deinit { destroy?(context) }
}

// MARK: - The functions that C programs call

extension ExtensionRegistry {
    private static var functions: csqlite_fts5_api {
        var api = csqlite_fts5_api()
        api.iVersion = 2
        api.xCreateTokenizer = { api, name, context, functions, destroy in
            guard let registry = api.flatMap(ExtensionRegistry.registry), let name, let functions else {
                return SQLITE_MISUSE
            }
            return FTS5Library(registry: registry).create(
                tokenizer: String(cString: name), functions: functions.pointee, context: context, destroy: destroy)
        }
        api.xFindTokenizer = { api, name, context, functions in
            guard let registry = api.flatMap(ExtensionRegistry.registry), let functions else { return SQLITE_MISUSE }
            let name = name.map { String(cString: $0) } ?? Unicode61Tokenizer.name
            guard let module = FTS5Library(registry: registry).tokenizer(named: name) else {
                functions.pointee = fts5_tokenizer()
                return SQLITE_ERROR
            }
            functions.pointee = module.functions
            context?.pointee = module.context
            return SQLITE_OK
        }
        api.xCreateFunction = { api, name, context, function, destroy in
            guard let registry = api.flatMap(ExtensionRegistry.registry), let name, let function else {
                return SQLITE_MISUSE
            }
            return registry.create(
                function: String(cString: name), context: context, function: function, destroy: destroy)
        }
        return api
    }

    // FTS5 from 3.47 on knows tokenizers that are told the locale of a text. It keeps them, and gives them to those that
    // know none, us among them, as tokenizers of before.

    private static let createTokenizerV2: csqlite_fts5_create_tokenizer_v2 = { api, name, context, functions, destroy in
        guard let fts5 = api.flatMap(ExtensionRegistry.registry)?.fts5, fts5.pointee.iVersion >= 3,
            let create = ExtensionRegistry.known(fts5).pointee.xCreateTokenizer_v2
        else { return SQLITE_MISUSE }
        return create(fts5, name, context, functions, destroy)
    }

    private static let findTokenizerV2: csqlite_fts5_find_tokenizer_v2 = { api, name, context, functions in
        guard let fts5 = api.flatMap(ExtensionRegistry.registry)?.fts5, fts5.pointee.iVersion >= 3,
            let find = ExtensionRegistry.known(fts5).pointee.xFindTokenizer_v2
        else { return SQLITE_MISUSE }
        return find(fts5, name, context, functions)
    }

    /// The structure as far as its version says that it reaches.
    private static func known(_ api: UnsafeMutablePointer<fts5_api>) -> UnsafeMutablePointer<csqlite_fts5_api> {
        UnsafeMutableRawPointer(api).assumingMemoryBound(to: csqlite_fts5_api.self)
    }

    /// The registry that an `fts5_api` belongs to; nil if it belongs to another copy of this code.
    fileprivate static func registry(of api: UnsafeMutablePointer<fts5_api>) -> ExtensionRegistry? {
        let isOurs =
            unsafeBitCast(api.pointee.xCreateFunction, to: UnsafeRawPointer?.self)
            == unsafeBitCast(functions.xCreateFunction, to: UnsafeRawPointer?.self)
        guard isOurs, let registry = known(api).pointee.owner else { return nil }
        return Unmanaged<ExtensionRegistry>.fromOpaque(registry).takeUnretainedValue()
    }

    /// The implementation of `xCreateFunction`: adds the function here and to FTS5. As in FTS5, a failure destroys
    /// nothing.
    private func create(
        function name: String, context: UnsafeMutableRawPointer?, function: @escaping fts5_extension_function,
        destroy: Destructor?
    ) -> Int32 {
        let code = csqlite_overload_function(connection, name, -1)
        guard code == SQLITE_OK else { return code }
        var destroy = destroy
        if let fts5, let create = fts5.pointee.xCreateFunction {
            let code = create(fts5, name, context, function, destroy)
            guard code == SQLITE_OK else { return code }
            // FTS5 holds the context until the connection is closed.
            destroy = nil
        }
        return add(function: name, context: context, function: function, destroy: destroy)
    }
}

extension fts5_tokenizer {
    /// Whether the C functions are the same.
    fileprivate func isSame(as other: fts5_tokenizer) -> Bool {
        unsafeBitCast(xCreate, to: UnsafeRawPointer?.self) == unsafeBitCast(other.xCreate, to: UnsafeRawPointer?.self)
            && unsafeBitCast(xTokenize, to: UnsafeRawPointer?.self)
                == unsafeBitCast(other.xTokenize, to: UnsafeRawPointer?.self)
    }
}

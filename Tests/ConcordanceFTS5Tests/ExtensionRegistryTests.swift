import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText
import Testing

@testable import ConcordanceFTS5

@Suite("The registry of a connection, as C programs use it")
struct ExtensionRegistryTests {
    /// How often a context was destroyed.
    private final class Context {
        var destroyedCount = 0
    }

    private static let destroy: ExtensionRegistry.Destructor = { context in
        guard let context else { return }
        Unmanaged<Context>.fromOpaque(context).takeRetainedValue().destroyedCount += 1
    }

    private static let context: fts5_extension_function = { api, fts, result, _, _ in
        guard let api, let fts, let context = api.pointee.xUserData?(fts) else { return }
        let count = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().destroyedCount
        csqlite_result_int64(result, Int64(100 + count))
    }

    private func api(_ db: Database) throws -> UnsafeMutablePointer<fts5_api> {
        _ = try ExtensionRegistry.of(try db.sqliteConnection)
        return try #require(FTS5Library.api(from: "SELECT concordance(?1)", on: try db.sqliteConnection))
    }

    /// A connection that nothing was added to, to be closed by `close`.
    private func database(hasFTS5: Bool) throws -> Database {
        var connection: OpaquePointer?
        try #require(csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let db = Database(borrowing: try #require(connection))
        if !hasFTS5 { try db.add(function: DatabaseFunction("fts5", argumentCount: 1) { _ in nil }) }
        return db
    }

    private func close(_ db: Database) throws {
        let connection = try db.sqliteConnection
        try db.close()
        #expect(csqlite_close_v2(connection) == SQLITE_OK)
    }

    @Test(arguments: [true, false])
    func `adds functions, whose contexts live as long as the connection`(_ hasFTS5: Bool) throws {
        let context = Context()
        let db = try database(hasFTS5: hasFTS5)
        if hasFTS5 { try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('one')") }
        let api = try api(db)
        let code = api.pointee.xCreateFunction?(
            api, "Mine", Unmanaged.passRetained(context).toOpaque(), Self.context, Self.destroy)
        #expect(code == SQLITE_OK)
        let registry = try ExtensionRegistry.of(try db.sqliteConnection)
        #expect(registry.api == api)
        #expect(registry.function(named: "mINE") != nil)
        if hasFTS5 { #expect(try Int.fetchOne(db, sql: "SELECT mine(t) FROM t WHERE t MATCH 'one'") == 100) }
        // A function of that name exists, which tells other tables that it is not theirs.
        let error = #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT mine(1)") }
        #expect(error?.message == "unable to use function Mine in the requested context")
        #expect(context.destroyedCount == 0)
        try close(db)
        // The registry, which this still holds, is the last to hold the function if there is no FTS5.
        #expect(context.destroyedCount == (hasFTS5 ? 1 : 0))
    }

    @Test func `lets go of functions with the connection`() throws {
        let context = Context()
        for hasFTS5 in [true, false] {
            context.destroyedCount = 0
            let db = try database(hasFTS5: hasFTS5)
            let api = try api(db)
            _ = api.pointee.xCreateFunction?(
                api, "f", Unmanaged.passRetained(context).toOpaque(), Self.context, Self.destroy)
            try close(db)
            #expect(context.destroyedCount == 1)
        }
    }

    @Test(arguments: [true, false])
    func `finds and adds tokenizers`(_ hasFTS5: Bool) throws {
        let db = try database(hasFTS5: hasFTS5)
        let api = try api(db)
        var context: UnsafeMutableRawPointer?
        var functions = fts5_tokenizer()
        for name in ["unicode61", "ASCII", "porter", "trigram"] {
            #expect(api.pointee.xFindTokenizer?(api, name, &context, &functions) == SQLITE_OK)
            #expect(functions.xTokenize != nil)
        }
        #expect(api.pointee.xFindTokenizer?(api, nil, &context, &functions) == SQLITE_OK)
        #expect(api.pointee.xFindTokenizer?(api, "nosuch", &context, &functions) == SQLITE_ERROR)
        #expect(functions.xTokenize == nil)
        _ = api.pointee.xFindTokenizer?(api, "ascii", &context, &functions)
        #expect(api.pointee.xCreateTokenizer?(api, "other", context, &functions, nil) == SQLITE_OK)
        let tokens = try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["other", "separators", "x"]))
            .tokens(in: "OnexTwo")
        #expect(tokens.map(\.text) == ["one", "two"])
    }

    @Test func `numbers cursors`() {
        var numbers = CursorNumbers()
        let cursors = [Context(), Context()]
        let first = numbers.add(cursors[0])
        let second = numbers.add(cursors[1])
        #expect(numbers[first] === cursors[0])
        numbers.remove(first)
        #expect(numbers[first] == nil)
        #expect(numbers[second] === cursors[1])
        #expect(numbers[0] == nil)
    }
}

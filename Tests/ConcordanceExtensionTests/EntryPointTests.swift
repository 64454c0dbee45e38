// The table of routines is set once, before `main`.
@preconcurrency import CConcordanceSQLite
import CConcordanceSQLiteLink
import ConcordanceExtension
import Testing

@Suite("An entry point refuses a host that it cannot serve, and says why", .serialized)
struct EntryPointTests {
    typealias EntryPoint =
        @Sendable (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UnsafePointer<sqlite3_api_routines>?
        ) -> Int32

    static let entryPoints: [EntryPoint] = [extensionInit, concordanceInit, concordanceAsFTS5Init]

    /// A host that has nothing but a version and memory.
    private func host(version: @escaping @convention(c) () -> Int32) -> sqlite3_api_routines {
        var host = sqlite3_api_routines()
        host.libversion_number = version
        host.malloc = { csqlite_malloc64(UInt64(max(0, $0))) }
        return host
    }

    private func call(_ entryPoint: EntryPoint, host: sqlite3_api_routines?) -> (code: Int32, message: String?) {
        var connection: OpaquePointer?
        csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil)
        defer { csqlite_close_v2(connection) }
        var message: UnsafeMutablePointer<CChar>?
        defer { csqlite_free(message) }
        let code: Int32
        if var host {
            code = entryPoint(connection, &message, &host)
        } else {
            code = entryPoint(connection, &message, nil)
        }
        return (code, message.map { String(cString: $0) })
    }

    @Test(arguments: entryPoints.indices)
    func oldLibrary(index: Int) {
        let answer = call(Self.entryPoints[index], host: host { 3_036_002 })
        #expect(answer.code == SQLITE_ERROR)
        #expect(answer.message == "Concordance needs SQLite 3.37.0 or newer; this host has 3.36.2.")
    }

    @Test("Another library than the one in use: this test's own, which was linked", arguments: entryPoints.indices)
    func otherLibrary(index: Int) {
        let answer = call(Self.entryPoints[index], host: host { csqlite_libversion_number() })
        #expect(answer.code == SQLITE_MISUSE)
        #expect(answer.message?.contains("another copy of SQLite") == true, "\(answer)")
    }

    @Test(arguments: entryPoints.indices)
    func noHost(index: Int) {
        #expect(call(Self.entryPoints[index], host: nil).code == SQLITE_MISUSE)
        #expect(Self.entryPoints[index](nil, nil, nil) == SQLITE_MISUSE)
    }

    @Test("A host that wants no message gets none", arguments: entryPoints.indices)
    func noMessage(index: Int) {
        var connection: OpaquePointer?
        csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil)
        defer { csqlite_close_v2(connection) }
        var host = host { 3_000_000 }
        #expect(Self.entryPoints[index](connection, nil, &host) == SQLITE_ERROR)
    }

    @Test("The library in use is served, and stays loaded", arguments: entryPoints.indices)
    func linkedLibrary(index: Int) {
        var connection: OpaquePointer?
        csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        defer { csqlite_close_v2(connection) }
        #expect(Self.entryPoints[index](connection, nil, csqlite_api) == SQLITE_OK | 1 << 8)
        let sql = "CREATE VIRTUAL TABLE doc USING fts5(body, tokenize='concordance words fold latin')"
        #expect(csqlite_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
        let engine =
            "CREATE VIRTUAL TABLE t USING concordance(a); CREATE VIRTUAL TABLE v USING concordancevocab(t, row)"
        #expect(csqlite_exec(connection, engine, nil, nil, nil) == SQLITE_OK)
    }
}

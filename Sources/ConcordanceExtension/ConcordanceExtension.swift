import CConcordanceSQLite
import ConcordanceEngine
import ConcordanceFTS5

// The functions that SQLite calls when it loads the library: by `SELECT load_extension('concordance')`, the shell's
// `.load`, or a host's own wrapper of `sqlite3_load_extension` (https://www.sqlite.org/loadext.html).
//
// SQLite looks for `sqlite3_extension_init` first, then for a name derived from the file name. Static registration
// (`sqlite3_auto_extension`) needs a name of its own. So there are two names for one function. A third entry point,
// which a host must name, does more.

/// Registers the tokenizers, rank functions and full-text tables of Concordance on `connection`. SQLite calls it if the
/// host names no entry point.
///
/// - Parameters:
///   - connection: The host's `sqlite3 *`.
///   - message: Receives the text of an error, in memory from the host's `sqlite3_malloc`.
///   - host: The functions of the host's SQLite. No other copy of SQLite is ever called.
/// - Returns: `SQLITE_OK_LOAD_PERMANENTLY`, or an error code with its `message`.
@_cdecl("sqlite3_extension_init")
public func extensionInit(
    _ connection: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ host: UnsafePointer<sqlite3_api_routines>?
) -> Int32 {
    load(on: connection, message, host)
}

/// The same as `extensionInit`, under the name that SQLite derives from the file `concordance.so`.
@_cdecl("sqlite3_concordance_init")
public func concordanceInit(
    _ connection: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ host: UnsafePointer<sqlite3_api_routines>?
) -> Int32 {
    load(on: connection, message, host)
}

/// Does the same; from then on, tables that the connection creates `USING fts5` are Concordance's, and those that FTS5
/// has already created stay FTS5's. For programs whose SQL cannot be changed.
@_cdecl("sqlite3_concordanceasfts5_init")
public func concordanceAsFTS5Init(
    _ connection: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ host: UnsafePointer<sqlite3_api_routines>?
) -> Int32 {
    load(on: connection, message, host, asFTS5: true)
}

private func load(
    on connection: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ host: UnsafePointer<sqlite3_api_routines>?, asFTS5: Bool = false
) -> Int32 {
    guard let connection, let host else { return SQLITE_MISUSE }
    func fail(_ text: String, code: Int32) -> Int32 {
        message?.pointee = copy(text, intoMemoryOf: host)
        return code
    }
    switch csqlite_use(host) {
    case SQLITE_OK: break
    case SQLITE_MISUSE:
        return fail(
            "Concordance already serves another copy of SQLite in this process. Load a copy of its file, under "
                + "another name, into this one.", code: SQLITE_MISUSE)
    default:
        return fail(
            "Concordance needs SQLite \(dotted(CSQLITE_MINIMUM_VERSION)) or newer; this host has "
                + "\(dotted(host.pointee.libversion_number?() ?? 0)).", code: SQLITE_ERROR)
    }
    do {
        try ConcordanceTokenizers.register(on: connection)
        try ConcordanceRanking.register(on: connection)
        if asFTS5 {
            try ConcordanceModule.registerAsFTS5(on: connection)
        } else {
            try ConcordanceModule.register(on: connection)
        }
    } catch {
        return fail("Concordance: \(error)", code: SQLITE_ERROR)
    }
    return loadedPermanently
}

/// `SQLITE_OK_LOAD_PERMANENTLY`, a macro that Swift does not import: the library stays loaded when the connection
/// closes, since the Swift runtime in it cannot be unloaded.
private let loadedPermanently = SQLITE_OK | 1 << 8

/// `text` as a C string that the host frees; nil if memory is exhausted.
private func copy(
    _ text: String, intoMemoryOf host: UnsafePointer<sqlite3_api_routines>
) -> UnsafeMutablePointer<CChar>? {
    let bytes = text.utf8CString
    // `host`, not the table in use: this may be the very message that says they differ. `malloc`, not `malloc64`: a
    // library that is too old, which also gets a message, may lack the latter.
    guard let count = Int32(exactly: bytes.count), let memory = host.pointee.malloc?(count) else { return nil }
    bytes.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count) }
    return memory.assumingMemoryBound(to: CChar.self)
}

/// 3040001 as "3.40.1".
private func dotted(_ version: Int32) -> String {
    "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
}

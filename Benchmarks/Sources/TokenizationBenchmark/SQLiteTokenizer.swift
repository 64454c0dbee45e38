import CConcordanceSQLite
import ConcordanceText

/// One of FTS5's own tokenizers, called through `fts5_api` the way that FTS5 calls it.
final class SQLiteTokenizer: Tokenizer {
    struct Unavailable: Error {}

    private var connection: OpaquePointer?
    private var module = fts5_tokenizer()
    private var instance: OpaquePointer?

    /// - Parameter components: The tokenizer's name and its arguments; they must hold no NUL.
    init(_ components: [String]) throws {
        var statement: OpaquePointer?
        var api: UnsafeMutablePointer<fts5_api>?
        csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil)
        csqlite_prepare_v3(connection, "SELECT fts5(?1)", -1, 0, &statement, nil)
        withUnsafeMutablePointer(to: &api) { place in
            // The name must live until the function compares it.
            "fts5_api_ptr".withCString { type in
                csqlite_bind_pointer(statement, 1, place, type, nil)
                csqlite_step(statement)
            }
        }
        csqlite_finalize(statement)
        var userData: UnsafeMutableRawPointer?
        guard let api, let name = components.first,
            api.pointee.xFindTokenizer(api, name, &userData, &module) == SQLITE_OK
        else { throw Unavailable() }
        var arguments = components.dropFirst().map { UnsafePointer(Self.cString($0)) as UnsafePointer<CChar>? }
        defer { for argument in arguments { argument?.deallocate() } }
        guard module.xCreate(userData, &arguments, Int32(arguments.count), &instance) == SQLITE_OK else {
            throw Unavailable()
        }
    }

    deinit {
        if let instance { module.xDelete(instance) }
        csqlite_close_v2(connection)
    }

    private static func cString(_ string: String) -> UnsafeMutablePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.utf8.count + 1)
        for (index, byte) in string.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
        copy[string.utf8.count] = 0
        return copy
    }

    func tokenize(_ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink) -> Int32 {
        text.withMemoryRebound(to: CChar.self) { text in
            module.xTokenize(
                instance, sink.context, reason.rawValue, text.baseAddress, Int32(text.count), sink.callback)
        }
    }
}

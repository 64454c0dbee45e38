import CConcordanceSQLite
import ConcordanceText
import Testing

/// FTS5 of the SQLite that the tests run with, asked for its tokenizers through `fts5_api`.
final class SQLiteTokenizers {
    private var connection: OpaquePointer?
    private let api: UnsafeMutablePointer<fts5_api>

    init() throws {
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        var api: UnsafeMutablePointer<fts5_api>?
        csqlite_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nil)
        csqlite_prepare_v3(connection, "SELECT fts5(?1)", -1, 0, &statement, nil)
        withUnsafeMutablePointer(to: &api) { place in
            // The name must live until the function compares it.
            "fts5_api_ptr".withCString { type in
                csqlite_bind_pointer(statement, 1, place, type, nil)
                csqlite_step(statement)
            }
        }
        csqlite_finalize(statement)
        self.connection = connection
        self.api = try #require(api, "this SQLite has no FTS5")
    }

    deinit { csqlite_close_v2(connection) }

    static var version: Int { Int(csqlite_libversion_number()) }

    /// Nil if SQLite refuses the arguments.
    func make(_ components: [String]) throws -> SQLiteTokenizer? {
        var module = fts5_tokenizer()
        var userData: UnsafeMutableRawPointer?
        let name = try #require(components.first)
        guard api.pointee.xFindTokenizer(api, name, &userData, &module) == SQLITE_OK else { return nil }
        let arguments = components.dropFirst().map { argument in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: argument.utf8.count + 1)
            for (index, byte) in argument.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[argument.utf8.count] = 0
            return UnsafePointer(copy)
        }
        defer { for argument in arguments { argument.deallocate() } }
        var pointers: [UnsafePointer<CChar>?] = arguments
        var instance: OpaquePointer?
        guard module.xCreate(userData, &pointers, Int32(pointers.count), &instance) == SQLITE_OK, let instance else {
            return nil
        }
        return SQLiteTokenizer(module: module, instance: instance, owner: self)
    }
}

final class SQLiteTokenizer: Tokenizer {
    private let module: fts5_tokenizer
    private let instance: OpaquePointer
    private let owner: SQLiteTokenizers

    init(module: fts5_tokenizer, instance: OpaquePointer, owner: SQLiteTokenizers) {
        self.module = module
        self.instance = instance
        self.owner = owner
    }

    deinit { module.xDelete(instance) }

    /// SQLite's tokenizers may read the byte after the text, which is NUL wherever FTS5 calls them.
    func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        let terminated = Array(text) + [0]
        return terminated.withUnsafeBytes { bytes in
            module.xTokenize(
                instance, sink.context, reason.rawValue, bytes.bindMemory(to: CChar.self).baseAddress,
                Int32(text.count), sink.callback)
        }
    }
}

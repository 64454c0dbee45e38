import CConcordanceSQLite
import ConcordanceText

/// A tokenizer that a connection's FTS5 created: a built-in one, or one that was added.
///
/// It may outlive the connection: it consists of memory of SQLite's allocator, and functions of the library.
final class FTS5ModuleTokenizer: FTS5Tokenizer {
    private let functions: fts5_tokenizer
    private let instance: OpaquePointer
    /// SQLite's trigram tokenizer computes the end of a token from the token, which is longer than its text where
    /// U+FFFD replaces invalid bytes.
    private let exceedsText: Bool

    /// - Throws: `FTS5Error.noSuchTokenizer`, `tokenizerRefused`; the errors of the initializer of a tokenizer in
    ///   Swift.
    init(_ descriptor: FTS5TokenizerDescriptor, library: FTS5Library) throws {
        let components = descriptor.components.isEmpty ? ["unicode61"] : descriptor.components
        let name = components[0]
        try descriptor.validate()
        guard let module = library.tokenizer(named: name) else { throw FTS5Error.noSuchTokenizer(name) }
        instance = try Self.make(module, components)
        functions = module.functions
        exceedsText = components.contains { $0.equalsIgnoringASCIICase("trigram") }
    }

    deinit { functions.xDelete?(instance) }

    func tokenize(
        context: UnsafeMutableRawPointer?,
        tokenization: FTS5Tokenization,
        pText: UnsafePointer<CChar>?,
        nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32 {
        guard let tokenCallback, let tokenize = functions.xTokenize else { return SQLITE_MISUSE }
        guard let pText, nText > 0 else { return SQLITE_OK }
        let flags = tokenization.subtracting(.typos).rawValue
        guard exceedsText else {
            return tokenize(instance, context, flags, pText, nText, tokenCallback)
        }
        var clamp = Clamp(sink: TokenSink(context: context, callback: tokenCallback), textCount: nText)
        return withUnsafeMutablePointer(to: &clamp) { clamp in
            tokenize(instance, clamp, flags, pText, nText) { clamp, flags, token, count, start, end in
                guard let clamp = clamp?.assumingMemoryBound(to: Clamp.self).pointee else { return SQLITE_MISUSE }
                let end = min(end, clamp.textCount)
                return clamp.sink.callback(clamp.sink.context, flags, token, count, min(start, end), end)
            }
        }
    }

    /// Passes tokens on with their ends clamped to the text.
    private struct Clamp {
        var sink: TokenSink
        var textCount: Int32
    }

    private static func make(
        _ module: FTS5Library.TokenizerModule, _ components: [String]
    ) throws -> OpaquePointer {
        try TokenizerDepth.descend(components[0]) { thread in
            var instance: OpaquePointer?
            let code = withCStrings(components.dropFirst()) { arguments, count in
                module.functions.xCreate?(module.context, arguments, count, &instance) ?? SQLITE_MISUSE
            }
            if code == SQLITE_OK, let instance { return instance }
            throw thread.takeError() ?? FTS5Error.tokenizerRefused(components)
        }
    }
}

/// Passes the strings to `body` as a C array of C strings.
private func withCStrings<Value>(
    _ strings: ArraySlice<String>, _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?, Int32) -> Value
) -> Value {
    var bytes: [CChar] = []
    var offsets: [Int] = []
    for string in strings {
        offsets.append(bytes.count)
        bytes += string.utf8.lazy.map(CChar.init(bitPattern:))
        bytes.append(0)
    }
    return bytes.withUnsafeBufferPointer { bytes in
        var pointers: [UnsafePointer<CChar>?] = offsets.map { offset in bytes.baseAddress.map { $0 + offset } }
        return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress, Int32(clamping: $0.count)) }
    }
}

import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// The tokenizers of tables with the interface of module ConcordanceText: ours in Swift if the name stands for one,
/// without the detour through FTS5's C interface; otherwise the connection's.
package enum NativeTokenizer {
    /// The tokenizers of FTS5 that we have as well, token for token.
    static let names = [
        Unicode61Tokenizer.name, AsciiTokenizer.name, TrigramTokenizer.name, PorterTokenizer.name,
    ]

    /// The tokenizer for these components of a `tokenize` option; no components stand for `unicode61`.
    ///
    /// - Throws: `FTS5Error.noSuchTokenizer`, `tokenizerRefused`; `TokenizerError`, `AnalyzerError`; the errors of the
    ///   initializer of a tokenizer in Swift.
    package static func make(_ components: [String], registry: ExtensionRegistry) throws -> any Tokenizer {
        guard let name = components.first else { return Unicode61Tokenizer() }
        let arguments = Array(components.dropFirst())
        switch name.lowercasedASCII {
        case ConcordanceTokenizers.name: return try ConcordanceTokenizers.makeTokenizer(arguments: arguments)
        case ConcordanceTokenizers.fieldsName:
            return try ConcordanceTokenizers.makeFieldTokenizer(arguments: arguments)
        case PorterTokenizer.name where registry.isOriginalTokenizer(name):
            return try makePorter(arguments, registry: registry)
        case _ where registry.isOriginalTokenizer(name):
            return try TokenizerSpecification(components: components).makeTokenizer()
        default:
            return try ForeignTokenizer(components, registry: registry)
        }
    }

    /// Porter's stemmer after any tokenizer, which FTS5 looks up by name.
    private static func makePorter(_ arguments: [String], registry: ExtensionRegistry) throws -> any Tokenizer {
        let parent = arguments.isEmpty ? [Unicode61Tokenizer.name] : arguments
        do {
            return try TokenizerDepth.descend(PorterTokenizer.name) { _ in
                PorterTokenizer(wrapping: try make(parent, registry: registry))
            }
        } catch FTS5Error.noSuchTokenizer {
            throw FTS5Error.tokenizerRefused([PorterTokenizer.name] + arguments)
        }
    }

    /// One of `names` with FTS5's interface, for connections without FTS5.
    static func module(named name: String, registry: ExtensionRegistry) -> FTS5Library.TokenizerModule? {
        let create: ConcordanceTokenizers.Create
        switch name {
        case Unicode61Tokenizer.name: create = { Self.create(Unicode61Tokenizer.name, $0, $1, $2, $3) }
        case AsciiTokenizer.name: create = { Self.create(AsciiTokenizer.name, $0, $1, $2, $3) }
        case TrigramTokenizer.name: create = { Self.create(TrigramTokenizer.name, $0, $1, $2, $3) }
        case PorterTokenizer.name: create = { Self.create(PorterTokenizer.name, $0, $1, $2, $3) }
        default: return nil
        }
        return FTS5Library.TokenizerModule(
            context: Unmanaged.passUnretained(registry).toOpaque(),
            functions: ConcordanceTokenizers.functions(create))
    }

    private static func create(
        _ name: String, _ registry: UnsafeMutableRawPointer?,
        _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: Int32,
        _ instance: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        guard let registry else { return SQLITE_MISUSE }
        let owner = Unmanaged<ExtensionRegistry>.fromOpaque(registry).takeUnretainedValue()
        return ConcordanceTokenizers.make(on: nil, into: instance) {
            let components = [name] + strings(arguments, count)
            // The name may have been given to another tokenizer since, possibly to the one that asks for this one.
            return name == PorterTokenizer.name
                ? try makePorter(Array(components.dropFirst()), registry: owner)
                : try TokenizerSpecification(components: components).makeTokenizer()
        }
    }
}

/// A tokenizer that somebody added to the connection.
private final class ForeignTokenizer: Tokenizer {
    private let tokenizer: FTS5ModuleTokenizer

    init(_ components: [String], registry: ExtensionRegistry) throws {
        tokenizer = try FTS5ModuleTokenizer(
            FTS5TokenizerDescriptor(components: components), library: FTS5Library(registry: registry))
    }

    func tokenize(_ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink) -> Int32 {
        guard let start = text.baseAddress, text.count > 0 else { return SQLITE_OK }
        return start.withMemoryRebound(to: CChar.self, capacity: text.count) {
            tokenizer.tokenize(
                context: sink.context, tokenization: reason, pText: $0, nText: Int32(clamping: text.count),
                tokenCallback: sink.callback)
        }
    }
}

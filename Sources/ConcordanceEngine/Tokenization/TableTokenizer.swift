import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// The tokenizer of a table.
enum TableTokenizer {
    /// Creates the tokenizer that a `tokenize` option names: our own if it has one of our names, or one of FTS5's that
    /// no other tokenizer has taken; otherwise the one that was added to the connection.
    ///
    /// - Throws: SQLITE_ERROR with FTS5's message, and with what is wrong with the descriptor of an analyzer; a `Database` throws what the initializer of a tokenizer in Swift threw.
    static func make(_ components: [String], _ registry: ExtensionRegistry) throws -> any Tokenizer {
        do {
            return try NativeTokenizer.make(components, registry: registry)
        } catch FTS5Error.noSuchTokenizer(let name) {
            throw failure("no such tokenizer: \(name)")
        } catch is TokenizerError {
            throw failure(constructorMessage)
        } catch FTS5Error.tokenizerRefused {
            throw failure(constructorMessage)
        } catch let error as AnalyzerError {
            // Hosts in other languages see nothing but the message.
            throw CallbackError(message: "\(constructorMessage): \(error)", cause: error)
        } catch {
            throw CallbackError(message: constructorMessage, cause: error)
        }
    }

    /// The tokenizer of a table that there is. Where it is missing, the table can still be read and dropped, and what needs it
    /// fails with the error of `make`.
    static func open(_ components: [String], _ registry: ExtensionRegistry, on connection: OpaquePointer)
        -> any Tokenizer
    {
        (try? make(components, registry)) ?? MissingTokenizer(components, registry, connection)
    }

    private static let constructorMessage = "error in tokenizer constructor"
}

/// A tokenizer that was not there when its table was opened. It may be added later.
private final class MissingTokenizer: Tokenizer {
    private let components: [String]
    private let registry: ExtensionRegistry
    private let connection: OpaquePointer
    private var found: (any Tokenizer)?

    init(_ components: [String], _ registry: ExtensionRegistry, _ connection: OpaquePointer) {
        self.components = components
        self.registry = registry
        self.connection = connection
    }

    func tokenize(_ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink) -> Int32 {
        do {
            let tokenizer = try found ?? TableTokenizer.make(components, registry)
            found = tokenizer
            return tokenizer.tokenize(text, for: reason, into: sink)
        } catch {
            Database.setPendingCallbackError(error, on: connection)
            return SQLITE_ERROR
        }
    }
}

extension Tokenizer {
    /// Sends the tokens of `text` to `sink`.
    ///
    /// - Throws: What a tokenizer that failed says; its code where it says nothing.
    @inline(__always)
    func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink,
        on connection: OpaquePointer
    ) throws {
        let code = tokenize(text, for: reason, into: sink)
        if code != 0 { throw KeptStatement.error(code, on: connection) }
    }
}

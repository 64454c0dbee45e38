import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// The tokenizer of a table.
enum TableTokenizer {
    /// Makes the tokenizer that a `tokenize` option names: our own where it has one of our names, or one of FTS5's that
    /// nobody gave to another tokenizer; otherwise the one that was added to the connection.
    ///
    /// - Throws: SQLITE_ERROR with FTS5's message; a `Database` throws what the initializer of a tokenizer in Swift threw.
    static func make(_ components: [String], _ registry: ExtensionRegistry) throws -> any Tokenizer {
        do {
            return try NativeTokenizer.make(components, registry: registry)
        } catch FTS5Error.noSuchTokenizer(let name) {
            throw failure("no such tokenizer: \(name)")
        } catch is TokenizerError {
            throw failure(constructorMessage)
        } catch FTS5Error.tokenizerRefused {
            throw failure(constructorMessage)
        } catch {
            throw CallbackError(message: constructorMessage, cause: error)
        }
    }

    private static let constructorMessage = "error in tokenizer constructor"
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

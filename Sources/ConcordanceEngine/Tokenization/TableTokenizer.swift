import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// The tokenizer of a table.
enum TableTokenizer {
    /// Makes the tokenizer that a `tokenize` option names: our own where it has one of our names, or one of FTS5's that
    /// nobody gave to another tokenizer; otherwise the one that was added to the connection.
    ///
    /// - Throws: SQLITE_ERROR with FTS5's message; a `Database` throws what the initializer of a tokenizer in Swift threw.
    static func make(_ components: [String], on database: Database) throws -> any Tokenizer {
        let registry = try ExtensionRegistry.of(try database.sqliteConnection)
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

    /// Which comparisons besides MATCH the index of a tokenizer's tokens answers.
    struct Comparisons: OptionSet {
        let rawValue: UInt8

        static let glob = Comparisons(rawValue: 1)
        static let like = Comparisons(rawValue: 2)
    }

    /// As in FTS5, trigrams answer GLOB, and LIKE where they are folded to lower case; not where diacritics are removed.
    static func comparisons(of tokenizer: any Tokenizer) -> Comparisons {
        guard let options = (tokenizer as? TrigramTokenizer)?.options else { return [] }
        if options.caseSensitive { return .glob }
        return options.removeDiacritics ? [] : [.glob, .like]
    }
}

extension Tokenizer {
    /// Sends the tokens of `text` to `sink`.
    ///
    /// - Throws: What a tokenizer that failed says; its code where it says nothing.
    @inline(__always)
    func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink, on database: Database
    ) throws {
        let code = tokenize(text, for: reason, into: sink)
        if code != 0 { throw database.error(code) }
    }
}

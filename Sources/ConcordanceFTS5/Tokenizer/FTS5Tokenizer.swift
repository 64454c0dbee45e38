import ConcordanceText
import ConcordanceSQLite

/// Why FTS5 wants a text tokenized: a document, a query (perhaps with a prefix at its end), an auxiliary function.
public typealias FTS5Tokenization = TokenizationReason
/// What is known about a token besides its bytes: whether it is a synonym of the token before it.
public typealias FTS5TokenFlags = TokenFlags
/// The C function that takes tokens: FTS5's `xToken`.
public typealias FTS5TokenCallback = TokenCallback

/// The protocol of all FTS5 tokenizers.
///
/// `Database.makeTokenizer(_:)` creates the built-in ones and those that were added to the connection:
///
/// ```swift
/// let unicode61 = try db.makeTokenizer(.unicode61())
/// ```
///
/// Write your own with `FTS5CustomTokenizer` (bytes) or `FTS5WrapperTokenizer` (strings).
public protocol FTS5Tokenizer: AnyObject {
    /// Calls `tokenCallback` with each token of a text, like FTS5's `xTokenize`
    /// (https://www.sqlite.org/fts5.html#custom_tokenizers).
    ///
    /// - Parameters:
    ///   - context: The first argument of each call of `tokenCallback`.
    ///   - tokenization: Why the text is tokenized.
    ///   - pText: The text in UTF-8, possibly invalid, possibly with NUL bytes, and not always NUL-terminated.
    ///   - nText: Its length in bytes.
    ///   - tokenCallback: Takes a token. If it returns anything but zero, the tokenizer must return that value.
    /// - Returns: Zero (`SQLITE_OK`), the callback's result, or an SQLite error code.
    func tokenize(
        context: UnsafeMutableRawPointer?,
        tokenization: FTS5Tokenization,
        pText: UnsafePointer<CChar>?,
        nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32
}

/// A tokenizer of your own that works on raw bytes.
///
/// SQLite creates one instance for each connection that uses a table, and calls it from one thread at a time. Add the
/// type to a connection, queue or pool with `add(tokenizer:)`, and name it in a table's definition with
/// `tokenizerDescriptor(arguments:)`.
///
/// FTS5 never sees a token that is not within its text: instead, the running statement throws `FTS5Error.invalidToken`.
/// Tokens without bytes are left out.
public protocol FTS5CustomTokenizer: FTS5Tokenizer, SendableMetatype {
    /// The name of the tokenizer in SQL. `ascii`, `porter`, `trigram` and `unicode61` are taken.
    static var name: String { get }

    /// Creates a tokenizer for `db`, with the words that follow its name in the table's `tokenize` option.
    ///
    /// Use `db` only here, and do not store it: it would never be closed. If the initializer throws an error, the
    /// statement that needed the tokenizer throws the same error.
    init(db: Database, arguments: [String]) throws
}

extension FTS5CustomTokenizer {
    /// Returns the descriptor that selects this tokenizer in a table's definition.
    ///
    /// ```swift
    /// // CREATE VIRTUAL TABLE "documents" USING fts5(tokenize='custom arg1 arg2', content)
    /// try db.create(virtualTable: "documents", using: FTS5()) { t in
    ///     t.tokenizer = MyTokenizer.tokenizerDescriptor(arguments: ["arg1", "arg2"])
    ///     t.column("content")
    /// }
    /// ```
    public static func tokenizerDescriptor(arguments: [String] = []) -> FTS5TokenizerDescriptor {
        FTS5TokenizerDescriptor(components: [name] + arguments)
    }
}

/// An error in the use of FTS5 that is found before SQLite could report it, or about which SQLite says too little.
public enum FTS5Error: Error, Hashable, Sendable {
    /// The SQLite in use was built without FTS5.
    case unavailable
    /// The SQLite in use is too old for `feature`.
    case unsupported(feature: String, requires: String)

    /// A raw pattern that FTS5 would reject, with FTS5's own message and the UTF-8 offset of the token it names.
    case malformedPattern(String, message: String, offset: Int)

    /// A table or column name that FTS5 reserves: `rank`, `rowid`, or the table's own name for a column.
    case reservedName(String)
    /// A name that cannot be written in SQL: empty, or with a NUL character.
    case invalidName(String)
    /// Two columns whose names differ only in ASCII case.
    case duplicateColumn(String)
    /// A table definition without columns.
    case noColumns(table: String)
    /// More columns than the SQLite in use allows in an FTS5 table.
    case tooManyColumns(Int, limit: Int)
    /// A table option with a value that FTS5 does not accept.
    case invalidOption(String, reason: String)

    /// There is no FTS5 table with that name.
    case noSuchTable(String)
    /// The FTS5 table has no column with that name, or its columns are not known.
    case noSuchColumn(String, table: String)

    /// No tokenizer with that name was added to the connection.
    case noSuchTokenizer(String)
    /// A tokenizer that is not written in Swift rejected its arguments.
    case tokenizerRefused([String])
    /// A tokenizer wraps itself, or too many tokenizers wrap each other.
    case tokenizerRecursion(String)
    /// A tokenizer produced a token that is not within its text, or has no memory of its own.
    case invalidToken(tokenizer: String, reason: String)
    /// A tokenizer returned this code without throwing an error.
    case tokenizerFailed(String, code: Int32)

    /// An auxiliary function kept its context and used it after returning.
    case auxiliaryContextExpired
    /// An auxiliary function requested a column, phrase or instance that does not exist.
    case indexOutOfRange(String, index: Int)
}

extension FTS5Error: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable:
            "this SQLite was built without FTS5; use one built with SQLITE_ENABLE_FTS5"
        case .unsupported(let feature, let requires):
            "\(feature) needs \(requires)"
        case .malformedPattern(let pattern, let message, let offset):
            "\(message) (at byte \(offset) of the pattern \(pattern.prefix(200)))"
        case .reservedName(let name):
            "FTS5 reserves the name \(name); choose another"
        case .invalidName(let name):
            "\(String(reflecting: name)) cannot be a name: it must not be empty or contain a NUL character"
        case .duplicateColumn(let name):
            "the table has two columns named \(name)"
        case .noColumns(let table):
            "the full-text table \(table) needs at least one column"
        case .tooManyColumns(let count, let limit):
            "the full-text table has \(count) columns, but this SQLite allows only \(limit)"
        case .invalidOption(let option, let reason):
            "the option \(option) \(reason)"
        case .noSuchTable(let name):
            "there is no full-text table named \(name)"
        case .noSuchColumn(let column, let table):
            "the full-text table \(table) has no column named \(column)"
        case .noSuchTokenizer(let name):
            "this connection has no tokenizer named \(name); add it with add(tokenizer:) first"
        case .tokenizerRefused(let components):
            "the tokenizer rejected its arguments: \(components.joined(separator: " ").prefix(200))"
        case .tokenizerRecursion(let name):
            "the tokenizer \(name) wraps itself, or tokenizers wrap each other more than \(TokenizerDepth.limit) calls deep"
        case .invalidToken(let tokenizer, let reason):
            "the tokenizer \(tokenizer) produced an invalid token: \(reason)"
        case .tokenizerFailed(let name, let code):
            "the tokenizer \(name) failed with the code \(code)"
        case .auxiliaryContextExpired:
            "the context of an auxiliary function is valid only until the function returns"
        case .indexOutOfRange(let what, let index):
            "there is no \(what) number \(index)"
        }
    }
}

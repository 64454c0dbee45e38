import CConcordanceSQLite

/// An error of SQLite, or of how it is used.
public struct DatabaseError: Error, Hashable, Sendable {
    /// The extended code, such as `SQLITE_CONSTRAINT_UNIQUE`.
    public let extendedResultCode: ResultCode

    /// What went wrong, usually in SQLite's words: `UNIQUE constraint failed: player.email`.
    public let message: String?

    /// The failed statement; the whole script if one of its statements does not compile.
    public let sql: String?

    /// The byte offset, in the UTF-8 of `sql`, of the error; nil if SQLite does not report it.
    public let offset: Int?

    /// A sentence that says what to do, if there is one.
    public let advice: String?

    /// Creates an error; `advice` defaults to what the message or the code suggests.
    public init(
        resultCode: ResultCode = .SQLITE_ERROR, message: String? = nil, sql: String? = nil, offset: Int? = nil,
        advice: String? = nil
    ) {
        extendedResultCode = resultCode
        self.message = message
        self.sql = sql
        self.offset = offset
        self.advice = advice ?? message.flatMap(Self.advice(forMessage:)) ?? resultCode.advice
    }

    /// What to do about a message of SQLite's whose cause is the connection rather than the statement.
    private static func advice(forMessage message: String) -> String? {
        let known = [
            ("no such tokenizer: ", "add(tokenizer:), or ConcordanceTokenizers.register(on:) for `concordance`"),
            ("no such function: ", "add(function:), if it is the app's own and its name is right"),
            ("no such collation sequence: ", "add(collation:)"),
            (
                "no such module: concordance",
                "ConcordanceModule.register(on:), or SearchSupport.enable(on:) for all"
            ),
            ("no such module: ", "load the extension that has it, unless SQLite was built without it"),
        ]
        for (beginning, call) in known where message.hasPrefix(beginning) {
            return "Add it to every connection that uses it, for instance in Configuration.prepareDatabase: \(call)."
        }
        if message == "fts5: syntax error near \"\"" {
            return
                "The query of a MATCH ends too early, or is NULL: a PointerArgument must be the right side of MATCH "
                + "itself, since functions and columns turn it into NULL."
        }
        let column = message.split(separator: " ").last?.split(separator: ".") ?? []
        if message.hasPrefix("no such column: "), column.count == 2, column[0] == column[1] {
            return "MATCH needs a full-text table, which \(column[0]) is not: name the one with its text."
        }
        return nil
    }

    /// The primary code, such as `SQLITE_CONSTRAINT`.
    public var resultCode: ResultCode { extendedResultCode.primary }

    /// The API was used in a way that cannot work.
    package static func misuse(_ message: String, sql: String? = nil, advice: String? = nil) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_MISUSE, message: message, sql: sql, advice: advice)
    }
}

extension DatabaseError: CustomStringConvertible {
    /// One line: code, message, the statement near the error, advice.
    public var description: String {
        var text = "SQLite error \(extendedResultCode.rawValue)"
        if let message { text += ": \(message)" }
        if let sql { text += " - while executing `\(Self.excerpt(of: sql, around: offset))`" }
        if let offset { text += " at byte \(offset)" }
        if let advice { text += ". \(advice)" }
        return text
    }

    /// At most some 250 bytes of a statement, which may be megabytes long, around the error.
    private static func excerpt(of sql: String, around offset: Int?) -> String {
        let length = sql.utf8.count
        let start = max(100, min(offset ?? 0, length)) - 100
        let end = min(length, start + 250)
        if start == 0 && end == length { return sql }
        let utf8 = sql.utf8
        let bytes = utf8.dropFirst(start).prefix(end - start)
        return (start > 0 ? "…" : "") + String(decoding: bytes, as: UTF8.self) + (end < length ? "…" : "")
    }
}

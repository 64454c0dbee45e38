extension String {
    /// The string as an SQL identifier, in double quotes: `my "table"` gives `"my ""table"""`.
    ///
    /// An SQL text ends at a NUL character, so an identifier cannot contain one: preparing the statement throws.
    package var quotedDatabaseIdentifier: String { quoted(with: "\"") }

    /// The string as an SQL string literal, in single quotes.
    package var quotedDatabaseString: String { quoted(with: "'") }

    /// - Throws: SQLITE_MISUSE for a name, such as a function's, that SQLite would cut off at a NUL character.
    func validateForSQLite(_ kind: String) throws {
        guard !utf8.contains(0) else {
            throw DatabaseError.misuse(
                "the \(kind) name \(String(reflecting: self)) contains a NUL character", advice: "Leave it out.")
        }
    }

    /// What follows the first place where the bytes of `text` stand; nil where they stand nowhere. The standard library's
    /// own search goes by characters and brings its regular expressions into the loadable extension: a tenth of its size.
    func rest(after text: String) -> String? {
        var rest = utf8[...]
        while rest.count >= text.utf8.count {
            if rest.starts(with: text.utf8) { return String(Substring(rest.dropFirst(text.utf8.count))) }
            rest = rest.dropFirst()
        }
        return nil
    }

    private func quoted(with quote: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        result.append(quote)
        for scalar in unicodeScalars {
            if scalar == quote { result.append(quote) }
            result.append(scalar)
        }
        result.append(quote)
        return String(result)
    }
}

extension String {
    /// The string as an SQL identifier, in double quotes: `my "table"` gives `"my ""table"""`.
    ///
    /// An SQL text ends at a NUL character, so an identifier cannot hold one: preparing the statement throws.
    public var quotedDatabaseIdentifier: String { quoted(with: "\"") }

    /// The string as an SQL string literal, in single quotes.
    public var quotedDatabaseString: String { quoted(with: "'") }

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

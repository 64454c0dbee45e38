/// Values of columns that are not indexed, as SQL expressions: few, so that they meet, and of all types. Texts are as short
/// as stored values must be, and none is a JSON array, which would stand for its elements.
extension Chance {
    /// - Parameter isASCII: Whether texts have letters of ASCII only.
    mutating func storedValue(isASCII: Bool) -> String {
        switch int(0...19) {
        case 0...7: "\(int(-2...9))"
        case 8...10: pick(["1.0", "2.5", "3.0", "-0.5", "0.0", "7.25", "1e300", "-1e300", "9007199254740992.0"])
        case 11: pick(["9007199254740993", "9223372036854775807", "-9223372036854775808", "9e999", "-9e999"])
        case 12...16: storedText(isASCII: isASCII)
        case 17: pick(["x''", "x'00'", "x'61'", "x'6162'"])
        default: "NULL"
        }
    }

    private mutating func storedText(isASCII: Bool) -> String {
        let texts = ["", "a", "A", "b", "ab", "inbox", "sent", "apple", "1", "10", "9", "x y", "a\u{0}b"]
        let others = ["é", "e\u{301}", "日本", "😀", "Ａ"]
        return pick(isASCII ? texts : texts + others).textExpression
    }

    /// An expression over the number `n` of a row.
    mutating func storedValueOfNumber() -> String {
        let modulus = int(2...30)
        return pick([
            "n", "n % \(modulus)", "n * 0.5", "nullif(n % \(modulus), 0)", "'a' || (n % \(modulus))",
            "iif(n % 2, n % \(modulus), (n % \(modulus)) * 1.0)", "CAST(n % \(modulus) AS TEXT)", "-n", "'inbox'",
            "NULL",
        ])
    }
}

extension RandomSchema {
    /// The columns that are not indexed, quoted, where the table's rows have what was written to them.
    var valueColumns: [String] {
        guard content == .stored || content == .external else { return [] }
        return zip(columns, quotedColumns).filter { unindexed.contains($0.0) }.map(\.1)
    }

    /// A value for a column that is not indexed.
    ///
    /// SQLite compares texts by their bytes in the encoding of the database, and stored values are compared by those of
    /// UTF-8: the order is the same for ASCII only.
    func storedValue(_ chance: inout Chance) -> String { chance.storedValue(isASCII: isUTF16) }

    /// A value for a column, by its quoted name.
    func value(of column: String, _ chance: inout Chance) -> String {
        valueColumns.contains(column) ? storedValue(&chance) : chance.value()
    }

    /// What an update sets a column to, by its quoted name.
    func newValue(of column: String, _ chance: inout Chance) -> String {
        guard valueColumns.contains(column) else {
            return chance.percent(80) ? chance.value() : "\(column) || ' ' || \(chance.word().textExpression)"
        }
        return chance.percent(80) ? storedValue(&chance) : chance.pick(["\(column) + 1", key])
    }
}

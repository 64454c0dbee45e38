import ConcordanceText

/// A `CREATE VIRTUAL TABLE`, as SQLite stores it in its schema.
package struct VirtualTableStatement {
    /// The table's name as it is written, with its schema's if given.
    package private(set) var writtenName: String
    /// The module's name.
    package private(set) var module: String
    /// What follows the module's name, as it is written: `(a, b UNINDEXED)`.
    package private(set) var rest: String
    /// The texts between the commas in the parentheses.
    package private(set) var arguments: [String]

    /// Nil for any other SQL.
    package init?(_ sql: String) {
        var scanner = SQLScanner(sql)
        guard scanner.skip(["CREATE", "VIRTUAL", "TABLE"]) else { return nil }
        let start = scanner.remainder.startIndex
        guard scanner.next() != nil else { return nil }
        if scanner.peek() == "." { scanner.skip(2) }
        let end = scanner.remainder.startIndex
        writtenName = String(scanner.remainder.base[start..<end].drop { $0 == " " })
        guard scanner.skip(["USING"]), let module = scanner.next() else { return nil }
        self.module = module
        rest = String(scanner.remainder)
        arguments = scanner.next() == "(" ? scanner.arguments().map(String.init) : []
    }

    /// The options of a table of FTS5 or of Concordance's engine, which take the same arguments; nil for another
    /// module.
    ///
    /// Arguments that are not understood are left out: a later FTS5 than the one described here may have added them.
    var tableOptions: TableOptions? {
        ["fts5", "concordance", "fts5concordance"].contains(module.lowercasedASCII)
            ? TableOptions(leniently: arguments) : nil
    }
}

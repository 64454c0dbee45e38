import ConcordanceFTS5

/// What a rank option says: the name of an auxiliary function, and the SQL of its arguments after the table's name.
struct RankSpecification: Equatable, Sendable {
    var function: String
    /// A list of SQL literals; empty for none.
    var arguments: String

    /// FTS5's default.
    static let bm25 = RankSpecification(function: "bm25", arguments: "")

    init(function: String, arguments: String) {
        self.function = function
        self.arguments = arguments
    }

    /// Reads `name(literal, ...)`; what follows the parenthesis does not matter, as in FTS5. Nil for anything else.
    init?(parsing text: String) {
        var scanner = DeclarationScanner(text)
        scanner.skipSpaces()
        guard let name = scanner.takeBareword() else { return nil }
        scanner.skipSpaces()
        guard scanner.take("(") else { return nil }
        scanner.skipSpaces()
        let start = scanner.position
        if scanner.current != UInt8(ascii: ")") || scanner.isAtEnd {
            repeat {
                scanner.skipSpaces()
                guard scanner.skipLiteral() else { return nil }
                scanner.skipSpaces()
            } while scanner.take(",")
            guard scanner.current == UInt8(ascii: ")") else { return nil }
        }
        function = name
        arguments = scanner.text(from: start)
    }
}

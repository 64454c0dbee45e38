extension QueryTree {
    /// The tree in FTS5's language: `("milk" AND {"title"} : ("send weekly")) NOT "eggs"`.
    ///
    /// An AND that leaves out strings without tokens is printed as one that does not: only FTS5's language produces it,
    /// and there the text is available.
    ///
    /// - Throws: `FTS5Error.malformedPattern` for a tree nested more deeply than FTS5's parser accepts.
    package func pattern() throws(FTS5Error) -> FTS5Pattern {
        var printer = QueryPrinter()
        for instruction in instructions { printer.add(instruction) }
        let pattern = printer.patterns.last ?? .nothing
        _ = try FTS5QueryParser.parse(pattern.rawPattern)
        return pattern
    }
}

/// Prints what the instructions of a tree build.
private struct QueryPrinter {
    private(set) var patterns: [FTS5Pattern] = []
    private var phrase = ""
    private var group: [String] = []
    private var distance = FTS5QueryParser.defaultDistance

    mutating func add(_ instruction: QueryTree.Instruction) {
        switch instruction {
        case .phrase(let literal): phrase = Self.text(of: literal)
        case .extend(let literal): phrase += " + " + Self.text(of: literal)
        case .initial: phrase = "^ " + phrase
        case .group:
            group = [phrase]
            distance = FTS5QueryParser.defaultDistance
        case .join: group.append(phrase)
        case .distance(let count): distance = count
        case .node: patterns.append(FTS5Pattern.near(strings: group, distance: distance) ?? .nothing)
        case .filter(let columns, let isInverted):
            guard let pattern = patterns.popLast() else { return }
            patterns.append(isInverted ? pattern.excludingColumns(columns) : pattern.inColumns(columns))
        case .and(let count): join(count, by: .and, " AND ")
        case .or(let count): join(count, by: .or, " OR ")
        case .implicitAnd: join(2, by: .and, " AND ")
        case .not:
            guard let right = patterns.popLast(), let left = patterns.popLast() else { return }
            patterns.append(left.not(right))
        }
    }

    private mutating func join(_ count: Int, by form: FTS5QueryParser.Form, _ word: String) {
        guard patterns.count >= count else { return }
        let text = patterns.suffix(count).map { $0.operand(of: form) }.joined(separator: word)
        patterns.removeLast(count)
        patterns.append(FTS5Pattern(text, form: form))
    }

    private static func text(of literal: QueryTree.Literal) -> String {
        literal.bytes.withUnsafeBufferPointer { PatternText.quoted($0, 0..<$0.count) } + (literal.isPrefix ? " *" : "")
    }
}

extension SearchQuery: CustomStringConvertible {
    /// The query as a person would type it: `get groc* -milk title:"send weekly"`.
    ///
    /// Parsed with `isTyping: false` and the same fields, the description yields the same query, within the limits of
    /// typed queries. That of an empty query is an empty text.
    public var description: String {
        guard let root else { return "" }
        // Where nothing else is looked for, a minus sign is not an operator.
        return Printer(exclusion: root.isExclusion ? "NOT " : "-").print(root)
    }
}

extension SearchQuery.Node {
    /// Whether everything it looks for is excluded.
    fileprivate var isExclusion: Bool {
        switch kind {
        case .word, .similar, .phrase, .near: false
        case .fields(_, let child): child.isExclusion
        case .all(let children), .any(let children): children.allSatisfy(\.isExclusion)
        case .excluding(let base, _): base?.isExclusion ?? true
        }
    }
}

/// Writes queries as a person would type them.
private struct Printer {
    /// The text before what is excluded.
    let exclusion: String

    func print(_ node: SearchQuery.Node) -> String {
        switch node.kind {
        case .word(let text, let isPrefix): isPrefix ? text + "*" : text
        case .similar(let text, let isPrefix): text + (isPrefix ? "~*" : "~")
        case .phrase(let text, let isPrefix): Self.quoted(text) + (isPrefix ? "*" : "")
        case .near(let phrases, let distance, let isPrefix):
            "NEAR(\(phrases.map(Self.quoted).joined(separator: " "))\(isPrefix ? "*" : ""), \(distance))"
        case .fields(let names, let child):
            names.map(Self.fieldName).joined(separator: ",") + ":"
                + (isAtom(child) ? print(child) : "(\(print(child)))")
        case .all(let parts): parts.map(operand).joined(separator: " ")
        case .any(let parts): parts.map(alternative).joined(separator: " OR ")
        case .excluding(let base, let others):
            ((base.map { [conjunct($0)] } ?? []) + others.map { exclusion + operand($0) }).joined(separator: " ")
        }
    }

    /// Whether it never needs parentheses.
    private func isAtom(_ node: SearchQuery.Node) -> Bool {
        switch node.kind {
        case .word, .similar, .phrase, .near: true
        case .fields, .all, .any, .excluding: false
        }
    }

    /// As a part of an `all`, or after a minus sign.
    private func operand(_ node: SearchQuery.Node) -> String {
        switch node.kind {
        case .word, .similar, .phrase, .near, .fields: print(node)
        case .all, .any, .excluding: "(\(print(node)))"
        }
    }

    /// As a part of an `any`.
    private func alternative(_ node: SearchQuery.Node) -> String {
        if case .excluding(nil, let others) = node.kind, others.count == 1 { return print(node) }
        return operand(node)
    }

    /// As what something is excluded from.
    private func conjunct(_ node: SearchQuery.Node) -> String {
        if case .all = node.kind { return print(node) }
        return operand(node)
    }

    /// In quotation marks, with those inside doubled.
    private static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        quoted.append("\"")
        for scalar in text.unicodeScalars {
            if QuotationMark(opening: scalar) == .double { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    private static func fieldName(_ name: String) -> String {
        let isPlain = name.isBareWord && !name.unicodeScalars.contains { $0.halfWidth == ":" || $0 == "," }
        return isPlain && !name.hasPrefix("#") ? name : quoted(name)
    }
}

extension SearchQuery: CustomStringConvertible {
    /// The query as it is typed: `get groc* -milk title:"send weekly"`.
    ///
    /// Read with `isTyping: false`, and the same fields, it gives the same query, as far as the limits of what is typed
    /// allow. An empty query is an empty text.
    public var description: String { root?.printed ?? "" }
}

extension SearchQuery.Node {
    fileprivate var printed: String {
        switch kind {
        case .word(let text, let isPrefix): isPrefix ? text + "*" : text
        case .similar(let text, let isPrefix): text + (isPrefix ? "~*" : "~")
        case .phrase(let text, let isPrefix): Self.quoted(text) + (isPrefix ? "*" : "")
        case .near(let phrases, let distance, let isPrefix):
            "NEAR(\(phrases.map(Self.quoted).joined(separator: " "))\(isPrefix ? "*" : ""), \(distance))"
        case .fields(let names, let child):
            names.map(Self.fieldName).joined(separator: ",") + ":"
                + (child.isAtom ? child.printed : "(\(child.printed))")
        case .all(let parts): parts.map(\.operand).joined(separator: " ")
        case .any(let parts): parts.map(\.alternative).joined(separator: " OR ")
        case .excluding(let base, let others):
            ((base.map { [$0.conjunct] } ?? []) + others.map { "-" + $0.operand }).joined(separator: " ")
        }
    }

    /// Whether it needs no parentheses anywhere.
    private var isAtom: Bool {
        switch kind {
        case .word, .similar, .phrase, .near: true
        case .fields, .all, .any, .excluding: false
        }
    }

    /// As a part of an `all`, or behind a minus sign.
    private var operand: String {
        switch kind {
        case .word, .similar, .phrase, .near, .fields: printed
        case .all, .any, .excluding: "(\(printed))"
        }
    }

    /// As a part of an `any`.
    private var alternative: String {
        if case .excluding(nil, let others) = kind, others.count == 1 { return printed }
        return operand
    }

    /// As what something is excluded from.
    private var conjunct: String {
        if case .all = kind { return printed }
        return operand
    }

    /// In quotation marks, those inside doubled.
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

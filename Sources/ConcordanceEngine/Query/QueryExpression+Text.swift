extension QueryExpression {
    /// The query as FTS5's `fts5_expr` prints it: tokens in quotes, a column filter at every phrase, nested operators
    /// in parentheses, and no `^`.
    ///
    /// - Parameter columns: The names of the table's columns.
    func canonicalText(columns: [String]) -> String {
        root.map { text(of: $0, columns) } ?? ""
    }

    private func text(of node: QueryNode, _ columns: [String]) -> String {
        switch node {
        case .nothing: "\"\""
        case .near(let group): text(of: group, columns)
        case .and(let children): text(of: children, " AND ", columns)
        case .or(let children): text(of: children, " OR ", columns)
        case .not(let left, let right): text(of: [left, right], " NOT ", columns)
        }
    }

    private func text(of children: [QueryNode], _ operation: String, _ columns: [String]) -> String {
        children.map { child in
            switch child {
            case .near, .nothing: text(of: child, columns)
            case .and, .or, .not: "(\(text(of: child, columns)))"
            }
        }.joined(separator: operation)
    }

    private func text(of group: NearGroup, _ columns: [String]) -> String {
        let texts = group.phrases.map { phrases[$0].terms.map(\.text).joined(separator: " + ") }
        let text = texts.count == 1 ? texts[0] : "NEAR(\(texts.joined(separator: " ")), \(group.distance))"
        guard let filter = group.columns?.columns else { return text }
        let names = filter.map { columns[$0] }.joined(separator: " ")
        return filter.count == 1 ? "\(names) : \(text)" : "{\(names)} : \(text)"
    }
}

extension QueryTerm {
    fileprivate var text: String {
        ([bytes] + synonyms).map { token in
            String(decoding: token, as: UTF8.self).quotedDatabaseIdentifier
        }.joined(separator: "|") + tilde + (isPrefix ? " *" : "")
    }

    private var tilde: String {
        switch typos {
        case .none: ""
        case .upTo(let limit): " ~\(limit)"
        case .automatic, .ifUnknown, .typed, .knownWord, .unknownWord: " ~"
        }
    }
}

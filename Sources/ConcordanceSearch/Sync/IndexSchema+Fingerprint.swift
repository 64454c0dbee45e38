import Foundation

extension IndexSchema {
    /// What the content of the index depends on, one item per line: indexes with the same fingerprint have the same
    /// content.
    ///
    /// It leaves out the weights and the ranking, which are applied when a search runs, and does not depend on how the
    /// SQL of the source is written. The number in its first line changes whenever the same definition produces
    /// different content.
    var fingerprint: String {
        var lines = [
            "content 2", "engine \(definition.engine.moduleName)", "options \(options.joined(separator: ", "))",
            "table \(source) by \(rowID)",
        ]
        if let language { lines.append("language by \(language.fingerprint)") }
        for (field, resolved) in zip(definition.fields, fields) {
            let kind = field.isIndexed ? "field" : field.isValue ? "value" : "unindexed field"
            let marker = definition.markerNumber(of: field)
            let analyzer = marker == 0 ? "" : " analyzed by \(marker)"
            lines.append("\(kind) \(String(reflecting: field.name))\(analyzer): \(resolved.fingerprint)")
        }
        return lines.joined(separator: "\n")
    }

    /// The indexed table of a fingerprint; nil if it names none.
    static func source(of fingerprint: String) -> String? {
        let line = fingerprint.split(separator: "\n").first { $0.hasPrefix("table ") }?.dropFirst("table ".count)
        guard let line, let end = line.range(of: " by ", options: .backwards) else { return nil }
        return String(line[..<end.lowerBound])
    }

    /// The arguments of the full-text table without its columns: tokenizer and prefixes.
    private var options: ArraySlice<String> { moduleArguments.dropLast(definition.fields.count) }
}

extension ResolvedField {
    fileprivate var fingerprint: String {
        switch self {
        case .column(let name): "column \(String(reflecting: name))"
        case .expression(let expression): "expression \(String(reflecting: expression))"
        case .related(let relation): relation.fingerprint
        }
    }
}

extension ResolvedRelation {
    fileprivate var fingerprint: String {
        let path = steps.map { step in
            let joins = step.joins.map { "\(String(reflecting: $0.own)) = \(String(reflecting: $0.previous))" }
            let order = step.rowOrder.map { String(reflecting: $0) }.joined(separator: ", ")
            return "\(String(reflecting: step.table)) on \(joins.joined(separator: " and ")) by \(order)"
        }
        let order = order.map { " ordered by \(String(reflecting: $0))" } ?? ""
        return """
            column \(String(reflecting: column)) of \(path.joined(separator: ", then ")) \
            separated by \(String(reflecting: separator))\(order)
            """
    }
}

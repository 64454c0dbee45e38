import ConcordanceText

/// Turns a query into what the engine is asked, and conditions for what it cannot be asked.
///
/// Words of which the analyzer makes no token (stop words, punctuation) ask for nothing and are left out. Rows without
/// something, and words too short for trigrams, become conditions beside the `MATCH`, or instead of it.
struct QueryCompiler {
    private let definition: IndexDefinition
    private let groups: [FieldGroup]
    private var phrases: [MatchPhrase] = []
    /// How many exclusions surround what is compiled.
    private var exclusions = 0
    /// How many conditions on the texts there are.
    private var shortWords = 0

    init(_ definition: IndexDefinition, _ machines: AnalyzerMachines) {
        self.definition = definition
        groups = FieldGroup.groups(of: definition, machines)
    }

    mutating func compile(_ query: SearchQuery) throws -> CompiledQuery {
        do {
            guard let part = try query.root.flatMap({ try part($0, in: nil) }) else {
                return CompiledQuery(condition: "0", pattern: nil, phrases: [])
            }
            let table: SQL = "\(identifier: definition.name)"
            var conditions = part.pattern.map { ["\(table) MATCH \($0.pattern)" as SQL] } ?? []
            if !part.conditions.isEmpty {
                conditions.append(try QueryPart.Condition(part.conditions, joinedBy: " AND ").sql)
            }
            return CompiledQuery(
                condition: conditions.joined(separator: " AND "), pattern: part.pattern?.pattern, phrases: phrases)
        } catch is QueryTooDeep {
            throw SearchIndexError.queryTooDeep(index: definition.name)
        }
    }

    /// nil for what asks for nothing.
    private mutating func part(_ node: SearchQuery.Node, in scope: [String]?) throws -> QueryPart? {
        switch node {
        case .word(let text, let isPrefix), .phrase(let text, let isPrefix):
            return try leaf([text], isPrefix: isPrefix, in: scope) { texts, isPrefix in
                FTS5Pattern.phrase(texts.first ?? "", isPrefix: isPrefix)
            }
        case .near(let texts, let distance, let isPrefix):
            return try leaf(texts, isPrefix: isPrefix, in: scope) { texts, isPrefix in
                FTS5Pattern.near(phrases: texts, distance: distance, isPrefix: isPrefix)
            }
        case .fields(let names, let child): return try part(child, in: narrowed(scope, to: names))
        case .all(let children): return try QueryPart.all(parts(children, in: scope))
        case .any(let children): return try QueryPart.any(parts(children, in: scope), in: definition.name)
        case .excluding(let base, let others):
            let wanted = try base.flatMap { try part($0, in: scope) }
            exclusions += 1
            defer { exclusions -= 1 }
            let unwanted = try parts(others, in: scope)
            return unwanted.isEmpty ? wanted : try (wanted ?? QueryPart()).excluding(unwanted, in: definition.name)
        }
    }

    private mutating func parts(_ nodes: [SearchQuery.Node], in scope: [String]?) throws -> [QueryPart] {
        var parts: [QueryPart] = []
        for node in nodes {
            if let part = try part(node, in: scope) { parts.append(part) }
        }
        return parts
    }

    /// The fields of these names, as far as they are in the scope.
    private func narrowed(_ scope: [String]?, to names: [String]) throws -> [String] {
        let searched = definition.fields.filter(\.isIndexed).map(\.name)
        let fields = try names.map { name in
            guard let field = definition.field(name), field.isIndexed else {
                throw SearchIndexError.noSuchField(name, index: definition.name, known: searched)
            }
            return field.name
        }
        return (scope ?? searched).filter(fields.contains)
    }

    /// What asks for a phrase, or phrases near each other, in the fields of the scope; those with different analyzers are
    /// asked separately.
    private mutating func leaf(
        _ texts: [String], isPrefix: Bool, in scope: [String]?, pattern: ([String], Bool) -> FTS5Pattern
    ) throws -> QueryPart? {
        if scope?.isEmpty == true { return .nothing }
        var parts: [QueryPart] = []
        var isOptional = false
        for group in groups {
            let fields = scope.map { group.fields.filter($0.contains) } ?? group.fields
            if fields.isEmpty { continue }
            switch group.meaning(of: texts, isPrefix: isPrefix) {
            case .nothing: isOptional = true
            case .short(let texts):
                let counted = texts.prefix(SearchQuery.shortWordLimit - shortWords)
                shortWords += counted.count
                if counted.isEmpty { continue }
                let conditions = counted.map {
                    QueryPart.Condition(sql: group.contains($0, in: fields, of: definition.name), nesting: 1)
                }
                parts.append(QueryPart(conditions: conditions))
            case .tokens(let readings):
                let found = FTS5Pattern.any(readings.map { pattern($0.texts, $0.isPrefix) })
                let isEverywhere = fields.count == definition.fields.count { $0.isIndexed }
                parts.append(QueryPart(pattern: .init(pattern: isEverywhere ? found : found.inColumns(fields))))
            }
        }
        if exclusions == 0, !parts.isEmpty {
            for (index, text) in texts.enumerated() {
                let isLast = index == texts.count - 1
                phrases.append(MatchPhrase(text, isPrefix: isPrefix && isLast, fields: scope))
            }
        }
        return try QueryPart.any(parts, in: definition.name, isOptional: isOptional)
    }
}

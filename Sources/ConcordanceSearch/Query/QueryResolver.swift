import ConcordanceFTS5
import ConcordanceText

/// Resolves a query against an index: its fields, and what its analyzers make of words. What the engine can answer
/// becomes one tree, the rest SQL.
///
/// Words of which the analyzer makes no token (stop words, punctuation) ask for nothing and are left out. Exclusions
/// alone, and words too short for trigrams, become conditions beside the `MATCH`, or instead of it.
struct QueryResolver {
    private let definition: IndexDefinition
    private let table: MatchedTable
    private let groups: [FieldGroup]
    /// Provides the tokenizers of the groups while they use them.
    private let machines: AnalyzerMachines
    private var phrases: [MatchPhrase] = []
    /// How many exclusions surround the current part.
    private var exclusions = 0
    /// Whether other spellings of words are looked for: not of the pieces of a text, which nobody typed by ear.
    private var takesSpellings = true
    /// How many typos words may have that do not say so themselves.
    private let wordTypos: TypoTolerance
    /// See `CompiledQuery.tokensByWord`.
    private var tokensByWord: [String: Set<[UInt8]>] = [:]
    /// How many words may have typos.
    private var similarWords = 0
    /// How many conditions on the texts there are.
    private var shortWords = 0

    init(
        _ definition: IndexDefinition, _ engine: SearchEngine, _ machines: AnalyzerMachines,
        wordTypos: TypoTolerance = .none, languages: [TextLanguage] = []
    ) {
        self.wordTypos = wordTypos
        self.definition = definition
        table = MatchedTable(name: definition.name, engine: engine)
        groups = FieldGroup.groups(of: definition, machines, in: languages)
        self.machines = machines
    }

    mutating func resolve(_ query: SearchQuery) throws -> CompiledQuery {
        do {
            if query.isTooDeep { throw QueryTooDeep() }
            guard let part = try query.root.flatMap({ try part($0, in: nil) }) else {
                return CompiledQuery(
                    condition: "0", tree: nil, table: table, rest: nil, phrases: [], isEmpty: query.root == nil,
                    tokensByWord: [:])
            }
            var conditions = try part.tree.map { [try table.matches($0)] } ?? []
            let rest =
                part.conditions.isEmpty ? nil : try QueryPart.Condition(part.conditions, joinedBy: " AND ").sql
            if let rest { conditions.append(rest) }
            return CompiledQuery(
                condition: conditions.joined(separator: " AND "), tree: part.tree, table: table, rest: rest,
                phrases: phrases, isEmpty: false, tokensByWord: tokensByWord)
        } catch is QueryTooDeep {
            throw SearchIndexError.queryTooDeep(index: definition.name)
        }
    }

    /// nil for a part that asks for nothing.
    private mutating func part(_ node: SearchQuery.Node, in scope: [String]?) throws -> QueryPart? {
        switch node.kind {
        case .word(let text, let isPrefix):
            var typos = TypoTolerance.none
            if wordTypos != .none, exclusions == 0, text.mayHaveTypos, similarWords < SearchQuery.similarWordLimit {
                typos = wordTypos
                similarWords += 1
            }
            return try leaf([text], distance: 0, isPrefix: isPrefix, typos: typos, in: scope)
        case .similar(let text, let isPrefix):
            return try leaf([text], distance: 0, isPrefix: isPrefix, typos: .typed, in: scope)
        case .phrase(let text, let isPrefix):
            return try leaf([text], distance: 0, isPrefix: isPrefix, in: scope)
        case .near(let texts, let distance, let isPrefix):
            return try leaf(texts, distance: distance, isPrefix: isPrefix, in: scope)
        case .fields(let names, let child): return try part(child, in: narrowed(scope, to: names))
        case .all(let children): return QueryPart.all(try parts(children, in: scope))
        case .any(let children):
            let tookSpellings = takesSpellings
            takesSpellings = tookSpellings && children.count <= 2
            defer { takesSpellings = tookSpellings }
            return try QueryPart.any(parts(children, in: scope), in: table)
        case .excluding(let base, let others):
            let wanted = try base.flatMap { try part($0, in: scope) }
            exclusions += 1
            defer { exclusions -= 1 }
            let unwanted = try parts(others, in: scope)
            return unwanted.isEmpty ? wanted : try (wanted ?? QueryPart()).excluding(unwanted, in: table)
        }
    }

    private mutating func parts(_ nodes: [SearchQuery.Node], in scope: [String]?) throws -> [QueryPart] {
        var parts: [QueryPart] = []
        for node in nodes {
            if let part = try part(node, in: scope) { parts.append(part) }
        }
        return parts
    }

    /// The fields with these names that are in the scope.
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

    /// The part for a phrase, or for phrases near each other, in the fields of the scope; fields with different
    /// analyzers are asked separately.
    private mutating func leaf(
        _ texts: [String], distance: Int, isPrefix: Bool, typos: TypoTolerance = .none, in scope: [String]?
    ) throws -> QueryPart? {
        if scope?.isEmpty == true { return .nothing }
        var parts: [QueryPart] = []
        var isOptional = false
        var allowed = TypoTolerance.none
        var spellings: [MatchPhrase] = []
        for group in groups {
            let fields = scope.map { group.fields.filter($0.contains) } ?? group.fields
            if fields.isEmpty { continue }
            let isPrefix = isPrefix && group.matchesPrefixes
            let typos = self.typos(typos, of: texts, in: group)
            let others = takesSpellings ? group.spellings(of: texts) : []
            switch group.meaning(of: texts, or: others, isPrefix: isPrefix, typos: typos) {
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
                if typos != .none { allowed = typos }
                spellings += others.map { MatchPhrase($0, isPrefix: isPrefix, fields: fields) }
                let found = QueryTree.any(
                    readings.map { .near($0.texts, distance: distance, isPrefix: $0.isPrefix, typos: $0.typos) })
                let isEverywhere = fields.count == definition.fields.count { $0.isIndexed }
                parts.append(QueryPart(tree: isEverywhere ? found : found.inColumns(fields)))
            }
        }
        if exclusions == 0, !parts.isEmpty {
            note(texts, isPrefix: isPrefix, typos: allowed, in: scope)
            phrases += spellings
        }
        return try QueryPart.any(parts, in: table, isOptional: isOptional)
    }

    /// The typos that a word may have in the fields of a group.
    private mutating func typos(_ typos: TypoTolerance, of texts: [String], in group: FieldGroup) -> TypoTolerance {
        guard typos != .none, group.allowsTypos, table.engine.allowsTypos, let text = texts.first,
            let token = group.onlyToken(of: text)
        else { return .none }
        tokensByWord[text, default: []].insert(token)
        return typos
    }

    /// Adds the phrases to those that are looked for.
    private mutating func note(_ texts: [String], isPrefix: Bool, typos: TypoTolerance, in scope: [String]?) {
        for text in texts.dropLast() { phrases.append(MatchPhrase(text, fields: scope)) }
        guard let last = texts.last else { return }
        let isEverywhere = groups.allSatisfy {
            (!isPrefix || $0.matchesPrefixes) && (typos == .none || $0.allowsTypos)
        }
        if isEverywhere {
            phrases.append(MatchPhrase(last, isPrefix: isPrefix, fields: scope))
            phrases[phrases.count - 1].typos = typos
            return
        }
        for group in groups {
            let searched = scope.map { $0.filter(group.fields.contains) } ?? group.fields
            if searched.isEmpty { continue }
            phrases.append(MatchPhrase(last, isPrefix: isPrefix && group.matchesPrefixes, fields: searched))
            if group.allowsTypos { phrases[phrases.count - 1].typos = typos }
        }
    }
}

import Concordance
import ConcordanceSearch
import ConcordanceText
import Foundation

/// What is asked for in a search.
struct SearchWish: Sendable {
    var text: String
    var table: String?
    var sort: String?
    var limit = 20
    var cursor: String?
    /// Whether the last word is half typed from the beginning on.
    var isTyping = true
    /// Values that are wanted, by facet.
    var values: [String: [String]] = [:]
    /// Further conditions on the indexed table, which nobody can change.
    var conditions: [SQL] = []
    /// Whether the values of the matches are counted.
    var countsFacets = true

    init(_ text: String) { self.text = text }
}

/// What a search has found.
struct SearchAnswer: Sendable {
    struct Facet: Sendable {
        struct Value: Sendable {
            var value: String
            var label: String
            var count: Int
            var isSelected: Bool
        }

        var name: String
        var label: String
        var values: [Value]
        /// Whether there are values besides.
        var hasMore: Bool
    }

    var table: String
    var total: FoundTotal
    var hits: [FoundDocument] = []
    var similarWords: [SimilarWord] = []
    var cursor: String?
    /// nil on further pages.
    var facets: [Facet]?
    var correction: QueryCorrection?
    var seconds = 0.0
}

/// A document with the matches of a query.
struct DocumentAnswer: Sendable {
    var table: String
    var part: DocumentPart
    var title: HighlightedText
    var columns: [(name: String, text: HighlightedText, isTruncated: Bool)]

    var matchCount: Int { columns.reduce(0) { $0 + $1.text.utf8Ranges.count } }
}

/// Searches a source, for the web and for assistants alike.
final class SearchService: Sendable {
    let source: any SearchedSource

    /// Values of a facet that are shown, and that are looked at to find those that are selected.
    private static let facetValues = 12
    private static let countedValues = 2000

    init(_ source: any SearchedSource) { self.source = source }

    // MARK: - Search

    func search(_ wish: SearchWish) throws -> SearchAnswer {
        let start = DispatchTime.now()
        var searched: ServedTable?
        var answer = try source.connections.read { database in
            let table = try servedTable(wish.table, in: database)
            searched = table
            return try search(wish, table, in: database)
        }
        if let table = searched, table.hasWords, wish.cursor == nil, !wish.text.isEmpty {
            answer.correction = try source.connections.correction(of: wish.text, in: table.index)
        }
        answer.seconds = Indexer.seconds(since: start)
        return answer
    }

    private func search(_ wish: SearchWish, _ table: ServedTable, in database: Database) throws -> SearchAnswer {
        var wanted = LadderQuery(wish.text)
        wanted.isTyping = wish.isTyping
        wanted.limit = wish.limit
        // What asks for nothing, such as a lone quotation mark, lists all there is.
        let isBrowsing = SearchQuery(wish.text, for: table.index.definition).isEmpty
        if isBrowsing { wanted.text = "" } else { wanted.standings = source.standings(for: wish.text) }
        wanted.order = try order(wish.sort, table, isBrowsing: isBrowsing)
        if let text = wish.cursor {
            guard let cursor = LadderCursor(text) else {
                throw HTTPProblem(400, "cursor is what a page before said; leave it out for the first page")
            }
            wanted.cursor = cursor
        }
        let conditions = try conditions(wish, table)
        wanted.filters = conditions.map(\.condition) + wish.conditions
        let isFirst = wish.cursor == nil && wish.countsFacets
        let selected = Set(conditions.map(\.facet))
        // All rows are counted from the engine's values; those of matches, with the matches.
        let countsAll = isBrowsing && wanted.filters.isEmpty && table.keepsValues
        if isFirst, !countsAll {
            wanted.facets = table.facets.map(\.name).filter { !selected.contains($0) }.map { ($0, Self.countedValues) }
        }
        let ladder = QueryLadder(table.index)
        let found = isBrowsing ? try ladder.browse(wanted, in: database) : try ladder.search(wanted, in: database)
        var answer = SearchAnswer(table: table.name, total: found.total)
        let words = found.page.query.words
        answer.hits = try found.hits.map { ranked in
            var document = try source.found(ranked.hit, words: words, of: table, in: database)
            document.score = ranked.score
            document.similarCount = ranked.similarCount
            return document
        }
        answer.similarWords = found.similarWords
        answer.cursor = found.next.map(\.description)
        if isFirst {
            answer.facets = try table.facets.map { facet in
                var counts = found.page.facet(facet.name)?.buckets.map { ($0.value, $0.count) } ?? []
                if countsAll {
                    counts = try allValues(facet, of: table, in: database)
                } else if selected.contains(facet.name) {
                    // Who has chosen a value wants to see what the others would give.
                    var others = wanted
                    others.filters = conditions.filter { $0.facet != facet.name }.map(\.condition) + wish.conditions
                    counts =
                        try ladder.facet(facet.name, limit: Self.countedValues, of: found, others, in: database)?
                        .buckets.map { ($0.value, $0.count) } ?? []
                }
                return shown(facet, counts, selected: wish.values[facet.name] ?? [])
            }
        }
        return answer
    }

    private func servedTable(_ name: String?, in database: Database) throws -> ServedTable {
        let tables = try source.tables(in: database)
        guard let name else {
            if let first = tables.first { return first }
            throw HTTPProblem(404, "there is no full-text table any more")
        }
        if let table = tables.first(where: { $0.name == name }) { return table }
        let known = tables.map(\.name).joined(separator: ", ")
        throw HTTPProblem(404, "there is no full-text table '\(name)'; there are: \(known)")
    }

    private func order(_ name: String?, _ table: ServedTable, isBrowsing: Bool) throws -> [SearchOrdering] {
        guard let name, name != "relevance" else { return isBrowsing ? table.browsingOrder : [] }
        if let sort = table.sorts.first(where: { $0.name == name }) { return sort.terms }
        let known = table.sorts.map(\.name).joined(separator: ", ")
        throw HTTPProblem(400, "sort is one of \(known), not '\(name)'")
    }

    private func conditions(_ wish: SearchWish, _ table: ServedTable) throws -> [(facet: String, condition: SQL)] {
        try wish.values.sorted { $0.key < $1.key }.map { name, values in
            guard let facet = table.facets.first(where: { $0.name == name }) else {
                let known = table.facets.map { "f.\($0.name)" }.joined(separator: ", ")
                throw HTTPProblem(
                    400, "f.\(name) is no facet of \(table.name); there are: \(known.isEmpty ? "none" : known)")
            }
            return (name, try table.condition(facet, values))
        }
    }

    /// All values of a facet, which the engine has counted.
    private func allValues(_ facet: ServedTable.Facet, of table: ServedTable, in database: Database) throws
        -> [(value: DatabaseValue, count: Int)]
    {
        var values: [(DatabaseValue, Int)] = []
        let statement = try database.cachedStatement(
            sql: "SELECT value, count FROM concordance_facets(?, NULL, ?) LIMIT \(Self.countedValues)")
        try statement.forEachRow(arguments: [table.name, facet.name]) { row in
            values.append((row.databaseValue(at: 0), Int(clamping: row.int64(at: 1))))
        }
        return values
    }

    private func shown(
        _ facet: ServedTable.Facet, _ counts: [(value: DatabaseValue, count: Int)], selected: [String]
    ) -> SearchAnswer.Facet {
        var values: [SearchAnswer.Facet.Value] = []
        var hasMore = false
        for (value, count) in counts {
            let text = ServedText.text(value)
            let isSelected = selected.contains(text)
            guard values.count < Self.facetValues || isSelected else {
                hasMore = true
                continue
            }
            values.append(
                .init(value: text, label: source.label(of: value, facet), count: count, isSelected: isSelected))
        }
        // What was chosen can be taken back though nothing matches it.
        for text in selected where !values.contains(where: { $0.value == text }) {
            let label = source.label(of: text.isEmpty ? .null : .text(text), facet)
            values.append(.init(value: text, label: label, count: 0, isSelected: true))
        }
        return SearchAnswer.Facet(name: facet.name, label: facet.label, values: values, hasMore: hasMore)
    }

    // MARK: - Suggestions

    func suggestions(for text: String, table name: String?, limit: Int) throws -> [Suggestion] {
        let table = try source.connections.read { try servedTable(name, in: $0) }
        guard table.hasWords else { return [] }
        return try source.connections.suggestions(for: text, in: table.index, limit: limit)
    }

    func correction(of text: String, table name: String?) throws -> QueryCorrection? {
        let table = try source.connections.read { try servedTable(name, in: $0) }
        guard table.hasWords else { return nil }
        return try source.connections.correction(of: text, in: table.index)
    }

    /// Whether a table's words are there, which completions and corrections are made of.
    func hasWords(table name: String?) -> Bool {
        guard let table = try? source.connections.read({ try servedTable(name, in: $0) }), table.hasWords
        else { return false }
        return source.connections.hasWords(of: table.index)
    }

    // MARK: - Documents

    func document(_ id: Int64, table name: String?, text: String, from: String?) throws -> DocumentAnswer {
        try source.connections.read { database in
            let table = try servedTable(name, in: database)
            guard let part = try source.document(id, from: from, of: table, in: database) else {
                throw HTTPProblem(404, "there is no document \(id) in the index; search again")
            }
            return try marked(part, of: table, text: text)
        }
    }

    /// Marks what a query has found: its words; where there are none of these, words that differ by typos.
    private func marked(_ part: DocumentPart, of table: ServedTable, text: String) throws -> DocumentAnswer {
        let plain = DocumentAnswer(
            table: table.name, part: part, title: HighlightedText(part.title),
            columns: part.columns.map { ($0.name, HighlightedText($0.text), $0.isTruncated) })
        guard !text.isEmpty else { return plain }
        let definition = table.index.definition
        let query = SearchQuery(text, for: definition, isTyping: true)
        var phrases = try query.compiled(for: definition).phrases.leavingOut(
            MarkedWords.leftOut(in: part.language))
        if phrases.isEmpty { return plain }
        for _ in 0..<2 {
            let answer = DocumentAnswer(
                table: table.name, part: part, title: highlights(part.title, table.titleColumn, definition, phrases),
                columns: part.columns.map {
                    ($0.name, highlights($0.text, $0.name, definition, phrases), $0.isTruncated)
                })
            if answer.matchCount > 0 || answer.title.hasMatches { return answer }
            for index in phrases.indices { phrases[index].allowsTypos = true }
        }
        return plain
    }

    private func highlights(
        _ text: String, _ column: String, _ definition: IndexDefinition, _ phrases: [MatchPhrase]
    ) -> HighlightedText {
        guard let field = definition.field(column), field.isIndexed else { return HighlightedText(text) }
        return Highlighter(definition.analyzer(of: field), phrases: phrases, field: field.name).highlights(in: text)
    }

    // MARK: - Status

    func status() throws -> (status: SourceStatus, tables: [ServedTable]) {
        try source.connections.read { database in
            let tables = try source.tables(in: database)
            return (try source.status(in: database), tables)
        }
    }

    /// The file of a document that is in the index.
    func file(of id: Int64) throws -> String {
        guard let path = try source.connections.read({ try source.file(of: id, in: $0) }) else {
            throw HTTPProblem(404, "there is no file of document \(id) in the index; search again")
        }
        return path
    }
}

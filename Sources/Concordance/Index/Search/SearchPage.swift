import ConcordanceText

/// Some hits of a search, and what is known about all of them.
public struct SearchPage<Record: Sendable>: Sendable {
    /// The hits, in the order of the request.
    public let hits: [SearchHit<Record>]
    /// How many rows match; nil where they were not counted.
    public let total: SearchTotal?
    /// Where the next page begins; nil when there is none.
    public let next: SearchCursor?
    /// What was looked for: the query as it was understood, without words that were dropped. Prints canonically.
    public let query: SearchQuery
    /// The words and other parts that were left out of a `relaxed()` request, as they are typed.
    public let droppedWords: [String]
    /// The facets that were asked for, in that order.
    public let facets: [SearchFacet]
    /// Whether the index holds all rows; false as long as it is being built.
    public let isComplete: Bool

    /// The facet of that name.
    public func facet(_ name: String) -> SearchFacet? { facets.first { $0.name == name } }
}

/// How many rows match a search.
public struct SearchTotal: Hashable, Sendable, CustomStringConvertible {
    /// The number, or the least that it is.
    public let count: Int
    /// Whether there are no more than that.
    public let isExact: Bool

    /// `12`, or `1000+`
    public var description: String { isExact ? "\(count)" : "\(count)+" }
}

/// A row that a search has found.
public struct SearchHit<Record: Sendable>: Sendable {
    /// The row.
    public let record: Record
    /// Its rowid.
    public let id: Int64
    /// How well it matches: higher is better. Comparable within one search only; 0 where nothing is ranked, as for a query
    /// of exclusions only.
    public let score: Double
    /// The group that it is the best hit of; nil where the request does not group.
    public let group: SearchGroup?
    /// The parts that the score is the sum of; nil unless the request is `explained()`, and where nothing is ranked.
    public let explanation: ScoreExplanation?
    /// The values of the index's fields; nil where the index has none, as after a write by another program.
    let texts: [DatabaseValue]?
    let presentation: HitPresentation
}

/// Rows that have the same value of what a search is grouped by.
public struct SearchGroup: Hashable, Sendable {
    /// The value.
    public let value: DatabaseValue
    /// How many rows of those that match have it.
    public let count: Int
}

/// What the hits of a page have in common: what marks matches in their texts.
final class HitPresentation: Sendable {
    let definition: IndexDefinition
    private let phrases: [MatchPhrase]
    /// Made for the fields that are asked for.
    private let highlighters = Locked<[Int: Highlighter]>([:])

    init(_ definition: IndexDefinition, _ phrases: [MatchPhrase]) {
        self.definition = definition
        self.phrases = phrases
    }

    /// What marks the matches in the texts of a field.
    func highlighter(_ index: Int) -> Highlighter {
        highlighters.withLock { highlighters in
            if let highlighter = highlighters[index] { return highlighter }
            let field = definition.fields[index]
            // What is only carried along has not been searched.
            let phrases = field.isIndexed ? phrases : []
            let highlighter = Highlighter(definition.analyzer(of: field), phrases: phrases, field: field.name)
            highlighters[index] = highlighter
            return highlighter
        }
    }
}

extension SearchHit {
    /// The text of a field as it was indexed: a column's, or that of related rows, joined; nil for a field that the index
    /// does not have.
    public func text(_ field: String) -> String? { index(of: field).flatMap(text(at:)) }

    /// The text of a field as it was indexed.
    public func text<Value>(_ keyPath: KeyPath<Record, Value>) -> String? where Record: Decodable {
        name(of: keyPath).flatMap { text($0) }
    }

    /// The whole text of a field, with what matched. Empty for a field that the index does not have.
    public func highlights(_ field: String) -> HighlightedText {
        guard let index = index(of: field), let text = text(at: index) else { return HighlightedText("") }
        return presentation.highlighter(index).highlights(in: text)
    }

    /// The whole text of a field, with what matched.
    public func highlights<Value>(_ keyPath: KeyPath<Record, Value>) -> HighlightedText where Record: Decodable {
        name(of: keyPath).map { highlights($0) } ?? HighlightedText("")
    }

    /// The name of the field that has the column of a property.
    func name<Value>(of keyPath: KeyPath<Record, Value>) -> String? where Record: Decodable {
        (try? presentation.definition.field(of: keyPath))?.name
    }

    /// Where the field of that name, in any ASCII case, stands.
    func index(of field: String) -> Int? {
        presentation.definition.fields.firstIndex { $0.name.equalsIgnoringASCIICase(field) }
    }

    /// The text of the field at an index; nil where the index has no texts of the row.
    func text(at index: Int) -> String? { texts.map { $0[index].fieldText } }
}

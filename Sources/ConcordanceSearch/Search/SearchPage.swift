import ConcordanceSQLite
import ConcordanceText

/// One page of the hits of a search, with counts over all of them: a collection of hits.
public struct SearchPage<Record: Sendable>: Sendable {
    /// The hits, in the order of the request.
    public let hits: [SearchHit<Record>]
    /// The number of rows that match; nil if they were not counted.
    public let total: SearchTotal?
    /// The cursor of the next page; nil if there is none.
    public let next: SearchCursor?
    /// Whether matches follow those of the page.
    package let hasMore: Bool
    /// The query as it was understood, without the words that were dropped. Its description is canonical.
    public let query: SearchQuery
    /// The words and other parts of a `relaxed()` request that were dropped, as they were typed.
    public let droppedWords: [String]
    /// The facets, in the order of the request.
    public let facets: [SearchFacet]
    /// Whether the index has all rows, and all changes to them. False while the index is being built, also for new
    /// fields, and while changes by programs without this library are noted that the search could not apply.
    public let isComplete: Bool

    /// Rows that match but could not be decoded into records; they are not among the hits.
    public let failures: [FailedHit]

    /// Returns the facet with this name; nil if the request has none.
    public func facet(_ name: String) -> SearchFacet? { facets.first { $0.name == name } }
}

extension SearchPage: RandomAccessCollection {
    public var startIndex: Int { hits.startIndex }
    public var endIndex: Int { hits.endIndex }
    public subscript(index: Int) -> SearchHit<Record> { hits[index] }
}

/// The number of rows that match a search, or a lower bound on it.
public struct SearchTotal: Hashable, Sendable, CustomStringConvertible {
    /// The number, or the lower bound.
    public let count: Int
    /// Whether `count` is the exact number.
    public let isExact: Bool

    /// `12`, or `1000+`
    public var description: String { isExact ? "\(count)" : "\(count)+" }
}

/// A row that a search has found.
public struct SearchHit<Record: Sendable>: Identifiable, Sendable {
    /// The record of the row.
    public let record: Record
    /// The rowid of the row.
    public let id: Int64
    /// How well the row matches; higher is better. Scores are comparable within one search only. 0 if nothing is
    /// ranked, as for a query that consists of exclusions.
    public let score: Double
    /// The group whose best hit this is; nil if the request does not group.
    public let group: SearchGroup?
    /// The parts that add up to the score; nil unless the request is `explained()` and ranked.
    public let explanation: ScoreExplanation?
    /// The values of the index's fields; nil if the index no longer has the row.
    var texts: HitTexts?
    let presentation: HitPresentation
}

/// A row that a search has found but could not decode into a record.
public struct FailedHit: Identifiable, Sendable {
    /// The rowid of the row.
    public let id: Int64
    /// The error that decoding the record threw, such as `RowDecodingError`.
    public let error: any Error
}

/// Rows with the same value of the expression by which a search is grouped.
public struct SearchGroup: Hashable, Sendable {
    /// The value.
    public let value: DatabaseValue
    /// The number of matching rows with this value.
    public let count: Int
}

/// What the hits of a page share: how matches are marked in their texts.
final class HitPresentation: Sendable {
    let definition: IndexDefinition
    private let phrases: [MatchPhrase]
    /// Made for the fields that are asked for.
    private let highlighters = Locked<[TextKind: Highlighter]>([:])

    /// What texts have in common that one highlighter serves.
    private struct TextKind: Hashable {
        var field: Int
        var language: TextLanguage?
        var leftOut: Set<String>
    }

    init(_ definition: IndexDefinition, _ phrases: [MatchPhrase]) {
        self.definition = definition
        self.phrases = phrases
    }

    /// What marks the matches in the texts of a field, in rows that name this language.
    ///
    /// - Parameter leftOut: Words in lower case that are not marked where they stand alone and the query has others.
    func highlighter(_ index: Int, _ language: TextLanguage?, leavingOut leftOut: Set<String> = []) -> Highlighter {
        highlighters.withLock { highlighters in
            let kind = TextKind(field: index, language: language, leftOut: leftOut)
            if let highlighter = highlighters[kind] { return highlighter }
            let field = definition.fields[index]
            // A field that is only stored has not been searched.
            let phrases = field.isIndexed ? phrases.leavingOut(leftOut) : []
            let highlighter = Highlighter(
                definition.analyzer(of: field, in: language), phrases: phrases, field: field.name)
            highlighters[kind] = highlighter
            return highlighter
        }
    }
}

extension [MatchPhrase] {
    /// The phrases without those that are one of these words, which are in lower case; all of them where no others are left.
    package func leavingOut(_ words: Set<String>) -> [MatchPhrase] {
        if words.isEmpty { return self }
        let others = filter { !words.contains($0.text.lowercased()) }
        return others.isEmpty ? self : others
    }
}

extension SearchHit {
    /// Returns the text of a field as it was indexed: the text of a column, or of related rows, joined. Nil if the
    /// index no longer has the row.
    ///
    /// - Throws: `SearchIndexError.noSuchField`.
    public func text(_ field: String) throws -> String? { text(at: try index(of: field)) }

    /// Returns the text of a property as it was indexed; nil if the index no longer has the row, and for a property
    /// without a field.
    public func text<Value>(_ keyPath: KeyPath<Record, Value>) -> String? where Record: Decodable {
        index(of: keyPath).flatMap(text(at:))
    }

    /// Returns the whole text of a field, with its matches.
    ///
    /// - Throws: `SearchIndexError.noSuchField`.
    public func highlights(_ field: String) throws -> HighlightedText { highlights(at: try index(of: field)) }

    /// Returns the whole text of a property, with its matches; for a property without a field, its text without marks.
    public func highlights<Value>(_ keyPath: KeyPath<Record, Value>) -> HighlightedText where Record: Decodable {
        index(of: keyPath).map(highlights(at:)) ?? plainText(of: keyPath)
    }

    /// What marks the matches in a field of this hit.
    func highlighter(_ index: Int) -> Highlighter { presentation.highlighter(index, texts?.language) }

    private func highlights(at index: Int) -> HighlightedText {
        text(at: index).map { highlighter(index).highlights(in: $0) } ?? HighlightedText("")
    }

    /// The text of a property that is not in the index; empty for other values.
    func plainText<Value>(of keyPath: KeyPath<Record, Value>) -> HighlightedText {
        HighlightedText(record[keyPath: keyPath] as? String ?? "")
    }

    /// The index of the field that has the column of a property.
    func index<Value>(of keyPath: KeyPath<Record, Value>) -> Int? where Record: Decodable {
        (try? presentation.definition.field(of: keyPath)).flatMap { try? index(of: $0.name) }
    }

    /// The index of the field with this name, ignoring ASCII case; a value is not a field with a text.
    func index(of field: String) throws -> Int {
        let fields = presentation.definition.fields
        let found = fields.firstIndex { !$0.isValue && $0.name.equalsIgnoringASCIICase(field) }
        if let found { return found }
        let known = fields.filter { !$0.isValue }.map(\.name)
        throw SearchIndexError.noSuchField(field, index: presentation.definition.name, known: known)
    }

    /// The text of the field at an index; nil where the index has no texts of the row.
    func text(at index: Int) -> String? { texts.map { $0.values[index].fieldText } }
}

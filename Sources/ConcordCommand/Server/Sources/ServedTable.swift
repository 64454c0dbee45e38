import Concordance
import ConcordanceSearch

/// A full-text table that is searched, and how its rows are shown.
struct ServedTable: Sendable {
    /// A column whose values are counted and filtered by.
    struct Facet: Sendable {
        /// What a parameter, which is a text, stands for.
        enum Values: Sendable {
            case texts
            case numbers
            /// Either: nobody says what the column holds.
            case any
        }

        var name: String
        var label: String
        var values: Values
    }

    /// An order that can be asked for by name.
    struct Sort: Sendable {
        var name: String
        var terms: [SearchOrdering]
    }

    var name: String
    var label: String
    var index: SearchIndex<Row>
    /// The columns with texts, in the order of the table.
    var columns: [String]
    /// The column that names a row.
    var titleColumn: String
    var facets: [Facet]
    /// The first is relevance.
    var sorts: [Sort]
    /// The order where no words are asked for.
    var browsingOrder: [SearchOrdering] = []
    /// Whether the engine has the values of the facets.
    var keepsValues: Bool
    /// Whether all texts can be read to know their words: not where they come from a view, whose rows may have no end.
    var hasWords = true

    /// A condition on the indexed table: one of these values.
    func condition(_ facet: Facet, _ values: [String]) throws -> SQL {
        var wanted: [DatabaseValue] = []
        var isNullWanted = false
        for value in values {
            if value.isEmpty {
                isNullWanted = true
                continue
            }
            if facet.values != .texts {
                if let number = Int64(value) {
                    wanted.append(.int64(number))
                } else if let number = Double(value) {
                    wanted.append(.double(number))
                } else if facet.values == .numbers {
                    throw HTTPProblem(400, "f.\(facet.name) is a number, not '\(value)'")
                }
            }
            if facet.values != .numbers { wanted.append(.text(value)) }
        }
        let column: SQL = "\(identifier: index.definition.table).\(identifier: facet.name)"
        if !isNullWanted { return "\(column) IN \(values: wanted)" }
        return wanted.isEmpty ? "\(column) IS NULL" : "(\(column) IS NULL OR \(column) IN \(values: wanted))"
    }
}

/// A document or row that a search has found, as it is shown in a list.
struct FoundDocument: Sendable {
    var id: Int64
    var title: HighlightedText
    var snippet: HighlightedText
    var score: Double
    var path: String?
    var kind: String?
    var size: Int64?
    /// Seconds since 1970.
    var modified: Int64?
    var line: Int?
    /// The page, slide, sheet or chapter of the snippet's first match.
    var page: Int?
    /// The tag of its language: `en`.
    var language: String?
    /// Further documents with nearly the same content.
    var similarCount = 0
    /// Other columns of a row, as far as they are short.
    var fields: [(name: String, text: HighlightedText)] = []
}

/// A document or row, or the part of a long one, to be read.
struct DocumentPart: Sendable {
    struct Column: Sendable {
        var name: String
        var text: String
        /// Whether the rest comes with the next part.
        var isTruncated = false
    }

    /// Rows of another table that belong to a row.
    struct Related: Sendable {
        var label: String
        var table: String
        var rows: [[(name: String, text: String)]]
    }

    var id: Int64
    var title: String
    var columns: [Column]
    var path: String?
    var kind: String?
    var size: Int64?
    var modified: Int64?
    var line: Int?
    /// The page, slide, sheet or chapter where the text begins; form feeds separate the others.
    var page: Int?
    /// The tag of its language: `en`.
    var language: String?
    /// Where the text goes on, as `from` of the next request.
    var next: String?
    var related: [Related] = []
}

/// What is served, and in which state.
struct SourceStatus: Sendable {
    enum State: String, Sendable {
        case ready, indexing, empty
        /// Some files have been read in part, and nobody goes on.
        case interrupted
    }

    var state: State
    /// What the process does that writes documents; nil where none does.
    var activity: IndexActivity?
    var documents: Int
    var skipped: Int
    var roots: [String]
    /// How many rows each table has.
    var tableDocuments: [String: Int]
}

/// Something that can be searched: the index of folders, or a database with full-text tables.
protocol SearchedSource: Sendable {
    /// `files` or `database`.
    var kind: String { get }
    var connections: SourceConnections { get }

    /// The tables as the schema has them now.
    func tables(in database: Database) throws -> [ServedTable]
    func status(in database: Database) throws -> SourceStatus
    /// What the process does that writes documents; nil where none does. It is asked often.
    func activity() -> IndexActivity?
    /// - Parameter words: Those of the query.
    func found(_ hit: SearchHit<Row>, words: [String], of table: ServedTable, in database: Database) throws
        -> FoundDocument
    /// The part of a document that begins at `from`; nil where there is no such document.
    func document(_ id: Int64, from: String?, of table: ServedTable, in database: Database) throws -> DocumentPart?
    /// The file of a document; nil where it has none.
    func file(of id: Int64, in database: Database) throws -> String?
    /// What is known of documents beside the words of a query; nil where nothing is.
    func standings(for query: String) -> (@Sendable ([SearchHit<Row>], Database) throws -> [DocumentStanding])?
    /// What people read instead of a value.
    func label(of value: DatabaseValue, _ facet: ServedTable.Facet) -> String
}

extension SearchedSource {
    func activity() -> IndexActivity? { nil }

    func standings(for query: String) -> (@Sendable ([SearchHit<Row>], Database) throws -> [DocumentStanding])? { nil }
}

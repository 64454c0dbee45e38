import ConcordanceSearch
import ConcordanceSQLite
import GRDB

extension SearchIndex {
    /// An index over a table whose rows are GRDB records.
    ///
    /// ```swift
    /// let noteTexts = SearchIndex("noteTexts", of: Note.self, in: "note") {
    ///     Field(\.title, weight: 10)
    ///     Field(\.body)
    /// }
    /// ```
    /// Key paths of `Decodable` records stand for the columns of their coding keys. Where a record has another
    /// `databaseColumnDecodingStrategy`, name the columns: `Field("full_name")`.
    ///
    /// - Parameters:
    ///   - name: The name of the index, which is the name of its full-text table in the database.
    ///   - record: The type of the records. It decodes all columns of the table.
    ///   - table: The table with the rows.
    ///   - engine: The full-text engine that keeps the index.
    ///   - content: Fields, in the order of the full-text table's columns; `Analysis`, `Ranking` and `Content` if the
    ///     defaults do not fit.
    public init(
        _ name: String, of record: Record.Type, in table: String, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: GRDB.FetchableRecord {
        self.init(
            name, of: record, in: table, engine: engine, decodedBy: { try Record(row: $0.grdbRow()) }, content: content)
    }

    /// An index over the table of a GRDB record type.
    public init(
        _ name: String, of record: Record.Type, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: GRDB.FetchableRecord & GRDB.TableRecord {
        self.init(name, of: record, in: Record.databaseTableName, engine: engine, content: content)
    }

    /// An index over a table whose rows have a type that is `Decodable`, and nothing more.
    public init(
        _ name: String, of record: Record.Type, in table: String, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: Decodable {
        self.init(
            name, of: record, in: table, engine: engine,
            decodedBy: { try FetchableRecordDecoder().decode(DecodedRow<Record>.self, from: $0.grdbRow()).record },
            content: content)
    }

    /// An index over a table whose rows are GRDB records that are `Decodable`.
    public init(
        _ name: String, of record: Record.Type, in table: String, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: GRDB.FetchableRecord & Decodable {
        self.init(
            name, of: record, in: table, engine: engine, decodedBy: { try Record(row: $0.grdbRow()) }, content: content)
    }
}

/// What GRDB decodes from a row for a type that is not a GRDB record.
private struct DecodedRow<Record: Decodable>: Decodable, GRDB.FetchableRecord {
    let record: Record

    init(from decoder: any Decoder) throws { record = try Record(from: decoder) }
}

extension Field {
    /// The same field with the text of related rows, whose column a property of the related record names.
    public func joined<Related: GRDB.TableRecord & Decodable, Value>(
        _ table: Related.Type, _ column: KeyPath<Related, Value>, through steps: Relation.Step...,
        separator: String = " ", orderedBy order: String? = nil
    ) -> Field {
        joined(
            Relation.Step(Related.databaseTableName), of: Related.self, column, through: steps, separator: separator,
            orderedBy: order)
    }
}

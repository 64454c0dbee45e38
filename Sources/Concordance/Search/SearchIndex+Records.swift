import ConcordanceSQLite
import ConcordanceSearch

extension SearchIndex {
    /// Creates an index over a table whose rows are records of this type.
    ///
    /// - Parameters:
    ///   - name: The name of the index, which is the name of its full-text table in the database.
    ///   - record: The type of the records.
    ///   - table: The table with the rows. The record's coding keys name its columns.
    ///   - engine: The full-text engine that stores the index.
    ///   - content: Fields, in the order of the full-text table's columns; `Analysis`, `Ranking`, `Content` and
    ///     `QueryRules` to replace the defaults.
    public init(
        _ name: String, of record: Record.Type, in table: String, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: Decodable {
        self.init(name, table: table, engine: engine, elements: content(), selection: Self.tableSelection) {
            try RowDecoder.decode(Record.self, from: $0, coding: PlainCoding.self)
        }
    }

    /// Creates an index over a table whose rows are records of this type, decoded by their own `init(row:)`.
    public init(
        _ name: String, of record: Record.Type, in table: String, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: FetchableRecord {
        self.init(name, table: table, engine: engine, elements: content(), selection: Self.tableSelection) {
            try Record(row: $0)
        }
    }

    /// Creates an index over a table whose rows are records of this type.
    public init(
        _ name: String, of record: Record.Type, in table: String, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: FetchableRecord & Decodable {
        self.init(name, table: table, engine: engine, elements: content(), selection: Self.tableSelection) {
            try Record(row: $0)
        }
    }

    /// Creates an index over the table of a record type.
    public init(
        _ name: String, of record: Record.Type, engine: SearchEngine = .concordance,
        @SearchIndexBuilder<Record> content: () -> [IndexElement<Record>]
    ) where Record: FetchableRecord & TableRecord & Decodable {
        self.init(
            name, table: Record.databaseTableName, engine: engine, elements: content(),
            selection: Self.tableSelection
        ) {
            try Record(row: $0)
        }
    }

    /// The selection of the record's own requests.
    private static var tableSelection: [SearchSelection] {
        guard let table = Record.self as? any TableRecord.Type else { return [.allColumns] }
        return table.databaseSelection.map(\.sqlSelection.searchSelection)
    }
}

extension SQLSelection {
    fileprivate var searchSelection: SearchSelection {
        if case .allColumns(nil) = kind { return .allColumns }
        return SearchSelection(.rendering { try render(into: &$0) })
    }
}

/// The coding of records that do not define their own.
enum PlainCoding: RecordCoding {}

extension Field {
    /// Returns the field with the text of related rows, with the column given as a property of the related record; see
    /// `joined(_:_:through:separator:orderedBy:)`.
    public func joined<Related: TableRecord & Decodable, Value>(
        _ table: Related.Type, _ column: KeyPath<Related, Value>, through steps: Relation.Step...,
        separator: String = " ", orderedBy order: String? = nil
    ) -> Field {
        joined(
            Relation.Step(Related.databaseTableName), of: Related.self, column, through: steps, separator: separator,
            orderedBy: order)
    }
}

extension SearchObject: FetchableRecord {}

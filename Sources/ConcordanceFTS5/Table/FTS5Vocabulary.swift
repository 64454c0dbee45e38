import ConcordanceSQLite
import ConcordanceText

/// The tokens in the index of an FTS5 table, as a virtual table
/// (https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
///
/// ```swift
/// // CREATE VIRTUAL TABLE "temp"."terms" USING fts5vocab('main', 'documents', 'row')
/// try db.create(virtualTable: "terms", temporary: true, using: FTS5Vocabulary(of: "documents", .row))
/// let terms = try FTS5Vocabulary.Term.fetchAll(db, sql: "SELECT * FROM terms ORDER BY cnt DESC LIMIT 10")
/// ```
public struct FTS5Vocabulary: VirtualTableModule {
    /// What a row of the vocabulary represents.
    public enum Kind: String, Hashable, Sendable {
        /// A token: `term`, the number of rows with it (`doc`), and of its occurrences (`cnt`).
        case row
        /// A token in a column: `term`, `col`, `doc`, `cnt`.
        case column = "col"
        /// A token at a place: `term`, `doc` (the rowid), `col`, `offset`.
        case instance
    }

    private let table: QualifiedName
    private let kind: Kind

    /// Creates the definition of a vocabulary of the FTS5 table `table` in the schema `schema`. Only a temporary
    /// vocabulary may be in another schema than the table.
    public init(of table: String, in schema: String? = nil, _ kind: Kind) {
        self.table = QualifiedName(table, in: schema)
        self.kind = kind
    }

    package var moduleName: String { "fts5vocab" }

    /// A vocabulary has nothing to define.
    package final class Definition {}

    package func makeTableDefinition() -> Definition { Definition() }

    package func moduleArguments(
        for definition: Definition, named vocabulary: QualifiedName, in db: Database
    ) throws -> [String] {
        try table.validate()
        let isTemporary = vocabulary.schema?.equalsIgnoringASCIICase("temp") == true
        let schema = table.schema ?? (isTemporary ? "main" : nil)
        return ([isTemporary ? schema : nil, table.name, kind.rawValue]).compactMap { $0?.quotedDatabaseString }
    }

    /// A row of a vocabulary of kind `row` or `column`.
    public struct Term: Hashable, Sendable, StatementDecodable {
        /// The token as it is in the index.
        public var term: String
        /// The column; nil in a vocabulary of kind `row`, and if `detail` is `none`.
        public var column: String?
        /// The number of rows with the token.
        public var rowCount: Int
        /// How often the token occurs; 0 unless `detail` is `full`.
        public var occurrenceCount: Int

        /// Creates a token with its counts.
        package init(term: String, column: String?, rowCount: Int, occurrenceCount: Int) {
            self.term = term
            self.column = column
            self.rowCount = rowCount
            self.occurrenceCount = occurrenceCount
        }

        /// Reads the columns `term`, `doc`, `cnt` and, if present, `col`.
        public static func decode(_ statement: Statement) throws -> Term {
            let names = statement.columnNames
            return Term(
                term: try statement.decode(at: names.index(of: "term")),
                column: names.firstIndex(of: "col").flatMap { statement.string(at: $0) },
                rowCount: try statement.decode(at: names.index(of: "doc")),
                occurrenceCount: try statement.decode(Int?.self, at: names.index(of: "cnt")) ?? 0)
        }
    }

    /// A row of a vocabulary of kind `instance`.
    public struct Instance: Hashable, Sendable, StatementDecodable {
        /// The token as it is in the index.
        public var term: String
        /// The row that contains it.
        public var rowID: Int64
        /// The column; nil if `detail` is `none`.
        public var column: String?
        /// The number of the token in its column, from zero; nil if `detail` is not `full`.
        public var offset: Int?

        /// Creates a token at a place.
        package init(term: String, rowID: Int64, column: String?, offset: Int?) {
            self.term = term
            self.rowID = rowID
            self.column = column
            self.offset = offset
        }

        /// Reads the columns `term`, `doc` and, if present, `col` and `offset`.
        public static func decode(_ statement: Statement) throws -> Instance {
            let names = statement.columnNames
            return Instance(
                term: try statement.decode(at: names.index(of: "term")),
                rowID: try statement.decode(at: names.index(of: "doc")),
                column: names.firstIndex(of: "col").flatMap { statement.string(at: $0) },
                offset: try names.firstIndex(of: "offset").flatMap { try statement.decode(Int?.self, at: $0) })
        }
    }
}

extension Database {
    /// Creates a virtual table with the vocabulary of an FTS5 table.
    ///
    /// - Parameters:
    ///   - name: Any name; it is quoted.
    ///   - schema: `main`, `temp`, or the name of an attached database.
    ///   - ifNotExists: Whether to leave an existing table with that name as it is.
    ///   - temporary: Whether the table belongs to the connection, and disappears with it: the schema `temp`.
    ///   - vocabulary: The table and the kind of its vocabulary.
    /// - Throws: `FTS5Error` for names that are not valid; `DatabaseError`.
    public func create(
        virtualTable name: String, in schema: String? = nil, ifNotExists: Bool = false, temporary: Bool = false,
        using vocabulary: FTS5Vocabulary
    ) throws {
        try createVirtualTable(name, in: schema, ifNotExists: ifNotExists, temporary: temporary, using: vocabulary)
    }
}

extension [String] {
    /// - Throws: SQLITE_RANGE if a query on a vocabulary left the column out.
    fileprivate func index(of column: String) throws -> Int {
        guard let index = firstIndex(of: column) else {
            throw DatabaseError(resultCode: .SQLITE_RANGE, message: "the query has no column \(column)")
        }
        return index
    }
}

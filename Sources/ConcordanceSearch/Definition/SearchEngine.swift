import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// The full-text engine that stores an index.
///
/// An engine is a virtual table with FTS5's SQL: `MATCH`, `rank`, the auxiliary functions. Both engines find the same
/// rows, with the same order and scores, but only Concordance's matches words with typos and stores a `Value`. An index
/// can change its engine: `install` builds it with the new one, beside the index in use.
///
/// ```swift
/// SearchIndex("noteTexts", of: Note.self, in: "notes", engine: .fts5) { Field(\.title) }
/// ```
public struct SearchEngine: Hashable, Sendable {
    /// The module in `CREATE VIRTUAL TABLE … USING`.
    package let moduleName: String
    /// The module of the table that lists an index's terms.
    package let vocabularyModuleName: String
    /// The suffixes of the tables in which the engine stores a full-text table.
    let shadowTableSuffixes: [String]
    /// The rows of its table of blobs that SQLite reads to open the full-text table; at least one of them changes with
    /// every commit that changes the index.
    let openingRows: ClosedRange<Int64>

    /// Concordance's own (`ConcordanceEngine`), whose ranked searches need not visit every match. A program that
    /// searches the index by SQL needs the module `concordance`.
    ///
    /// Row 1 of its table of blobs holds the list of its segments.
    public static let concordance = SearchEngine(
        moduleName: ConcordanceModule.name, vocabularyModuleName: "concordancevocab",
        shadowTableSuffixes: ["_data", "_content", "_config"],
        openingRows: 1...1)

    /// SQLite's FTS5 (https://www.sqlite.org/fts5.html): programs without this module can search the index too, unless
    /// it uses an analyzer of ours.
    ///
    /// Rows 1 and 10 of its table of blobs hold the sizes of all texts, and the list of its segments with a count of
    /// all pages ever written (https://www.sqlite.org/fts5.html#fts5_table_contents_data_table_).
    public static let fts5 = SearchEngine(
        moduleName: "fts5", vocabularyModuleName: "fts5vocab",
        shadowTableSuffixes: ["_data", "_idx", "_content", "_docsize", "_config"],
        openingRows: 1...10)

    /// All engines, the default first.
    package static let all = [concordance, fts5]

    /// The hidden column with the score; no other column can have its name.
    static let rankColumn = "rank"
    /// The prefix lengths that can have an index of their own, in characters.
    static let prefixLengths = 1...TableOptions.maximumPrefixLength
    /// How many prefix lengths an index can have.
    static let prefixLimit = TableOptions.maximumPrefixCount
}

extension SearchEngine {
    /// The engine of an existing full-text table; nil where no table has that name.
    package static func keeping(_ table: String, in db: Database) throws -> SearchEngine? {
        guard let sql = try IndexRecord.fullTextTable(table, in: db), let statement = VirtualTableStatement(sql) else {
            return nil
        }
        return all.first { $0.moduleName.equalsIgnoringASCIICase(statement.module) }
    }

    /// A value that differs after every commit that changed the index, by whatever connection or process.
    ///
    /// - Throws: `SearchIndexError.notInstalled` where there is no such table.
    func changeMark(of table: String, in db: Database) throws -> [UInt8] {
        guard try db.tableExists(table, in: "main") else { throw SearchIndexError.notInstalled(table) }
        var mark: [UInt8] = []
        let data = (table + "_data").quotedDatabaseIdentifier
        let statement = try db.makeStatement(
            sql: """
                SELECT block FROM main.\(data)
                WHERE id IN (\(openingRows.lowerBound), \(openingRows.upperBound)) ORDER BY id
                """)
        try statement.forEachRow { row in row.withBytes(at: 0) { mark += $0 } }
        return mark
    }

    /// SQL that replaces the rows which opening a table reads by those of an empty table, and creates the tables that
    /// hold them. Where they are damaged or missing, FTS5 cannot open the table, not even to drop it (averages in row
    /// 1, segments in row 10, the format version in the configuration: https://www.sqlite.org/fts5.html, section 9).
    /// Concordance's engine does not need it.
    func emptySQL(of table: String) -> String {
        guard self == .fts5 else { return "" }
        let data = "main." + (table + "_data").quotedDatabaseIdentifier
        let config = "main." + (table + "_config").quotedDatabaseIdentifier
        return """
            CREATE TABLE IF NOT EXISTS \(data)(id INTEGER PRIMARY KEY, block BLOB);
            INSERT OR REPLACE INTO \(data) VALUES (1, x''), (10, x'00000000000000');
            CREATE TABLE IF NOT EXISTS \(config)(k PRIMARY KEY, v) WITHOUT ROWID;
            INSERT OR REPLACE INTO \(config) VALUES ('version', 4)
            """
    }

    /// A setting of a table, as the engine has stored it; nil for the engine's default, and where the engine no longer
    /// stores anything.
    func setting(_ name: String, of table: String, in db: Database) throws -> DatabaseValue? {
        let config = table + "_config"
        guard try db.tableExists(config, in: "main") else { return nil }
        return try DatabaseValue.fetchOne(db, literal: "SELECT v FROM main.\(identifier: config) WHERE k = \(name)")
    }

    /// The bound value on the right of `MATCH`: Concordance's engine takes the tree itself, FTS5 a text.
    ///
    /// - Parameter conditions: What Concordance's engine answers from stored values.
    func argument(
        for tree: QueryTree, where conditions: [StoredCondition] = [], _ report: TypoReport
    ) throws(QueryTooDeep) -> SQL {
        if self == .concordance {
            guard tree.height <= QueryTree.heightLimit else { throw QueryTooDeep() }
            return "\(MatchQuery(tree, where: conditions, report: report).argument)"
        }
        do {
            return "\(try tree.pattern())"
        } catch {
            throw QueryTooDeep()
        }
    }

    /// Whether its queries may have typos.
    var allowsTypos: Bool { self == .concordance }

    /// Whether the full-text table reads the texts of its rows from the source, and stores none itself. Concordance's
    /// engine removes a row by its rowid; FTS5 needs the text that the row was indexed with.
    func readsTexts(of definition: IndexDefinition) -> Bool { self != .fts5 && definition.content.storage == .source }

    /// The arguments in parentheses after the module's name: options, then columns.
    func moduleArguments(for definition: IndexDefinition, in db: Database) throws -> [String] {
        let table = FTS5TableDefinition()
        table.tokenizer = tokenizer(for: definition.distinctAnalyzers)
        table.prefixes = Set(definition.analysis.prefixes)
        if readsTexts(of: definition) {
            table.furtherOptions = ["content=''", "contentless_delete=1", "source=1"]
        }
        for field in definition.fields {
            let column = table.column(field.name)
            if field.isValue { column.storesValues() } else if !field.isIndexed { column.notIndexed() }
        }
        do {
            let name = QualifiedName(definition.name)
            return self == .fts5
                ? try FTS5().moduleArguments(for: table, named: name, in: db)
                : try ConcordanceTable().moduleArguments(for: table, named: name, in: db)
        } catch let error as FTS5Error where error != .unavailable {
            throw SearchIndexError.invalidIndex(definition.name, reason: error.description)
        }
    }

    /// A single analyzer that every SQLite has is named in FTS5's words, so that programs without our tokenizers can
    /// write to the table.
    private func tokenizer(for analyzers: [Analyzer]) -> FTS5TokenizerDescriptor {
        guard let first = analyzers.first else { return .unicode61() }
        guard analyzers.count == 1 else {
            return .concordanceFields(first, marked: Array(analyzers.dropFirst()))
        }
        return first.isBuiltIn ? FTS5TokenizerDescriptor(components: first.components) : .concordance(first)
    }
}

extension Analyzer {
    /// Whether it is a tokenizer of FTS5 without filters.
    fileprivate var isBuiltIn: Bool { filters.isEmpty && tokenizer.isBuiltIn }
}

extension TokenizerSpecification {
    fileprivate var isBuiltIn: Bool {
        switch self {
        case .unicode61, .ascii: true
        // SQLite 3.45 and later have it.
        case .trigram(let options): !options.removeDiacritics
        case .words, .guess: false
        case .porter(let parent): parent.isBuiltIn
        }
    }
}

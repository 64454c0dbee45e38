import Concordance
import ConcordanceFTS5
import ConcordanceSearch
import ConcordanceText

/// Finds the full-text tables of a database by what its schema says.
enum DatabaseTables {
    /// A schema with more is not one that people search.
    private static let limit = 200

    /// Those that can be searched, in the order of their names; what internal tables of indexes hold is left out.
    static func all(in database: Database) throws -> [DatabaseTable] {
        try statements(in: database).compactMap { name, sql in try? table(name, sql, in: database) }
    }

    /// Why the others cannot be searched, a sentence each.
    static func problems(in database: Database) throws -> [String] {
        try statements(in: database).compactMap { name, sql in
            do {
                return try table(name, sql, in: database) == nil ? "\(name) has no columns with texts" : nil
            } catch {
                return "\(name): \(error)"
            }
        }
    }

    private static func statements(in database: Database) throws -> [(name: String, sql: String)] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT name, sql FROM main.sqlite_schema
                WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name LIMIT \(limit)
                """)
        return rows.compactMap { row in
            guard let name: String = row["name"], let sql: String = row["sql"],
                let statement = VirtualTableStatement(sql),
                SearchEngine.all.contains(where: { $0.moduleName == statement.module.lowercased() })
            else { return nil }
            return (name, sql)
        }
    }

    /// nil for a table without columns that are searched.
    private static func table(_ name: String, _ sql: String, in database: Database) throws -> DatabaseTable? {
        guard let statement = VirtualTableStatement(sql),
            let engine = SearchEngine.all.first(where: { $0.moduleName == statement.module.lowercased() })
        else { return nil }
        let options = try TableOptions(parsing: statement.arguments, table: name) { _ in }
        // What the schema says is one thing; that the table opens, another.
        _ = try Int64.fetchOne(database, literal: "SELECT rowid FROM main.\(identifier: name) LIMIT 1")
        let texts = options.columns.filter { !$0.isValue }
        guard texts.contains(where: \.isIndexed) else { return nil }
        let analyzers = try Analyzers(options.tokenizer)
        let fields = try texts.map { column in
            let field = Field<Row>(column.name)
            if !column.isIndexed { return field.unindexed() }
            return try analyzers.marked.isEmpty
                ? field : field.analyzed(by: analyzer(of: column.name, in: name, analyzers, database))
        }
        let values = engine == .concordance ? options.columns.filter(\.isValue).map(\.name) : []
        let index = SearchIndex<Row>(name, in: name, engine: engine) {
            for field in fields { field }
            for value in values { Value(value) }
            Analysis(analyzers.unmarked)
        }
        let names = texts.filter(\.isIndexed).map(\.name) + texts.filter { !$0.isIndexed }.map(\.name)
        return DatabaseTable(
            served: ServedTable(
                name: name, label: name, index: index, columns: texts.map(\.name),
                titleColumn: titleColumn(among: names), facets: values.map { .init(name: $0, label: $0, values: .any) },
                sorts: [.init(name: "relevance", terms: [])] + values.flatMap { sorts($0, table: name) },
                keepsValues: engine == .concordance, hasWords: try hasWords(options, in: database)),
            content: try content(options, of: name, in: database), hasTexts: options.hasTexts)
    }

    private static func sorts(_ column: String, table: String) -> [ServedTable.Sort] {
        let value = SearchExpression { _, _ in "\(identifier: table).\(identifier: column)" }
        return [
            .init(name: column, terms: [SearchOrdering(value)]),
            .init(name: "-" + column, terms: [SearchOrdering(value, isDescending: true)]),
        ]
    }

    /// The columns that name a row in most databases, the likeliest first.
    private static let titleNames = [
        "title", "name", "subject", "headline", "heading", "label", "filename", "path", "key",
    ]

    private static func titleColumn(among names: [String]) -> String {
        for wanted in titleNames {
            if let name = names.first(where: { $0.lowercased() == wanted }) { return name }
        }
        return names.first ?? ""
    }

    private static func hasWords(_ options: TableOptions, in database: Database) throws -> Bool {
        guard case .external(let table, _) = options.content else { return options.hasTexts }
        return try Int.fetchOne(
            database,
            literal: """
                SELECT 1 FROM main.sqlite_schema
                WHERE type = 'table' AND name = \(table) COLLATE NOCASE AND sql NOT LIKE 'CREATE VIRTUAL%'
                """) != nil
    }

    /// The table that the rows are of: that of an index of this library, or that of the option `content`.
    private static func content(_ options: TableOptions, of name: String, in database: Database) throws
        -> DatabaseTable.Content?
    {
        if case .external(let table, let rowID) = options.content {
            return DatabaseTable.Content(table: table, rowID: rowID.isEmpty ? "rowid" : rowID)
        }
        guard let table = try? SearchIndex<Row>.indexedTable(of: name, in: database) else { return nil }
        return DatabaseTable.Content(table: table, rowID: "rowid")
    }

    /// The analyzer of a column of which the index marks the texts.
    private static func analyzer(
        of column: String, in table: String, _ analyzers: Analyzers, _ database: Database
    ) throws -> Analyzer {
        let text = try String.fetchOne(
            database,
            literal: """
                SELECT \(identifier: column) FROM main.\(identifier: table) WHERE \(identifier: column) IS NOT NULL LIMIT 1
                """)
        guard let text, let number = (1...FieldMarker.count).first(where: { text.hasPrefix(FieldMarker.text($0)) }),
            analyzers.marked.indices.contains(number - 1)
        else { return analyzers.unmarked }
        return analyzers.marked[number - 1]
    }

    /// How the words of a table are made.
    private struct Analyzers {
        var unmarked: Analyzer
        /// Those of the markers from 1 on.
        var marked: [Analyzer] = []

        /// - Parameter tokenizer: The components of the option; a name and its arguments.
        init(_ tokenizer: [String]) throws {
            switch tokenizer.first {
            case nil: unmarked = try Analyzer(components: ["unicode61"])
            case ConcordanceTokenizers.name: unmarked = try Analyzer(components: Array(tokenizer.dropFirst()))
            case ConcordanceTokenizers.fieldsName:
                let all = try tokenizer.dropFirst().map { try Analyzer(parsing: $0) }
                unmarked = all.first ?? .standard
                marked = Array(all.dropFirst())
            default: unmarked = try Analyzer(components: tokenizer)
            }
        }
    }
}

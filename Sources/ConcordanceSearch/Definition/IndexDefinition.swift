import ConcordanceSQLite

/// What an index holds: its name, fields, analysis, ranking and query rules.
package struct IndexDefinition: Sendable {
    /// The name of the index and of its full-text table.
    package let name: String
    /// The table whose rows are indexed.
    package let table: String
    /// The engine that stores the index.
    package let engine: SearchEngine
    /// The fields, in the order of the full-text table's columns.
    package let fields: [FieldDefinition]
    /// The default analyzer, and the prefix indexes.
    package let analysis: Analysis
    /// How matches are scored.
    package let ranking: Ranking
    /// Where the texts of the rows are stored.
    package let content: Content
    /// The synonyms and stop words of queries.
    package internal(set) var rules: QueryRules
    /// Whether searches also find words with typos.
    package internal(set) var typos = SearchTypos.automatic
    /// The kind of element that the definition contains twice although only one can apply.
    let repeatedElement: String?
    /// The analyzers of the searched fields, each once: first the one whose texts have no marker, which is that of the
    /// index where a field uses it; behind them those of the languages that rows name.
    let distinctAnalyzers: [Analyzer]

    init<Record>(name: String, table: String, engine: SearchEngine, elements: [IndexElement<Record>.Part]) {
        self.name = name
        self.table = table
        self.engine = engine
        var fields: [FieldDefinition] = []
        var analysis = Analysis(.standard)
        var ranking = Ranking()
        var content = Content(.source)
        var rules = QueryRules()
        var repeated: String?
        var seen: Set<String> = []
        func note(_ kind: String) { if !seen.insert(kind).inserted { repeated = kind } }
        for element in elements {
            switch element {
            case .field(let field): fields.append(field)
            case .analysis(let value):
                analysis = value
                note("Analysis")
            case .ranking(let value):
                ranking = value
                note("Ranking")
            case .content(let value):
                content = value
                note("Content")
            case .rules(let value):
                rules = value
                note("QueryRules")
            }
        }
        repeatedElement = repeated
        self.fields = fields
        self.analysis = analysis
        distinctAnalyzers = Self.distinctAnalyzers(of: fields, analysis)
        self.ranking = ranking
        self.content = content
        self.rules = rules
    }

    /// The field with this name; ASCII case is ignored.
    package func field(_ name: String) -> FieldDefinition? {
        fields.first { $0.name.equalsIgnoringASCIICase(name) }
    }

    /// The analyzer of a field.
    package func analyzer(of field: FieldDefinition) -> Analyzer { field.analyzer ?? analysis.analyzer }
}

/// One field of an index.
package struct FieldDefinition: Sendable {
    /// Where the text comes from.
    package enum Source: Sendable {
        /// A column of the index's table.
        case column(String)
        /// Rows of other tables.
        case related(Relation)
        /// A SQL expression over the columns of the row.
        case expression(String)
        /// A key path without a column; the error is thrown when the index is installed.
        case invalid(KeyPathError)
    }

    /// Its name, that of its column in the full-text table.
    package var name: String
    /// Where the text comes from.
    package var source: Source
    /// How much a match in the field counts.
    package var weight: Double = 1
    /// Whether it is searched, or only stored with the row.
    package var isIndexed = true
    /// Whether it is a value to filter, sort and count by, rather than a text (`Value`).
    package internal(set) var isValue = false
    /// Whether the beginning of a word matches in it.
    package var matchesPrefixes = true
    /// Whether words with typos match in it.
    package var allowsTypos = true
    /// Whether `#word` in a typed query looks in it.
    package var holdsTags = false
    /// Its own analyzer; nil for that of the index.
    package var analyzer: Analyzer?
}

/// The full-text engine that keeps an index: all that a typed index asks of it stands here.
///
/// An engine is a virtual table that speaks FTS5's SQL: `MATCH`, `rank`, the auxiliary functions, the vocabulary table.
public struct SearchEngine: Hashable, Sendable {
    /// The module in `CREATE VIRTUAL TABLE … USING`.
    let moduleName: String
    /// The module of the table that lists an index's terms.
    let vocabularyModuleName: String

    /// SQLite's FTS5 (https://www.sqlite.org/fts5.html).
    public static let fts5 = SearchEngine(moduleName: "fts5", vocabularyModuleName: "fts5vocab")
}

extension SearchEngine {
    /// What stands in the parentheses behind the module: options, then columns.
    func moduleArguments(for definition: IndexDefinition, in db: Database) throws -> [String] {
        let module = FTS5()
        let table = module.makeTableDefinition()
        table.tokenizer = tokenizer(for: definition)
        table.prefixes = Set(definition.analysis.prefixes)
        for field in definition.fields {
            let column = table.column(field.name)
            if !field.isIndexed { column.notIndexed() }
        }
        return try module.moduleArguments(for: table, named: QualifiedName(definition.name), in: db)
    }

    private func tokenizer(for definition: IndexDefinition) -> FTS5TokenizerDescriptor {
        let analyzer = definition.analysis.analyzer
        return analyzer.isBuiltIn
            ? FTS5TokenizerDescriptor(components: analyzer.components) : .concordance(analyzer)
    }
}

extension Analyzer {
    /// Whether every SQLite with FTS5 has it, so that programs without our tokenizers can write to the table.
    fileprivate var isBuiltIn: Bool { filters.isEmpty && tokenizer.isBuiltIn }
}

extension TokenizerSpecification {
    fileprivate var isBuiltIn: Bool {
        switch self {
        case .unicode61, .ascii: true
        // SQLite knows it from 3.45 on.
        case .trigram(let options): !options.removeDiacritics
        case .words: false
        case .porter(let parent): parent.isBuiltIn
        }
    }
}

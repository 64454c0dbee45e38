import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite

/// A full-text module under test: FTS5, or one in its place. Scripts are written for FTS5 and translated.
package struct FullTextModule: Sendable, CustomStringConvertible {
    package let name: String

    /// Whether columns that are not indexed have their values in the index.
    package let storesValues: Bool

    /// The module's statement for a statement written for FTS5.
    package let translate: @Sendable (String) -> String

    /// Makes the module known to a connection.
    package let register: @Sendable (Database) throws -> Void

    package init(
        name: String, storesValues: Bool = false, translate: @escaping @Sendable (String) -> String,
        register: @escaping @Sendable (Database) throws -> Void
    ) {
        self.name = name
        self.storesValues = storesValues
        self.translate = translate
        self.register = register
    }

    package static let fts5 = FullTextModule(name: "fts5", translate: { $0 }) { db in
        try ConcordanceTokenizers.register(on: db)
        try ConcordanceRanking.register(on: db)
    }

    /// The engine; the statements' module names are replaced.
    package static let engine = FullTextModule(name: "concordance", translate: { engineNames.replace(in: $0) }) { db in
        try ConcordanceTokenizers.register(on: db)
        try ConcordanceRanking.register(on: db)
        try ConcordanceModule.register(on: db)
    }

    /// The engine with stored values: columns that are not indexed are `VALUE` columns.
    package static let valued = FullTextModule(name: "valued", storesValues: true, translate: translateValued) { db in
        try engine.register(db)
    }

    /// Columns that are `UNINDEXED`, in capital letters, become `VALUE`, except where FTS5 answers differently: it
    /// reads NULL from a table without contents, and finds no pattern in a column whose trigrams are not indexed.
    @Sendable private static func translateValued(_ sql: String) -> String {
        let statement = engineNames.replace(in: sql)
        guard statement.hasPrefix("CREATE VIRTUAL TABLE"), !statement.contains("content=''"),
            !statement.contains("'trigram")
        else { return statement }
        return statement.replacing(" UNINDEXED", with: " VALUE")
    }

    /// The engine with stored values, and with rankings that use everything, as the engine plans them: it skips rows
    /// that cannot be among the best.
    package static let ranked = FullTextModule(name: "ranked", storesValues: true, translate: translateRanked) { db in
        try engine.register(db)
    }

    /// The same rankings, exhaustively: as functions that the engine does not know, which it calls for each match.
    package static let exhaustive = FullTextModule(name: "exhaustive", storesValues: true, translate: translateRanked) {
        db in
        try engine.register(db)
        let registry = try ExtensionRegistry.of(db.sqliteConnection)
        for name in ["bm25", ConcordanceRanking.name] {
            guard let function = registry.function(named: name) else { continue }
            _ = registry.add(function: name, context: nil, function: function.function, destroy: nil)
        }
    }

    /// Gives each new table one of the rankings.
    @Sendable private static func translateRanked(_ sql: String) -> String {
        let statement = translateValued(sql)
        let words = statement.split(separator: " ", maxSplits: 5)
        guard statement.hasPrefix("CREATE VIRTUAL TABLE"), words.count > 4, words[4] == "USING",
            !statement.contains("USING concordancevocab")
        else { return statement }
        let rank = rankings[statement.utf8.count % rankings.count]
        return "\(statement); INSERT INTO \(words[3])(\(words[3].split(separator: ".").last ?? "t"), rank) "
            + "VALUES ('rank', '\(rank)')"
    }

    private static let rankings = [
        "concordance_rank(1.2, 0.75, 2.0, 0.0, 0.3)", "concordance_rank(0.9, 0.4, 0, 0.5, 2, 10.0, 0.5)",
        "concordance_rank(0, 1, NULL, 0, 0.3, 0, 3)", "concordance_rank(2, 0, 8, 3)",
        "concordance_rank(1.2, 0.75, 2, 0.2, 0.3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)",
    ]

    private static let engineNames = ModuleNames(["fts5": "concordance", "fts5vocab": "concordancevocab"])

    /// Whether it is the plain engine, whose tables are converted from FTS5's.
    var isEngine: Bool { [Self.engine, .valued, .ranked, .exhaustive].contains { $0.name == name } }

    package var description: String { name }

    /// Opens a connection to the database at `path`.
    package func open(_ path: String) throws -> SQLSession {
        try SQLSession(path: path, setUp: register)
    }
}

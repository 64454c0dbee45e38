import ConcordanceEngine
import ConcordanceFTS5
import ConcordanceSQLite

/// A full-text module under test: FTS5, or one that stands for it. Scripts are written for FTS5 and translated.
package struct FullTextModule: Sendable, CustomStringConvertible {
    package let name: String

    /// The module's statement for a statement written for FTS5.
    package let translate: @Sendable (String) -> String

    /// Makes the module known to a connection.
    package let register: @Sendable (Database) throws -> Void

    package init(
        name: String, translate: @escaping @Sendable (String) -> String,
        register: @escaping @Sendable (Database) throws -> Void
    ) {
        self.name = name
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
        try ConcordanceEngine.register(on: db)
    }

    private static let engineNames = ModuleNames(["fts5": "concordance", "fts5vocab": "concordancevocab"])

    package var description: String { name }

    /// Opens a connection to the database at `path`.
    package func open(_ path: String) throws -> SQLSession {
        try SQLSession(path: path, setUp: register)
    }
}

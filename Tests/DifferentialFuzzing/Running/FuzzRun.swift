import CConcordanceSQLite
import TestSupport

/// Runs scripts on two modules side by side.
package struct FuzzRun: Sendable {
    package let reference: FullTextModule
    package let module: FullTextModule

    package init(_ module: FullTextModule, against reference: FullTextModule = .fts5) {
        self.module = module
        self.reference = reference
    }

    /// The first step whose results differ; nil if none does.
    package func difference(in script: FuzzScript) throws -> FuzzDifference? {
        let folder = script.isFile ? try TemporaryFolder() : nil
        let left = FuzzSide(reference, path: folder?["reference.db"])
        let right = FuzzSide(module, path: folder?["module.db"])
        right.substitutions = script.substitutions
        if reference.isEngine { left.substitutions = script.substitutions }
        let isConverted = !script.steps.contains { $0.action == .convert }
        right.isConverted = isConverted
        left.isConverted = isConverted || !reference.isEngine
        defer {
            left.close()
            right.close()
        }
        for (index, step) in script.steps.enumerated() {
            guard let expected = try left.run(step), let actual = try right.run(step) else { continue }
            // From then on FTS5's results are no reference: after crisis merges, and for rows removed and added again
            // within a transaction.
            if expected.code == SQLITE_CORRUPT, actual.isSuccess, !script.mayBeDamaged { return nil }
            // FTS5 does not notice a difference in rows of the content table that have no tokens.
            if script.mayBeDamaged, expected.isSuccess, actual.error?.hasPrefix("the index has ") ?? false { continue }
            if !step.comparison.accepts(actual, for: expected) {
                return FuzzDifference(step: index, expected: expected, actual: actual)
            }
        }
        return nil
    }
}

/// One side: a database of its own, with up to two connections.
private final class FuzzSide {
    let module: FullTextModule
    let path: String?
    /// The replacements in the module's statements.
    var substitutions: [String: String] = [:]
    /// Whether tables are the module's; otherwise they are FTS5's until they are converted.
    var isConverted = true
    private var sessions: [SQLSession?] = [nil, nil]

    init(_ module: FullTextModule, path: String?) {
        self.module = module
        self.path = path
    }

    /// Nil if it cannot do the step.
    func run(_ step: FuzzStep) throws -> SQLResult? {
        let session = try session(step.connection)
        switch step.action {
        case .sql(let sql): return run(sql, session)
        case .engine(let sql): return isEngine ? run(sql, session) : nil
        case .facets(let query): return run(module.storesValues ? query.facetSQL : query.groupingSQL, session)
        case .similar(let query):
            guard !isEngine else { return run(query.sql, session) }
            return vocabulary(session).flatMap { query.sql(vocabulary: $0) }.map { run($0, session) }
        case .convert:
            isConverted = true
            return module.isEngine ? session.run(Self.conversion) : SQLResult()
        case .reopen:
            try sessions[step.connection]?.close()
            sessions[step.connection] = nil
            return SQLResult()
        }
    }

    /// Whether the table is the engine's.
    private var isEngine: Bool { module.isEngine && isConverted }

    private func run(_ sql: String, _ session: SQLSession) -> SQLResult {
        session.run(isConverted ? module.translate(substitutions[sql] ?? sql) : sql)
    }

    /// All terms of FTS5's index; nil if there is no list of them.
    private func vocabulary(_ session: SQLSession) -> [String]? {
        let result = session.run(SimilarQuery.vocabularySQL)
        guard result.isSuccess else { return nil }
        return result.rows.compactMap { row in
            guard case .text(let term)? = row.first else { return nil }
            return String(decoding: term, as: UTF8.self)
        }
    }

    /// Returns no rows, like the other side, which does nothing, unless the table could not be converted.
    private static let conversion = "SELECT 'not converted' WHERE concordance_convert('t') IS NOT 1"

    private func session(_ index: Int) throws -> SQLSession {
        if let session = sessions[index] { return session }
        let session = try module.open(path ?? ":memory:")
        // Only then does REPLACE fire the triggers of the rows that it deletes.
        _ = session.run("PRAGMA recursive_triggers = 1; PRAGMA synchronous = OFF")
        sessions[index] = session
        return session
    }

    func close() {
        for session in sessions { try? session?.close() }
    }
}

import CSQLite
import TestSupport

/// Runs scripts on two modules side by side.
package struct FuzzRun: Sendable {
    package let reference: FullTextModule
    package let module: FullTextModule

    package init(_ module: FullTextModule, against reference: FullTextModule = .fts5) {
        self.module = module
        self.reference = reference
    }

    /// The first step whose results differ; nil where none does.
    package func difference(in script: FuzzScript) throws -> FuzzDifference? {
        let folder = script.isFile ? try TemporaryFolder() : nil
        let left = FuzzSide(reference, path: folder?["reference.db"])
        let right = FuzzSide(module, path: folder?["module.db"])
        defer {
            left.close()
            right.close()
        }
        for (index, step) in script.steps.enumerated() {
            let expected = try left.run(step)
            let actual = try right.run(step)
            // What FTS5 gives from then on is no measure: after crisis merges, and for rows removed and added again within
            // a transaction.
            if expected.code == SQLITE_CORRUPT, actual.isSuccess, !script.mayBeDamaged { return nil }
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
    private var sessions: [SQLSession?] = [nil, nil]

    init(_ module: FullTextModule, path: String?) {
        self.module = module
        self.path = path
    }

    func run(_ step: FuzzStep) throws -> SQLResult {
        switch step.action {
        case .sql(let sql): return try session(step.connection).run(module.translate(sql))
        case .reopen:
            try sessions[step.connection]?.close()
            sessions[step.connection] = nil
            return SQLResult()
        }
    }

    private func session(_ index: Int) throws -> SQLSession {
        if let session = sessions[index] { return session }
        let session = try module.open(path ?? ":memory:")
        // A REPLACE fires the triggers of what it deletes only so.
        _ = session.run("PRAGMA recursive_triggers = 1; PRAGMA synchronous = OFF")
        sessions[index] = session
        return session
    }

    func close() {
        for session in sessions { try? session?.close() }
    }
}

import ConcordanceEngine
import ConcordanceSQLite
import TestSupport

/// Rows of a table's index that are changed by hand: every call must give an error or the right answer, and never crash
/// or run forever.
package final class DamageRun {
    private let workload: Workload
    private let file: WorkloadFile
    private let model: TableModel
    private let steps: Int
    /// Whether checksums are computed again, as a forger would: answers may then be wrong.
    private let isForged: Bool
    /// How many calls have answered, and how many refused.
    package private(set) var answers = 0
    package private(set) var refusals = 0
    /// How many rows were damaged of each stream; -1 stands for the manifest.
    package private(set) var kinds: [Int64: Int] = [:]

    package init(_ workload: Workload, isForged: Bool, folder: String, steps: Int) throws {
        self.workload = workload
        self.isForged = isForged
        self.steps = steps
        file = try WorkloadFile(workload, in: folder, journal: "delete", steps: steps)
        model = workload.model(after: steps)
    }

    /// Damages a copy, and makes every call.
    package func run(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let path = try file.copy()
        var db = try workload.open(path)
        var damage: [String] = []
        for _ in 0..<[1, 1, 1, 2, 5].randomElement(using: &random)! {
            let (kind, change) = try BlockDamage.random(db, isForged: isForged, &random)
            kinds[kind, default: 0] += 1
            damage.append(change)
        }
        // No cache may help.
        try db.close()
        db = try workload.open(path)
        do {
            try read(db)
            try write(db, &random)
            try mend(db)
            try db.close()
        } catch let problem as Problem {
            throw Problem(
                "\(workload), forged: \(isForged), seed \(seed), after \(damage.joined(separator: "; ")): \(problem)")
        }
    }

    private func read(_ db: Database) throws {
        let check = try TableCheck(workload, model)
        for query in TableCheck.queries(detail: workload.detail, number: steps) {
            try call(query) {
                guard let problem = try check.problem(db, query: query), mustBeRight else { return }
                throw Problem("\(query): \(problem)")
            }
        }
        if workload.hasValues {
            try call("stored values") {
                guard let problem = try check.valueProblem(db), mustBeRight else { return }
                throw Problem(problem)
            }
        }
        let others = [
            "SELECT rowid, a, b FROM t", "SELECT rowid FROM t ORDER BY rowid DESC", "SELECT count(*) FROM t",
            "SELECT a FROM t WHERE rowid = 5", "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH 'w0 OR w1'",
            "SELECT snippet(t, -1, '[', ']', '…', 5) FROM t WHERE t MATCH 'w1*' ORDER BY rank",
            "SELECT bm25(t, 2, 5) FROM t WHERE t MATCH 'w1 w2'",
            // FTS5 has no typos; an error of either is no problem.
            "SELECT rowid FROM t WHERE t MATCH 'w12~1 OR w1~2*' ORDER BY rank LIMIT 10",
            "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH 'w12~2'",
            "SELECT * FROM terms", "SELECT * FROM columns", "SELECT * FROM instances LIMIT 5000",
        ]
        for (name, kind) in [("terms", "row"), ("columns", "col"), ("instances", "instance")] {
            let vocabulary = workload.module == "fts5" ? "fts5vocab" : "concordancevocab"
            try call("vocabulary") {
                try db.execute(sql: "CREATE VIRTUAL TABLE temp.\(name) USING \(vocabulary)(main, t, \(kind))")
            }
        }
        for sql in others + (workload.hasValues ? TableCheck.valueQueries : []) {
            try call(sql) { try db.cachedStatement(sql: sql).forEachRow { _ in } }
        }
        try call("integrity-check") { try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')") }
    }

    private func write(_ db: Database, _ random: inout SeededGenerator) throws {
        for number in steps + 1...steps + 4 {
            try call("transaction \(number)") { try workload.perform(number, in: db) }
            if db.isInsideTransaction { try call("rollback") { try db.execute(sql: "ROLLBACK") } }
        }
        try call("deletes") {
            try db.execute(sql: "DELETE FROM \(workload.writtenTable) WHERE \(workload.keyColumn) % 3 = 0")
        }
        for command in ["'merge', 100", "'merge', -50", "'optimize', NULL"] {
            try call(command) { try db.execute(sql: "INSERT INTO t(t, rank) VALUES (\(command))") }
        }
    }

    /// The texts are whole, so that the index can be rebuilt from them, or else dropped.
    private func mend(_ db: Database) throws {
        guard workload.module != "fts5" else { return }
        do {
            try db.execute(sql: "INSERT INTO t(t) VALUES ('rebuild'); INSERT INTO t(t) VALUES ('integrity-check')")
            _ = try Int64.fetchAll(db, sql: "SELECT rowid FROM t WHERE t MATCH 'w0' ORDER BY rank LIMIT 5")
            try db.execute(sql: "DROP TABLE t")
        } catch let error as DatabaseError {
            throw Problem("rebuild does not mend it: \(error)")
        }
    }

    /// Whether an answer must be right: FTS5 has no checksums.
    private var mustBeRight: Bool { workload.module != "fts5" && !isForged }

    private func call(_ name: String, _ body: () throws -> Void) throws {
        do {
            try body()
            answers += 1
        } catch let error as DatabaseError {
            refusals += 1
            let known: [ResultCode] = [.SQLITE_CORRUPT]
            guard workload.module != "fts5", !known.contains(error.resultCode) else { return }
            // A vocabulary table that could not be made because of damage.
            if error.message?.hasPrefix("no such table: ") == true { return }
            throw Problem("\(name) threw \(error)")
        }
    }
}

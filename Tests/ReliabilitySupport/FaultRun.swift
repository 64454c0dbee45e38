import CFaultySQLite
import ConcordanceSQLite
import TestSupport

/// Transactions in each of which, again and again, one later operation fails: an operation on a file, or an allocation
/// of SQLite's. Each must give an error or succeed, and the table must then be as before or after the transaction, in
/// the connection that met the fault and in the next one.
package struct FaultRun {
    package enum Fault: Sendable {
        case memory(manner: Int)
        /// Of the operations in `CFaultySQLite.h`.
        case files(operations: Int, manner: Int)

        func arm(_ number: Int) {
            switch self {
            case .memory(let manner): faulty_memory_arm(Int64(number), Int32(manner))
            case .files(let operations, let manner):
                faulty_files_arm(Int32(operations), Int64(number), Int32(manner))
            }
        }

        /// Returns how many operations have failed.
        func disarm() -> Int {
            switch self {
            case .memory: Int(faulty_memory_disarm())
            case .files: Int(faulty_files_disarm())
            }
        }
    }

    private let workload: Workload
    private let fault: Fault
    private let file: WorkloadFile
    private var step: Int
    private var model: TableModel
    /// The errors met, by code.
    package private(set) var errors: [Int32: Int] = [:]
    package private(set) var faultCount = 0

    package init(_ workload: Workload, fault: Fault, journal: String, folder: String, steps: Int) throws {
        self.workload = workload
        self.fault = fault
        file = try WorkloadFile(workload, in: folder, journal: journal, steps: steps)
        step = steps
        model = workload.model(after: steps)
    }

    /// Lets `count` operations fail; on average every `stride`-th of a transaction.
    ///
    /// - Parameter progress: Called before each transaction on a copy.
    /// - Throws: `Problem` with what repeats it.
    package mutating func run(count: Int, stride: Int, progress: (String) -> Void) throws {
        var random = SeededGenerator(seed: workload.seed)
        while faultCount < count {
            var number = Int.random(in: 1...stride, using: &random)
            progress("operation \(number) of transaction \(step + 1)")
            while try failing(number), faultCount < count {
                number += Int.random(in: 1..<2 * stride, using: &random)
                progress("operation \(number) of transaction \(step + 1)")
            }
            step += 1
            try file.advance(to: step)
            model.apply(workload, step)
        }
    }

    /// Does the next transaction on a copy, with one operation failing; returns whether there were that many
    /// operations.
    private mutating func failing(_ number: Int) throws -> Bool {
        let path = try file.copy()
        var isDone = false
        var db: Database?
        fault.arm(number)
        do {
            let connection = try workload.open(path, vfs: "faulty")
            db = connection
            try workload.perform(step + 1, in: connection)
            isDone = true
            for query in TableCheck.queries(detail: workload.detail, number: step) {
                let sql = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 5"
                _ = try Int64.fetchAll(connection, sql: sql, arguments: [query])
            }
            for sql in workload.hasValues ? TableCheck.valueQueries : [] {
                try connection.cachedStatement(sql: sql).forEachRow { _ in }
            }
        } catch let error as DatabaseError {
            errors[error.extendedResultCode.rawValue, default: 0] += 1
            if error.resultCode == .SQLITE_CORRUPT { try report(number, "takes the fault for damage: \(error)") }
        }
        let failures = fault.disarm()
        if failures > 0 { faultCount += 1 }
        if let db {
            // FTS5 of SQLite 3.40 may return scores of 0 in a connection in which a write has failed, until it is
            // opened again.
            if workload.module != "fts5" { try check(db, number, isDone: isDone, "in the same connection") }
            try db.close()
        }
        let next = try workload.open(path)
        try check(next, number, isDone: isDone, "in the next connection")
        try next.close()
        return failures > 0
    }

    private func check(_ db: Database, _ number: Int, isDone: Bool, _ place: String) throws {
        do {
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
            var progress = try workload.progress(db)
            guard progress == step + 1 || (progress == step && !isDone) else {
                return try report(number, "\(place): \(progress) transactions are committed, done: \(isDone)")
            }
            var model = model
            if progress == step + 1 { model.apply(workload, step + 1) }
            if let problem = try TableCheck(workload, model).problem(db, number: step) {
                return try report(number, "\(place), before the transaction is done again: \(problem)")
            }
            guard progress == step else { return }
            try workload.perform(step + 1, in: db)
            model.apply(workload, step + 1)
            progress += 1
            if let problem = try TableCheck(workload, model).problem(db, number: step) {
                try report(number, "\(place), when the transaction is done again: \(problem)")
            }
        } catch let error as DatabaseError {
            try report(number, "\(place): \(error)")
        }
    }

    private func report(_ number: Int, _ problem: String) throws {
        throw Problem(
            """
            \(workload) in \(file.journal) mode, \(fault), operation \(number) of transaction \(step + 1): \(problem)
            """)
    }
}

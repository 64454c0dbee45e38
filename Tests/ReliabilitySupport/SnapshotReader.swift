import ConcordanceSQLite

/// Reads a table that another process writes to: every transaction must see one state, and see it to its end.
package struct SnapshotReader {
    private let workload: Workload
    private var model = TableModel()
    private var modelStep = 0
    package private(set) var snapshotCount = 0
    package private(set) var changeCount = 0

    package init(_ workload: Workload) { self.workload = workload }

    /// Reads until it has seen this many states of the writer.
    package mutating func run(_ path: String, changes: Int) throws {
        let db = try workload.open(path)
        while changeCount < changes {
            try db.execute(sql: "BEGIN")
            let step = try workload.progress(db)
            if step < modelStep { throw Problem("\(workload): transaction \(step) after \(modelStep)") }
            if step > modelStep { changeCount += 1 }
            for number in modelStep..<step { model.apply(workload, number + 1) }
            modelStep = step
            let check = try TableCheck(workload, model)
            for round in 0..<2 {
                guard let problem = try check.problem(db, whole: false, number: step) else { continue }
                throw Problem("\(workload), transaction \(step), reading for the \(round + 1). time: \(problem)")
            }
            if try workload.progress(db) != step { throw Problem("\(workload): the snapshot has moved on") }
            try db.execute(sql: "COMMIT")
            snapshotCount += 1
        }
        try db.close()
    }
}

import ConcordanceSQLite
import Foundation

/// A database of a workload in a folder; the tests work on copies of it.
struct WorkloadFile {
    let workload: Workload
    let path: String
    let journal: String

    /// Creates it with the first `steps` transactions, without any fault.
    init(_ workload: Workload, in folder: String, journal: String, steps: Int) throws {
        self.workload = workload
        self.journal = journal
        path = folder + "/template.db"
        Self.remove(path)
        let db = try workload.open(path)
        try workload.create(in: db)
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(journal)")
        for number in 0..<steps { try workload.perform(number + 1, in: db) }
        try db.close()
    }

    /// Does one more transaction.
    func advance(to step: Int) throws {
        let db = try workload.open(path)
        try workload.perform(step, in: db)
        try db.close()
    }

    /// A copy, at the path that all copies have.
    func copy() throws -> String {
        let copy = path + ".copy"
        Self.remove(copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}

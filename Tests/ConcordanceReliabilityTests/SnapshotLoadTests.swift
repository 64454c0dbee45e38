import ConcordanceSQLite
import Foundation
import ReliabilitySupport
import TestSupport
import Testing

@Suite("Readers in other processes")
struct SnapshotLoadTests {
    @Test(arguments: Modules.all, 0..<2)
    func `see one state for a whole transaction while a writer merges`(_ module: String, _ seed: Int) throws {
        let workload = Workload(module: module, seed: UInt64(Effort.firstSeed + seed))
        let folder = try TemporaryFolder()
        let db = try workload.open(folder["db"])
        try workload.create(in: db)
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = wal")
        let children = try (0..<2).compactMap { _ in
            try Child(
                "read",
                [
                    "module": module, "seed": workload.seed, "path": folder["db"],
                    "changes": Effort.count("CONCORDANCE_SNAPSHOTS", 12, module: module),
                ])
        }
        var count = 0
        while children.contains(where: \.isRunning) {
            count += 1
            try workload.perform(count, in: db)
            // The readers need not catch up with thousands of transactions.
            if count % 8 == 0 { usleep(2_000) }
        }
        for child in children {
            let (last, failure) = child.finish()
            #expect(failure == nil)
            print("\(workload): \(last) of \(count) transactions")
        }
        let problem = try TableCheck(workload, workload.model(after: count)).problem(db, number: count)
        #expect(problem == nil)
    }
}

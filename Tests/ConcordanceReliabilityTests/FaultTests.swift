import CFaultySQLite
import ReliabilitySupport
import TestSupport
import Testing

@Suite("Files and memory that fail")
struct FaultTests {
    struct Variant: CustomTestStringConvertible, Sendable {
        let name: String
        let module: String
        let journal: String
        /// 0 for allocations.
        let operations: Int
        let manner: Int
        var testDescription: String { "\(module), \(name), \(journal)" }
    }

    static let variants = Modules.all.flatMap { module in
        ["wal", "delete"].flatMap { journal in
            let changes = FAULTY_WRITE | FAULTY_SYNC | FAULTY_TRUNCATE | FAULTY_DELETE
            let kinds: [(String, Int, Int)] = [
                ("an allocation", 0, FAULTY_ONCE), ("all allocations", 0, FAULTY_ALWAYS),
                ("a read", FAULTY_READ, FAULTY_ONCE), ("all reads", FAULTY_READ, FAULTY_ALWAYS),
                ("a write", changes, FAULTY_ONCE), ("half a write", FAULTY_WRITE, FAULTY_TORN),
                ("all writes, as on a full disk", changes, FAULTY_ALWAYS),
                (
                    "opening, size, locks, shared memory",
                    FAULTY_OPEN | FAULTY_SIZE | FAULTY_LOCK | FAULTY_SHARED_MEMORY, FAULTY_ONCE
                ),
                ("everything", 0x1FF, FAULTY_ALWAYS),
            ]
            // In FTS5 of SQLite 3.40, 'integrity-check' fails in a connection that was out of memory and has rolled back.
            return kinds.filter { module != "fts5" || $0.1 != 0 }.map {
                Variant(name: $0.0, module: module, journal: journal, operations: $0.1, manner: $0.2)
            }
        }
    }

    @Test(arguments: variants)
    func `give errors, and the table is as before or after the transaction`(_ variant: Variant) throws {
        let count = Effort.count("CONCORDANCE_FAULTS", 6, module: variant.module)
        for seed in 0..<max(1, count / 50) {
            let folder = try TemporaryFolder()
            let child = try Child(
                "faults",
                [
                    "module": variant.module, "seed": Effort.firstSeed + seed, "folder": folder.path,
                    "journal": variant.journal, "operations": variant.operations, "manner": variant.manner,
                    "steps": 25, "count": min(count, 50), "stride": variant.operations == 0 ? 500 : 12,
                ])
            guard let child else { return }
            let (last, failure) = child.finish()
            #expect(failure == nil)
            print("\(variant.testDescription): \(last)")
        }
    }
}

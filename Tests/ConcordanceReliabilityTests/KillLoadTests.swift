import ConcordanceSQLite
import Foundation
import ReliabilitySupport
import TestSupport
import Testing

@Suite("A process that is killed while it writes", .serialized)
struct KillLoadTests {
    struct Variant: CustomTestStringConvertible, Sendable {
        let module: String
        let journal: String
        var testDescription: String { "\(module), \(journal)" }
    }

    static let variants = Modules.all.flatMap { module in
        ["wal", "delete", "truncate"].map { Variant(module: module, journal: $0) }
    }

    /// At any instant, and in the middle of an operation on a file, which is then half done.
    @Test(arguments: variants)
    func `leaves what it has committed and nothing else`(_ variant: Variant) throws {
        let kills = Effort.count("CONCORDANCE_KILLS", 8, module: variant.module)
        var random = SeededGenerator(seed: UInt64(Effort.firstSeed))
        var (transactions, found) = (0, 0)
        for file in 0..<max(1, kills / 8) {
            let workload = Workload(module: variant.module, seed: UInt64(Effort.firstSeed + file))
            let folder = try TemporaryFolder()
            var model = TableModel()
            var modelStep = 0
            for round in 0..<8 {
                let operation = round % 2 == 0 ? 0 : Int.random(in: 1...400, using: &random)
                let child = try Child(
                    "write",
                    [
                        "module": workload.module, "seed": workload.seed, "path": folder["db"],
                        "journal": variant.journal, "kill": operation,
                    ])
                guard let child else { return }
                var said = -1
                func read(_ line: String) throws {
                    guard let number = Int(line) else { throw Problem("\(workload), round \(round): \(line)") }
                    said = number
                }
                if operation == 0 {
                    for _ in 0...Int.random(in: 0...12, using: &random) { try child.nextLine().map(read) }
                    usleep(UInt32.random(in: 0...3_000, using: &random))
                    for line in child.kill() { try read(line) }
                } else {
                    while let line = child.nextLine() { try read(line) }
                }
                #expect(child.signal == SIGKILL, "\(workload), round \(round), after transaction \(said)")
                let db = try workload.open(folder["db"])
                guard try db.tableExists("progress") else {
                    #expect(said == -1, "\(workload), round \(round)")
                    continue
                }
                let step = try workload.progress(db)
                #expect(step == max(said, 0) || step == said + 1, "\(workload), round \(round): \(step), said \(said)")
                for number in modelStep..<max(step, modelStep) { model.apply(workload, number + 1) }
                (modelStep, transactions, found) = (step, transactions + step - modelStep, found + 1)
                let problem = try TableCheck(workload, model).problem(db, number: step)
                #expect(problem == nil, "\(workload) in \(variant.journal) mode, round \(round), transaction \(step)")
                if problem != nil { return }
            }
        }
        print("\(variant.testDescription): \(found) kills, \(transactions) transactions")
    }
}

/// The modules that the tests of reliability run on: FTS5 shows that they test what they say.
enum Modules {
    static let all = ["fts5", "concordance"]
}

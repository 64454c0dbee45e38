import BenchmarkSupport
import Concordance
import Foundation

/// Commits of one row each, in WAL mode with synchronous = NORMAL; the texts are stored.
struct Commits {
    private static let commitCount = 4000

    let databases: Databases
    let documents: Documents

    func run() throws {
        var rows = [
            ["rows before", "module", "median", "p95", "p99", "p99.9", "worst", "median, p99 and p99.9 no slower"]
        ]
        for count in [0, documents.count] {
            let times = try self.times(startingWith: count)
            let isMet = [0.5, 0.99, 0.999].allSatisfy { quantile($0, of: times[1]) <= quantile($0, of: times[0]) }
            for (module, times) in zip(Module.allCases, times) {
                rows.append(
                    ["\(count)", module.rawValue]
                        + [0.5, 0.95, 0.99, 0.999, 1].map { duration(quantile($0, of: times)) }
                        + [module == .fts5 ? "" : isMet ? "met" : "MISSED"])
            }
        }
        print("\n## \(Self.commitCount) commits of one row, the modules in turn\n\n" + markdown(rows))
    }

    /// Commits of the engine alone, in a copy of an index without texts.
    func run(in large: Documents) throws {
        let path = try databases.newPath("commits-large")
        try FileManager.default.copyItem(atPath: databases.index(.concordance, large), toPath: path)
        // Or the first checkpoint would wait until the whole copy is on the disk.
        sync()
        let db = try Module.concordance.open(path)
        let insert = try db.makeStatement(sql: "INSERT INTO t(title, body) VALUES (?, ?)")
        let clock = ContinuousClock()
        var times: [Double] = []
        for number in 0..<Self.commitCount {
            let text = documents[number * 37 % documents.count]
            times.append(try clock.measure { try insert.execute(arguments: [text.title, text.body]) }.seconds)
        }
        let row = ["\(large.count)"] + [0.5, 0.95, 0.99, 0.999, 1].map { duration(quantile($0, of: times)) }
        print(
            "\n## \(Self.commitCount) commits of one row, the engine, without the texts\n\n"
                + markdown([["rows before", "median", "p95", "p99", "p99.9", "worst"], row]))
    }

    private func times(startingWith count: Int) throws -> [[Double]] {
        let clock = ContinuousClock()
        let open = try Module.allCases.map { module in
            let db = try module.open(databases.newPath("commits-\(module.rawValue)"))
            try Databases.createTable(module, storesTexts: true, db)
            if count > 0 { try Databases.fill(db, documents) }
            return (db, try db.makeStatement(sql: "INSERT INTO t(title, body) VALUES (?, ?)"))
        }
        var times = open.map { _ in [Double]() }
        for number in 0..<Self.commitCount {
            let text = documents[number * 37 % documents.count]
            for turn in open.indices {
                let index = (turn + number) % open.count
                let insert = open[index].1
                let time = try clock.measure { try insert.execute(arguments: [text.title, text.body]) }
                times[index].append(time.seconds)
            }
        }
        return times
    }
}

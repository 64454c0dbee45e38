import BenchmarkSupport
import Concordance

/// How fast an index is built, and how large it is.
struct Building {
    let databases: Databases
    let documents: Documents

    private struct Result {
        var seconds: [Double] = []
        var byteCount = 0
        var fileByteCount = 0
        var optimizedByteCount = 0
    }

    func run() throws {
        var rows = [
            [
                "index", "FTS5 documents/s", "engine documents/s", "ratio", "target", "", "FTS5 MB", "engine MB",
                "FTS5 file MB", "engine file MB", "FTS5 MB optimized", "engine MB optimized",
            ]
        ]
        var sizes: [[Int]] = []
        for prefix in [false, true] {
            var results = Module.allCases.map { _ in Result() }
            for round in 0..<3 {
                for turn in Module.allCases.indices {
                    let index = (turn + round) % Module.allCases.count
                    try build(Module.allCases[index], prefix: prefix, isLast: round == 2, &results[index])
                }
            }
            let rates = results.map { Double(documents.count) / median($0.seconds) }
            let ratio = rates[1] / rates[0]
            sizes.append(results.map(\.byteCount))
            func megabytes(_ count: Int) -> String { short(Double(count) / 1e6) }
            rows.append([
                prefix ? "prefix = '1 2 3'" : "plain", short(rates[0]), short(rates[1]), short(ratio),
                prefix ? "" : ">= 1.3 x", prefix ? "" : ratio >= 1.3 ? "met" : "MISSED",
                megabytes(results[0].byteCount), megabytes(results[1].byteCount), megabytes(results[0].fileByteCount),
                megabytes(results[1].fileByteCount), megabytes(results[0].optimizedByteCount),
                megabytes(results[1].optimizedByteCount),
            ])
        }
        print("\n## Building in one transaction, without the texts\n\n" + markdown(rows))
        let growth = sizes.map { Double($0[1]) }
        report(
            "plain index no larger than FTS5's",
            "\(short(growth[0] / Double(sizes[0][0]))) of it: \(sizes[0][1] <= sizes[0][0] ? "met" : "MISSED")")
        report(
            "engine with prefix indexes at most 1.6 times plain",
            "\(short(growth[1] / growth[0])) times (FTS5: \(short(Double(sizes[1][0]) / Double(sizes[0][0])))): "
                + (growth[1] <= 1.6 * growth[0] ? "met" : "MISSED"))
    }

    private func build(_ module: Module, prefix: Bool, isLast: Bool, _ result: inout Result) throws {
        let db = try module.open(databases.newPath("build-\(module.rawValue)"))
        try Databases.createTable(module, prefix: prefix, db)
        result.seconds.append(try ContinuousClock().measure { try Databases.fill(db, documents) }.seconds)
        guard isLast else { return }
        result.byteCount = try byteCount(db)
        result.fileByteCount = try byteCount(db, includingFree: true)
        try db.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
        result.optimizedByteCount = try byteCount(db)
    }
}

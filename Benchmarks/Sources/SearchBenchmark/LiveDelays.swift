import BenchmarkSupport
import Concordance

/// How long after a commit the page that shows it arrives.
struct LiveDelays {
    let pool: DatabasePool
    let path: String
    private static let rounds = 21

    func run() async throws {
        print("\n## From a commit to the page that shows it, \(Self.rounds) commits\n")
        try await measure("commits of the same pool", by: pool)
        try await measure(
            "commits of another connection, which are looked for every 100 ms", by: DatabasePool(path: path))
    }

    private func measure(_ name: String, by writer: DatabasePool) async throws {
        var pages = pool.results(of: documentTexts.query("zyzzyva")).makeAsyncIterator()
        _ = try await pages.next()
        var delays: [Double] = []
        let clock = ContinuousClock()
        for round in 0..<Self.rounds {
            // Out of step with the timer that looks for other processes' commits.
            try await Task.sleep(for: .milliseconds(50 + round * 7))
            try await writer.write { db in
                try db.execute(
                    """
                    INSERT INTO documents VALUES ((SELECT max(id) + 1 FROM documents), 'zyzzyva', 'a weevil', '', 0, 0)
                    """)
            }
            let start = clock.now
            _ = try await pages.next()
            delays.append((clock.now - start).seconds)
        }
        report(name, "median \(duration(median(delays))), longest \(duration(delays.max() ?? 0))")
    }
}

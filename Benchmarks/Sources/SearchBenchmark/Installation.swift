import BenchmarkSupport
import Concordance
import ConcordanceSearch
import Foundation

/// How fast an index is built, and how much it delays others.
struct Installation {
    let databases: Databases

    private var rowCount: Int { databases.documents.count }

    /// The rate of SQLite's own statement, and of `install` when nobody else writes.
    func rates() throws -> (triggers: DatabasePool, index: DatabasePool, kept: DatabasePool) {
        print("\n## Build an index of \(rowCount) rows, one run each\n")
        let triggers = try databases.copy("triggers")
        try triggers.write { try Databases.createTable($0) }
        let filling = try time { try triggers.write { try $0.execute(sql: Databases.fillSQL) } }
        try triggers.write { try Databases.createTriggers($0) }
        reportRate("INSERT INTO fts SELECT, one transaction", filling)
        let index = try databases.copy("index")
        reportRate("install, in short transactions", try time { try index.install(documentTexts) })
        reportRate("verify", try time { _ = try index.verify(documentTexts) })
        let kept = try databases.copy("kept")
        reportRate("install with texts kept", try time { try kept.install(keptTexts) })
        for (name, pool) in [("triggers by hand", triggers), ("index", index), ("index with texts kept", kept)] {
            try report("size of the file, \(name)", size(pool))
        }
        return (triggers, index, kept)
    }

    /// How long a program waits that writes a row every few milliseconds meanwhile.
    func waits() async throws {
        print("\n## Write meanwhile, wanted under 40 ms\n")
        let pool = try databases.copy("busy")
        try await observe("install, writer in the same pool", pool, writer: pool) {
            try pool.install(documentTexts)
        }
        let other = try DatabasePool(path: databases.folder.path("busy"))
        SearchSupport.enable(on: other)
        var swap = Duration.zero
        try await observe("change the analyzer, writer on another connection", pool, writer: other) {
            var last = ContinuousClock.now
            try pool.install(changedTexts) { _ in
                swap = ContinuousClock.now - last
                last = ContinuousClock.now
            }
        }
        report("the swap, with the pause before it", duration(swap.seconds))
        try await observe("verify, writer on another connection", pool, writer: other) {
            _ = try pool.verify(changedTexts)
        }
    }

    private func observe(
        _ name: String, _ pool: DatabasePool, writer: DatabasePool, _ work: () throws -> Void
    ) async throws {
        let writing = Task.detached { try commitUntilCancelled(writer) }
        let seconds = try time(work)
        writing.cancel()
        let waits = try await writing.value.sorted()
        reportRate(name, seconds)
        guard let longest = waits.last else { return }
        report(
            "waits of \(waits.count) writers",
            "longest \(duration(longest)), 99 % up to \(duration(waits[waits.count * 99 / 100])), "
                + "median \(duration(median(waits))): \(longest < 0.04 ? "met" : "not met")")
    }

    /// The pages of the file, and how many of them are in use.
    private func size(_ pool: DatabasePool) throws -> String {
        try pool.read { db in
            let sizes = try ["page_size", "page_count", "freelist_count"]
                .map { try Double(Int.fetchOne(db, sql: "PRAGMA \($0)") ?? 0) }
            let megabytes = [sizes[1], sizes[1] - sizes[2]].map { short($0 * sizes[0] / 1e6) }
            return "\(megabytes[0]) MB, \(megabytes[1]) MB in use"
        }
    }

    private func time(_ work: () throws -> Void) throws -> Double { try ContinuousClock().measure(work).seconds }

    private func reportRate(_ name: String, _ seconds: Double) {
        report(name, "\(duration(seconds)), \(short(Double(rowCount) / seconds)) rows/s")
    }
}

/// Commits a row every few milliseconds. Returns how long each commit took, including the wait for it, in seconds.
func commitUntilCancelled(_ pool: DatabasePool) throws -> [Double] {
    var waits: [Double] = []
    let clock = ContinuousClock()
    while !Task.isCancelled {
        let id = waits.count % 1000 + 1
        let wait = try clock.measure {
            try pool.write { db in
                try db.cachedStatement(sql: "UPDATE documents SET views = views + 1 WHERE id = ?")
                    .execute(arguments: [id])
            }
        }
        waits.append(wait.seconds)
        Thread.sleep(forTimeInterval: 0.003)
    }
    return waits
}

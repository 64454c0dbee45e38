import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("Live values of a database that is written to all the time")
struct LiveLoadTests {
    @Test func `ten thousand commits make few fetches, and the last one is seen`() async throws {
        let database = try LiveDatabase(.memory)
        let fetches = Counter()
        let values = database.sums(fetches)
        let start = ContinuousClock.now
        let writing = Task {
            for _ in 0..<10_000 {
                try database.writer.write { try $0.execute(sql: "INSERT INTO t (n) VALUES (1)") }
            }
        }
        for try await value in values where value == 10_000 { break }
        try await writing.value
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        #expect(Double(fetches.value) <= milliseconds / 20 + 2, "\(fetches.value) fetches in \(milliseconds) ms")
    }

    @Test(arguments: LiveDatabase.Kind.allCases.filter(\.isShared), [1, 2] as [UInt64])
    func `the last value after random writes by two writers is the state`(
        kind: LiveDatabase.Kind, seed: UInt64
    ) async throws {
        let database = try LiveDatabase(kind)
        let (yielded, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let reading = Task {
            for try await sum in database.sums() { continuation.yield(sum) }
            continuation.finish()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, writer) in [database.writer, try database.another()].enumerated() {
                group.addTask {
                    var random = SeededGenerator(seed: seed &* 2 &+ UInt64(number))
                    for _ in 0..<100 {
                        let sql = Self.randomChange(&random)
                        try await writer.write { try $0.execute(sql: sql) }
                    }
                }
            }
            try await group.waitForAll()
        }
        // Never the sum of earlier writes.
        try await database.writer.write { try $0.execute(sql: "INSERT INTO w VALUES ('last', 1000000)") }
        let state = try await database.writer.read { try LiveDatabase.sum($0) }
        for await sum in yielded where sum == state { break }
        reading.cancel()
        _ = try await reading.value
    }

    private static func randomChange(_ random: inout SeededGenerator) -> String {
        let n = Int.random(in: 0..<50, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "DELETE FROM t"
        case 1: return "DELETE FROM w WHERE k = '\(n)'"
        case 2: return "INSERT OR REPLACE INTO w VALUES ('\(n)', \(n))"
        case 3: return "UPDATE t SET n = n + 1"
        case 4: return "INSERT INTO other VALUES (1)"
        default: return "INSERT OR REPLACE INTO t VALUES (\(n), \(n), \(n % 7))"
        }
    }
}

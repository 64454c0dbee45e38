import Foundation
import TestSupport
import Testing

@testable import ConcordanceSQLite

@Suite("Thousands of tasks")
struct ConcurrencyLoadTests {
    private let file: TemporaryDatabase

    init() throws { file = try TemporaryDatabase() }

    /// What became of the writes that a test asked for.
    private enum Outcome {
        case written, cancelled, refused
    }

    @Test("some of them cancelled at any moment, write all or nothing", arguments: [true, false], [UInt64](0..<2))
    func cancellation(isPool: Bool, seed: UInt64) async throws {
        let writer: any DatabaseWriter =
            isPool ? try DatabasePool(path: file.path) : try DatabaseQueue(path: file.path)
        try await writer.write { try $0.execute(sql: "CREATE TABLE t(n INTEGER, half INTEGER)") }
        var random = SeededGenerator(seed: seed)
        var written: Set<Int> = []
        var cancelled: Set<Int> = []
        for batch in 0..<8 {
            var tasks: [(number: Int, task: Task<Void, any Error>)] = []
            for place in 0..<150 {
                let number = batch * 150 + place
                if Int.random(in: 0..<3, using: &random) == 0 {
                    tasks.append(
                        (
                            -1,
                            Task {
                                let counts = try await writer.read {
                                    try Row.fetchAll($0, sql: "SELECT count(*) AS c FROM t GROUP BY n HAVING c <> 2")
                                }
                                #expect(counts.isEmpty)
                            }
                        ))
                } else {
                    tasks.append(
                        (
                            number,
                            Task {
                                try await writer.write { db in
                                    for half in [1, 2] {
                                        try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [number, half])
                                    }
                                }
                            }
                        ))
                }
            }
            for (_, task) in tasks.shuffled(using: &random).prefix(60) {
                task.cancel()
                if Bool.random(using: &random) { await Task.yield() }
            }
            for (number, task) in tasks {
                do {
                    try await task.value
                    written.insert(number)
                } catch is CancellationError {
                    cancelled.insert(number)
                }
            }
        }
        written.remove(-1)
        let found = try await writer.read { db in
            #expect(!db.isAtRest)
            return try Int.fetchSet(db, sql: "SELECT n FROM t")
        }
        #expect(found == written)
        #expect(found.isDisjoint(with: cancelled))
        try writer.close()
    }

    @Test("and a database that is closed beneath them get a result or an error each", arguments: [true, false])
    func closing(isPool: Bool) async throws {
        let writer: any DatabaseWriter =
            isPool ? try DatabasePool(path: file.path) : try DatabaseQueue(path: file.path)
        try await writer.write { try $0.execute(sql: "CREATE TABLE t(n)") }
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for number in 0..<400 {
                group.addTask {
                    do {
                        if number == 200 {
                            try writer.close()
                        } else if number.isMultiple(of: 2) {
                            try await writer.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
                            return .written
                        } else {
                            _ = try await writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
                        }
                        return .cancelled
                    } catch {
                        #expect((error as? DatabaseError)?.resultCode == .SQLITE_MISUSE, "\(error)")
                        return .refused
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 400)
        try writer.close()
        let again = try DatabaseQueue(path: file.path)
        let count = try await again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
        #expect(count == outcomes.filter { $0 == .written }.count)
    }
}

import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import Foundation
import TestSupport
import Testing

private final class Marker: FTS5WrapperTokenizer {
    static let name = "marker"
    let wrappedTokenizer: FTS5Tokenizer

    init(db: Database, arguments: [String]) throws { wrappedTokenizer = try db.makeTokenizer(.unicode61()) }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws { try tokenCallback("m" + token, flags) }
}

@Suite struct `Tokenizers of queues and pools` {
    private func withPath(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder["db.sqlite"])
    }

    private func fill(_ db: Database) throws {
        try db.create(virtualTable: "documents", using: FTS5()) { t in
            t.tokenizer = Marker.tokenizerDescriptor()
            t.column("content")
        }
        for number in 0..<100 {
            try db.execute("INSERT INTO documents VALUES (?)", arguments: ["all n\(number) t\(number % 10)"])
        }
    }

    @Test func `work in a queue`() throws {
        let dbQueue = try DatabaseQueue()
        dbQueue.add(tokenizer: Marker.self)
        ConcordanceTokenizers.register(on: dbQueue)
        dbQueue.add(auxiliaryFunction: FTS5AuxiliaryFunction("first") { context, _ in try context.instance(0).offset })
        try dbQueue.inDatabase { db in
            try fill(db)
            #expect(try Int.fetchOne(db, sql: "SELECT first(documents) FROM documents WHERE documents MATCH 'n5'") == 1)
            #expect(try db.makeTokenizer(.concordance(Analyzer(components: ["words"]))).tokens(in: "a").count == 1)
        }
    }

    @Test func `are on all connections of a pool, at once`() async throws {
        let folder = try TemporaryFolder()
        let pool = try DatabasePool(path: folder["db.sqlite"])
        // A reader is open before the tokenizer is added.
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
        pool.add(tokenizer: Marker.self)
        try await pool.write { try fill($0) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await pool.read { db in
                        let text = number % 2 == 0 ? "t\(number % 10)" : "ALL n\(number)"
                        let pattern = try db.makeFTS5Pattern(matching: .allTokens, in: text, forTable: "documents")
                        return try Int.fetchAll(
                            db, sql: "SELECT rowid FROM documents WHERE documents MATCH ?", arguments: [pattern]
                        ).count
                    }
                }
                group.addTask {
                    try await pool.write { db in
                        try db.execute("INSERT INTO documents VALUES (?)", arguments: ["later"])
                        return 0
                    }
                }
            }
            for try await count in group { #expect([0, 1, 10].contains(count)) }
        }
        let later = try await pool.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM documents WHERE documents MATCH 'later'")
        }
        #expect(later == 40)
    }
}

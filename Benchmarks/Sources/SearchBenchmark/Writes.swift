import BenchmarkSupport
import Concordance

/// One change and its commit: without an index, with triggers written by hand, and with those of the index.
struct Writes {
    let documents: Documents
    let targets: [(name: String, pool: DatabasePool)]

    func run() throws {
        let count = documents.count
        try compare("Insert a row, commit") { db, number in
            var document = Document(documents[number * 37 % count])
            document.id = 1_000_000 + Int64(number)
            try db.cachedStatement(sql: Databases.insertSQL).execute(arguments: document.arguments)
        }
        try compare("Update a title, commit") { db, number in
            try db.cachedStatement(sql: "UPDATE documents SET title = title || ' renewed' WHERE id = ?")
                .execute(arguments: [documents[number * 61 % count].id])
        }
        try compare("Update a column that is not indexed, commit") { db, number in
            try db.cachedStatement(sql: "UPDATE documents SET views = views + 1 WHERE id = ?")
                .execute(arguments: [documents[number * 83 % count].id])
        }
        try compare("Delete a row, commit") { db, number in
            try db.cachedStatement(sql: "DELETE FROM documents WHERE id = ?")
                .execute(arguments: [1_000_000 + number])
        }
        try compare("Rename a tag that 1,000 rows have, commit", rounds: 5, repetitions: 1) { db, number in
            try db.cachedStatement(sql: "UPDATE tags SET title = ? WHERE id = ?")
                .execute(arguments: ["renamed\(number)", 7])
        }
    }

    /// - Parameter change: Receives the number of the change, from 0.
    private func compare(
        _ title: String, rounds: Int = 15, repetitions: Int = 20, change: @escaping (Database, Int) throws -> Void
    ) throws {
        var comparison = Comparison(title, rounds: rounds, repetitions: repetitions)
        for (name, pool) in targets {
            var number = 0
            comparison.add(name) {
                try pool.write { try change($0, number) }
                number += 1
            }
        }
        try comparison.run()
    }
}

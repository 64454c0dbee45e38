import BenchmarkSupport
import Concordance

/// A table as an app's use leaves it: the documents, then 2,000 commits of one row each, which leave dozens of segments.
struct EditedTable {
    private static let commitCount = 2000

    let data: DocumentationTexts
    let databases: Databases
    let documents: Documents

    func run() throws {
        let open = try Module.allCases.map(edited)
        var rows = [["query", "FTS5 ms", "engine ms", "ratio"]]
        func add(_ name: String, _ times: [Double]) {
            rows.append([name, milliseconds(times[0]), milliseconds(times[1]), short(times[0] / times[1])])
        }
        let newest = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid DESC LIMIT 10"
        for group in QueryClass.all(data) {
            for (name, sql) in [(group.name, QueryClasses.rankSQL), ("\(group.name), newest", newest)] {
                let times = try group.times(open.map { try PreparedQuery($0, sql) })
                add(name, open.indices.map { way in median(times.map { $0[way] }) })
            }
        }
        let words = data.classes.filter { $0.0 == "rare1" || $0.0 == "mid1" }.flatMap { $0.1.map(\.match) }
        for (name, condition) in [("a word of the vocabulary", "= ?"), ("ten words from one on", ">= ? LIMIT 10")] {
            let ways = try open.map { db in
                let statement = try db.makeStatement(sql: "SELECT term, doc FROM v WHERE term \(condition)")
                return { for word in words { try statement.forEachRow(arguments: [word]) { _ in } } }
            }
            add(name, try time(ways).map { $0 / Double(words.count) })
        }
        add(
            "'integrity-check'",
            try time(open.map { db in { try db.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')") } }))
        print(
            "\n## After \(Self.commitCount) commits of one row: the best ten, and the newest ten, of a query; medians\n\n"
                + markdown(rows))
    }

    /// Of ten commits, five insert a row, three update one and two delete one.
    private func edited(_ module: Module) throws -> Database {
        let path = try databases.path(module, documents, "-edited") { db in
            try Databases.createTable(module, prefix: true, storesTexts: true, db)
            try db.execute(sql: "CREATE VIRTUAL TABLE v USING \(module.rawValue)vocab(t, 'row')")
            try Databases.fill(db, documents)
            let insert = try db.makeStatement(sql: "INSERT INTO t(title, body) VALUES (?, ?)")
            let update = try db.makeStatement(sql: "UPDATE t SET body = ? WHERE rowid = ?")
            let delete = try db.makeStatement(sql: "DELETE FROM t WHERE rowid = ?")
            for number in 0..<Self.commitCount {
                let text = documents[number * 37 % documents.count]
                let row = documents[number * 7_919 % documents.count].id
                switch number % 10 {
                case 0, 2, 4, 6, 8: try insert.execute(arguments: [text.title, text.body])
                case 1, 5, 9: try update.execute(arguments: [text.body, row])
                default: try delete.execute(arguments: [row])
                }
            }
        }
        return try databases.open(module, path)
    }
}

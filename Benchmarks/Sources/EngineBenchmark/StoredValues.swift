import BenchmarkSupport
import Concordance

/// Sorting, filtering and counting by stored values, compared with the same over FTS5 with a join.
///
/// Both index a table of texts with a date, one of twenty folders, and a tag that one row in a hundred has. The table has
/// ordinary indexes on these columns.
struct StoredValues {
    private struct Task {
        let name: String
        let target: Double
        let engine: String
        let fts5: String
    }

    private static let join = "FROM t JOIN texts ON texts.id = t.rowid WHERE t MATCH ?"
    private static let tasks = [
        Task(
            name: "the newest 20", target: 100,
            engine: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY date DESC LIMIT 20",
            fts5: "SELECT texts.id \(join) ORDER BY texts.date DESC, texts.id LIMIT 20"),
        Task(
            name: "20 by folder, then rank", target: 1,
            engine: "SELECT rowid FROM t WHERE t MATCH ? ORDER BY folder, rank LIMIT 20",
            fts5: "SELECT texts.id \(join) ORDER BY texts.folder, t.rank LIMIT 20"),
        Task(
            name: "counts of 20 folders", target: 50,
            engine: "SELECT count FROM concordance_facets('t', ?, 'folder')",
            fts5: "SELECT count(*) \(join) GROUP BY texts.folder ORDER BY count(*) DESC, texts.folder"),
        Task(
            name: "the best 20 of 1 %, by tag", target: 20,
            engine: "SELECT rowid FROM t WHERE t MATCH ? AND tag = 'rare' ORDER BY rank LIMIT 20",
            fts5: "SELECT texts.id \(join) AND texts.tag = 'rare' ORDER BY t.rank LIMIT 20"),
        Task(
            name: "the best 20 of 1 %, by date", target: 20,
            engine: "SELECT rowid FROM t WHERE t MATCH ? AND date >= 198000000 ORDER BY rank LIMIT 20",
            fts5: "SELECT texts.id \(join) AND texts.date >= 198000000 ORDER BY t.rank LIMIT 20"),
    ]

    let data: DocumentationTexts
    let databases: Databases
    let documents: Documents

    func run() throws {
        let fts5 = try open(.fts5)
        let engine = try open(.concordance)
        var rows = [["a common word", "FTS5 ms", "engine ms", "times faster", "target", "same rows"]]
        let queries = data.classes.first { $0.name == "common1" }?.queries ?? []
        for task in Self.tasks {
            let ways = try [PreparedQuery(fts5, task.fts5), PreparedQuery(engine, task.engine)]
            let times = try queries.map { query in try time(ways.map { way in { try way.run(query.match) } }) }
            let medians = ways.indices.map { way in median(times.map { $0[way] }) }
            let same = try queries.count { query in
                try Int64.fetchAll(fts5, sql: task.fts5, arguments: [query.match])
                    == Int64.fetchAll(engine, sql: task.engine, arguments: [query.match])
            }
            let ratio = medians[0] / medians[1]
            rows.append([
                task.name, milliseconds(medians[0]), milliseconds(medians[1]), "\(short(ratio)) x",
                "\(short(task.target)) x \(ratio >= task.target ? "met" : "MISSED")", "\(same) of \(queries.count)",
            ])
        }
        print("\n## Stored values beside FTS5 with a join, medians over the queries of a class\n\n" + markdown(rows))
    }

    private func open(_ module: Module) throws -> Database {
        let path = try databases.folder.path("values-\(module.rawValue)-\(documents.count)") { path in
            let db = try module.open(path)
            try fill(db, module)
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
            try db.close()
        }
        let db = try module.open(path)
        try db.execute(sql: "PRAGMA cache_size = -131072")
        return db
    }

    private func fill(_ db: Database, _ module: Module) throws {
        let values = module == .concordance ? ", date VALUE, folder VALUE, tag VALUE" : ""
        try db.execute(
            sql: """
                CREATE TABLE texts(id INTEGER PRIMARY KEY, title, body, date INTEGER, folder TEXT, tag TEXT);
                CREATE INDEX textsByDate ON texts(date);
                CREATE INDEX textsByFolder ON texts(folder);
                CREATE INDEX textsByTag ON texts(tag);
                CREATE VIRTUAL TABLE t USING \(module.rawValue)(
                    title, body\(values), content = 'texts', content_rowid = 'id');
                """)
        var random = SeededRandom(seed: 7)
        try db.inTransaction {
            let insert = try db.makeStatement(sql: "INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?)")
            for index in 0..<documents.count {
                let text = documents[index]
                let tag = random.next(below: 100) == 0 ? "rare" : "common\(random.next(below: 50))"
                try insert.execute(arguments: [
                    text.id, text.title, text.body, random.next(below: 200_000_000), "folder\(random.next(below: 20))",
                    tag,
                ])
            }
            try db.execute(sql: "INSERT INTO t(t) VALUES ('rebuild')")
            return .commit
        }
    }
}

/// Random numbers that are the same in every run (SplitMix64, Steele, Lea and Flood 2014).
private struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below bound: UInt64) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % bound)
    }
}

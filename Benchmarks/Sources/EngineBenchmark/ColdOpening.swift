import BenchmarkSupport
import Concordance

/// The time to open a database and run the first query.
struct ColdOpening {
    private static let target = 1.5

    let data: DocumentationTexts
    let databases: Databases
    let documents: Documents

    func run() throws {
        let paths = try Module.allCases.map { ($0, try databases.index($0, documents)) }
        var rows = [["first query of the class", "FTS5 ms", "engine ms", "engine / FTS5", "target", ""]]
        for (name, queries) in data.classes where !QueryClasses.usesPrefixIndex(name) {
            guard let match = queries.first?.match else { continue }
            let times = try time(
                paths.map { module, path in
                    {
                        let db = try module.open(path)
                        _ = try Int64.fetchAll(db, sql: QueryClasses.rankSQL, arguments: [match])
                        try db.close()
                    }
                })
            let ratio = times[1] / times[0]
            rows.append([
                name, milliseconds(times[0]), milliseconds(times[1]), short(ratio), "<= \(short(Self.target))",
                ratio <= Self.target ? "met" : "MISSED",
            ])
        }
        print(
            "\n## Opening a database, the best ten of a first query (the file is in the system's cache)\n\n"
                + markdown(rows))
    }
}

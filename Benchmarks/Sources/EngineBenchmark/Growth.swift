import BenchmarkSupport
import Concordance

/// What ten times as many documents cost a ranked query of the engine.
struct Growth {
    private static let target = 3.0

    let data: DocumentationTexts
    let databases: Databases
    let small: Documents
    let large: Documents

    func run() throws {
        var rows = [
            ["class", "engine ms, \(small.count)", "engine ms, \(large.count)", "growth", "target", ""]
        ]
        for (name, queries) in data.classes {
            let ways = try [small, large].map { documents in
                try PreparedQuery(
                    databases.open(.concordance, documents, prefix: QueryClasses.usesPrefixIndex(name)),
                    QueryClasses.rankSQL)
            }
            let times = try queries.map { query in try time(ways.map { way in { try way.run(query.match) } }) }
            let medians = ways.indices.map { way in median(times.map { $0[way] }) }
            let growth = medians[1] / medians[0]
            rows.append([
                name, milliseconds(medians[0]), milliseconds(medians[1]), "\(short(growth)) x",
                "< \(short(Self.target)) x", growth < Self.target ? "met" : "MISSED",
            ])
        }
        print("\n## The best ten of a query, among more documents\n\n" + markdown(rows))
        try Commits(databases: databases, documents: small).run(in: large)
    }
}

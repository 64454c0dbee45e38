import BenchmarkSupport
import Concordance

/// What a filter on an indexed column costs a page of 20 hits, as a multiple of the page without it.
struct FilteredPages {
    private static let target = 3.0
    /// How many thousandths of the rows pass.
    private static let parts = [500, 50, 1]

    let database: PageDatabase
    let classes: [(name: String, queries: [DocumentationTexts.Query])]

    func run() throws {
        var rows = [["class", "rows that pass", "no filter, ms", "filtered, ms", "95 %", "ratio", "target", ""]]
        for (name, queries) in classes where ["common1", "or3-5"].contains(name) {
            let times = try queries.map { query in
                let request = query.request
                let requests = [request] + Self.parts.map { part in request.filter { $0.views < part } }
                return try time(requests.map { request in { _ = try database.pool.search(request) } })
            }
            let plain = median(times.map { $0[0] })
            for (index, part) in Self.parts.enumerated() {
                let filtered = times.map { $0[index + 1] }
                let ratio = median(filtered) / plain
                rows.append([
                    name, "\(Double(part) / 10) %", milliseconds(plain), milliseconds(median(filtered)),
                    milliseconds(quantile(0.95, of: filtered)), short(ratio), "<= \(short(Self.target)) x",
                    ratio <= Self.target ? "met" : "MISSED",
                ])
            }
        }
        print("\n## A page of 20 hits, filtered by an indexed column\n\n" + markdown(rows))
    }
}

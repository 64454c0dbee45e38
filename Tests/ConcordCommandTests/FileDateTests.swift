import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Files with other dates and the same contents")
struct FileDateTests {
    /// Not by their date, which many files may have.
    @Test func documentsOfAFileWithAnotherDateAreFoundByTheFile() throws {
        let folder = try TemporaryFolder()
        for number in 0..<20 { try folder.write("docs/\(number).txt", "text \(number)") }
        try index(folder["docs"], into: folder["i.db"])
        for number in 0..<20 {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: folder["docs/\(number).txt"])
        }
        let file = try IndexFile.openOrCreate(path: folder["i.db"], analyzer: nil, rebuild: false)
        var statements: Set<String> = []
        file.database.trace { event in
            let sql = event.expandedSQL
            if sql.hasPrefix("UPDATE parts") || sql.hasPrefix("UPDATE documents") {
                statements.insert(sql)
            }
        }
        let roots = try file.roots().map { (path: $0.path, root: $0) }
        let report = try Indexer(file, extractor: Extractor(), workers: 1).run(
            roots, interruption: Flag(), progress: { _ in })
        file.database.trace(nil)
        #expect(report.unchanged == 20)
        #expect(statements.count == 40)
        for sql in statements {
            let plan = try Row.fetchAll(file.database, sql: "EXPLAIN QUERY PLAN \(sql)").map {
                $0["detail"] as String? ?? ""
            }
            #expect(plan.contains { $0.contains("parts USING INDEX parts_file") }, "\(sql): \(plan)")
        }
        let dates = try Set(Int64.fetchAll(file.database, sql: "SELECT modified FROM parts"))
        #expect(dates == [1_000_000_000])
    }
}

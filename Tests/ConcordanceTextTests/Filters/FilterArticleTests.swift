import ConcordanceText
import Foundation
import Testing

/// A row of the tables in the article Filters: a filter, an analyzer that has it, a text, and what becomes of the text.
struct FilterArticleRow: Sendable, CustomTestStringConvertible {
    let descriptor: String
    let text: String
    let documentTokens: String
    let queryTokens: String

    var testDescription: String { "\(descriptor): \(text)" }

    static let all: [FilterArticleRow] = {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = package.appendingPathComponent("Sources/Concordance/Concordance.docc/Filters.md")
        guard let page = try? String(contentsOf: article, encoding: .utf8) else { return [] }
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, cells[0].hasPrefix("`.") else { return nil }
            return FilterArticleRow(
                descriptor: cells[1].trimmingCharacters(in: ["`"]), text: cells[2], documentTokens: cells[3],
                queryTokens: cells[4] == "the same" ? cells[3] : cells[4])
        }
    }()
}

@Suite("The article Filters says what filters do")
struct FilterArticleTests {
    /// The tokens as the article writes them: those at one place with `/` between.
    private func written(_ tokens: [TokenCopy]) -> String {
        var places: [(position: Int, texts: [String])] = []
        for token in tokens {
            if let last = places.indices.last, places[last].position == token.position {
                places[last].texts.append(token.text)
            } else {
                places.append((token.position, [token.text]))
            }
        }
        return places.map { $0.texts.joined(separator: "/") }.joined(separator: " ")
    }

    @Test(arguments: FilterArticleRow.all)
    func row(_ row: FilterArticleRow) throws {
        let tokenizer = try Analyzer(parsing: row.descriptor).makeTokenizer()
        #expect(written(tokenizer.tokens(in: row.text)) == row.documentTokens)
        #expect(written(tokenizer.tokens(in: row.text, for: .query)) == row.queryTokens)
    }

    @Test func everyFilterHasARow() {
        let shown = Set(FilterArticleRow.all.flatMap { $0.descriptor.split(separator: " ").map(String.init) })
        // Needs a dictionary, which not every machine has.
        let missing = Set(Analyzer.Filter.names).subtracting(shown).subtracting(["japanese_readings"])
        #expect(missing.isEmpty)
    }
}

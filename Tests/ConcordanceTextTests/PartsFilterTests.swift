import ConcordanceText
import Testing

@Suite("Words that punctuation joins come apart")
struct PartsFilterTests {
    @Test(arguments: [
        ("rows.csv", ["rows[0..<4]@0", "rows.csv[0..<8]@0", "csv[5..<8]@1"]),
        ("snake_case_name", ["snake[0..<5]@0", "snake_case_name[0..<15]@0", "case[6..<10]@1", "name[11..<15]@2"]),
        ("__init__", ["init[2..<6]@0", "__init__[2..<8]@0"]),
        (
            "3.14 v1.2",
            ["3[0..<1]@0", "3.14[0..<4]@0", "14[2..<4]@1", "v1[5..<7]@2", "v1.2[5..<9]@2", "2[8..<9]@3"]
        ),
        ("don't", ["don't[0..<5]@0"]), ("Été.Ünï", ["ete[0..<5]@0", "ete.uni[0..<11]@0", "uni[6..<11]@1"]),
        ("plain", ["plain[0..<5]@0"]),
    ])
    func parts(_ text: String, expected: [String]) {
        let tokens = Analyzer(.words(), .parts, .fold).makeTokenizer().tokens(in: text)
        #expect(tokens.map(\.description) == expected)
    }

    @Test func `a query looks for the parts`() {
        let tokens = Analyzer(.words(), .parts, .fold).makeTokenizer().tokens(in: "Super_Bowl_50", for: .query)
        #expect(tokens.map(\.description) == ["super[0..<5]@0", "bowl[6..<10]@1", "50[11..<13]@2"])
    }

    @Test func theDescriptorRebuildsIt() throws {
        let analyzer = Analyzer(.words(), .parts, .fold)
        #expect(analyzer.description == "words parts fold")
        #expect(try Analyzer(parsing: "words parts fold") == analyzer)
    }
}

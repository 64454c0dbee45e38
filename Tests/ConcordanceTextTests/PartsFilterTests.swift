import ConcordanceText
import Testing

@Suite("Words that punctuation joins come apart")
struct PartsFilterTests {
    @Test(arguments: [
        ("rows.csv", ["rows[0..<4]@0", "csv[5..<8]@1"]),
        ("snake_case_name", ["snake[0..<5]@0", "case[6..<10]@1", "name[11..<15]@2"]),
        ("__init__", ["init[2..<6]@0"]), ("3.14 v1.2.x", ["3.14[0..<4]@0", "v1.2[5..<9]@1", "x[10..<11]@2"]),
        ("don't", ["don't[0..<5]@0"]), ("Été.Ünï", ["ete[0..<5]@0", "uni[6..<11]@1"]), ("plain", ["plain[0..<5]@0"]),
    ])
    func parts(_ text: String, expected: [String]) {
        let tokens = Analyzer(.words(), .parts, .fold).makeTokenizer().tokens(in: text)
        #expect(tokens.map(\.description) == expected)
    }

    @Test func theDescriptorRebuildsIt() throws {
        let analyzer = Analyzer(.words(), .parts, .fold)
        #expect(analyzer.description == "words parts fold")
        #expect(try Analyzer(parsing: "words parts fold") == analyzer)
    }
}

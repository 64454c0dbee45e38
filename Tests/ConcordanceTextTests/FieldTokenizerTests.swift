import ConcordanceText
import Testing

@Suite("A marker chooses the analyzer")
struct FieldTokenizerTests {
    private let tokenizer = FieldTokenizer(.standard, marked: [.trigram, Analyzer(.porter())])

    @Test func `texts are split by the analyzer of their marker, and tokens stand behind it`() {
        #expect(tokenizer.tokens(in: "Runs it").map(\.description) == ["runs[0..<4]@0", "it[5..<7]@1"])
        #expect(
            tokenizer.tokens(in: FieldMarker.text(1) + "Runs").map(\.description) == ["run[3..<6]@0", "uns[4..<7]@1"])
        #expect(
            tokenizer.tokens(in: FieldMarker.text(2) + "Runs it").map(\.description) == [
                "run[3..<7]@0", "it[8..<10]@1",
            ])
        #expect(tokenizer.tokens(in: FieldMarker.text(2)).isEmpty)
    }

    @Test func `a marker that no analyzer has is not a marker`() {
        #expect(
            tokenizer.tokens(in: FieldMarker.text(3) + "Runs")
                == Analyzer.standard.makeTokenizer().tokens(in: FieldMarker.text(3) + "Runs"))
        #expect(FieldMarker.text(0) == "")
        #expect(FieldMarker.text(32) == "")
        #expect(FieldMarker.text(-1) == "")
    }

    @Test func `removing a marker removes one marker and nothing else`() {
        for number in 1...FieldMarker.count {
            #expect(FieldMarker.removed(from: FieldMarker.text(number) + "e\u{301}") == "e\u{301}")
        }
        #expect(
            FieldMarker.removed(from: FieldMarker.text(1) + "\u{301}x").unicodeScalars.elementsEqual(
                "\u{301}x".unicodeScalars))
        let twice = FieldMarker.text(1) + FieldMarker.text(1)
        #expect(FieldMarker.removed(from: twice) == FieldMarker.text(1))
        for text in ["", "a", "\u{E001}", "ﷰ", "ﷇx"] { #expect(FieldMarker.removed(from: text) == text) }
    }
}

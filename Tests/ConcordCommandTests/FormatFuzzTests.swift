import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Damaged files of every kind end in text or in a reason")
struct FormatFuzzTests {
    /// Small limits, so that anything beyond them shows.
    private static var limits: ExtractionLimits {
        var limits = ExtractionLimits()
        limits.bodyBytes = 512
        limits.recordBytes = 4096
        limits.unpackedBytes = 4 << 20
        limits.wholeBytes = 1 << 20
        limits.entries = 200
        return limits
    }

    @Test(arguments: Samples.all.map { $0.name }, [UInt64(1), 2])
    func mutations(_ name: String, seed: UInt64) throws {
        let sample = try #require(Samples.all.first { $0.name == name })
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(name.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
        let folder = try TemporaryFolder()
        for round in 0..<120 {
            let bytes = Self.mutated(sample.bytes, round: round, using: &generator)
            let path = try folder.write(name, bytes)
            var text = 0
            do {
                _ = try Extractor(limits: Self.limits).extract(path) { document in
                    text += document.body.utf8.count
                    Self.check(document, "\(name) seed \(seed) round \(round)")
                }
            } catch is ExtractionProblem {
                // A reason.
            }
            #expect(text <= 64 << 20, "\(name) seed \(seed) round \(round)")
        }
    }

    private static func mutated(_ sample: [UInt8], round: Int, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = sample
        if round == 0 { return bytes }
        for _ in 0..<Int.random(in: 1...(1 + round / 12), using: &generator) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, at + Int.random(in: 1...32, using: &generator))
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[at] = [0, 0xFF, 0x7F, 0x80, 10, 60, 123].randomElement(using: &generator) ?? 0
            case 2: bytes.removeSubrange(at..<end)
            case 3: bytes.insert(contentsOf: bytes[at..<end], at: at)
            case 4: for index in at..<min(end, at + 4) { bytes[index] = 0xFF }
            case 5:
                let from = Int.random(in: 0..<bytes.count, using: &generator)
                bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 64)], at: at)
            default: if round % 5 == 0 { bytes.removeSubrange(at...) }
            }
        }
        return bytes
    }

    private static func check(_ document: Document, _ place: String) {
        let texts = [
            document.title, document.body, document.entry ?? "", document.author ?? "", document.language ?? "",
        ]
        for text in texts {
            let hasControl = text.unicodeScalars.contains {
                ($0.value < 32 && $0 != "\n" && $0 != "\t" && $0 != "\u{C}") || (0x7F..<0xA0).contains($0.value)
            }
            #expect(!hasControl, "\(place): \(text.debugDescription)")
        }
        #expect(document.body.utf8.count <= limits.bodyBytes, "\(place)")
        #expect(!document.title.isEmpty && document.title.utf8.count <= 1003, "\(place)")
        #expect(document.entry?.utf8.count ?? 0 <= 8000, "\(place)")
        #expect(document.entry?.split(separator: "/").contains("..") != true, "\(place)")
    }

    /// In careless readers the cost of these grows with the square of their length.
    @Test(arguments: [
        ("a.org", "[["), ("a.org", "[[a]"), ("a.adoc", "<<"), ("a.adoc", "["), ("a.adoc", "a:b["), ("a.rst", "`"),
        ("a.rst", ":a:`b`"),
        ("a.rst", ":"), ("a.tex", "\\"), ("a.tex", "{"), ("a.tex", "\\a["), ("a.tex", "\\a{"),
        ("a.tex", "\\begin{tabular}["), ("a.tex", "\\label "), ("a.srt", "<"), ("a.srt", "{"),
        ("a.rtf", "{"),
        ("a.rtf", "\\'"), ("a.rtf", "{\\*"), ("a.json", "\\u"), ("a.ipynb", "["), ("a.vcf", "A:b\n "), ("a.vcf", ";"),
        ("a.ics", "BEGIN:VEVENT\n"), ("a.eml", "--"), ("a.eml", "=?utf-8?q?"), ("a.eml", "a;"),
        ("a.mbox", "From a 1:2 3\n"),
        ("a.mbox", "\n"), ("a.xml", "<a "), ("a.xml", "<a b=\"c\"/>"), ("a.xml", "&a;"), ("a.c", "a("), ("a.c", "\n"),
        ("a.go", "func (\n"),
        ("a.md", "["), ("a.md", "<a"), ("a.md", "`` `"), ("a.md", "]("), ("a.md", "<br>"), ("a.html", "<a"),
    ])
    func oneThingAgainAndAgain(_ name: String, _ part: String) throws {
        let heads = [
            "a.rtf": "{\\rtf1 ", "a.ipynb": "", "a.vcf": "BEGIN:VCARD\n", "a.eml": "From: a\nSubject: ", "a.xml": "<r>",
            "a.mbox": "From a 1:2 3\nFrom: x\n\n", "a.json": "\"",
        ]
        let text = (heads[name] ?? "") + String(repeating: part, count: 600_000 / part.utf8.count)
        var count = 0
        do {
            count = try extracted(name, Array(text.utf8)).documents.count
        } catch is ExtractionProblem {
            count = 0
        }
        #expect(count < 700_000)
    }
}

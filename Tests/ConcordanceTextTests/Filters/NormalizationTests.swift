import Foundation
import TestSupport
import Testing

@testable import ConcordanceText

@Suite("Normalization and case folding are Unicode's")
struct NormalizationTests {
    private static func fold(_ folding: Folding) -> (String) -> String {
        let tokenizer = FilteredTokenizer(WholeTextTokenizer(), [FoldingFilter(folding)])
        return { text in tokenizer.tokens(in: text).first?.text ?? "" }
    }

    private static func string(_ field: Substring) -> String {
        var scalars = String.UnicodeScalarView()
        for part in field.split(separator: " ") {
            if let scalar = UInt32(part, radix: 16).flatMap(Unicode.Scalar.init) { scalars.append(scalar) }
        }
        return String(scalars)
    }

    private static func isSame(_ first: String, _ second: String) -> Bool {
        // String's == would call canonically equivalent texts the same.
        first.unicodeScalars.elementsEqual(second.unicodeScalars)
    }

    @Test("NFKC passes every line of NormalizationTest.txt, and leaves what it does not list")
    func normalizationTest() throws {
        guard let url = SharedData.url("unicode-15.0/NormalizationTest.txt") else { return }
        let nfkc = Self.fold(.compatibility)
        let nfc = Self.fold(.width)
        var lines = 0
        var failures: [String] = []
        var listed: Set<UInt32> = []
        var isPart1 = false
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("@") {
                isPart1 = line.hasPrefix("@Part1")
                continue
            }
            let fields = line.split(separator: ";")
            let columns = fields.prefix(5).map(Self.string)
            if isPart1, let scalar = UInt32(fields[0], radix: 16) { listed.insert(scalar) }
            lines += 1
            if !columns.allSatisfy({ Self.isSame(nfkc($0), columns[3]) }) { failures.append("NFKC \(line)") }
            // Width folding composes canonically; it changes only the forms that have a width.
            let hasWidth = columns[0].unicodeScalars.contains {
                (0xFF00...0xFFEF).contains($0.value) || $0 == "\u{3000}"
            }
            if !hasWidth, !columns.prefix(3).allSatisfy({ Self.isSame(nfc($0), columns[1]) }) {
                failures.append("NFC \(line)")
            }
        }
        #expect(lines > 19_000)
        #expect(failures.isEmpty, "\(failures.count) lines fail: \(failures.prefix(5))")
        let changed = (0x80...0x1_FFFF).compactMap { Unicode.Scalar($0 as UInt32) }.filter { scalar in
            !listed.contains(scalar.value) && !Self.isSame(nfkc(String(scalar)), String(scalar))
        }
        #expect(changed.isEmpty)
    }

    @Test("Conjoining jamo compose to syllables, and every syllable comes out whole")
    func hangul() {
        let nfkc = Self.fold(.compatibility)
        for (lead, vowel, tail) in [(0, 0, 0), (18, 20, 27), (11, 0, 4), (2, 13, 0), (5, 5, 1)]
            as [(UInt32, UInt32, UInt32)]
        {
            let syllable = 0xAC00 + (lead * 21 + vowel) * 28 + tail
            let jamo = [0x1100 + lead, 0x1161 + vowel] + (tail > 0 ? [0x11A7 + tail] : [])
            let text = String(String.UnicodeScalarView(jamo.compactMap(Unicode.Scalar.init)))
            #expect(nfkc(text).unicodeScalars.map(\.value) == [syllable])
        }
    }

    @Test("Case folding is CaseFolding.txt's, Turkish too")
    func caseFolding() throws {
        guard let url = SharedData.url("unicode-15.0/CaseFolding.txt") else { return }
        let fold = Self.fold(.caseFolding)
        let turkic = Self.fold(.turkicCaseFolding)
        var lines = 0
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: ";")
            let status = fields[1].trimmingCharacters(in: .whitespaces)
            let (source, target) = (Self.string(fields[0]), Self.string(fields[2]))
            if status == "C" || status == "F" {
                lines += 1
                #expect(Self.isSame(fold(source), target), "\(line)")
            }
            if status == "T" { #expect(Self.isSame(turkic(source), target), "\(line)") }
        }
        #expect(lines > 1_500)
        #expect(turkic("I\u{307}stanbul DIŞ") == "istanbul dış")
    }

    static let sets: [Folding] = [
        .common, [.common, .latin], [.common, .latin, .german], [.common, .turkicCaseFolding, .latin],
        [.common, .kana, .width], .diacritics, .latin, .width, .kana, .caseFolding, .compatibility, .german,
        [.caseFolding, .scandinavian],
    ]

    @Test("The fast path agrees with the definition on random text", arguments: sets)
    func fastFolding(folding: Folding) {
        let tokenizer = FilteredTokenizer(WholeTextTokenizer(), [FoldingFilter(folding)])
        var random = RandomText(seed: 7)
        var folder = ScalarFolder(folding)
        for kind in [TextKind.ascii, .latin, .mixedScripts, .marks, .anyScalar, .brokenSequences] {
            for _ in 0..<(kind == .anyScalar ? 4 : 20) {
                let text = random.text(kind)
                var expected = text.withUnsafeBufferPointer { bytes -> [UInt8] in
                    folder.scalars.removeAll()
                    var index = 0
                    while index < bytes.count {
                        let (scalar, length) = UTF8Scalars.decode(bytes, at: index)
                        folder.scalars.append(scalar)
                        index += length
                    }
                    folder.fold()
                    var output = TokenBuffer()
                    for scalar in folder.scalars { output.append(scalar: scalar) }
                    return Array(output.contents)
                }
                if folding.foldsDigraphs {
                    let count = expected.withUnsafeMutableBufferPointer { bytes in
                        guard let base = bytes.baseAddress else { return 0 }
                        return folding.contains(.german)
                            ? Digraphs.foldGerman(base, count: bytes.count)
                            : Digraphs.foldScandinavian(base, count: bytes.count)
                    }
                    expected.removeLast(expected.count - count)
                }
                #expect(tokenizer.log(text).calls.first?.bytes ?? [] == expected, "\(kind) \(text)")
            }
        }
    }

    @Test("Folding twice changes nothing more", arguments: sets.filter { !$0.foldsDigraphs }.prefix(6))
    func idempotence(folding: Folding) {
        let fold = Self.fold(folding)
        let changed = (0x80...0xFFFF).compactMap { Unicode.Scalar($0 as UInt32) }.filter { scalar in
            let once = fold(String(scalar))
            return !Self.isSame(once, fold(once))
        }
        #expect(changed.isEmpty, "\(changed.prefix(20).map { String($0.value, radix: 16) })")
    }
}

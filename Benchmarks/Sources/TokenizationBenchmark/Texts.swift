import BenchmarkSupport
import Foundation

/// A text to tokenize.
struct BenchmarkText {
    let name: String
    let bytes: [UInt8]

    /// The texts: real ones where the data stands beside the checkout, made ones elsewhere.
    static func all() -> [BenchmarkText] {
        let real: [BenchmarkText] = [
            ("ASCII English", ["corpora/progit2-en.jsonl", "corpora/rustbook-en.jsonl"], true),
            ("mixed Latin (German)", ["corpora/progit2-de.jsonl"], false),
            ("Russian", ["relevance/xquad-ru/corpus.jsonl"], false),
            ("Japanese", ["corpora/progit2-ja.jsonl"], false),
        ].compactMap { (name: String, files: [String], isASCII: Bool) in Self.real(name, files, onlyASCII: isASCII) }
        return real.isEmpty ? [made("ASCII, made", accents: false), made("mixed Latin, made", accents: true)] : real
    }

    /// The field `text` of each line of JSON Lines files.
    private static func real(_ name: String, _ files: [String], onlyASCII: Bool) -> BenchmarkText? {
        let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared/data", isDirectory: true)
        var bytes: [UInt8] = []
        for file in files {
            guard let data = try? Data(contentsOf: directory.appendingPathComponent(file)) else { return nil }
            for line in data.split(separator: UInt8(ascii: "\n")) {
                let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
                let text = object?["text"] as? String ?? ""
                bytes += text.utf8.filter { !onlyASCII || $0 < 0x80 } + [UInt8(ascii: "\n")]
            }
        }
        return BenchmarkText(name: name, bytes: bytes)
    }

    /// Words of a made language; every tenth vowel or so has an accent, as in German or Polish.
    private static func made(_ name: String, accents: Bool) -> BenchmarkText {
        var sample = SampleText()
        var text = sample.text(bytes: 2_000_000)
        if accents {
            text = text.replacingOccurrences(of: "ba", with: "bä").replacingOccurrences(of: "ro", with: "ró")
                .replacingOccurrences(of: "li", with: "lí").replacingOccurrences(of: "se", with: "sé")
        }
        return BenchmarkText(name: name, bytes: Array(text.utf8))
    }
}

import Concordance
import ConcordanceSearch
import Foundation
import TestSupport
import Testing

@Suite("Highlighted text")
struct HighlightedTextTests {
    private func highlighted(_ text: String, _ parts: String...) -> HighlightedText {
        HighlightedText(text, ranges: parts.compactMap { text.range(of: $0) })
    }

    @Test func `ranges are ordered, joined where they overlap, and never cut a character`() {
        let text = "week e\u{301}\u{302} 👨‍👩‍👧 end"
        let scalars = Array(text.unicodeScalars.indices)
        let cut = HighlightedText(text, ranges: [scalars[9]..<scalars[11], scalars[6]..<scalars[7]])
        #expect(cut.description == "week [e\u{301}\u{302}] [👨‍👩‍👧] end")
        let joined = HighlightedText(
            "abcdef", ranges: [highlighted("abcdef", "cde").ranges[0]] + highlighted("abcdef", "bc").ranges)
        #expect(joined.description == "a[bcde]f")
        let touching = highlighted("abcdef", "bc", "de")
        #expect(touching.description == "a[bc][de]f")
        #expect(touching.ranges.map { String("abcdef"[$0]) } == ["bc", "de"])
    }

    @Test func `ranges from another text do no harm`() {
        let long = String(repeating: "long ", count: 20)
        #expect(HighlightedText("short", ranges: [long.startIndex..<long.endIndex]).description == "[short]")
        #expect(!HighlightedText("", ranges: [long.startIndex..<long.endIndex]).hasMatches)
    }

    @Test func `runs make up the text`() {
        let text = highlighted("Take a walk this week", "Take", "week")
        #expect(text.runs.map { String($0.text) } == ["Take", " a walk this ", "week"])
        #expect(text.runs.map(\.isMatch) == [true, false, true])
        #expect(text.rendered { $0.isMatch ? $0.text.uppercased() : String($0.text) } == "TAKE a walk this WEEK")
        #expect(text.marked(open: "<<", close: ">>") == "<<Take>> a walk this <<week>>")
    }

    @Test func `an attributed string has the text, emphasis and an attribute of its own`() {
        let attributed = highlighted("Take a walk this week", "week").attributedString
        #expect(String(attributed.characters) == "Take a walk this week")
        #if canImport(Darwin)
            let emphasized = attributed.runs.filter { $0.inlinePresentationIntent == .stronglyEmphasized }
            #expect(emphasized.map { String(attributed[$0.range].characters) } == ["week"])
        #endif
        let own = attributed.runs[SearchMatchAttribute.self].filter { $0.0 == true }
        #expect(own.map { String(attributed[$0.1].characters) } == ["week"])
    }

    @Test func `documents cannot smuggle markup into HTML`() {
        let text = highlighted("<script>alert('week & \"end\"')</script>", "week")
        #expect(
            text.html() == "&lt;script&gt;alert(&#39;<mark>week</mark> &amp; &quot;end&quot;&#39;)&lt;/script&gt;")
        #expect(
            highlighted("a week", "week").html(tag: "span", class: "x\" onclick=\"y").hasPrefix(
                "a <span class=\"x&quot; onclick=&quot;y\">week</span>"))
        #expect(highlighted("a week", "week").html(tag: "img src=x") == "a <mark>week</mark>")
        // With a mark on it, a sign is a different Character, but still a sign.
        #expect(highlighted("<\u{338}b>week", "week").html() == "&lt;\u{338}b&gt;<mark>week</mark>")
    }

    @Test(arguments: 0..<200) func `without its tags, HTML is the text`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = HostileText.make(&generator)
        let highlighted = HostileText.highlighted(text, &generator)
        var html = highlighted.html(tag: "b").unicodeScalars.map(\.value)[...]
        var plain = String.UnicodeScalarView()
        let references = ["amp;": "&", "lt;": "<", "gt;": ">", "quot;": "\"", "#39;": "'"]
        while let first = html.popFirst() {
            switch Unicode.Scalar(first) {
            case "<":
                let close = html.first == 0x2F
                if close { html.removeFirst() }
                #expect(
                    html.prefix(2).elementsEqual([0x62, 0x3E]), "a tag that is none of ours in \(text.debugDescription)"
                )
                html = html.dropFirst(2)
            case "&":
                let reference = references.first { html.starts(with: $0.key.unicodeScalars.map(\.value)) }
                #expect(reference != nil, "a bare & for \(text.debugDescription)")
                html = html.dropFirst(reference?.key.count ?? 0)
                plain.append(contentsOf: (reference?.value ?? "").unicodeScalars)
            case ">", "\"", "'": Issue.record("unescaped sign for \(text.debugDescription)")
            case let scalar?: plain.append(scalar)
            case nil: break
            }
        }
        #expect(String(plain).utf8.elementsEqual(text.utf8))
    }

    @Test func `documents cannot command a terminal`() {
        let text = highlighted("\u{1B}[2J\u{1B}]0;title\u{7} week\r\u{9B}31m\u{202E}end\tof\nline\u{7F}", "week")
        #expect(
            text.ansi()
                == "␛[2J␛]0;title␇ \u{1B}[1mweek\u{1B}[22m␍\u{FFFD}31mend\tof\nline␡")
    }

    @Test(arguments: 0..<200) func `between its markers, ANSI has no control characters`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = HostileText.make(&generator)
        let ansi = HostileText.highlighted(text, &generator).ansi(open: "", close: "")
        let controls = ansi.unicodeScalars.filter {
            $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
        }
        #expect(controls.isEmpty, "\(text.debugDescription)")
    }
}

/// Texts of characters that break renderers.
enum HostileText {
    static let pieces = [
        "<", ">", "&", "\"", "'", "<script>", "&amp;", "</b>", "<b>", "\u{1B}[31m", "\u{9B}", "\u{7}", "\r\n", "\r",
        "\0", "\u{301}", "e\u{301}", "👩‍👩‍👧", "🇩🇪", "🇫", "\u{200D}", "\u{202E}", "中", "week", " ", "\n", "\u{FFFD}",
        "\u{600}1",
        "ﷺ", "각", "\u{1112}\u{1161}\u{11AB}", "\u{FEFF}", "a",
    ]

    static func make(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0..<30, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    /// The text with ranges between any two of its scalars.
    static func highlighted(_ text: String, _ generator: inout SeededGenerator) -> HighlightedText {
        let indices = Array(text.unicodeScalars.indices) + [text.endIndex]
        let ranges = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
            let ends = [0, 1].map { _ in indices.randomElement(using: &generator) ?? text.endIndex }
            return min(ends[0], ends[1])..<max(ends[0], ends[1])
        }
        return HighlightedText(text, ranges: ranges)
    }
}

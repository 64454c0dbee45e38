extension HighlightedText {
    /// Returns the text as HTML, with each match in an element.
    ///
    /// The document's own text is escaped: `&`, `<`, `>`, `"` and `'` become references, so the result is safe in an
    /// element and, if nothing matched, also in a quoted attribute.
    ///
    /// ```swift
    /// hit.snippet(\.notes).html()                             // pick up <mark>groceries</mark>
    /// hit.snippet(\.notes).html(tag: "span", class: "match")  // pick up <span class="match">groceries</span>
    /// ```
    ///
    /// - Parameters:
    ///   - tag: The element's name: ASCII letters, digits and hyphens, beginning with a letter. For any other text
    ///     `mark` is used.
    ///   - class: The value of its `class` attribute, if it has one.
    public func html(tag: String = "mark", class: String? = nil) -> String {
        let tag = Self.isElementName(tag) ? tag : "mark"
        let open = `class`.map { "<\(tag) class=\"\(Self.escaped($0))\">" } ?? "<\(tag)>"
        let close = "</\(tag)>"
        return rendered { run in
            let text = Self.escaped(run.text)
            return run.isMatch ? open + text + close : text
        }
    }

    /// Returns the text for a terminal, with each match between two sequences, by default those for bold type.
    ///
    /// Nothing in the document reaches the terminal as a command. Of the control characters only tabs and line ends
    /// remain; the others appear as their symbols (␛) or, if they have none, as U+FFFD. Characters that change the
    /// direction of writing, which can make a line read as another, are left out (Unicode Technical Report #36, 2.7).
    public func ansi(open: String = "\u{1B}[1m", close: String = "\u{1B}[22m") -> String {
        rendered { run in
            let text = Self.neutralized(run.text)
            return run.isMatch ? open + text + close : text
        }
    }

    private static func isElementName(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Byte by byte: Swift sees a sign with a combining mark as another character, a browser sees the same sign.
    private static func escaped(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func neutralized(_ text: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A: result.append(scalar)
            // The block of symbols for control characters has the same order; C1 controls have no symbols.
            case 0x00...0x1F: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: result.append("\u{2421}")
            case 0x80...0x9F: result.append("\u{FFFD}")
            case 0x202A...0x202E, 0x2066...0x2069: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

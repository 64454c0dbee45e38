/// A text with the ranges that matched.
struct MarkedText: Equatable, Sendable {
    var text: String
    /// In UTF-8 bytes, in order, without overlaps.
    var matches: [Range<Int>]

    /// What SQL puts around a match. Documents have no control characters, so these are unmistakable.
    static let opening: Unicode.Scalar = "\u{2}"
    static let closing: Unicode.Scalar = "\u{3}"

    init(text: String, matches: [Range<Int>] = []) {
        self.text = text
        self.matches = matches
    }

    /// Reads a text with marks, with the white space between words made one space each.
    init(marked: String) {
        var bytes: [UInt8] = []
        var matches: [Range<Int>] = []
        var start: Int?
        for byte in marked.utf8 {
            switch byte {
            case 2: start = bytes.count
            case 3:
                if let begin = start, begin < bytes.count { matches.append(begin..<bytes.count) }
                start = nil
            case 0...32: if let last = bytes.last, last != 32 { bytes.append(32) }
            default: bytes.append(byte)
            }
        }
        if bytes.last == 32, matches.last.map({ $0.upperBound < bytes.count }) ?? true { bytes.removeLast() }
        text = String(decoding: bytes, as: UTF8.self)
        self.matches = matches
    }

    /// The text with brackets around its matches, which count as part of them.
    var bracketed: MarkedText {
        var result = MarkedText(text: "")
        for piece in pieces {
            let start = result.text.utf8.count
            result.text += piece.isMatch ? "[\(piece.text)]" : piece.text
            if piece.isMatch { result.matches.append(start..<result.text.utf8.count) }
        }
        return result
    }

    /// The text in pieces, matching and not.
    var pieces: [(text: String, isMatch: Bool)] {
        let bytes = Array(text.utf8)
        var pieces: [(String, Bool)] = []
        var at = 0
        for match in matches where match.lowerBound >= at && match.upperBound <= bytes.count {
            if match.lowerBound > at {
                pieces.append((String(decoding: bytes[at..<match.lowerBound], as: UTF8.self), false))
            }
            pieces.append((String(decoding: bytes[match], as: UTF8.self), true))
            at = match.upperBound
        }
        if at < bytes.count { pieces.append((String(decoding: bytes[at...], as: UTF8.self), false)) }
        return pieces
    }
}

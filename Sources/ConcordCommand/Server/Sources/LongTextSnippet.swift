import Concordance
import ConcordanceSearch

/// The snippet of a text that may be long. To find the best part of a text all of it is tokenized, which for a page of long
/// documents takes a tenth of a second; here its beginning will do, or a piece around a word, where that shows enough.
struct LongTextSnippet {
    /// The words of the query.
    var words: [String]
    var options: SnippetOptions

    /// Bytes of the pieces that are looked at, and how much of one stands before the word that it is about.
    private static let pieceBytes = 16 << 10
    private static let leadBytes = 2 << 10
    /// Letters of a word that are looked for, and the fewest that say anything.
    private static let letters = 5
    private static let fewestLetters = 3
    /// Words whose places are looked for.
    private static let wordLimit = 6

    /// A part with matches, if the text has any.
    func make(of text: String, by highlighter: Highlighter) -> HighlightedText {
        var text = text
        text.makeContiguousUTF8()
        guard text.utf8.count > 2 * Self.pieceBytes else { return highlighter.snippet(of: text, options) }
        let enough = max(1, min(words.count, Self.wordLimit))
        var best = highlighter.snippet(of: Self.piece(of: text, from: 0), options)
        if best.utf8Ranges.count >= enough { return best }
        for word in words.prefix(Self.wordLimit) {
            // The word itself says more than one that begins like it.
            guard
                let place = Self.place(of: word, letters: .max, in: text)
                    ?? Self.place(of: word, letters: Self.letters, in: text)
            else { continue }
            let snippet = highlighter.snippet(of: Self.piece(of: text, from: place - Self.leadBytes), options)
            if snippet.utf8Ranges.count > best.utf8Ranges.count { best = snippet }
            if best.utf8Ranges.count >= enough { return best }
        }
        return best.hasMatches ? best : highlighter.snippet(of: text, options)
    }

    /// The text from about a byte on, from the end of a word to that of another one.
    private static func piece(of text: String, from byte: Int) -> String {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: max(byte, 0), limitedBy: bytes.endIndex) ?? bytes.endIndex
        let end = bytes.index(start, offsetBy: pieceBytes, limitedBy: bytes.endIndex) ?? bytes.endIndex
        var piece = bytes[start..<end]
        if byte > 0 { piece = piece.drop { $0 > 0x20 } }
        if end < bytes.endIndex, let space = piece.lastIndex(where: { $0 <= 0x20 }) { piece = piece[..<space] }
        // Without any space it may end within a character, which is replaced.
        return String(decoding: piece, as: UTF8.self)
    }

    /// The place, after the first piece, of the first letters of a word, in any ASCII case; nil if it has none, and for words
    /// in other scripts.
    private static func place(of word: String, letters: Int, in text: String) -> Int? {
        let wanted = word.utf8.prefix(letters).map(lowercased)
        guard wanted.count >= fewestLetters, wanted.allSatisfy({ $0 < 0x80 }) else { return nil }
        return text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            var place = pieceBytes
            while place + wanted.count <= bytes.count {
                if lowercased(bytes[place]) == wanted[0],
                    wanted.indices.allSatisfy({ lowercased(bytes[place + $0]) == wanted[$0] })
                {
                    return place
                }
                place += 1
            }
            return nil
        } ?? nil
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

import Concordance

/// The place of a match in a file.
struct MatchPlace: Equatable, Sendable {
    /// Counted from 1. For a file that is not text, a line of the extracted text.
    var line: Int
    /// In bytes, counted from 1.
    var column: Int
    /// The line itself, or the part of a long one that has the match.
    var text: String

    /// How many bytes of a long line are shown before the match, and after its beginning.
    private static let around = 200

    /// - Parameters:
    ///   - line: The bytes of the line.
    ///   - match: Where the match begins.
    init(_ number: Int, _ line: Range<Int>, at match: Int, in bytes: [UInt8]) {
        self.line = number
        column = match - line.lowerBound + 1
        text = Self.excerpt(of: line, around: match, in: bytes)
    }

    /// A line, or the part of a long one that has this place, between ellipses.
    static func excerpt(of line: Range<Int>, around place: Int, in bytes: [UInt8]) -> String {
        guard line.count > 2 * around else { return String(decoding: bytes[line], as: UTF8.self) }
        let place = min(max(place, line.lowerBound), line.upperBound)
        let start = boundary(max(place - around, line.lowerBound), after: line.lowerBound, in: bytes)
        let end = boundary(min(place + around, line.upperBound), after: place, in: bytes)
        var before = String(decoding: bytes[start..<place], as: UTF8.self)
        var after = String(decoding: bytes[place..<end], as: UTF8.self)
        // The marks of the last character may have been cut off, or the letter of the first one.
        if start > line.lowerBound { before = "…" + String(before.dropFirst()) }
        if end < line.upperBound { after = String(after.dropLast()) + "…" }
        return before + after
    }

    /// The offset, or that of the character in which it is.
    private static func boundary(_ offset: Int, after start: Int, in bytes: [UInt8]) -> Int {
        guard offset < bytes.count else { return offset }
        var offset = offset
        // A character has at most four bytes, but not all that claim to be part of one are.
        for _ in 0..<3 where offset > start && bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }
}

/// Where a document is in its file.
struct DocumentExtent: Equatable, Sendable {
    /// The line of the indexed text of the file on which the document begins, from 1; nil if it is not part of a file, or
    /// the first part.
    var firstLine: Int?
    /// The line after its last one, if the lines are known.
    var endLine: Int?
    /// How many bytes of its first line are in documents before it.
    var skipped = 0
}

/// Finds the matches of a document in its file. The time is proportional to the lengths of the text and of the file, up
/// to a limit for texts that hardly resemble the file.
struct MatchPlaces {
    private let body: [UInt8]
    private let extent: DocumentExtent
    private let source: SourceLines?
    private let first: Int
    /// The line of the indexed text after its last one.
    private let end: Int?
    private var compared = SourceLines.mostCompared
    /// The line of the body that has the match, from 0, and its bytes.
    private var number = -1
    private var line = 0..<0
    /// The line of the file that it is.
    private var piece: FoundPiece?
    /// How many lines the file has more than the text up to here.
    private var drift = 0
    private var last: FoundWord?
    /// Words that the piece does not have as they are in the text.
    private var missing: Set<ArraySlice<UInt8>> = []

    /// More lines than any file has.
    private static let lastLine = 1 << 40

    private struct FoundPiece {
        var number: Int
        /// Whether it is the beginning of the document, since no line has its words.
        var isGuessed = false
    }

    /// The last word that was found, in the text and in the file.
    private struct FoundWord {
        var piece: Int
        var inText: Int
        var inFile: Range<Int>
    }

    private init(_ body: String, _ extent: DocumentExtent, _ source: SourceLines?) {
        self.body = Array(body.utf8)
        self.extent = extent
        self.source = source
        // An index may have been tampered with.
        first = min(max(extent.firstLine ?? 1, 1), Self.lastLine)
        end = extent.endLine.map { min(max($0, 1), Self.lastLine) }
    }

    /// Calls `receive` with the place of each match, in the order of the text.
    ///
    /// - Parameter source: Nil if the document has no file of its own, or one that is not text.
    static func forEach(
        in body: HighlightedText, _ extent: DocumentExtent, source: SourceLines?,
        _ receive: (MatchPlace) throws -> Void
    ) rethrows {
        var places = MatchPlaces(body.text, extent, source)
        var last: MatchPlace?
        for match in body.utf8Ranges {
            let place = places.place(of: match)
            if place != last { try receive(place) }
            last = place
        }
    }

    private mutating func place(of match: Range<Int>) -> MatchPlace {
        moveToLine(of: match.lowerBound)
        let word = match.lowerBound..<max(min(match.upperBound, line.upperBound), match.lowerBound)
        let skipped = number == 0 ? extent.skipped : 0
        // A record has more lines in the index than in its file.
        let estimate = min(first + number, end.map { max($0 - 1, first) } ?? .max)
        var place = MatchPlace(estimate, line, at: match.lowerBound, in: body)
        place.column += skipped
        guard let source, let piece else { return place }
        let part = source.range(piece: piece.number)
        let found = find(body[word], at: word.lowerBound, skipped: skipped, in: piece.number, part, source)
        if found == nil, piece.isGuessed {
            place.line = source.line(at: part.lowerBound).number + 1
            place.column = 1
            return place
        }
        let start = found ?? part.lowerBound
        let line = source.line(at: start)
        return MatchPlace(line.number + 1, line.range, at: start, in: source.bytes)
    }

    private mutating func moveToLine(of match: Int) {
        guard number < 0 || line.upperBound < match else { return }
        while number < 0 || line.upperBound < match {
            let start = number < 0 ? 0 : line.upperBound + 1
            line = start..<(body[start...].firstIndex(of: 10) ?? body.count)
            number += 1
        }
        let found = source.flatMap { findPiece(in: $0) }
        if found?.number != piece?.number { missing = [] }
        piece = found
    }

    private mutating func findPiece(in source: SourceLines) -> FoundPiece? {
        var words = WantedWords(body[line])
        let estimate = first - 1 + number
        if let end {
            let pieces = (first - 1)..<max(end - 1, first)
            if let found = source.piece(nearest: estimate, with: &words, in: pieces, within: &compared) {
                return FoundPiece(number: found.piece)
            }
            return source.pieces.contains(first - 1) ? FoundPiece(number: first - 1, isGuessed: true) : nil
        }
        let found = source.piece(nearest: estimate + drift, with: &words, in: source.pieces, within: &compared)
        if let found, found.isComplete { drift = found.piece - estimate }
        return found.map { FoundPiece(number: $0.piece) }
    }

    /// Where a word of the text is in a line of the file, of which markup may have been removed.
    private mutating func find(
        _ word: ArraySlice<UInt8>, at place: Int, skipped: Int, in piece: Int, _ part: Range<Int>, _ source: SourceLines
    ) -> Int? {
        guard !missing.contains(word) else { return nil }
        var estimate = part.lowerBound + skipped + place - line.lowerBound
        var rest = part
        if let last, last.piece == piece {
            estimate = last.inFile.lowerBound + place - last.inText
            rest = min(last.inFile.upperBound, part.upperBound)..<part.upperBound
        }
        let found =
            source.place(of: word, in: rest, nearest: estimate, within: &compared)
            ?? (rest == part ? nil : source.place(of: word, in: part, nearest: estimate, within: &compared))
        if let found {
            last = FoundWord(piece: piece, inText: place, inFile: found..<found + word.count)
        } else if compared > 0 {
            missing.insert(word)
        }
        return found
    }
}

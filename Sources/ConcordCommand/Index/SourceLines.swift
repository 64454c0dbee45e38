import Concordance
import Foundation

/// The lines of a file, in which places of its extracted text are found again: that text may lack markup and lines of
/// the file.
struct SourceLines {
    private let bytes: [UInt8]
    private let lines: [Range<Int>]

    /// The most bytes of a file that are read.
    private static let mostBytes = 32 << 20

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var lines: [Range<Int>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == 10 {
            lines.append(start..<index)
            start = index + 1
        }
        if start < bytes.count { lines.append(start..<bytes.count) }
        self.lines = lines
    }

    /// Nil if the file cannot be read or is not text.
    init?(file: String) {
        guard Self.isText(file) else { return nil }
        self.init(Self.beginning(of: file, bytes: Self.mostBytes))
    }

    /// Whether an editor can show a file: its beginning has no zero bytes, and is not that of a compressed file or a
    /// PDF.
    static func isText(_ path: String) -> Bool {
        let bytes = beginning(of: path, bytes: 4096)
        let binary: [[UInt8]] = [
            [0x1F, 0x8B], Array("BZh".utf8), [0xFD, 0x37, 0x7A], [0x28, 0xB5, 0x2F, 0xFD], Array("%PDF-".utf8),
        ]
        return !bytes.contains(0) && !binary.contains { bytes.starts(with: $0) }
    }

    private static func beginning(of path: String, bytes limit: Int) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? file.close() }
        return ((try? file.read(upToCount: limit)) ?? nil).map { Array($0) } ?? []
    }

    /// A line, counted from 1, without its terminator.
    func text(line: Int) -> String {
        guard lines.indices.contains(line - 1) else { return "" }
        let text = String(decoding: bytes[lines[line - 1]], as: UTF8.self)
        return text.hasSuffix("\r") ? String(text.dropLast()) : text
    }

    /// The line, counted from 1, with the most words of `context`, and of several the nearest to `estimate`; nil if no
    /// line has any.
    func nearest(to estimate: Int, with context: String) -> Int? {
        var wanted: Set<UInt64> = []
        Self.forEachWord(in: Array(context.utf8)[...]) { wanted.insert($0) }
        guard !wanted.isEmpty else { return nil }
        if lines.indices.contains(estimate - 1), count(of: wanted, line: estimate - 1) == wanted.count {
            return estimate
        }
        var best: (line: Int, count: Int)?
        for index in lines.indices {
            let count = count(of: wanted, line: index)
            guard count > 0 else { continue }
            let known = best ?? (0, 0)
            if count > known.count || count == known.count && abs(index + 1 - estimate) < abs(known.line - estimate) {
                best = (index + 1, count)
            }
        }
        return best?.line
    }

    private func count(of wanted: Set<UInt64>, line: Int) -> Int {
        var found: Set<UInt64> = []
        Self.forEachWord(in: bytes[lines[line]]) { if wanted.contains($0) { found.insert($0) } }
        return found.count
    }

    /// Calls `body` with the hash of each word (FNV-1a), ignoring the case of ASCII letters.
    private static func forEachWord(in bytes: ArraySlice<UInt8>, _ body: (UInt64) -> Void) {
        let start: UInt64 = 0xCBF2_9CE4_8422_2325
        var hash = start
        var length = 0
        for byte in bytes {
            if byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) {
                hash = (hash ^ UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)) &* 0x100_0000_01B3
                length += 1
            } else if length > 0 {
                body(hash)
                hash = start
                length = 0
            }
        }
        if length > 0 { body(hash) }
    }
}

/// The place of a match in a file.
struct MatchPlace: Equatable, Sendable {
    /// Counted from 1. For a file that is not text, a line of the extracted text.
    var line: Int
    /// In bytes, counted from 1.
    var column: Int
    /// The line itself.
    var text: String

    /// The most matches of a document that are located.
    private static let limit = 10_000

    /// - Parameters:
    ///   - firstLine: The line on which the document begins, if it is only part of its file.
    ///   - file: Nil if the document has no file of its own.
    static func places(of body: HighlightedText, firstLine: Int?, file: String?) -> [MatchPlace] {
        guard body.hasMatches else { return [] }
        let source = file.flatMap { SourceLines(file: $0) }
        let bytes = Array(body.text.utf8)
        let first = firstLine ?? 1
        var places: [MatchPlace] = []
        var (start, number) = (0, 0)
        for match in body.utf8Ranges.prefix(limit) {
            // Moves on to the line of the match.
            while let end = bytes[start...].firstIndex(of: 10), end < match.lowerBound {
                start = end + 1
                number += 1
            }
            let end = bytes[match.lowerBound...].firstIndex(of: 10) ?? bytes.count
            let line = String(decoding: bytes[start..<end], as: UTF8.self)
            var place = MatchPlace(line: first + number, column: match.lowerBound - start + 1, text: line)
            if let source, let found = source.nearest(to: place.line, with: line) {
                let text = source.text(line: found)
                // The text before the match in this line may differ between the file and the document.
                let word = bytes[match.lowerBound..<min(match.upperBound, end)]
                let column = occurrence(of: word, in: Array(text.utf8), nearest: place.column - 1)
                place = MatchPlace(line: found, column: (column ?? 0) + 1, text: text)
            }
            if places.last != place { places.append(place) }
        }
        return places
    }

    private static func occurrence(of word: ArraySlice<UInt8>, in line: [UInt8], nearest column: Int) -> Int? {
        guard !word.isEmpty, line.count >= word.count else { return nil }
        let starts = (0...line.count - word.count).filter { line[$0..<$0 + word.count].elementsEqual(word) }
        return starts.min { abs($0 - column) < abs($1 - column) }
    }
}

import Concordance
import Foundation

/// The lines of a file, in which places of its extracted text are found again: that text may lack markup and lines of
/// the file.
struct SourceLines {
    /// In UTF-8.
    let bytes: [UInt8]
    /// Where each line begins. A line is what ends with a line feed, as editors have it.
    private let lineStarts: [UInt32]
    /// Where each line of the text begins as it was indexed: there, form feeds and carriage returns end lines, too.
    private let pieceStarts: [UInt32]
    /// Whether `bytes` is all of the file.
    private let isWhole: Bool

    /// The most bytes of a file that are read.
    static let mostBytes = 32 << 20
    /// The most bytes that are compared for one document.
    static let mostCompared = 256 << 20

    init(_ bytes: [UInt8], isWhole: Bool = true) {
        self.bytes = bytes
        self.isWhole = isWhole
        var lines: [UInt32] = bytes.isEmpty ? [] : [0]
        // Most texts have no others.
        var pieces: [UInt32]?
        bytes.withUnsafeBufferPointer { bytes in
            for (index, byte) in bytes.enumerated() where byte == 10 || byte == 12 || byte == 13 {
                let next = index + 1
                guard next < bytes.count, byte != 13 || bytes[next] != 10 else { continue }
                if byte != 10, pieces == nil { pieces = lines }
                pieces?.append(UInt32(clamping: next))
                if byte == 10 { lines.append(UInt32(clamping: next)) }
            }
        }
        lineStarts = lines
        pieceStarts = pieces ?? lines
    }

    /// The text of a file, unpacked if it is compressed, in the encoding in which it was indexed; nil if the file cannot
    /// be read or is not text.
    init?(file: String) {
        guard let text = try? Self.text(of: file) else { return nil }
        var bytes: [UInt8] = []
        var isWhole = false
        do {
            while bytes.count <= Self.mostBytes, !isWhole {
                if let piece = try text.next() { bytes.append(contentsOf: piece) } else { isWhole = true }
            }
        } catch {
            // What comes before damage can be shown.
        }
        if bytes.count > Self.mostBytes { bytes.removeLast(bytes.count - Self.mostBytes) }
        self.init(bytes, isWhole: isWhole)
    }

    private static func text(of file: String) throws -> DecodedStream? {
        let limits = ExtractionLimits()
        var stream: any ByteStream = try FileStream(path: file, limit: .max)
        let name = DocumentKind.unpacked(URL(filePath: file).lastPathComponent)
        for _ in 0...limits.depth {
            let (beginning, content) = try PeekedStream.beginning(of: stream)
            let isPage = DocumentKind(name: name, beginning: beginning[...]) == .html
            if GzipStream.recognizes(beginning) {
                stream = try GzipStream(content, limit: limits.unpackedBytes)
            } else if let compression = Compression(beginning) {
                stream = try UnpackedStream(content, compression, allowance: Allowance(limits))
            } else if let encoding = try? isPage ? HTMLText.encoding(of: beginning) : TextEncoding.detect(beginning) {
                return DecodedStream(content, encoding)
            } else {
                return isText(Array(beginning.prefix(4096))) ? DecodedStream(content, (.utf8, 0)) : nil
            }
        }
        return nil
    }

    /// Whether an editor can show a file: its beginning has no zero bytes, and is not that of a compressed file or a
    /// PDF.
    static func isText(_ path: String) -> Bool { isText(beginning(of: path, bytes: 4096)) }

    private static func isText(_ bytes: [UInt8]) -> Bool {
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
        guard lineStarts.indices.contains(line - 1) else { return "" }
        return String(decoding: bytes[range(line: line - 1)], as: UTF8.self)
    }

    /// The bytes of a line, counted from 0, without its terminator.
    private func range(line: Int) -> Range<Int> {
        let start = Int(lineStarts[line])
        var end = line + 1 < lineStarts.count ? Int(lineStarts[line + 1]) : bytes.count
        if end > start, bytes[end - 1] == 10 { end -= 1 }
        if end > start, bytes[end - 1] == 13 { end -= 1 }
        return start..<end
    }

    /// The line with the byte at an offset, counted from 0, and its bytes.
    func line(at offset: Int) -> (number: Int, range: Range<Int>) {
        guard !lineStarts.isEmpty else { return (0, 0..<0) }
        // The first line that begins after it.
        var (low, high) = (1, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(lineStarts[middle]) <= offset { low = middle + 1 } else { high = middle }
        }
        return (low - 1, range(line: low - 1))
    }

    var pieces: Range<Int> { pieceStarts.indices }

    /// The bytes of a line of the indexed text, counted from 0.
    func range(piece: Int) -> Range<Int> {
        Int(pieceStarts[piece])..<(piece + 1 < pieceStarts.count ? Int(pieceStarts[piece + 1]) : bytes.count)
    }

    /// The line, counted from 1, with the most words of `context`, and of several the nearest to `estimate`; nil if no
    /// line has any.
    ///
    /// - Parameter estimate: A line of the indexed text, counted from 1.
    func nearest(to estimate: Int, with context: String) -> Int? {
        var compared = Self.mostCompared
        var words = WantedWords(Array(context.utf8)[...])
        let piece = piece(nearest: max(estimate, 1) - 1, with: &words, in: pieces, within: &compared)
        return piece.map { line(at: range(piece: $0.piece).lowerBound).number + 1 }
    }

    /// The piece with the most of these words, and of several the nearest to `estimate`; nil if none has any. All are
    /// counted from 0.
    ///
    /// - Parameter compared: How many bytes may be compared; it becomes less by those that were.
    func piece(
        nearest estimate: Int, with wanted: inout WantedWords, in pieces: Range<Int>, within compared: inout Int
    ) -> (piece: Int, isComplete: Bool)? {
        let pieces = pieces.clamped(to: self.pieces)
        guard !wanted.isEmpty, !pieces.isEmpty, isWhole || estimate < self.pieces.upperBound else { return nil }
        let middle = min(max(estimate, pieces.lowerBound), pieces.upperBound - 1)
        var best: (piece: Int, count: Int)?
        // Of two at the same distance, the first.
        for step in 1..<max(2 * pieces.count, 2) {
            guard compared > 0 else { break }
            let piece = step.isMultiple(of: 2) ? middle - step / 2 : middle + step / 2
            guard pieces.contains(piece) else { continue }
            let count = count(of: &wanted, in: piece, within: &compared)
            if count == wanted.count { return (piece, true) }
            if count > best?.count ?? 0 { best = (piece, count) }
        }
        return best.map { ($0.piece, false) }
    }

    private func count(of wanted: inout WantedWords, in piece: Int, within compared: inout Int) -> Int {
        let range = range(piece: piece)
        // An empty one takes time, too.
        compared -= range.count + 16
        return wanted.count(in: bytes[range])
    }

    /// Where a word stands in a part of the file: of several places, the nearest to `estimate`.
    ///
    /// - Parameter compared: As above.
    func place(
        of word: ArraySlice<UInt8>, in part: Range<Int>, nearest estimate: Int, within compared: inout Int
    ) -> Int? {
        guard let first = word.first, part.count >= word.count else { return nil }
        let last = part.upperBound - word.count
        let middle = min(max(estimate, part.lowerBound), last)
        let furthest = max(middle - part.lowerBound, last - middle)
        // As above.
        for step in 1..<(2 * furthest + 2) {
            guard compared > 0 else { return nil }
            compared -= 1
            let place = step.isMultiple(of: 2) ? middle - step / 2 : middle + step / 2
            guard place >= part.lowerBound, place <= last, bytes[place] == first else { continue }
            compared -= word.count
            if bytes[place..<place + word.count].elementsEqual(word) { return place }
        }
        return nil
    }
}

/// Words to look for in many lines.
struct WantedWords {
    /// Their numbers, by their hashes.
    private var numbers: [UInt64: Int] = [:]
    /// The last line in which each was found.
    private var lines: [Int] = []
    private var line = 0

    init(_ text: ArraySlice<UInt8>) {
        Self.forEach(in: text) { if numbers[$0] == nil { numbers[$0] = numbers.count } }
        lines = Array(repeating: 0, count: numbers.count)
    }

    var count: Int { numbers.count }
    var isEmpty: Bool { numbers.isEmpty }

    /// How many of them a line has.
    mutating func count(in text: ArraySlice<UInt8>) -> Int {
        line += 1
        var count = 0
        Self.forEach(in: text) { hash in
            guard let number = numbers[hash], lines[number] != line else { return }
            lines[number] = line
            count += 1
        }
        return count
    }

    /// Calls `body` with the hash of each word (FNV-1a), ignoring the case of ASCII letters.
    private static func forEach(in text: ArraySlice<UInt8>, _ body: (UInt64) -> Void) {
        let start: UInt64 = 0xCBF2_9CE4_8422_2325
        var hash = start
        var length = 0
        for byte in text {
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

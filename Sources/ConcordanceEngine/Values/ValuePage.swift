/// The values that one column has in a page of documents (`SegmentLayout.documentsPerPage`).
///
/// A document has a code that stands for its value: 0 is NULL, and the others ascend with the values, in SQLite's order, an
/// integer before the real that equals it. So a filter is two codes found once a page and two comparisons a document, an
/// order within a page is that of the codes, and a facet counts them. Where some document of the page has several values,
/// each has one code or more; one without values has the code of NULL alone.
///
///     head u8         bits 0...1: form, see below; bit 2: some document has no value; bit 3: some document has several
///     form 0          no document has a value: nothing follows
///     form 1          integers as what they are more than the least: the least signed varint, the greatest code varint
///     form 2, 3       a dictionary: how many values, which is the greatest code, varint
///     with bit 3      width u8 (1...32); of each document how many codes it has, less 1, packed (`PackedNumbers`)
///     codes           of all documents, those of each ascending: code - least code, packed, as wide as the greatest takes;
///                     the least code is 0 with bit 2 of the head, else 1
///     form 2          the integers, ascending (`ValueDictionary`)
///     form 3          the values, ascending (`ValueDictionary`)
///     zeros           where there are fewer than 8 bytes from the first byte of the last code on, as many as are missing
///
/// Everything is checked when the page is opened: what is asked later costs no checks, and does not fail. In memory there
/// is, besides the bytes of the page, what `ValueDictionary` keeps of each value, and, where documents have several, 4 bytes
/// a document.
final class ValuePage {
    /// How many documents the page has.
    let count: Int
    /// Whether some document has several values.
    let hasLists: Bool
    /// The least code that occurs: 0 if some document has no value.
    let leastCode: UInt32
    let dictionary: ValueDictionary
    private let packedCodes: PackedNumbers
    /// Where the codes of each document begin, and where those of the last end; empty where each has one.
    private let starts: [UInt32]
    /// What keeps the bytes alive.
    private let owner: Block

    /// Opens a page of this many documents; `owner` keeps `bytes` alive.
    init(_ bytes: UnsafeRawBufferPointer, in owner: Block, count: Int) throws {
        var reader = ByteReader(bytes)
        let head = try ValuePageHead(try reader.byte())
        self.count = max(count, 0)
        self.owner = owner
        hasLists = head.hasLists
        leastCode = head.leastCode
        guard head.form != .nulls else {
            guard reader.isAtEnd else { throw corrupt("a page without values has bytes for values") }
            dictionary = ValueDictionary()
            packedCodes = PackedNumbers(nil, width: 0)
            starts = []
            return
        }
        let least = head.form == .offsets ? try reader.signedVarint() : 0
        let greatest = try reader.uint32()
        guard greatest > 0 else { throw corrupt("a page of values has none") }
        let width = PackedNumbers.width(of: greatest &- head.leastCode)
        starts = head.hasLists ? try Self.readStarts(&reader, count: self.count, codeWidth: width) : []
        let codeCount = starts.last.map { Int(truncatingIfNeeded: $0) } ?? self.count
        let codesEnd = UInt64(reader.offset) &+ PackedNumbers.readableSize(count: codeCount, width: width)
        packedCodes = PackedNumbers(try Self.bytes(&reader, count: codeCount, width: width), width: width)
        switch head.form {
        case .nulls, .offsets: dictionary = try ValueDictionary(offsetsFrom: least, greatestCode: greatest)
        case .integers: dictionary = try ValueDictionary(integers: &reader, count: greatest)
        case .entries: dictionary = try ValueDictionary(entries: &reader, of: bytes, count: greatest)
        }
        guard UInt64(bytes.count) == max(UInt64(reader.offset), codesEnd) else {
            throw corrupt("the length of a page of values does not fit its values")
        }
        try checkCodes(width)
    }

    // MARK: - Opening

    /// Where the codes of each document begin.
    private static func readStarts(_ reader: inout ByteReader, count: Int, codeWidth: Int) throws -> [UInt32] {
        let width = Int(try reader.byte())
        // A document with several codes has different ones, which have a width.
        guard width > 0, width <= 32, codeWidth > 0 else { throw corrupt("a page of lists has an unknown form") }
        let readable = PackedNumbers.readableSize(count: count, width: width)
        guard readable <= UInt64(reader.remaining) else { throw corrupt("a page of lists ends too early") }
        let counts = PackedNumbers(try bytes(&reader, count: count, width: width), width: width)
        // No more codes than the rest of the page can hold, nor than their places have bits for.
        let limit = min(UInt64(reader.remaining) &* 8 / UInt64(codeWidth), UInt64(Int32.max))
        var starts: [UInt32] = [0]
        starts.reserveCapacity(count + 1)
        var end: UInt64 = 0
        for index in 0..<count {
            end &+= UInt64(counts[index]) &+ 1
            guard end <= limit else { throw corrupt("a page of lists has more codes than bytes") }
            starts.append(UInt32(truncatingIfNeeded: end))
        }
        return starts
    }

    /// Where packed numbers begin, which end in the page.
    private static func bytes(_ reader: inout ByteReader, count: Int, width: Int) throws -> UnsafeRawPointer? {
        let size = PackedNumbers.size(count: count, width: width)
        guard size <= UInt64(reader.remaining) else { throw corrupt("a page of values ends too early") }
        return try reader.bytes(Int(truncatingIfNeeded: size)).baseAddress
    }

    /// Codes are in the dictionary; those of a document ascend, and that of NULL is alone.
    private func checkCodes(_ width: Int) throws {
        if hasLists {
            for document in 0..<count {
                var last: UInt32?
                for code in codes(at: document) {
                    guard code <= greatestCode, last.map({ $0 > 0 && $0 < code }) ?? true else {
                        throw corrupt("the values of a document are not in order")
                    }
                    last = code
                }
            }
            return
        }
        let limit = greatestCode &- leastCode
        // If all numbers of this width are codes, there is nothing to check.
        guard PackedNumbers.width(of: limit &+ 1) == width else { return }
        var greatest: UInt32 = 0
        for document in 0..<count { greatest = max(greatest, packedCodes[document]) }
        guard greatest <= limit else { throw corrupt("a document has a value that its page does not have") }
    }

    // MARK: - Codes of documents

    /// The greatest code that occurs; 0 if no document has a value.
    @inline(__always) var greatestCode: UInt32 { dictionary.greatestCode }

    /// The code of a document's only value, 0 for NULL. The index is below `count`, and no document has several
    /// (`hasLists`).
    @inline(__always)
    func code(at index: Int) -> UInt32 {
        assert(index >= 0 && index < count && !hasLists, "a document that has no code or several")
        return packedCodes[index] &+ leastCode
    }

    /// The codes of a document, ascending: only 0 if it has no value. The index is below `count`. They are valid as
    /// long as the page.
    @inline(__always)
    func codes(at index: Int) -> DocumentCodes {
        assert(index >= 0 && index < count, "a document that is not in the page")
        let range =
            hasLists
            ? Int(truncatingIfNeeded: starts[index])..<Int(truncatingIfNeeded: starts[index &+ 1])
            : index..<index &+ 1
        return DocumentCodes(packedCodes, leastCode: leastCode, range)
    }

    /// Calls `body` with each code of a document, ascending.
    @inline(__always)
    func forEachCode(at index: Int, _ body: (UInt32) throws -> Void) rethrows {
        if hasLists {
            for code in codes(at: index) { try body(code) }
        } else {
            try body(code(at: index))
        }
    }
}

/// The codes of one document, ascending.
struct DocumentCodes: RandomAccessCollection {
    private let codes: PackedNumbers
    private let leastCode: UInt32
    let startIndex: Int
    let endIndex: Int

    @inline(__always)
    init(_ codes: PackedNumbers, leastCode: UInt32, _ range: Range<Int>) {
        self.codes = codes
        self.leastCode = leastCode
        startIndex = range.lowerBound
        endIndex = range.upperBound
    }

    @inline(__always)
    subscript(index: Int) -> UInt32 { codes[index] &+ leastCode }
}

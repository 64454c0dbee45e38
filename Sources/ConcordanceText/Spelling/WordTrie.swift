/// Words with their counts in one array of bytes: a radix trie in preorder.
///
/// ```
/// node     = head, size, label, [word], [children]
/// head       bits 0-2: bytes of the label, or 7 if a varint with the rest follows `size`
///            bit 3: a word ends here       bit 4: there are children       bits 5-6: how the word is written
/// size       varint: the bytes of the node after this field, children included; so a walk skips a subtree in one step
/// label      one or more whole UTF-8 characters of the key
/// word       varint count, which is at least one; then varint length and UTF-8, if `Form` cannot derive the written
///            form from the key
/// children   `bound`, one byte: the greatest count in the whole subtree, rounded up by `CountBound`; then the nodes,
///            sorted by the first characters of their labels
/// ```
///
/// Varints have seven bits per byte, the lowest first. Siblings begin with different characters, so there are at most
/// as many levels as a key has characters. A million words of documentation take some ten bytes each.
///
/// The bytes are made by `WordTrieBuilder` and come from nowhere else, so walks trust them.
struct WordTrie: Sendable {
    let bytes: [UInt8]
    let wordCount: Int
    /// The sum of all counts.
    let total: Int

    static let empty = WordTrie(bytes: [], wordCount: 0, total: 0)

    /// How a word is written, compared with its key.
    enum Form: UInt8 {
        /// Like the key.
        case key = 0
        /// With the first letter, an ASCII letter, capitalized.
        case capitalized = 1
        /// With all ASCII letters as capitals.
        case capitals = 2
        /// Otherwise: the text stands in the node.
        case text = 3
    }

    static let labelMask: UInt8 = 0x07
    static let wordBit: UInt8 = 0x08
    static let childrenBit: UInt8 = 0x10
    static let formShift: UInt8 = 5

    /// The node at a place, decoded as far as walks need it before they read its label.
    struct Node {
        let head: UInt8
        /// Where the label begins, and where it ends.
        let label: Int
        let labelEnd: Int
        /// Where the node ends, children included.
        let end: Int

        @inline(__always)
        init(_ bytes: UnsafePointer<UInt8>, at offset: Int) {
            head = bytes[offset]
            var place = offset &+ 1
            let size = readVarint(bytes, &place)
            end = place &+ size
            var length = Int(head & WordTrie.labelMask)
            if length == Int(WordTrie.labelMask) { length = length &+ readVarint(bytes, &place) }
            label = place
            labelEnd = place &+ length
        }

        var isWord: Bool { head & WordTrie.wordBit != 0 }
        var hasChildren: Bool { head & WordTrie.childrenBit != 0 }
        var form: Form { Form(rawValue: head >> WordTrie.formShift & 3) ?? .key }
    }

    /// A node's data about its word.
    struct Word {
        let count: Int
        let form: Form
        /// The text of a word of the form `text`.
        let text: Range<Int>
        /// Where the node continues after it.
        let end: Int

        @inline(__always)
        init(_ bytes: UnsafePointer<UInt8>, of node: Node) {
            var place = node.labelEnd
            count = readVarint(bytes, &place)
            form = node.form
            if form == .text {
                let length = readVarint(bytes, &place)
                text = place..<place &+ length
                place = place &+ length
            } else {
                text = place..<place
            }
            end = place
        }
    }

    /// The word as it is written, given the key of its node.
    static func written(_ word: Word, key: UnsafeBufferPointer<UInt8>, _ bytes: UnsafePointer<UInt8>) -> String {
        switch word.form {
        case .key: String(decoding: key, as: UTF8.self)
        case .capitalized:
            String(decoding: key.enumerated().lazy.map { $0 == 0 ? ASCII.capital($1) : $1 }, as: UTF8.self)
        case .capitals: String(decoding: key.lazy.map(ASCII.capital), as: UTF8.self)
        case .text:
            String(
                decoding: UnsafeBufferPointer(start: bytes + word.text.lowerBound, count: word.text.count),
                as: UTF8.self)
        }
    }

    /// The place of the node in which `prefix` ends, and how many bytes of its label belong to `prefix`; nil if no key
    /// begins with `prefix`, which must not be empty.
    static func find(
        _ prefix: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
    ) -> (offset: Int, used: Int)? {
        guard let base = bytes.baseAddress else { return nil }
        var offset = 0
        var end = bytes.count
        var matched = 0
        while offset < end {
            let node = Node(base, at: offset)
            var used = 0
            let length = node.labelEnd - node.label
            while used < length, matched + used < prefix.count, base[node.label + used] == prefix[matched + used] {
                used += 1
            }
            if matched + used == prefix.count { return (offset, used) }
            if used < length {
                // Labels that begin with the same byte may still begin with different characters.
                offset = node.end
                continue
            }
            matched += used
            guard node.hasChildren else { return nil }
            offset = (node.isWord ? Word(base, of: node).end : node.labelEnd) + 1
            end = node.end
        }
        return nil
    }

    /// Calls `body` with each key and its word, in the order of the keys.
    func forEachWord(_ body: (_ key: UnsafeBufferPointer<UInt8>, _ word: Word, _ bytes: UnsafePointer<UInt8>) -> Void) {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var key: [UInt8] = []
            Self.visit(base, from: 0, to: buffer.count, key: &key, body)
        }
    }

    private static func visit(
        _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, key: inout [UInt8],
        _ body: (UnsafeBufferPointer<UInt8>, Word, UnsafePointer<UInt8>) -> Void
    ) {
        var offset = start
        let depth = key.count
        while offset < end {
            let node = Node(bytes, at: offset)
            key.append(
                contentsOf: UnsafeBufferPointer(start: bytes + node.label, count: node.labelEnd - node.label))
            var place = node.labelEnd
            if node.isWord {
                let word = Word(bytes, of: node)
                key.withUnsafeBufferPointer { body($0, word, bytes) }
                place = word.end
            }
            if node.hasChildren { visit(bytes, from: place + 1, to: node.end, key: &key, body) }
            key.removeSubrange(depth...)
            offset = node.end
        }
    }
}

/// Reads a varint and moves past it.
@inline(__always)
func readVarint(_ bytes: UnsafePointer<UInt8>, _ place: inout Int) -> Int {
    var byte = bytes[place]
    place = place &+ 1
    if byte < 0x80 { return Int(byte) }
    var value = Int(byte & 0x7F)
    var shift = 7
    repeat {
        byte = bytes[place]
        place = place &+ 1
        value |= Int(byte & 0x7F) &<< shift
        shift = shift &+ 7
    } while byte >= 0x80
    return value
}

extension ASCII {
    /// The capital of an ASCII letter; other bytes unchanged.
    static func capital(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte &- 0x20 : byte }
}

/// Counts, rounded up, in one byte: `n` stands for counts up to 2^(n/8).
enum CountBound {
    /// The greatest count that a dictionary keeps.
    static let maximum = Int(clamping: Int64(1) << 31)

    /// The byte of a count of at least one.
    static func byte(of count: Int) -> UInt8 {
        // The table has 256 entries, the last of them above `maximum`.
        var low = 0
        var high = 255
        while low < high {
            let middle = (low + high) / 2
            if exponentials[middle] < Double(count) { low = middle + 1 } else { high = middle }
        }
        return UInt8(truncatingIfNeeded: low)
    }

    /// The greatest count that a byte stands for.
    static func count(_ byte: UInt8) -> Double { exponentials[Int(byte)] }

    /// The binary logarithm of the greatest count that a byte stands for, plus a trifle to allow for rounding.
    @inline(__always)
    static func bits(_ byte: UInt8) -> Double { Double(byte) / 8 + 1e-9 }

    private static let exponentials: [Double] = (0..<256).map { entry in
        // Eighth powers of two by square roots, so that no mathematics library is needed.
        let root = (2.0).squareRoot().squareRoot().squareRoot()
        var value = Double(1 << min(entry / 8, 62))
        for _ in 0..<entry % 8 { value *= root }
        // Rounding must not make 2^(n/8) too small.
        return value * (1 + 1e-12)
    }
}

/// Words on their way into a `WordTrie`: keys, written forms and counts, in any order, with repeated keys.
struct WordEntries {
    struct Entry {
        /// The first eight bytes of the key, the first one highest; they decide most comparisons.
        var order: UInt64
        /// Where the key begins in the pool; the written form follows it.
        var start: Int
        var keyCount: Int32
        /// Zero for a word that is written like its key.
        var formCount: Int32
        var count: Int
    }

    private(set) var entries: [Entry] = []
    private var pool: [UInt8] = []

    /// Reserves room for that many words.
    mutating func reserve(_ count: Int) {
        entries.reserveCapacity(count)
        pool.reserveCapacity(count * 12)
    }

    /// Adds a word with its key, both shorter than 2^31 bytes, and a positive count.
    mutating func add(key: UnsafeBufferPointer<UInt8>, form: UnsafeBufferPointer<UInt8>, count: Int) {
        let start = pool.count
        pool.append(contentsOf: key)
        let isKey = key.count == form.count && key.elementsEqual(form)
        if !isKey { pool.append(contentsOf: form) }
        var order: UInt64 = 0
        for index in 0..<8 { order = order << 8 | (index < key.count ? UInt64(key[index]) : 0) }
        entries.append(
            Entry(
                order: order, start: start, keyCount: Int32(truncatingIfNeeded: key.count),
                formCount: isKey ? 0 : Int32(truncatingIfNeeded: form.count), count: count))
    }

    /// Makes the trie of the words. A key that was added more than once gets the sum of its counts and its most
    /// frequent form; among forms with equal counts, the first by its bytes.
    ///
    /// Removes the words.
    mutating func makeTrie() -> WordTrie {
        var entries: [Entry] = []
        swap(&entries, &self.entries)
        defer { pool = [] }
        return pool.withUnsafeBufferPointer { pool in
            guard let base = pool.baseAddress else { return .empty }
            entries.sort { Self.isBefore($0, $1, base) }
            Self.merge(&entries, base)
            return entries.withUnsafeBufferPointer { WordTrieBuilder(entries: $0, pool: base).build() }
        }
    }

    private static func isBefore(_ left: Entry, _ right: Entry, _ pool: UnsafePointer<UInt8>) -> Bool {
        if left.order != right.order { return left.order < right.order }
        let order = compareKeys(left, right, pool)
        if order != 0 { return order < 0 }
        if left.count != right.count { return left.count > right.count }
        let (first, second) = (form(left, pool), form(right, pool))
        return first.lexicographicallyPrecedes(second)
    }

    private static func compareKeys(_ left: Entry, _ right: Entry, _ pool: UnsafePointer<UInt8>) -> Int {
        let count = min(left.keyCount, right.keyCount)
        for index in 0..<Int(count) {
            let (first, second) = (pool[left.start + index], pool[right.start + index])
            if first != second { return first < second ? -1 : 1 }
        }
        return Int(left.keyCount - right.keyCount)
    }

    private static func form(_ entry: Entry, _ pool: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        entry.formCount == 0
            ? UnsafeBufferPointer(start: pool + entry.start, count: Int(entry.keyCount))
            : UnsafeBufferPointer(start: pool + entry.start + Int(entry.keyCount), count: Int(entry.formCount))
    }

    /// Keeps the first entry of each key, with the sum of the counts.
    private static func merge(_ entries: inout [Entry], _ pool: UnsafePointer<UInt8>) {
        var kept = 0
        for index in entries.indices {
            if kept > 0, entries[kept - 1].order == entries[index].order,
                compareKeys(entries[kept - 1], entries[index], pool) == 0
            {
                let sum = entries[kept - 1].count.addingReportingOverflow(entries[index].count)
                entries[kept - 1].count = sum.overflow ? .max : sum.partialValue
            } else {
                entries[kept] = entries[index]
                kept += 1
            }
        }
        entries.removeSubrange(kept...)
    }
}

/// Writes a trie from its end to its beginning, so that the size of each node is known when its head is written. The
/// bytes are collected in reverse and reversed at the end.
private struct WordTrieBuilder {
    let entries: UnsafeBufferPointer<WordEntries.Entry>
    let pool: UnsafePointer<UInt8>
    private var output: [UInt8] = []
    private var total = 0

    init(entries: UnsafeBufferPointer<WordEntries.Entry>, pool: UnsafePointer<UInt8>) {
        self.entries = entries
        self.pool = pool
        output.reserveCapacity(entries.count * 10)
    }

    consuming func build() -> WordTrie {
        _ = writeNodes(0..<entries.count, from: 0)
        output.reverse()
        return WordTrie(bytes: output, wordCount: entries.count, total: total)
    }

    /// Writes the nodes of the words in `range`, which have their first `start` bytes in common and are longer, and
    /// returns the greatest count.
    private mutating func writeNodes(_ range: Range<Int>, from start: Int) -> Int {
        var greatest = 0
        var end = range.upperBound
        while end > range.lowerBound {
            var begin = end - 1
            while begin > range.lowerBound, hasSameCharacter(begin - 1, end - 1, at: start) { begin -= 1 }
            greatest = max(greatest, writeNode(begin..<end, from: start))
            end = begin
        }
        return greatest
    }

    private mutating func writeNode(_ range: Range<Int>, from start: Int) -> Int {
        let last = output.count
        let first = entries[range.lowerBound]
        let labelEnd = commonEnd(first, entries[range.upperBound - 1], from: start)
        let isWord = Int(first.keyCount) == labelEnd
        let count = min(first.count, CountBound.maximum)
        var greatest = isWord ? count : 0
        let children = isWord ? range.lowerBound + 1..<range.upperBound : range
        if !children.isEmpty {
            greatest = max(greatest, writeNodes(children, from: labelEnd))
            output.append(CountBound.byte(of: greatest))
        }
        var form = WordTrie.Form.key
        if isWord {
            form = writeForm(first)
            writeVarint(count)
            total = total.addingReportingOverflow(count).partialValue
        }
        let length = labelEnd - start
        for index in stride(from: labelEnd - 1, through: start, by: -1) { output.append(pool[first.start + index]) }
        let short = min(length, Int(WordTrie.labelMask))
        if short == Int(WordTrie.labelMask) { writeVarint(length - short) }
        // `size` counts all bytes after itself, including the rest of a long label's length.
        writeVarint(output.count - last)
        output.append(
            UInt8(truncatingIfNeeded: short) | (isWord ? WordTrie.wordBit : 0)
                | (children.isEmpty ? 0 : WordTrie.childrenBit) | form.rawValue << WordTrie.formShift)
        return greatest
    }

    /// Writes the text of a word that needs one.
    private mutating func writeForm(_ entry: WordEntries.Entry) -> WordTrie.Form {
        guard entry.formCount > 0 else { return .key }
        let key = UnsafeBufferPointer(start: pool + entry.start, count: Int(entry.keyCount))
        let form = UnsafeBufferPointer(start: pool + entry.start + key.count, count: Int(entry.formCount))
        if form.count == key.count, form[0] == ASCII.capital(key[0]) {
            if form.dropFirst().elementsEqual(key.dropFirst()) { return .capitalized }
            if form.elementsEqual(key.lazy.map(ASCII.capital)) { return .capitals }
        }
        for byte in form.reversed() { output.append(byte) }
        writeVarint(form.count)
        return .text
    }

    /// Writes a varint in reverse.
    private mutating func writeVarint(_ value: Int) {
        var groups = 1
        while value >> (7 * groups) != 0 { groups += 1 }
        for group in stride(from: groups - 1, through: 0, by: -1) {
            output.append(UInt8(truncatingIfNeeded: value >> (7 * group) & 0x7F) | (group == groups - 1 ? 0 : 0x80))
        }
    }

    private func hasSameCharacter(_ left: Int, _ right: Int, at start: Int) -> Bool {
        let (first, second) = (entries[left], entries[right])
        let byte = pool[first.start + start]
        guard byte == pool[second.start + start] else { return false }
        if byte < 0x80 { return true }
        var index = start + 1
        while index < first.keyCount, pool[first.start + index] & 0xC0 == 0x80 {
            guard index < second.keyCount, pool[first.start + index] == pool[second.start + index] else { return false }
            index += 1
        }
        return true
    }

    /// Where the common beginning of two keys ends, between two characters; they agree in their character at `start`.
    private func commonEnd(_ left: WordEntries.Entry, _ right: WordEntries.Entry, from start: Int) -> Int {
        let count = Int(min(left.keyCount, right.keyCount))
        var end = start
        while end < count, pool[left.start + end] == pool[right.start + end] { end += 1 }
        func isInside(_ entry: WordEntries.Entry) -> Bool {
            end < entry.keyCount && pool[entry.start + end] & 0xC0 == 0x80
        }
        while isInside(left) || isInside(right) { end -= 1 }
        return end
    }
}

extension SpellingDictionary {
    /// A word that begins with what was typed.
    public struct Completion: Hashable, Sendable {
        /// The word as it is written most often.
        public var word: String
        /// How often it was counted.
        package var count: Int
    }

    /// Returns the words that begin with `prefix`, however they are written, the most frequent first; words with equal
    /// counts in the order of their folded characters. The prefix itself is among them if it is a word. For an empty
    /// prefix, returns the most frequent words of all.
    ///
    /// The time depends on `limit`, not on the number of words with the prefix: each subtree of the dictionary knows
    /// its greatest count, and only the most promising ones are searched.
    public func completions(of prefix: String, limit: Int = 10) -> [Completion] {
        var key = SpellingKey()
        guard limit > 0, !isEmpty else { return [] }
        guard key.make(prefix) || prefix.isEmpty else { return [] }
        return trie.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var search = CompletionSearch(base)
            let isFound = key.bytes.withUnsafeBufferPointer { search.begin(at: $0, in: bytes) }
            guard isFound else { return [] }
            var completions: [Completion] = []
            // The limit may be huge, so no room is reserved for it.
            while completions.count < limit, let completion = search.next() { completions.append(completion) }
            return completions
        }
    }
}

/// A best-first walk over a trie: a heap of words with their counts and of subtrees with their bounds.
private struct CompletionSearch {
    private struct Item {
        /// The count of a word, or an upper bound of the counts in a subtree.
        var weight: Double
        /// Where the node begins.
        var node: Int
        /// The index in `keys` of the characters before its label.
        var parent: Int
        var isWord: Bool

        /// Subtrees come before words of the same weight, since they may contain such words, too; words come in the
        /// order of their keys, which is that of their nodes.
        static func < (left: Item, right: Item) -> Bool {
            if left.weight != right.weight { return left.weight > right.weight }
            if left.isWord != right.isWord { return right.isWord }
            return left.node < right.node
        }
    }

    private let bytes: UnsafePointer<UInt8>
    private var heap: [Item] = []
    private var keys: [[UInt8]] = []

    init(_ bytes: UnsafePointer<UInt8>) { self.bytes = bytes }

    /// Begins with the words under a prefix; false if there are none.
    mutating func begin(at prefix: UnsafeBufferPointer<UInt8>, in buffer: UnsafeBufferPointer<UInt8>) -> Bool {
        if prefix.isEmpty {
            pushNodes(from: 0, to: buffer.count, key: [])
            return true
        }
        guard let (offset, used) = WordTrie.find(prefix, in: buffer) else { return false }
        keys.append(Array(prefix.dropLast(used)))
        push(WordTrie.Node(bytes, at: offset), at: offset, parent: 0)
        return true
    }

    /// The best word that has not been returned yet.
    mutating func next() -> SpellingDictionary.Completion? {
        while let item = pop() {
            let node = WordTrie.Node(bytes, at: item.node)
            let label = UnsafeBufferPointer(start: bytes + node.label, count: node.labelEnd - node.label)
            let key = keys[item.parent] + label
            if item.isWord {
                let word = WordTrie.Word(bytes, of: node)
                return key.withUnsafeBufferPointer {
                    SpellingDictionary.Completion(word: WordTrie.written(word, key: $0, bytes), count: word.count)
                }
            }
            var place = node.labelEnd
            if node.isWord {
                let word = WordTrie.Word(bytes, of: node)
                place = word.end
                pushWord(count: word.count, at: item.node, parent: item.parent)
            }
            pushNodes(from: place + 1, to: node.end, key: key)
        }
        return nil
    }

    private mutating func pushNodes(from start: Int, to end: Int, key: [UInt8]) {
        keys.append(key)
        var offset = start
        while offset < end {
            let node = WordTrie.Node(bytes, at: offset)
            push(node, at: offset, parent: keys.count - 1)
            offset = node.end
        }
    }

    private mutating func push(_ node: WordTrie.Node, at offset: Int, parent: Int) {
        let word = node.isWord ? WordTrie.Word(bytes, of: node) : nil
        if node.hasChildren {
            let bound = CountBound.count(bytes[word?.end ?? node.labelEnd])
            push(Item(weight: bound, node: offset, parent: parent, isWord: false))
        } else if let word {
            pushWord(count: word.count, at: offset, parent: parent)
        }
    }

    private mutating func pushWord(count: Int, at offset: Int, parent: Int) {
        push(Item(weight: Double(count), node: offset, parent: parent, isWord: true))
    }

    // MARK: The heap

    private mutating func push(_ item: Item) {
        heap.append(item)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() -> Item? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if heap.isEmpty { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = 2 * parent + 1
            guard least < heap.count else { break }
            if least + 1 < heap.count, heap[least + 1] < heap[least] { least += 1 }
            guard heap[least] < heap[parent] else { break }
            heap.swapAt(least, parent)
            parent = least
        }
        return first
    }
}

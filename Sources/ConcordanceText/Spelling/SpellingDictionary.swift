/// Words with their counts: finds what a misspelled word was meant to be, and completes the beginning of a word.
///
/// ```swift
/// let words = WordCounter()
/// words.add("Großmann isst Äpfel. Großmann liest.")
/// let dictionary = words.makeDictionary()
/// dictionary.completions(of: "gro").map(\.word)      // ["Großmann"]
/// dictionary.corrections(of: "grosman").map(\.text)  // ["Großmann"]
/// ```
///
/// Words that differ only in case, accents and other marks that folding removes are one word, returned as it is written
/// most often. A dictionary is an immutable value of some ten bytes per word (`byteCount`), which threads may share.
public struct SpellingDictionary: Sendable {
    let trie: WordTrie

    init(_ trie: WordTrie) { self.trie = trie }

    /// Creates a dictionary without words.
    public init() { trie = .empty }

    /// Creates a dictionary of these words; the counts of words that fold alike are added up. Words that fold to
    /// nothing or to more than 60 characters, and those with a count below one, are left out.
    public init(_ words: some Sequence<(word: String, count: Int)>) {
        var key = SpellingKey()
        var entries = WordEntries()
        for (word, count) in words where count > 0 {
            var word = word
            word.withUTF8 { form in
                guard key.make(form) else { return }
                key.bytes.withUnsafeBufferPointer { entries.add(key: $0, form: form, count: count) }
            }
        }
        trie = entries.makeTrie()
    }

    /// The number of different words.
    public var wordCount: Int { trie.wordCount }
    /// The memory that the dictionary takes, in bytes.
    public var byteCount: Int { trie.bytes.count }
    /// Whether it has no words.
    package var isEmpty: Bool { trie.wordCount == 0 }

    /// Returns how often the word was counted, however it is written; zero for an unknown word.
    public func count(of word: String) -> Int { entry(of: word)?.count ?? 0 }

    /// The word as it is written most often; nil for an unknown word.
    package func spelling(of word: String) -> String? { entry(of: word)?.word }

    /// Calls `body` with each word as it is written most often, and its count, in the order of their folded characters.
    public func forEachWord(_ body: (_ word: String, _ count: Int) -> Void) {
        trie.forEachWord { key, word, bytes in body(WordTrie.written(word, key: key, bytes), word.count) }
    }

    private func entry(of word: String) -> (word: String, count: Int)? {
        var key = SpellingKey()
        guard key.make(word) else { return nil }
        return key.bytes.withUnsafeBufferPointer { entry(key: $0) }
    }

    func entry(key: UnsafeBufferPointer<UInt8>) -> (word: String, count: Int)? {
        trie.bytes.withUnsafeBufferPointer { bytes in
            guard !key.isEmpty, let base = bytes.baseAddress, let (offset, used) = WordTrie.find(key, in: bytes)
            else { return nil }
            let node = WordTrie.Node(base, at: offset)
            guard node.isWord, used == node.labelEnd - node.label else { return nil }
            let word = WordTrie.Word(base, of: node)
            return (WordTrie.written(word, key: key, base), word.count)
        }
    }
}

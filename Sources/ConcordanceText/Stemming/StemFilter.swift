/// Reduces words to their stems, so that each form of a word finds the others. Words that the language's rules do not
/// cover, such as those in another alphabet, pass unchanged.
///
/// `Analyzer.Filter.inflections` also indexes each word beside its stem, at the same place. Half-typed words are then
/// found among the words, and so are words with typos. Although the rules expect accents, words without them find words
/// with them, and vice versa.
public final class StemFilter: TokenFilter {
    @exclusivity(unchecked) private var stemmer: Stemmer
    private let keepsWords: Bool
    /// Folds stems, and words.
    @exclusivity(unchecked) private var stemFolder: TokenFolder?
    @exclusivity(unchecked) private var wordFolder: TokenFolder?
    /// The stem of the current token while another word is stemmed.
    @exclusivity(unchecked) private var stem = TokenBuffer()

    /// A filter for the words of one language, in small letters.
    public convenience init(_ language: StemmingLanguage) { self.init(language, keepsWords: false) }

    /// A filter for the words of one language, in small letters.
    ///
    /// - Parameters:
    ///   - keepsWords: Whether each word is passed on beside its stem.
    ///   - folding: The folding of stems and words, applied after stemming.
    package init(_ language: StemmingLanguage, keepsWords: Bool, folding: Folding = []) {
        stemmer = Stemmer(language, forms: keepsWords)
        self.keepsWords = keepsWords
        stemFolder = folding.isEmpty ? nil : TokenFolder(folding)
        wordFolder = folding.isEmpty ? nil : TokenFolder(folding)
    }

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        let flags = flags.subtracting(.plain)
        let found = stemmer.stem(token)
        let folded = stemFolder?.fold(found) ?? found
        if folded.isEmpty { return emit(token, flags: flags, start: start, end: end) }
        guard keepsWords else { return emit(folded, flags: flags, start: start, end: end) }
        let isStem = Self.areEqual(found, token)
        // What the stemmer returned is valid only until its next call.
        stem.count = 0
        if let base = folded.baseAddress { stem.append(base, count: folded.count) }
        var code = emit(stem.contents, flags: flags, start: start, end: end)
        let word = isStem ? stem.contents : wordFolder?.fold(token) ?? token
        let others = flags.union(.colocated)
        let sendsWord = !isQuery || !reason.isDisjoint(with: [.prefix, .typos])
        if code == 0, sendsWord, !Self.areEqual(word, stem.contents) {
            code = emit(word, flags: others, start: start, end: end)
        }
        if code == 0, reason.contains(.prefix), end == text.count, let other = wordFolder?.foldHalfTyped(word) {
            code = emit(other, flags: others, start: start, end: end)
        }
        // Without its accents the word may have another stem.
        guard code == 0, !Self.areEqual(word, token), !(isQuery && sendsWord) else { return code }
        let plain = stemmer.stem(word)
        let plainFolded = stemFolder?.fold(plain) ?? plain
        if Self.areEqual(plainFolded, stem.contents) { return 0 }
        // A query then asks for the word, and not for that stem, which may be that of other words, too.
        if isQuery { return Self.areEqual(word, stem.contents) ? 0 : emit(word, flags: others, start: start, end: end) }
        return Self.areEqual(plainFolded, word) ? 0 : emit(plainFolded, flags: others, start: start, end: end)
    }

    private static func areEqual(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>) -> Bool {
        guard first.count == second.count else { return false }
        for index in 0..<first.count where first[index] != second[index] { return false }
        return true
    }
}

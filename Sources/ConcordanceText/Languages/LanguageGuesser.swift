/// Guesses which of several languages a text is in: by its script and, if several of them share it, by how frequent the
/// text's sequences of letters are in each.
///
/// `Scripts/languages/language_guess.py` creates the table and measures it: among all 25 languages in Latin script, 2
/// in 100 sentences of 60 to 140 characters are taken for another language, mostly Danish for Norwegian or the reverse,
/// and none of 8,150 texts of 300 characters.
final class LanguageGuesser {
    /// How many bytes it reads of a text.
    static let window = 1024

    /// A language in one of its scripts.
    private struct Candidate {
        /// The number of the language.
        var language: Int
        var script: WritingSystem
        /// The language's column in the table; nil if the table does not have it.
        var column: Int?
        /// The language, if the table lacks it and hints identify it; nil otherwise.
        var hinted: TextLanguage?
        var score = 0
    }

    private let isChinese: [Bool]
    @exclusivity(unchecked) private var candidates: [Candidate]
    @exclusivity(unchecked) private var letters = [Int](repeating: 0, count: WritingSystem.allCases.count)
    /// The number of sequences of letters looked up so far.
    private var sequences = 0
    private let words = FilteredTokenizer(
        WordTokenizer(.init(), marksPlain: true), [FoldingFilter([.caseFolding, .compatibility])])

    init(_ languages: [TextLanguage]) {
        isChinese = languages.map { $0 == .chinese }
        let columns = LanguageGuessTables.codes.split(separator: " ")
        candidates = languages.enumerated().flatMap { number, language in
            language.writingSystems.map { script in
                let isSecond = language == .serbian && script == .cyrillic
                let code = isSecond ? language.rawValue + "-Cyrl" : language.rawValue
                return Candidate(
                    language: number, script: script, column: columns.firstIndex { $0 == code },
                    hinted: LanguageHints.exist(for: language) ? language : nil)
            }
        }
    }

    /// The number of the most likely language; 0 if nothing tells.
    func guess(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        if isChinese.count < 2 { return 0 }
        count(text)
        return best()?.language ?? 0
    }

    /// The number of the most likely language; nil if the text has too few letters or, for a script that several
    /// languages share, too little weight.
    ///
    /// - Parameter leastWeight: The least average weight of a sequence of letters, in hundredths.
    func certainGuess(_ text: UnsafeBufferPointer<UInt8>, fewestLetters: Int, leastWeight: Int) -> Int? {
        count(text)
        guard letters.reduce(0, +) >= fewestLetters, let best = best() else { return nil }
        guard let score = best.score else { return best.language }
        guard sequences >= fewestLetters / 2 else { return nil }
        return score * 100 >= leastWeight * sequences ? best.language : nil
    }

    private func count(_ text: UnsafeBufferPointer<UInt8>) {
        sequences = 0
        for index in candidates.indices { candidates[index].score = 0 }
        for index in letters.indices { letters[index] = 0 }
        var count = min(text.count, Self.window)
        // Do not cut a character in two.
        while count > 0, count < text.count, text[count] & 0xC0 == 0x80 { count -= 1 }
        let sink = TokenSink(context: Unmanaged.passUnretained(self).toOpaque()) { context, _, token, count, _, _ in
            guard let context, let token, count > 0 else { return 0 }
            return Unmanaged<LanguageGuesser>.fromOpaque(context)._withUnsafeGuaranteedRef { guesser in
                token.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                    guesser.add(UnsafeBufferPointer(start: $0, count: Int(count)))
                }
                return 0
            }
        }
        _ = words.tokenize(UnsafeBufferPointer(rebasing: text[..<count]), for: .auxiliary, into: sink)
    }

    /// The best candidate, with its score if that decided; nil for a text without letters.
    private func best() -> (language: Int, score: Int?)? {
        var script = 0
        for index in letters.indices where letters[index] > letters[script] { script = index }
        // Most characters of a Japanese text may be Chinese ones, but Chinese texts have hardly any kana.
        let (han, kana) = (Int(WritingSystem.han.rawValue), Int(WritingSystem.kana.rawValue))
        if script == han, letters[kana] * 20 > letters[han] { script = kana }
        guard letters[script] > 0 else { return nil }
        var best: (language: Int, score: Int) = (0, -1)
        var count = 0
        for candidate in candidates where Int(candidate.script.rawValue) == script {
            count += 1
            // Few Japanese or Korean texts consist of Chinese characters alone.
            let score = candidate.script == .han && isChinese[candidate.language] ? 1 : candidate.score
            if score > best.score { best = (candidate.language, score) }
        }
        return (best.language, count > 1 && script != han ? best.score : nil)
    }

    /// Counts the letters of a word, and adds the weights of its sequences of letters to the scores.
    private func add(_ word: UnsafeBufferPointer<UInt8>) {
        for index in candidates.indices {
            if let language = candidates[index].hinted {
                candidates[index].score += LanguageHints.score(word, for: language)
            }
        }
        var window: (UInt32, UInt32) = (0, 0)
        var length = 0
        var index = 0
        while index < word.count {
            let (scalar, bytes) = UTF8Scalars.decode(word, at: index)
            index += bytes
            guard let script = WritingSystem.of(scalar) else {
                length = 0
                continue
            }
            letters[Int(script.rawValue)] += script.letterWeight
            length += 1
            if length > 2 { addRow(Self.step(Self.step(Self.step(Self.seed, window.0), window.1), scalar)) }
            window = (window.1, scalar)
        }
        if length == 2 { addRow(Self.step(Self.step(Self.seed, window.0), window.1)) }
    }

    private static let seed: UInt32 = 2_166_136_261

    /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over letters.
    @inline(__always)
    private static func step(_ hash: UInt32, _ letter: UInt32) -> UInt32 { (hash ^ letter) &* 16_777_619 }

    @inline(__always)
    private func addRow(_ hash: UInt32) {
        let row = Int((hash ^ hash >> 15) % UInt32(LanguageGuessTables.buckets)) * LanguageGuessTables.width
        let digits = LanguageGuessTables.weights.utf8Start + row
        sequences += 1
        for index in candidates.indices {
            guard let column = candidates[index].column else { continue }
            let digit = Int(digits[column >> 1] &- 0x30)
            candidates[index].score += column & 1 == 0 ? digit >> 3 : digit & 7
        }
    }
}

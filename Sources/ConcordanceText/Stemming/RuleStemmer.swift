/// Stems UTF-8 words by the rules of a program, in memory of its own.
struct RuleStemmer: ~Copyable {
    private let program: StemProgram
    /// Whether stems are stemmed again: see `mostRepeats`.
    private let repeats: Bool
    private let memory = StemMachine.Memory()
    /// The UTF-8 of each letter that has a code: first the program's letters, then the other letters of the current
    /// word.
    private let spellings = UnsafeMutablePointer<StemAlphabet.Spelling>.allocate(capacity: 256)
    /// A stem in UTF-8, at most three bytes a letter. One byte more, because each letter is stored as four.
    private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * StemMachine.capacity + 1)

    /// The letters of a stem before it is stemmed again.
    private let before = UnsafeMutablePointer<UInt8>.allocate(capacity: StemMachine.capacity)

    init(_ program: StemProgram, repeats: Bool = false) {
        self.program = program
        self.repeats = repeats
        spellings.initialize(repeating: 0, count: 256)
        program.alphabet.copySpellings(to: spellings)
        output.initialize(repeating: 0, count: 3 * StemMachine.capacity + 1)
    }

    deinit {
        spellings.deallocate()
        before.deallocate()
        output.deallocate()
    }

    /// The stem of a word, valid until the next call; nil if the rules change nothing or leave nothing, if the word is
    /// too long, or if it is not UTF-8 of scalars below U+10000.
    func stem(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        let alphabet = program.alphabet.addresses
        let letters = memory.letters
        // The code of the next letter that the rules do not know.
        var free = program.alphabet.count
        var count = 0
        var index = 0
        while index < word.count {
            guard count < StemMachine.longestWord else { return nil }
            let (scalar, length) = StrictUTF8.decode(word, at: index)
            guard let scalar, scalar <= UInt32(UInt16.max) else { return nil }
            var code = alphabet.code(of: scalar)
            if code == 0 {
                let spelling = StemAlphabet.spelling(scalar)
                var other = program.alphabet.count
                while other < free, spellings[other] != spelling { other &+= 1 }
                // No word of a language has so many letters.
                guard other < 256 else { return nil }
                spellings[other] = spelling
                free = max(free, other &+ 1)
                code = UInt8(truncatingIfNeeded: other)
            }
            letters[count] = code
            count &+= 1
            index &+= length
        }
        var stem = StemMachine.stem(memory, count: count, by: program.addresses)
        if repeats, stem.isChanged { stem.count = stemAgain(stem.count) }
        guard stem.isChanged else { return nil }
        var written = 0
        for index in 0..<stem.count {
            let spelling = spellings[Int(letters[index])]
            UnsafeMutableRawPointer(output + written).storeBytes(of: spelling, as: StemAlphabet.Spelling.self)
            written &+= Int(spelling &>> 24)
        }
        return written == 0 ? nil : UnsafeBufferPointer(start: UnsafePointer(output), count: written)
    }

    /// A stem is stemmed again at most this often, as long as it changes.
    private static let mostRepeats = 3
    /// In letters. Too many words would share shorter ones.
    private static let shortestAgain = 3

    /// Stems the stem in memory again; returns its number of letters.
    private func stemAgain(_ count: Int) -> Int {
        var count = count
        for _ in 0..<Self.mostRepeats where count > 0 && count < StemMachine.longestWord {
            before.update(from: memory.letters, count: count)
            let stem = StemMachine.stem(memory, count: count, by: program.addresses)
            if stem.count < Self.shortestAgain {
                memory.letters.update(from: before, count: count)
                return count
            }
            count = stem.count
            if !stem.isChanged { break }
        }
        return count
    }
}

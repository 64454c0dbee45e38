/// The readings of a run's characters, and the readings that a query's Latin word could be.
struct CJKReadings: ~Copyable {
    private let options: CJKFilter.Options
    private var text = TokenBuffer()
    /// The romaji sent last: pieces that differ only in long vowels have the same.
    private var last = TokenBuffer()
    private var query = PinyinQuery()
    private var words: JapaneseWords
    private var sent = SentTokens()

    private static let pinyinMark: StaticString = "py~"
    private static let initialsMark: StaticString = "pi~"
    private static let romajiMark: StaticString = "ro~"
    /// Characters or pieces that one reading joins.
    private static let joined = 4
    /// Words of European languages that could be pinyin have this many syllables at most: education has six.
    private static let mostForeignSyllables = 6
    /// How many characters are found by their initials: fewer would mean anything, except at the end of a run.
    private static let initialsJoined = 3...5
    /// The most combinations of readings of characters that have several; the usual ones come first.
    private static let combinations = 8
    /// The same for words, whose readings depend less on their neighbours than those of characters.
    private static let wordCombinations = 4

    init(_ options: CJKFilter.Options) {
        self.options = options
        words = JapaneseWords(isUsed: options.contains(.japaneseReadings))
    }

    mutating func begin() { words.removeAll() }

    // MARK: Documents

    /// Receives a marked reading and the index of the last character that it covers; a nonzero result means stop.
    typealias ReadingSink = (_ reading: UnsafeBufferPointer<UInt8>, _ last: Int) -> Int32

    /// Calls `send` with each marked reading that begins at a character, until it returns nonzero.
    mutating func forEachReading(
        of run: borrowing CJKRun, from first: Int, in source: UnsafeBufferPointer<UInt8>, _ send: ReadingSink
    ) -> Int32 {
        var code: Int32 = 0
        if HanReadings.isHan(run[first].scalar) {
            if options.contains(.pinyin) { code = forEachPinyin(of: run, from: first, send) }
            if code == 0, options.contains(.pinyinInitials) { code = forEachInitials(of: run, from: first, send) }
        }
        guard code == 0, !options.isDisjoint(with: [.romaji, .japaneseReadings]) else { return code }
        sent.removeAll()
        if options.contains(.romaji) { code = forEachRomaji(of: run, from: first, send) }
        guard code == 0, options.contains(.japaneseReadings) else { return code }
        return forEachWordReading(of: run, from: first, in: source, send)
    }

    private mutating func forEachPinyin(of run: borrowing CJKRun, from first: Int, _ send: ReadingSink) -> Int32 {
        var count = 1
        for length in 1...Self.joined {
            guard first + length <= run.count else { break }
            let choices = HanReadings.pinyinCount(run[first + length - 1].scalar)
            guard choices > 0 else { break }
            count = min(count * choices, Self.combinations)
            for combination in 0..<count {
                text.count = 0
                text.append(Self.pinyinMark)
                appendPinyin(of: run, from: first, length, combination)
                let code = send(text.contents, first + length - 1)
                if code != 0 { return code }
            }
        }
        return 0
    }

    private mutating func forEachInitials(of run: borrowing CJKRun, from first: Int, _ send: ReadingSink) -> Int32 {
        var count = 1
        for length in 1...Self.initialsJoined.upperBound {
            guard first + length <= run.count else { break }
            let initials = HanReadings.initials(run[first + length - 1].scalar)
            guard initials.count > 0 else { break }
            count = min(count * initials.count, Self.combinations)
            let isEnd = first + length == run.count || HanReadings.pinyinCount(run[first + length].scalar) == 0
            guard Self.initialsJoined.contains(length) || length == 2 && isEnd else { continue }
            for combination in 0..<count {
                text.count = 0
                text.append(Self.initialsMark)
                var rest = combination
                for index in first..<first + length {
                    let initials = HanReadings.initials(run[index].scalar)
                    text.append(initials[rest % max(initials.count, 1)])
                    rest /= max(initials.count, 1)
                }
                let code = send(text.contents, first + length - 1)
                if code != 0 { return code }
            }
        }
        return 0
    }

    /// Appends the readings of characters. The combination is a number whose digits choose among the readings, the
    /// lowest digit for the first character.
    private mutating func appendPinyin(
        of run: borrowing CJKRun, from first: Int, _ length: Int, _ combination: Int
    ) {
        var rest = combination
        for index in first..<first + length {
            let scalar = run[index].scalar
            let choices = max(HanReadings.pinyinCount(scalar), 1)
            HanReadings.appendPinyin(scalar, rest % choices, to: &text)
            rest /= choices
        }
    }

    // MARK: Romaji

    private mutating func forEachRomaji(
        of run: borrowing CJKRun, from first: Int, _ send: ReadingSink
    ) -> Int32 {
        last.count = 0
        let beginsPiece = Self.beginsPiece(run, first)
        if !beginsPiece, !run[first].isAlone { return 0 }
        var end = first
        for _ in 0..<Self.joined {
            let start = end
            guard end < run.count else { break }
            end = Self.endOfPiece(run, from: end)
            // The beginnings of a piece of hiragana, whose words have no boundaries.
            if start == first, beginsPiece, run[first].isAlone {
                for part in min(first + 2, end)..<end {
                    let code = sendRomaji(of: run, first..<part, send)
                    if code != 0 { return code }
                }
            }
            let code = sendRomaji(of: run, first..<end, send)
            if code != 0 { return code < 0 ? 0 : code }
            if !beginsPiece { break }
        }
        return 0
    }

    /// Sends the romaji of some characters; -1 if one of them has none.
    private mutating func sendRomaji(
        of run: borrowing CJKRun, _ range: Range<Int>, _ send: ReadingSink
    ) -> Int32 {
        text.count = 0
        text.append(Self.romajiMark)
        guard appendRomaji(of: run, range) else { return -1 }
        if text.contents.elementsEqual(last.contents) { return 0 }
        last.count = 0
        last.append(text.base, count: text.count)
        return sent.insert(text.contents) ? send(text.contents, range.upperBound - 1) : 0
    }

    private mutating func appendRomaji(of run: borrowing CJKRun, _ range: Range<Int>) -> Bool {
        let start = text.count
        var isDoubled = false
        for index in range {
            let scalar = run[index].scalar
            if Romaji.isKana(scalar) {
                Romaji.appendKana(scalar, to: &text, from: start, isDoubled: &isDoubled)
            } else if !HanReadings.appendOn(scalar, to: &text) {
                return false
            }
        }
        Romaji.collapse(&text, from: start)
        return text.count > start
    }

    // MARK: Words of a dictionary

    /// Sends the readings of the word that begins at a character, alone and joined with the words after it.
    private mutating func forEachWordReading(
        of run: borrowing CJKRun, from first: Int, in source: UnsafeBufferPointer<UInt8>, _ send: ReadingSink
    ) -> Int32 {
        guard let word = words.word(at: run[first].start, in: source) else { return 0 }
        var last = first
        var count = 1
        for length in 1...Self.joined {
            guard let end = words.end(ofJoined: word, length) else { break }
            count = min(count * words.readingCount(word + length - 1), Self.wordCombinations)
            while last + 1 < run.count, run[last + 1].start < end { last += 1 }
            if run[last].end < end { break }
            for combination in 0..<count {
                text.count = 0
                text.append(Self.romajiMark)
                guard words.appendRomaji(word, length, combination, to: &text), sent.insert(text.contents) else {
                    continue
                }
                let code = send(text.contents, last)
                if code != 0 { return code }
            }
        }
        return 0
    }

    /// A piece is a token of kana, an ideograph, or adjacent tokens of one kana each.
    private static func beginsPiece(_ run: borrowing CJKRun, _ index: Int) -> Bool {
        let character = run[index]
        if index == 0 || HanReadings.isHan(character.scalar) { return true }
        let before = run[index - 1]
        return HanReadings.isHan(before.scalar) || character.beginsToken && !(character.isAlone && before.isAlone)
    }

    private static func endOfPiece(_ run: borrowing CJKRun, from start: Int) -> Int {
        var end = start + 1
        while end < run.count, !beginsPiece(run, end) { end += 1 }
        return end
    }

    // MARK: Queries

    /// Calls `send` with each way to spell a run of two characters in Latin letters, unmarked.
    mutating func forEachSpelling(
        of run: borrowing CJKRun, in source: UnsafeBufferPointer<UInt8>,
        _ send: (UnsafeBufferPointer<UInt8>) -> Int32
    ) -> Int32 {
        if options.contains(.pinyin) {
            let choices = HanReadings.pinyinCount(run[0].scalar) * HanReadings.pinyinCount(run[1].scalar)
            for combination in 0..<min(choices, Self.combinations) {
                text.count = 0
                appendPinyin(of: run, from: 0, 2, combination)
                let code = send(text.contents)
                if code != 0 { return code }
            }
        }
        sent.removeAll()
        if options.contains(.romaji) {
            text.count = 0
            if appendRomaji(of: run, 0..<2), sent.insert(text.contents) {
                let code = send(text.contents)
                if code != 0 { return code }
            }
        }
        guard options.contains(.japaneseReadings), let word = words.word(at: run[0].start, in: source),
            words.end(ofJoined: word, 1) == run[1].end
        else { return 0 }
        for combination in 0..<words.readingCount(word) {
            text.count = 0
            guard words.appendRomaji(word, 1, combination, to: &text), sent.insert(text.contents) else { continue }
            let code = send(text.contents)
            if code != 0 { return code }
        }
        return 0
    }

    /// Calls `send` with the marked readings that a Latin word could be, and whether each has a position of its own: many
    /// syllables ask for several readings in a row.
    mutating func forEachMark(
        of token: UnsafeBufferPointer<UInt8>, isPrefix: Bool, _ send: (UnsafeBufferPointer<UInt8>, Bool) -> Int32
    ) -> Int32 {
        var code: Int32 = 0
        if !options.isDisjoint(with: [.romaji, .japaneseReadings]), token.count <= 64 {
            text.count = 0
            text.append(Self.romajiMark)
            if Romaji.append(typed: token, isPrefix: isPrefix, to: &text) { code = send(text.contents, false) }
        }
        if code == 0, options.contains(.pinyinInitials), couldBeInitials(token) {
            text.count = 0
            text.append(Self.initialsMark)
            if let base = token.baseAddress { text.append(base, count: token.count) }
            code = send(text.contents, false)
        }
        guard code == 0, options.contains(.pinyin), query.parse(token, isPrefix: isPrefix) else { return code }
        return sendPinyin(send)
    }

    /// Whether a word could be the initials of several characters: each letter can be an initial, and the word itself
    /// is not pinyin.
    private mutating func couldBeInitials(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
        guard token.count >= 2, token.count <= Self.initialsJoined.upperBound else { return false }
        let areInitials = token.allSatisfy { letter in
            letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") && letter != UInt8(ascii: "i")
                && letter != UInt8(ascii: "u") && letter != UInt8(ascii: "v")
        }
        return areInitials && !query.parse(token, isPrefix: false)
    }

    private mutating func sendPinyin(_ send: (UnsafeBufferPointer<UInt8>, Bool) -> Int32) -> Int32 {
        let syllables = query.ends.count
        // A word that is no pinyin is not found if its later syllables have positions of their own.
        let last = syllables > Self.mostForeignSyllables ? syllables - Self.joined : 0
        for first in 0...last {
            let start = first == 0 ? 0 : query.ends[first - 1]
            let end = query.ends[min(first + Self.joined, syllables) - 1]
            text.count = 0
            text.append(Self.pinyinMark)
            text.append(query.letters.base + start, count: end - start)
            let code = send(text.contents, first > 0)
            if code != 0 { return code }
        }
        return 0
    }
}

/// The readings of a run's characters, and the readings that a query's Latin word could be.
struct CJKReadings: ~Copyable {
    private let options: CJKFilter.Options
    private var text = TokenBuffer()
    /// The romaji sent last: pieces that differ in long vowels only read the same.
    private var last = TokenBuffer()
    private var query = PinyinQuery()

    private static let pinyinMark: StaticString = "py~"
    private static let initialsMark: StaticString = "pi~"
    private static let romajiMark: StaticString = "ro~"
    /// Characters or pieces that one reading joins.
    private static let joined = 4
    /// Combinations of readings of characters that have several; the usual ones come first.
    private static let combinations = 8

    init(_ options: CJKFilter.Options) { self.options = options }

    // MARK: Documents

    /// What gets a marked reading, and the last character that it is of; nonzero means stop.
    typealias ReadingSink = (_ reading: UnsafeBufferPointer<UInt8>, _ last: Int) -> Int32

    /// Calls `send` with each marked reading that begins at a character, until it returns nonzero.
    mutating func forEachReading(
        of run: borrowing CJKRun, from first: Int, _ send: ReadingSink
    ) -> Int32 {
        if HanReadings.isHan(run[first].scalar) {
            if options.contains(.pinyin) {
                let code = forEachPinyin(of: run, from: first, mark: Self.pinyinMark, initials: false, send)
                if code != 0 { return code }
            }
            if options.contains(.pinyinInitials) {
                let code = forEachPinyin(of: run, from: first, mark: Self.initialsMark, initials: true, send)
                if code != 0 { return code }
            }
        }
        return options.contains(.romaji) ? forEachRomaji(of: run, from: first, send) : 0
    }

    private mutating func forEachPinyin(
        of run: borrowing CJKRun, from first: Int, mark: StaticString, initials: Bool,
        _ send: ReadingSink
    ) -> Int32 {
        var count = 1
        for length in 1...Self.joined {
            guard first + length <= run.count else { break }
            let choices = HanReadings.pinyinCount(run[first + length - 1].scalar)
            guard choices > 0 else { break }
            count = min(count * choices, Self.combinations)
            for combination in 0..<(initials ? 1 : count) {
                text.count = 0
                text.append(mark)
                appendPinyin(of: run, from: first, length, combination, initials: initials)
                let code = send(text.contents, first + length - 1)
                if code != 0 { return code }
            }
        }
        return 0
    }

    /// Joins readings; the combination is a number whose digits, the first character's lowest, choose among them.
    private mutating func appendPinyin(
        of run: borrowing CJKRun, from first: Int, _ length: Int, _ combination: Int, initials: Bool
    ) {
        var rest = combination
        for index in first..<first + length {
            let scalar = run[index].scalar
            let choices = max(HanReadings.pinyinCount(scalar), 1)
            let start = text.count
            HanReadings.appendPinyin(scalar, rest % choices, to: &text)
            rest /= choices
            if initials { text.count = min(text.count, start + 1) }
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

    /// Sends the romaji of some characters; -1 where one of them has none.
    private mutating func sendRomaji(
        of run: borrowing CJKRun, _ range: Range<Int>, _ send: ReadingSink
    ) -> Int32 {
        text.count = 0
        text.append(Self.romajiMark)
        guard appendRomaji(of: run, range) else { return -1 }
        if text.contents.elementsEqual(last.contents) { return 0 }
        last.count = 0
        last.append(text.base, count: text.count)
        return send(text.contents, range.upperBound - 1)
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

    /// A piece is a token of kana, an ideograph, or kana in tokens of one character side by side.
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

    /// Calls `send` with the ways to spell a run of two characters in Latin letters, unmarked.
    mutating func forEachSpelling(
        of run: borrowing CJKRun, _ send: (UnsafeBufferPointer<UInt8>) -> Int32
    ) -> Int32 {
        if options.contains(.pinyin) {
            let choices = HanReadings.pinyinCount(run[0].scalar) * HanReadings.pinyinCount(run[1].scalar)
            for combination in 0..<min(choices, Self.combinations) {
                text.count = 0
                appendPinyin(of: run, from: 0, 2, combination, initials: false)
                let code = send(text.contents)
                if code != 0 { return code }
            }
        }
        guard options.contains(.romaji) else { return 0 }
        text.count = 0
        return appendRomaji(of: run, 0..<2) ? send(text.contents) : 0
    }

    /// Calls `send` with the marked readings that a Latin word could be, and whether each has a position of its own:
    /// a word of more syllables than a reading joins asks for its readings one after another.
    mutating func forEachMark(
        of token: UnsafeBufferPointer<UInt8>, isPrefix: Bool, _ send: (UnsafeBufferPointer<UInt8>, Bool) -> Int32
    ) -> Int32 {
        var code: Int32 = 0
        if options.contains(.romaji), token.count <= 64 {
            text.count = 0
            text.append(Self.romajiMark)
            if Romaji.append(typed: token, isPrefix: isPrefix, to: &text) { code = send(text.contents, false) }
        }
        if code == 0, options.contains(.pinyinInitials), token.count <= Self.joined,
            token.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A })
        {
            text.count = 0
            text.append(Self.initialsMark)
            if let base = token.baseAddress { text.append(base, count: token.count) }
            code = send(text.contents, false)
        }
        guard code == 0, options.contains(.pinyin), query.parse(token, isPrefix: isPrefix) else { return code }
        return sendPinyin(send)
    }

    private mutating func sendPinyin(_ send: (UnsafeBufferPointer<UInt8>, Bool) -> Int32) -> Int32 {
        let syllables = query.ends.count
        for first in 0...max(syllables - Self.joined, 0) {
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

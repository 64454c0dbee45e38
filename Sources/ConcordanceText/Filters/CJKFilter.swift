/// Makes Chinese and Japanese text searchable without a dictionary: pairs of characters, and readings in Latin letters.
///
/// Adjacent tokens that consist of ideographs and kana are one run. With `bigrams`, each character of a run is a
/// position: in documents the pair that begins there and, colocated, the character alone; in queries the pair, so that a
/// query of any length is a phrase of pairs. The last character of a run is asked for alone if the run is only one, or if
/// another token follows, whose position depends on it. Without `bigrams` tokens are not changed.
///
/// In documents, readings are colocated and carry a mark, so that they never equal a word: `py~zhongguo`, `ro~romaji`,
/// `pi~zgr`. A query's Latin word that could be a reading asks for the word OR the marked reading. So zhongguo and
/// "zhong guo" find 中国, but 中国 does not find other words that sound like it. The other way round, only a query of two
/// ideographs finds the Latin word that spells them.
package final class CJKFilter: TokenFilter {
    /// What the filter does.
    package struct Options: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Pairs of characters.
        package static let bigrams = Options(rawValue: 1)
        /// Ideographs by their pinyin without tones: each alone, and up to four side by side.
        package static let pinyin = Options(rawValue: 2)
        /// Three to five ideographs side by side, or two that end a run, by the first letters of their pinyin.
        package static let pinyinInitials = Options(rawValue: 4)
        /// Kana, and common kanji (with their on reading), by their romaji: see `Romaji`. A piece begins where the
        /// script changes or a token begins; a reading covers up to four pieces. In hiragana each ending and each
        /// beginning of a piece is also a reading.
        package static let romaji = Options(rawValue: 8)
        /// Also pairs of Hangul syllables, so that a word is found with its particles.
        package static let hangul: Options = [.bigrams, Options(rawValue: 16)]
        /// Japanese words by the romaji of their readings, from a dictionary (`JapaneseWords`): up to four side by
        /// side.
        package static let japaneseReadings = Options(rawValue: 32)
    }

    private let options: Options
    private let takesHangul: Bool
    @exclusivity(unchecked) private var run = CJKRun()
    @exclusivity(unchecked) private var readings: CJKReadings
    @exclusivity(unchecked) private var completed = TokenBuffer(capacity: 0)
    /// Whether a character of the current run has been sent.
    @exclusivity(unchecked) private var hasSent = false
    /// Where the last token sent begins: tokens of `trigram` overlap, and places must not go back.
    @exclusivity(unchecked) private var lastStart = 0

    /// A filter with these options.
    package init(_ options: Options) {
        self.options = options
        takesHangul = options.isSuperset(of: .hangul)
        readings = CJKReadings(options)
    }

    package override func begin() {
        run.removeAll()
        hasSent = false
        lastStart = 0
        readings.begin()
    }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        let token = withoutLetters(token, end: end)
        if flags.contains(.colocated) {
            if !isQuery, run.attach(token, start: start, end: end) { return 0 }
        } else if takesHangul, let border = CJKRun.border(of: token) {
            return receiveParts(token, border, flags: flags, start: start, end: end)
        }
        return receiveWhole(token, flags: flags, start: start, end: end)
    }

    /// Splits a token where Hangul and other letters meet, as particles stand behind Latin words and numbers: 2024년.
    private func receiveParts(
        _ token: UnsafeBufferPointer<UInt8>, _ border: Int, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        // A token that has been folded to another length no longer says where its parts stand.
        let isInPlace = token.count == end - start
        var first = 0
        var border: Int? = border
        while first < token.count {
            let last = border.map { first + $0 } ?? token.count
            let code = receiveWhole(
                UnsafeBufferPointer(rebasing: token[first..<last]), flags: flags,
                start: isInPlace ? start + first : start,
                end: isInPlace ? start + last : end)
            if code != 0 { return code }
            first = last
            border = CJKRun.border(of: UnsafeBufferPointer(rebasing: token[first...]))
        }
        return 0
    }

    private func receiveWhole(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        let isInRun = !flags.contains(.colocated) && CJKRun.takes(token, hangul: takesHangul)
        if !isInRun || run.end != start {
            let code = flush(isFollowed: !flags.contains(.colocated))
            if code != 0 { return code }
        }
        if isInRun {
            run.append(token, start: start, end: end)
            return run.count > CJKRun.room ? send(keeping: CJKRun.lookahead) : 0
        }
        let code = pass(token, flags: flags, start: start, end: end)
        return code != 0 || !isQuery ? code : sendMarkedWord(token, flags: flags, start: start, end: end)
    }

    package override func finish() -> Int32 { flush(isFollowed: false) }

    private func pass(_ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int) -> Int32 {
        lastStart = max(lastStart, start)
        return emit(token, flags: flags, start: lastStart, end: max(lastStart, end))
    }

    /// Sends the rest of the run and ends it.
    ///
    /// - Parameter isFollowed: Whether another token follows, at a position of its own.
    private func flush(isFollowed: Bool) -> Int32 {
        if run.count == 0, !hasSent { return 0 }
        let code = send(keeping: 0, isFollowed: isFollowed)
        run.removeAll()
        hasSent = false
        return code
    }

    /// Sends the characters of the run except the last `kept`, which the characters that follow may join.
    private func send(keeping kept: Int, isFollowed: Bool = false) -> Int32 {
        let count = run.count - kept
        for index in 0..<max(count, 0) {
            let code = isQuery ? sendQuery(index, isFollowed: isFollowed) : sendDocument(index)
            if code != 0 { return code }
            hasSent = true
        }
        run.removeFirst(max(count, 0))
        return 0
    }

    private func sendDocument(_ index: Int) -> Int32 {
        let (start, end) = (run[index].start, run[index].end)
        var code: Int32 = 0
        if options.contains(.bigrams) {
            let hasNext = index + 1 < run.count
            let last = hasNext ? index + 1 : index
            code = pass(run.bytes(index...last), flags: [], start: start, end: run[last].end)
            if code == 0, hasNext { code = pass(run.bytes(index...index), flags: .colocated, start: start, end: end) }
        } else if run[index].beginsToken {
            code = sendToken(index)
        }
        if code == 0 {
            code = run.forEachAttached(to: index) { token, end in
                pass(token, flags: .colocated, start: start, end: end)
            }
        }
        if code != 0 { return code }
        return readings.forEachReading(of: run, from: index, in: text) { reading, last in
            pass(reading, flags: .colocated, start: start, end: run[last].end)
        }
    }

    private func sendQuery(_ index: Int, isFollowed: Bool) -> Int32 {
        guard options.contains(.bigrams) else { return run[index].beginsToken ? sendToken(index) : 0 }
        let hasNext = index + 1 < run.count
        if !hasNext, hasSent, !isFollowed { return 0 }
        let last = hasNext ? index + 1 : index
        var code = pass(run.bytes(index...last), flags: [], start: run[index].start, end: run[last].end)
        if code == 0, hasNext, last == run.count - 1, !isFollowed, reason.contains(.prefix) {
            code = completeSyllable(of: index)
        }
        guard code == 0, run.count == 2, !hasSent else { return code }
        let (start, end) = (run[index].start, run[last].end)
        return readings.forEachSpelling(of: run, in: text) { spelling in
            pass(spelling, flags: .colocated, start: start, end: end)
        }
    }

    /// Sends the last pair of a half-typed Korean word with each consonant that its last syllable may still get: 한그 is the
    /// beginning of 한글.
    private func completeSyllable(of index: Int) -> Int32 {
        guard let open = Hangul.openSyllable(run[index + 1].scalar) else { return 0 }
        let first = run.bytes(index...index)
        for syllable in open.dropFirst() {
            completed.count = 0
            if let base = first.baseAddress { completed.append(base, count: first.count) }
            completed.append(scalar: syllable)
            let code = pass(
                completed.contents, flags: .colocated, start: run[index].start, end: run[index + 1].end)
            if code != 0 { return code }
        }
        return 0
    }

    /// A token of a query without the letters at its end from which no syllable has been made yet: 한ㄱ is typed on the way to
    /// 한글.
    private func withoutLetters(_ token: UnsafeBufferPointer<UInt8>, end: Int) -> UnsafeBufferPointer<UInt8> {
        guard takesHangul, reason.contains(.prefix), end == text.count else { return token }
        var count = token.count
        while count > 3, case let (scalar, length) = UTF8Scalars.decode(token, at: count - 3), length == 3,
            Hangul.isLetter(scalar)
        {
            count -= 3
        }
        return UnsafeBufferPointer(rebasing: token[..<count])
    }

    private func sendToken(_ index: Int) -> Int32 {
        var last = index
        while last + 1 < run.count, !run[last + 1].beginsToken { last += 1 }
        return pass(run.bytes(index...last), flags: [], start: run[index].start, end: run[last].end)
    }

    /// Sends a query's Latin word as the readings that it could be.
    private func sendMarkedWord(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        readings.forEachMark(of: token, isPrefix: reason.contains(.prefix)) { marked, isHead in
            pass(marked, flags: isHead ? flags : flags.union(.colocated), start: start, end: end)
        }
    }
}

/// The characters of a run that are held back because readings join several of them.
struct CJKRun: ~Copyable {
    struct Character {
        var scalar: UInt32
        var offset: Int
        var count: Int
        /// Where it stands in the text; the place of the whole token if folding changed its length.
        var start: Int
        var end: Int
        var beginsToken: Bool
        /// Whether it is a token of its own, as ideographs and hiragana are after the tokenizer `words`.
        var isAlone: Bool
    }

    /// How many characters may wait, and how many of them must stay for the characters before them to join.
    static let room = 96
    static let lookahead = 32
    /// Longer tokens pass unchanged: no script writes words of this length.
    private static let longestToken = lookahead * 4

    /// A token that was colocated with one of the run's.
    private struct Attached {
        /// The first character of the token that it was colocated with.
        var index: Int
        var offset: Int
        var count: Int
        var end: Int
    }

    private var characters: [Character] = []
    private var pool = TokenBuffer()
    private var attached: [Attached] = []
    private var attachedPool = TokenBuffer()
    /// How many of the attached tokens have been sent.
    private var nextAttached = 0
    /// Where the last token of the run ends in the text; -1 if there is no run.
    private(set) var end = -1

    var count: Int { characters.count }

    subscript(index: Int) -> Character { characters[index] }

    /// Whether a token consists of ideographs and kana, or of Hangul.
    static func takes(_ token: UnsafeBufferPointer<UInt8>, hangul: Bool) -> Bool {
        // All of them are three or four bytes long.
        guard token.count >= 3, token.count <= longestToken, token[0] >= 0xE3 else { return false }
        var index = 0
        while index < token.count {
            let (scalar, length) = UTF8Scalars.decode(token, at: index)
            let isHangul = hangul && (0xAC00...0xD7A3).contains(scalar)
            if !isHangul, !HanReadings.isHan(scalar), !Romaji.isKana(scalar) { return false }
            index += length
        }
        return true
    }

    /// How many bytes stand before the first place of a token where Hangul and ASCII meet; nil where they do not.
    static func border(of token: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = token.first, token.contains(where: { ($0 < 0x80) != (first < 0x80) }) else { return nil }
        var index = 0
        var before: UInt32 = 0
        while index < token.count {
            let (scalar, length) = UTF8Scalars.decode(token, at: index)
            let (isHangul, wasHangul) = (0xAC00...0xD7A3 ~= scalar, 0xAC00...0xD7A3 ~= before)
            if index > 0, isHangul && before < 0x80 || wasHangul && scalar < 0x80 { return index }
            before = scalar
            index += length
        }
        return nil
    }

    mutating func append(_ token: UnsafeBufferPointer<UInt8>, start: Int, end: Int) {
        let keepsPlaces = token.count == end - start
        var index = 0
        while index < token.count {
            let (scalar, length) = UTF8Scalars.decode(token, at: index)
            characters.append(
                Character(
                    scalar: scalar, offset: pool.count + index, count: length,
                    start: keepsPlaces ? start + index : start, end: keepsPlaces ? start + index + length : end,
                    beginsToken: index == 0, isAlone: length == token.count))
            index += length
        }
        if let base = token.baseAddress { pool.append(base, count: token.count) }
        self.end = end
    }

    /// Keeps a token that is colocated with the last one of the run; false if it stands elsewhere.
    mutating func attach(_ token: UnsafeBufferPointer<UInt8>, start: Int, end: Int) -> Bool {
        guard let base = token.baseAddress, let index = characters.lastIndex(where: \.beginsToken),
            characters[index].start == start
        else { return false }
        attached.append(Attached(index: index, offset: attachedPool.count, count: token.count, end: end))
        attachedPool.append(base, count: token.count)
        return true
    }

    /// Calls `send` with each token that is colocated with the one that begins at a character, and with its end.
    /// Characters must be asked for in order.
    mutating func forEachAttached(to index: Int, _ send: (UnsafeBufferPointer<UInt8>, Int) -> Int32) -> Int32 {
        while nextAttached < attached.count, attached[nextAttached].index <= index {
            let each = attached[nextAttached]
            nextAttached += 1
            let bytes = UnsafeBufferPointer(start: UnsafePointer(attachedPool.base) + each.offset, count: each.count)
            let code = send(bytes, each.end)
            if code != 0 { return code }
        }
        return 0
    }

    func bytes(_ range: ClosedRange<Int>) -> UnsafeBufferPointer<UInt8> {
        let first = characters[range.lowerBound].offset
        let last = characters[range.upperBound]
        return UnsafeBufferPointer(start: UnsafePointer(pool.base) + first, count: last.offset + last.count - first)
    }

    mutating func removeFirst(_ count: Int) {
        guard count > 0 else { return }
        let bytes = count < characters.count ? characters[count].offset : pool.count
        pool.removeFirst(bytes)
        characters.removeFirst(count)
        for index in characters.indices { characters[index].offset -= bytes }
        attached.removeFirst(nextAttached)
        nextAttached = 0
        let freed = attached.first?.offset ?? attachedPool.count
        attachedPool.removeFirst(freed)
        for index in attached.indices {
            attached[index].index -= count
            attached[index].offset -= freed
        }
    }

    mutating func removeAll() {
        characters.removeAll(keepingCapacity: true)
        pool.count = 0
        attached.removeAll(keepingCapacity: true)
        nextAttached = 0
        attachedPool.count = 0
        end = -1
    }
}

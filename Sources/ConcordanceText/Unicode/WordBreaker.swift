/// The Word_Break property of a character (UAX #29); the numbers are those in WordBreakTables.
enum WordBreakProperty: UInt8 {
    case other, cr, lf, newline, extend, zwj, format, regionalIndicator, katakana, hebrewLetter, aLetter, singleQuote
    case doubleQuote, midNumLet, midLetter, midNum, numeric, extendNumLet, wSegSpace
}

/// Finds word boundaries by the default rules of UAX #29 (https://www.unicode.org/reports/tr29/tr29-41.html), with digits in
/// subscript as numbers and squared abbreviations as letters, so that CO₂ and 25㎡ are words.
///
/// It only goes forward, a segment at a time, and looks at a character at most twice: when it reads ahead for the
/// letter after an apostrophe, and when it finds none and begins the next segment with the apostrophe. A byte that is
/// not part of well-formed UTF-8 counts as a character of property Other.
struct WordBreaker {
    let text: UnsafeBufferPointer<UInt8>

    /// The text between two neighbouring boundaries.
    struct Segment {
        /// Where it ends, in bytes from the start of the text.
        var end: Int
        /// Whether it has a letter, a number, an ideograph or a kana.
        var isWord: Bool
        /// Whether it has a character that is displayed as an emoji.
        var isEmoji: Bool
    }

    /// The segment that begins at `start`, which must be a boundary before the end of the text.
    @inline(__always)
    func segment(from start: Int) -> Segment {
        let first = character(at: start)
        var segment = Segment(end: first.end, isWord: first.isWord, isEmoji: first.isEmoji)
        switch first.property {
        case .cr:
            // WB3
            if segment.end < text.count, text[segment.end] == UInt8(ascii: "\n") { segment.end += 1 }
            return segment
        case .lf, .newline: return segment  // WB3a
        default: break
        }
        extend(&segment, from: first)
        return segment
    }

    /// Extends a segment to its real end, given that all before `segment.end` belongs to it and that its last character
    /// so far, `last`, is not a line end.
    func extend(_ segment: inout Segment, from last: Character) {
        /// The property of the last character that WB4 does not skip; `last` is the very last character.
        var base = last.property
        var last = last
        var isPictograph = last.isPictographic
        var isHalfFlag = base == .regionalIndicator
        while segment.end < text.count {
            if base.joinsASCIIWords, passASCIIWord(&segment) {
                last = character(at: segment.end - 1)
                base = last.property
                continue
            }
            let next = character(at: segment.end)
            if next.property.isIgnored {
                // WB4; a pictograph is never ignored, so WB3c cannot apply first.
                if isPictograph, next.isEmojiVariation { segment.isEmoji = true }
                last = next
                segment.end = next.end
                continue
            }
            if base.joins(next.property) {
                // WB5, WB8 to WB10, WB13 to WB13b
            } else if last.property == .zwj, next.isPictographic {
                // WB3c
            } else if base == .wSegSpace, last.property == .wSegSpace, next.property == .wSegSpace {
                // WB3d
            } else if let behind = characterBehindMiddle(next, after: base) {
                // WB6, WB7, WB7b, WB7c, WB11, WB12
                base = behind.property
                last = behind
                segment.end = behind.end
                continue
            } else if base == .hebrewLetter, next.property == .singleQuote {
                // WB7a
            } else if isHalfFlag, next.property == .regionalIndicator {
                // WB15, WB16
                segment.isEmoji = true
                last = next
                segment.end = next.end
                isHalfFlag = false
                continue
            } else {
                return
            }
            base = next.property
            last = next
            isHalfFlag = false
            isPictograph = isPictograph || next.isPictographic
            segment.isWord = segment.isWord || next.isWord
            segment.isEmoji = segment.isEmoji || next.isEmoji
            segment.end = next.end
        }
    }

    /// Adds the ASCII letters and digits that follow; false if none does.
    @inline(__always)
    private func passASCIIWord(_ segment: inout Segment) -> Bool {
        let start = segment.end
        while segment.end < text.count, ASCII.isAlphanumeric(text[segment.end]) { segment.end += 1 }
        guard segment.end > start else { return false }
        segment.isWord = true
        return true
    }

    /// The letter or digit after an apostrophe, dot or comma that may stand inside a word or number; nil if `middle`
    /// does not connect one with `base`.
    private func characterBehindMiddle(_ middle: Character, after base: WordBreakProperty) -> Character? {
        guard base.mayContinue(over: middle.property) else { return nil }
        var position = middle.end
        while position < text.count {
            let next = character(at: position)
            guard next.property.isIgnored else {
                return base.continues(with: next.property, over: middle.property) ? next : nil
            }
            position = next.end
        }
        return nil
    }

    /// One character and its properties.
    struct Character {
        let end: Int
        let isEmojiVariation: Bool
        private let value: UInt8

        @inline(__always)
        init(scalar: UInt32?, end: Int) {
            self.end = end
            isEmojiVariation = scalar == 0xFE0F
            value = scalar.map { UInt8(truncatingIfNeeded: WordBreakTables.value(of: $0)) } ?? 0
        }

        var property: WordBreakProperty { WordBreakProperty(rawValue: value & 0x1F) ?? .other }
        var isPictographic: Bool { value & 0x20 != 0 }
        var isWord: Bool { value & 0x40 != 0 }
        var isEmoji: Bool { value & 0x80 != 0 }
    }

    /// The character at `position`, which must be before the end of the text.
    @inline(__always)
    func character(at position: Int) -> Character {
        let (scalar, length) = StrictUTF8.decode(text, at: position)
        return Character(scalar: scalar, end: position + length)
    }
}

extension WordBreakProperty {
    /// Whether WB4 skips the character.
    @inline(__always)
    var isIgnored: Bool { self == .extend || self == .format || self == .zwj }

    /// AHLetter of UAX #29.
    @inline(__always)
    fileprivate var isLetter: Bool { self == .aLetter || self == .hebrewLetter }

    /// Whether there is no boundary between this character and an ASCII letter or digit after it.
    @inline(__always)
    fileprivate var joinsASCIIWords: Bool { isLetter || self == .numeric || self == .extendNumLet }

    /// Whether there is no boundary between two characters that follow each other directly.
    @inline(__always)
    fileprivate func joins(_ next: WordBreakProperty) -> Bool {
        switch self {
        case .aLetter, .hebrewLetter, .numeric: next.joinsASCIIWords
        case .katakana: next == .katakana || next == .extendNumLet
        case .extendNumLet: next.joinsASCIIWords || next == .katakana
        default: false
        }
    }

    /// Whether a character of property `middle` can stand inside a word or number after this one.
    @inline(__always)
    fileprivate func mayContinue(over middle: WordBreakProperty) -> Bool {
        switch middle {
        case .midLetter: isLetter
        case .midNumLet, .singleQuote: isLetter || self == .numeric
        case .midNum: self == .numeric
        case .doubleQuote: self == .hebrewLetter
        default: false
        }
    }

    /// Whether it does, given that it can and that a character of property `next` follows it.
    @inline(__always)
    fileprivate func continues(with next: WordBreakProperty, over middle: WordBreakProperty) -> Bool {
        if self == .numeric { return next == .numeric }
        return middle == .doubleQuote ? next == .hebrewLetter : next.isLetter
    }
}

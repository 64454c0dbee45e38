// What single characters mean in a typed query.

extension Unicode.Scalar {
    /// The ASCII character of which this is the full-width form, as Chinese and Japanese keyboards type it; otherwise
    /// itself.
    var halfWidth: Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(value) else { return self }
        return Unicode.Scalar(UInt8(truncatingIfNeeded: value - 0xFEE0))
    }

    /// Whether it separates words: white space, and control characters including NUL.
    var isQuerySpace: Bool { properties.isWhitespace || properties.generalCategory == .control }

    /// Whether it is punctuation that ends a part of a sentence, and so does not belong to the word before it.
    var closesSentence: Bool {
        switch self {
        case ".", ",", ";", ":", "!", "?", "…", "。", "、", "，", "；", "：", "！", "？", "؟", "،", "؛", "।": true
        default: false
        }
    }

    /// Whether it is punctuation that begins a sentence.
    var opensSentence: Bool { self == "¿" || self == "¡" }

    /// Whether it ends a word for good: nobody continues the word after it. A full stop, a colon and an apostrophe do
    /// not: `node.js`.
    var endsTypedWord: Bool {
        if isQuerySpace { return true }
        switch self {
        case "’", ".", ":", "：": return false
        default:
            let category = properties.generalCategory
            return closesSentence || category == .closePunctuation || category == .finalPunctuation
        }
    }

    /// Whether it has a meaning of its own: a letter, digit, mark, or a symbol such as an emoji or a currency sign.
    var isMeaningful: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .otherSymbol, .currencySymbol,
            .privateUse, .unassigned:
            true
        default: false
        }
    }

    /// Whether it excludes the word that follows: hyphen-minus, or the minus sign.
    var isExclusionMark: Bool { halfWidth == "-" || self == "\u{2212}" }

    /// Whether it is a parenthesis or the bar, which end a word wherever they are.
    var isQueryPunctuation: Bool {
        let ascii = halfWidth
        return ascii == "(" || ascii == ")" || ascii == "|"
    }

    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

/// The kinds of quotation marks around a phrase.
enum QuotationMark: CaseIterable {
    /// `"`, and the curved ones of all languages. Any of them opens and any closes, since keyboards replace one by
    /// another and languages differ in which is which.
    case double
    /// `«` and `»`.
    case guillemet
    /// `「` and `」`.
    case corner
    /// `『` and `』`.
    case whiteCorner

    /// The kind of phrase that this character opens.
    init?(opening scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "“", "”", "„", "‟", "＂": self = .double
        case "«": self = .guillemet
        case "「": self = .corner
        case "『": self = .whiteCorner
        default: return nil
        }
    }

    func isClosed(by scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .double: QuotationMark(opening: scalar) == .double
        case .guillemet: scalar == "»"
        case .corner: scalar == "」"
        case .whiteCorner: scalar == "』"
        }
    }
}

/// The words that are operators, in capitals only: `or` is an ordinary word.
enum QueryOperator {
    case or
    case and
    case not
    case near(distance: Int)

    init?(_ word: ArraySlice<Unicode.Scalar>) {
        switch word.count {
        case 2 where word.elementsEqual("OR".unicodeScalars): self = .or
        case 3 where word.elementsEqual("AND".unicodeScalars): self = .and
        case 3 where word.elementsEqual("NOT".unicodeScalars): self = .not
        default:
            guard word.starts(with: "NEAR".unicodeScalars) else { return nil }
            let rest = word.dropFirst(4)
            if rest.isEmpty {
                self = .near(distance: SearchQuery.defaultDistance)
            } else if rest.first == "/", let distance = Self.number(rest.dropFirst()) {
                self = .near(distance: distance)
            } else {
                return nil
            }
        }
    }

    /// The number that digits stand for, at most the greatest distance; nil for anything else.
    static func number(_ digits: ArraySlice<Unicode.Scalar>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return digits.reduce(0) { min($0 * 10 + Int($1.value - 0x30), SearchQuery.distanceLimit) }
    }
}

extension String {
    /// A string of these scalars.
    init(queryScalars scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }

    /// Whether it contains nothing but space.
    var isBlank: Bool { unicodeScalars.allSatisfy(\.isQuerySpace) }

    /// Whether the text, typed as it is, is read as one word.
    var isBareWord: Bool {
        let scalars = Array(unicodeScalars)
        guard let first = scalars.first, let last = scalars.last, scalars.contains(where: \.isMeaningful) else {
            return false
        }
        if first.isExclusionMark || first.opensSentence || last.halfWidth == "*" || last.halfWidth == "~"
            || last.closesSentence
        {
            return false
        }
        if QueryOperator(scalars[...]) != nil { return false }
        return scalars.allSatisfy {
            !$0.isQuerySpace && !$0.isQueryPunctuation && QuotationMark(opening: $0) == nil
        }
    }
}

/// Splits a typed text into pieces: words, phrases, operators, names of fields.
///
/// Takes linear time: where the last closing mark of each kind is, is known before any is looked for.
struct QueryScanner {
    enum Lexeme {
        /// A word; empty for something typed without meaning, such as a dash between two words.
        case word(String, isPrefix: Bool)
        /// A word followed by a tilde.
        case similar(String, isPrefix: Bool)
        case phrase(String, isPrefix: Bool, isClosed: Bool)
        case near([String], distance: Int, isPrefix: Bool, isClosed: Bool)
        case open
        case close
        case or
        case and
        case not
        /// A minus sign before something, which excludes it as `not` does if something else is looked for.
        case minus
        case nearOperator(distance: Int)
        /// What follows is looked for in these fields.
        case fields([String])

        var isMinus: Bool {
            if case .minus = self { true } else { false }
        }
    }

    /// The most fields that one prefix names.
    private static let fieldLimit = 32

    private let text: [Unicode.Scalar]
    private let fields: QueryFields
    private var position = 0
    /// The place of the last closing mark of each kind.
    private var lastClosing: [QuotationMark: Int] = [:]
    /// What directly precedes the position.
    private var attachment = Attachment.none

    private enum Attachment {
        case none
        case minus
        case field
    }

    init(_ text: [Unicode.Scalar], fields: QueryFields) {
        self.text = text
        self.fields = fields
        for (index, scalar) in text.enumerated() {
            for mark in QuotationMark.allCases where mark.isClosed(by: scalar) { lastClosing[mark] = index }
        }
    }

    mutating func next() -> Lexeme? {
        if skipSpace() { attachment = .none }
        guard position < text.count else { return nil }
        let attached = attachment
        attachment = .none
        switch text[position].halfWidth {
        case "(": return advance(.open)
        case ")": return advance(.close)
        case "|": return advance(.or)
        default: break
        }
        if attached != .minus, isExclusion(after: attached) {
            attachment = .minus
            return advance(.minus)
        }
        if attached != .field, let names = takeTag() ?? takeFields() {
            attachment = .field
            return .fields(names)
        }
        if let phrase = takePhrase() { return .phrase(phrase.text, isPrefix: takeStars(), isClosed: phrase.isClosed) }
        return takeWord(mayBeOperator: attached == .none)
    }

    // MARK: Pieces

    private func scalar(at index: Int) -> Unicode.Scalar? { index < text.count ? text[index] : nil }

    private mutating func advance(_ lexeme: Lexeme) -> Lexeme {
        position += 1
        return lexeme
    }

    private mutating func skipSpace() -> Bool {
        let start = position
        while let scalar = scalar(at: position), scalar.isQuerySpace { position += 1 }
        return position > start
    }

    /// A minus sign counts only at the start of something: not alone, doubled, or inside or after a word.
    private func isExclusion(after attached: Attachment) -> Bool {
        guard text[position].isExclusionMark, let next = scalar(at: position + 1) else { return false }
        if attached == .none, position > 0 {
            let previous = text[position - 1]
            guard previous.isQuerySpace || previous.isQueryPunctuation else { return false }
        }
        if next.isQuerySpace || next.isExclusionMark { return false }
        return !next.isQueryPunctuation || next.halfWidth == "("
    }

    private mutating func takeTag() -> [String]? {
        guard let field = fields.tags, text[position].halfWidth == "#", let next = scalar(at: position + 1),
            next.isMeaningful || QuotationMark(opening: next) != nil
        else { return nil }
        position += 1
        return [field]
    }

    /// `title:`, `"full name":`, `title,notes:`; nil if the text before the colon does not name fields.
    private mutating func takeFields() -> [String]? {
        var names: [String] = []
        var index = position
        while names.count < Self.fieldLimit {
            guard let name = fieldName(at: &index) else { return nil }
            names.append(name)
            switch scalar(at: index)?.halfWidth {
            case ":":
                position = index + 1
                return names
            case ",": index += 1
            default: return nil
            }
        }
        return nil
    }

    private func fieldName(at index: inout Int) -> String? {
        let limit = index + fields.longestName
        if let opening = scalar(at: index), let mark = QuotationMark(opening: opening) {
            let quoted = phrase(of: mark, from: index + 1, to: limit)
            guard quoted.isClosed else { return nil }
            index = quoted.end
            return fields.name(quoted.text)
        }
        var end = index
        while end < limit, let scalar = scalar(at: end), scalar.halfWidth != ":", scalar.halfWidth != ",",
            !scalar.isQuerySpace
        {
            end += 1
        }
        defer { index = end }
        return fields.name(String(queryScalars: text[index..<end]))
    }

    // MARK: Phrases

    private mutating func takePhrase() -> (text: String, isClosed: Bool)? {
        guard let mark = QuotationMark(opening: text[position]) else { return nil }
        let phrase = phrase(of: mark, from: position + 1, to: text.count)
        position = phrase.end
        return (phrase.text, phrase.isClosed)
    }

    /// The text up to the closing mark, or to the end. A double mark, doubled, stands for itself.
    private func phrase(of mark: QuotationMark, from start: Int, to limit: Int) -> (
        text: String, isClosed: Bool, end: Int
    ) {
        var inside = String.UnicodeScalarView()
        var index = start
        while index < limit, let scalar = scalar(at: index) {
            index += 1
            if mark.isClosed(by: scalar) {
                guard mark == .double, self.scalar(at: index) == scalar else { return (String(inside), true, index) }
                index += 1
            }
            inside.append(scalar)
        }
        return (String(inside), false, index)
    }

    private mutating func takeStars() -> Bool {
        let start = position
        while scalar(at: position)?.halfWidth == "*" { position += 1 }
        return position > start
    }

    // MARK: Words

    private mutating func takeWord(mayBeOperator: Bool) -> Lexeme {
        let start = position
        position = wordEnd(from: start)
        let word = text[start..<position]
        if word.elementsEqual("NEAR".unicodeScalars), scalar(at: position)?.halfWidth == "(" {
            position += 1
            return takeNear()
        }
        if mayBeOperator {
            switch QueryOperator(word) {
            case .or: return .or
            case .and: return .and
            case .not: return .not
            case .near(let distance): return .nearOperator(distance: distance)
            case nil: break
            }
        }
        let (bare, isPrefix, hasTilde) = Self.stripped(word)
        if hasTilde, bare.contains(where: \.isMeaningful) {
            return .similar(String(queryScalars: bare), isPrefix: isPrefix)
        }
        return .word(bare.contains(where: \.isMeaningful) ? String(queryScalars: bare) : "", isPrefix: isPrefix)
    }

    /// A word without the punctuation around it, and whether that included a star and a tilde.
    private static func stripped(_ word: ArraySlice<Unicode.Scalar>) -> (
        word: ArraySlice<Unicode.Scalar>, isPrefix: Bool, hasTilde: Bool
    ) {
        var word = word.drop(while: \.opensSentence)
        var isPrefix = false
        var hasTilde = false
        while let last = word.last, last.halfWidth == "*" || last.halfWidth == "~" || last.closesSentence {
            if last.halfWidth == "*" { isPrefix = true }
            if last.halfWidth == "~" { hasTilde = true }
            word.removeLast()
        }
        return (word, isPrefix, hasTilde)
    }

    /// The end of the word that starts here. A quotation mark inside a word starts a phrase if another one closes it,
    /// except after a digit, where it means inches or seconds.
    private func wordEnd(from start: Int) -> Int {
        var index = start
        while let scalar = scalar(at: index), !scalar.isQuerySpace, !scalar.isQueryPunctuation {
            if index > start, let mark = QuotationMark(opening: scalar), let closing = lastClosing[mark],
                closing > index, !text[index - 1].isASCIIDigit
            {
                break
            }
            index += 1
        }
        return index
    }

    /// What follows `NEAR(`: words, phrases, and, after a comma, the distance.
    private mutating func takeNear() -> Lexeme {
        var phrases: [String] = []
        var isPrefix = false
        var isDistance = false
        var isClosed = false
        var distance = SearchQuery.defaultDistance
        while !isClosed {
            _ = skipSpace()
            guard let scalar = scalar(at: position) else { break }
            if scalar.isQueryPunctuation || scalar.halfWidth == "," {
                isClosed = scalar.halfWidth == ")"
                isDistance = scalar.halfWidth == ","
                position += 1
            } else if let phrase = takePhrase() {
                phrases.append(phrase.text)
                isPrefix = takeStars()
                isDistance = false
            } else {
                let start = position
                while let scalar = self.scalar(at: position), scalar.halfWidth != ",", !scalar.isQuerySpace,
                    !scalar.isQueryPunctuation
                {
                    position += 1
                }
                let word = text[start..<position]
                if isDistance, let number = QueryOperator.number(word), endsNear {
                    distance = number
                    continue
                }
                let (bare, hasStar, _) = Self.stripped(word)
                phrases.append(String(queryScalars: bare))
                isPrefix = hasStar
                isDistance = false
            }
        }
        return .near(phrases, distance: distance, isPrefix: isPrefix, isClosed: isClosed)
    }

    /// Whether only the parenthesis that closes a `NEAR` follows.
    private var endsNear: Bool {
        guard let next = text[position...].first(where: { !$0.isQuerySpace }) else { return true }
        return next.halfWidth == ")"
    }
}

/// The fields that a typed query may name.
struct QueryFields {
    /// Names by their lowercase form.
    private let names: [String: String]
    /// The field that `#word` searches; nil where that has no meaning.
    let tags: String?
    /// The scalars of the longest name as it may be typed, including quotation marks.
    let longestName: Int

    init(_ names: [String], tags: String?) {
        self.names = Dictionary(names.map { (Self.key($0), $0) }) { first, _ in first }
        self.tags = tags
        // A quotation mark in a name is doubled.
        longestName = names.isEmpty ? 0 : 2 + 2 * (names.map(\.unicodeScalars.count).max() ?? 0)
    }

    /// The field with that name; ASCII case is ignored.
    func name(_ typed: String) -> String? { names[Self.key(typed)] }

    private static func key(_ name: String) -> String {
        String(
            queryScalars: name.unicodeScalars.lazy.map {
                ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) + 32) : $0
            })
    }
}

/// Adds synonyms to words and phrases; of several phrases that begin at a word, the longest counts.
///
/// Expanding documents serves every form of query. The words of each alternative stand, colocated, at the positions of
/// the phrase that was found; further words stand at the positions that follow, or at positions of their own at the end
/// of the text. A document with nyc thus also has new and york, in this order.
///
/// Expanding queries keeps the index smaller, and words can be added later without a rebuild. FTS5 can join single
/// tokens by OR, but not phrases. So documents also carry each phrase of several words as one token ("new york") at its
/// first word, and queries use it: nyc asks for nyc OR "new york", and a query that is exactly the words new york asks
/// for the same. Adding phrases later needs a rebuild.
package final class SynonymFilter: TokenFilter {
    /// What is expanded: `.document` or `.query`.
    private let expands: TokenizationReason
    private let rules: SynonymRules
    @exclusivity(unchecked) private var window = TokenWindow()
    /// The words of alternatives that are longer than the phrase they stand for, with the distance of their position
    /// from the next one.
    @exclusivity(unchecked) private var overflow: [(distance: Int, token: Int)] = []
    @exclusivity(unchecked) private var isFirst = true

    init(_ synonyms: Synonyms, expanding reason: TokenizationReason, after tokenizer: any Tokenizer) {
        expands = reason
        rules = SynonymRules(synonyms, expanding: reason, after: tokenizer)
    }

    package override func begin() {
        window.removeAll()
        overflow.removeAll(keepingCapacity: true)
        isFirst = true
    }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        if expands == .document, isQuery { return emit(token, flags: flags, start: start, end: end) }
        let word = flags.contains(.colocated) ? nil : rules.word(token)
        // A word that the rules do not mention ends every phrase before it and passes at once.
        if word == nil, !flags.contains(.colocated) {
            while window.positionCount > 0 {
                let code = advance(isLast: false)
                if code != 0 { return code }
            }
        }
        if word == nil, window.positionCount == 0, overflow.isEmpty {
            isFirst = false
            return emit(token, flags: flags, start: start, end: end)
        }
        if !flags.contains(.colocated) || window.positionCount == 0 {
            // The window holds as many positions as the longest phrase has words.
            while window.positionCount >= rules.longestPhrase {
                let code = advance(isLast: false)
                if code != 0 { return code }
            }
            window.append(token, word: word, flags: flags.subtracting(.colocated), start: start, end: end)
        } else {
            window.append(token, word: nil, flags: flags, start: start, end: end)
        }
        return 0
    }

    package override func finish() -> Int32 {
        while window.positionCount > 0 {
            let code = advance(isLast: true)
            if code != 0 { return code }
        }
        return finishOverflow()
    }

    /// Sends the first position of the window, or all positions of a phrase that begins there.
    private func advance(isLast: Bool) -> Int32 {
        guard let match = rules.longestMatch(in: window) else { return send(positions: 1, alternatives: 0..<0) }
        if expands == .document {
            return send(positions: match.length, alternatives: rules.alternatives(of: match.phrase))
        }
        if !isQuery { return sendWithPhraseToken(match) }
        if match.length == 1 { return sendQueryWord(match) }
        let isWholeQuery = isFirst && isLast && match.length == window.positionCount
        return isWholeQuery ? sendQueryPhrase(match) : send(positions: match.length, alternatives: 0..<0)
    }

    // MARK: Documents expanded

    /// Sends positions of the window with the words of alternatives beside them.
    private func send(positions: Int, alternatives: Range<Int>) -> Int32 {
        for alternative in alternatives {
            for distance in 0..<rules.wordCount(ofAlternative: alternative) {
                overflow.append((distance, rules.word(distance, ofAlternative: alternative)))
            }
        }
        for _ in 0..<positions {
            let place = window.firstPlace
            var code = sendFirstPosition()
            for index in overflow.indices where overflow[index].distance == 0 && code == 0 {
                code = emit(
                    rules.token(overflow[index].token), flags: place.flags.union(.colocated), start: place.start,
                    end: place.end)
            }
            if code != 0 { return code }
            advanceOverflow()
        }
        return 0
    }

    /// Drops the words whose position has been reached, and moves the others one position nearer.
    private func advanceOverflow() {
        var count = 0
        for index in overflow.indices where overflow[index].distance > 0 {
            overflow[count] = (overflow[index].distance - 1, overflow[index].token)
            count += 1
        }
        overflow.removeLast(overflow.count - count)
    }

    private func sendFirstPosition() -> Int32 {
        isFirst = false
        defer { window.removeFirstPosition() }
        for index in window.firstPosition {
            let entry = window[index]
            let code = emit(window.token(entry), flags: entry.flags, start: entry.start, end: entry.end)
            if code != 0 { return code }
        }
        return 0
    }

    /// Sends the words left over at the end of the text, at positions of their own.
    private func finishOverflow() -> Int32 {
        let place = window.lastPlace
        var distance = 0
        while overflow.contains(where: { $0.distance >= distance }) {
            var flags = place.flags
            for pending in overflow where pending.distance == distance {
                let code = emit(rules.token(pending.token), flags: flags, start: place.start, end: place.end)
                if code != 0 { return code }
                flags.insert(.colocated)
            }
            distance += 1
        }
        return 0
    }

    // MARK: Queries expanded

    /// Sends a document's phrase of several words, with the phrase as one token beside its first word.
    private func sendWithPhraseToken(_ match: SynonymRules.Match) -> Int32 {
        var place = window.firstPlace
        place.end = window.end(ofFirst: match.length)
        var code = sendFirstPosition()
        if code == 0, match.length > 1 {
            code = emit(
                rules.joined(match.phrase), flags: place.flags.union(.colocated), start: place.start, end: place.end)
        }
        return code
    }

    /// Sends a query's word OR its alternatives.
    private func sendQueryWord(_ match: SynonymRules.Match) -> Int32 {
        let place = window.firstPlace
        let code = sendFirstPosition()
        return code != 0 ? code : sendAlternatives(of: match, at: place)
    }

    /// Sends a query that is one phrase: the phrase as one token OR its alternatives.
    private func sendQueryPhrase(_ match: SynonymRules.Match) -> Int32 {
        var place = window.firstPlace
        for _ in 0..<match.length {
            place.end = window.firstPlace.end
            window.removeFirstPosition()
        }
        let code = emit(rules.joined(match.phrase), flags: place.flags, start: place.start, end: place.end)
        return code != 0 ? code : sendAlternatives(of: match, at: place)
    }

    private func sendAlternatives(of match: SynonymRules.Match, at place: TokenWindow.Place) -> Int32 {
        for alternative in rules.alternatives(of: match.phrase) {
            let code = emit(
                rules.joined(alternative: alternative), flags: place.flags.union(.colocated), start: place.start,
                end: place.end)
            if code != 0 { return code }
        }
        return 0
    }
}

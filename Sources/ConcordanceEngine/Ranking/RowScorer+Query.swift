import ConcordanceFTS5

extension RowScorer {
    /// The scorer of a query on its snapshot.
    ///
    /// - Parameters:
    ///   - parameters: They say whether repeated phrases and readings of words matter; if nil, they do.
    ///   - counts: Whether a phrase can have hits. Only such phrases are counted.
    convenience init(
        _ query: BoundQuery, _ parameters: RankParameters? = nil, counts: (Int) -> Bool = { _ in true }
    ) throws {
        let phrases = query.expression.phrases
        try self.init(phraseCount: phrases.count, rowCount: query.snapshot.rowCount) { phrase in
            (
                Int32(truncatingIfNeeded: phrases[phrase].terms.count),
                counts(phrase) ? try query.documentFrequency(ofPhrase: phrase) : 0
            )
        }
        if parameters?.proximityBonus != 0, let root = query.expression.root { joinReadings(root, phrases) }
        if parameters?.k3 != .infinity { try countRepetitions(query) }
    }

    // MARK: - Readings

    /// Gives alternatives the same word if one begins with the other: `conc OR conc*` comes from one typed word.
    private func joinReadings(_ node: QueryNode, _ phrases: [QueryPhrase]) {
        switch node {
        case .nothing, .near: break
        case .and(let nodes): for node in nodes { joinReadings(node, phrases) }
        case .not(let matching, _): joinReadings(matching, phrases)
        case .or(let nodes):
            let alternatives = nodes.compactMap { node -> Int? in
                if case .near(let group) = node, group.phrases.count == 1 { group.phrases[0] } else { nil }
            }
            for prefix in alternatives where phrases[prefix].terms.last?.isPrefix == true {
                for other in alternatives where phrases[prefix].begins(phrases[other]) {
                    let first = min(word[prefix], word[other])
                    (word[prefix], word[other]) = (first, first)
                }
            }
            for node in nodes { joinReadings(node, phrases) }
        }
    }

    // MARK: - Repetitions

    /// Counts the phrases equal to each phrase, itself included. Equal phrases have as many tokens and as many rows.
    private func countRepetitions(_ query: BoundQuery) throws {
        var groups: [Kind: [Int]] = [:]
        for phrase in 0..<phraseCount where documentFrequency[phrase] > 0 {
            groups[Kind(size: size[phrase], documentFrequency: documentFrequency[phrase]), default: []].append(phrase)
        }
        for members in groups.values where members.count > 1 {
            var equal: [QueryPhrase: [Int]] = [:]
            for phrase in members {
                equal[try query.snapshot.resolve(query.expression.phrases[phrase]), default: []].append(phrase)
            }
            for same in equal.values {
                for phrase in same { repetitions[phrase] = Double(same.count) }
            }
        }
    }

    /// What equal phrases have in common, as far as it is known without the dictionary.
    private struct Kind: Hashable {
        var size: Int32
        var documentFrequency: Int
    }
}

extension QueryTerm {
    /// Whether the term may turn out to be a prefix of only one term.
    fileprivate var isResolvable: Bool { isPrefix && synonyms.isEmpty && !isForgiving }
}

extension QueryPhrase {
    /// Whether this phrase, whose last term is a prefix, matches whatever the other phrase matches.
    fileprivate func begins(_ other: QueryPhrase) -> Bool {
        guard let last = terms.last, let otherLast = other.terms.last, terms.count == other.terms.count else {
            return false
        }
        return otherLast.bytes.starts(with: last.bytes) && terms.dropLast() == other.terms.dropLast()
    }
}

extension Snapshot {
    /// The phrase in a form that phrases with the same hits share: a prefix of only one term in the index becomes that
    /// term, and a filter for all columns is dropped.
    fileprivate func resolve(_ phrase: QueryPhrase) throws -> QueryPhrase {
        var phrase = phrase
        if phrase.columns?.columns.count == totalTokens.count { phrase.columns = nil }
        for index in phrase.terms.indices where phrase.terms[index].isResolvable {
            guard let terms = try liveTerms(beginningWith: phrase.terms[index].bytes), terms.count == 1 else {
                continue
            }
            phrase.terms[index] = QueryTerm(bytes: terms[0])
        }
        return phrase
    }
}

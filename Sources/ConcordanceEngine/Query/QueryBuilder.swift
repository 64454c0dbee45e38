import ConcordanceFTS5
import ConcordanceText

/// Builds a query from the instructions of a tree, as FTS5 does.
struct QueryBuilder {
    /// A node on the stack. Its phrases are those from `firstPhrase` up to that of the next entry.
    private struct Entry {
        var node: QueryNode
        var firstPhrase: Int
        /// The first phrase of the last child that an AND has received so far.
        var lastChild: Int
    }

    private let options: TableOptions
    private var phrase = QueryPhrase(terms: [])
    /// The number of terms in the phrase that come from earlier strings.
    private var termsBefore = 0
    private var group: [QueryPhrase] = []
    private var distance = 0
    private var entries: [Entry] = []
    /// The phrases of all entries.
    private var phrases: [QueryPhrase] = []

    init(options: TableOptions) { self.options = options }

    // MARK: - Phrases

    mutating func beginPhrase() { phrase = QueryPhrase(terms: []) }

    /// Begins a string of the phrase.
    mutating func beginString() { termsBefore = phrase.terms.count }

    /// Adds a token to the phrase: a term, or a synonym of the last one.
    mutating func append(_ token: UnsafeRawBufferPointer, isColocated: Bool) {
        let bytes = Array(token.prefix(PendingTerms.maximumTokenLength))
        if isColocated, !phrase.terms.isEmpty {
            phrase.terms[phrase.terms.count - 1].synonyms.insert(bytes, at: 0)
        } else {
            phrase.terms.append(QueryTerm(bytes: bytes))
        }
    }

    /// Ends a string of the phrase. If it has no tokens, its star, or the lack of one, applies to the token before it.
    mutating func endString(isPrefix: Bool, typos: TypoTolerance = .none) {
        for index in termsBefore..<phrase.terms.count { phrase.terms[index].typos = typos }
        guard !phrase.terms.isEmpty else { return }
        phrase.terms[phrase.terms.count - 1].isPrefix = isPrefix
    }

    /// Adds the tokens of the same string, tokenized for words with typos, that the terms of the last string lack.
    mutating func addSpellings(of other: QueryBuilder) {
        let terms = other.phrase.terms
        guard terms.count == phrase.terms.count - termsBefore else { return }
        for (index, term) in terms.enumerated() {
            let known = phrase.terms[termsBefore + index]
            phrase.terms[termsBefore + index].spellings = ([term.bytes] + term.synonyms).filter {
                $0 != known.bytes && !known.synonyms.contains($0)
            }
        }
    }

    // MARK: - Nodes

    mutating func perform(_ instruction: QueryTree.Instruction) throws {
        switch instruction {
        case .phrase, .extend: break
        case .initial: phrase.isInitial = !phrase.terms.isEmpty
        case .group:
            group = [phrase]
            distance = 0
        case .join:
            // A group keeps a phrase without tokens only if it has no other phrase.
            if group.last?.terms.isEmpty == true { group.removeLast() }
            if group.isEmpty || !phrase.terms.isEmpty { group.append(phrase) }
        case .distance(let count): distance = count
        case .node: try pushGroup()
        case .filter(let columns, let isInverted): try filter(by: numbers(of: columns), isInverted: isInverted)
        case .and(let count): combine(count, isAnd: true)
        case .or(let count): combine(count, isAnd: false)
        case .not: combineNot()
        case .implicitAnd: combineImplicitly()
        }
    }

    private func numbers(of columns: [String]) throws -> [Int] {
        try columns.map { name in
            guard let column = options.columns.firstIndex(where: { $0.name.equalsIgnoringASCIICase(name) }) else {
                throw failure("no such column: \(name)")
            }
            return column
        }
    }

    private mutating func pushGroup() throws {
        if options.detail != .full {
            let isPhrase = group.count == 1
            let isTerm = isPhrase && group[0].terms.count <= 1 && !group[0].isInitial
            guard isTerm else {
                throw failure("fts5: \(isPhrase ? "phrase" : "NEAR") queries are not supported (detail!=full)")
            }
        }
        let first = phrases.count
        phrases += group
        let node: QueryNode =
            group.contains { $0.terms.isEmpty }
            ? .nothing : .near(NearGroup(phrases: Array(first..<phrases.count), distance: distance))
        entries.append(Entry(node: node, firstPhrase: first, lastChild: first))
    }

    private mutating func filter(by columns: [Int], isInverted: Bool) throws {
        guard options.detail != .none else {
            throw failure("fts5: column queries are not supported (detail=none)")
        }
        guard let last = entries.indices.last else { return }
        let named = Set(columns)
        let kept = options.columns.indices.filter { named.contains($0) != isInverted }
        entries[last].node = filtered(entries[last].node, by: kept)
    }

    private mutating func filtered(_ node: QueryNode, by columns: [Int]) -> QueryNode {
        switch node {
        case .nothing: return .nothing
        case .near(var group):
            let known = group.columns?.columns
            let both = known?.filter(Set(columns).contains) ?? columns
            group.columns = ColumnSet(columns: both)
            for phrase in group.phrases { phrases[phrase].columns = group.columns }
            return known != nil && both.isEmpty ? .nothing : .near(group)
        case .and(let children): return .and(children.map { filtered($0, by: columns) })
        case .or(let children): return .or(children.map { filtered($0, by: columns) })
        case .not(let left, let right):
            let left = filtered(left, by: columns)
            return .not(left, filtered(right, by: columns))
        }
    }

    /// Children of the same kind are replaced by their own children.
    private mutating func combine(_ count: Int, isAnd: Bool) {
        guard count > 1, entries.count >= count else { return }
        let others = Array(entries.suffix(count - 1))
        entries.removeLast(count - 1)
        guard var whole = entries.popLast() else { return }
        var children: [QueryNode]
        switch whole.node {
        case .and(let nodes) where isAnd: children = nodes
        case .or(let nodes) where !isAnd: children = nodes
        case let node: children = [node]
        }
        // So that a long chain of operators appends to one array.
        whole.node = .nothing
        for other in others {
            switch other.node {
            case .and(let nodes) where isAnd:
                children += nodes
                whole.lastChild = other.lastChild
            case .or(let nodes) where !isAnd: children += nodes
            case let node:
                children.append(node)
                whole.lastChild = other.firstPhrase
            }
        }
        whole.node = isAnd ? .and(children) : .or(children)
        entries.append(whole)
    }

    private mutating func combineNot() {
        guard let right = entries.popLast(), let left = entries.popLast() else { return }
        entries.append(
            Entry(node: .not(left.node, right.node), firstPhrase: left.firstPhrase, lastChild: left.firstPhrase))
    }

    /// An AND without the word leaves out strings without tokens.
    private mutating func combineImplicitly() {
        guard entries.count >= 2 else { return }
        let (left, right) = (entries.count - 2, entries.count - 1)
        if entries[right].node == .nothing {
            phrases.removeLast(phrases.count - entries[right].firstPhrase)
            entries.removeLast()
        } else if entries[left].node == .nothing {
            replacePhrases(from: entries[left].firstPhrase)
            entries.remove(at: left)
        } else if case .and(var children)? = entries[left].node.endingInNothing {
            replacePhrases(from: entries[left].lastChild)
            children[children.count - 1] = entries[right].node
            entries[left].node = .and(children)
            entries.removeLast()
        } else {
            combine(2, isAnd: true)
        }
    }

    /// Replaces the phrases from `first` on by those of the last node.
    private mutating func replacePhrases(from first: Int) {
        guard let last = entries.indices.last else { return }
        let offset = first - entries[last].firstPhrase
        phrases.removeSubrange(first..<entries[last].firstPhrase)
        entries[last] = Entry(
            node: entries[last].node.renumbered(by: offset), firstPhrase: first, lastChild: first)
    }

    // MARK: - Result

    /// The query, restricted to a column if one is given.
    mutating func finish(column: Int?) throws -> QueryExpression {
        if let column { try filter(by: [column], isInverted: false) }
        let root = entries.popLast()?.node
        return QueryExpression(root: root == .nothing ? nil : root, phrases: phrases)
    }
}

extension QueryNode {
    /// Itself if it is an AND whose last part is `nothing`; else nil.
    fileprivate var endingInNothing: QueryNode? {
        if case .and(let children) = self, children.last == .nothing { self } else { nil }
    }
}

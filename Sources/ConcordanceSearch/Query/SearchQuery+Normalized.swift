extension SearchQuery.Node {
    /// The one normal form of parts with this structure; nil if nothing is looked for.
    ///
    /// - A word that would not be read as a word when typed becomes a phrase, which has no typos.
    /// - An `all` in an `all`, and an `any` in an `any`, becomes part of the outer one; one with a single part becomes
    ///   that part. Of equal parts of an `all`, the first stays.
    /// - Exclusions are collected: those of the parts of an `all` become those of the whole. What is excluded twice is
    ///   wanted.
    /// - A pure exclusion within fields becomes an exclusion of parts within fields.
    var normalized: SearchQuery.Node? {
        switch kind {
        case .word(let text, let isPrefix):
            if text.isBareWord { return self }
            return text.isBlank ? nil : .phrase(text, isPrefix: isPrefix)
        case .similar(let text, let isPrefix):
            if text.isBareWord { return self }
            return text.isBlank ? nil : .phrase(text, isPrefix: isPrefix)
        case .phrase(let text, _): return text.isBlank ? nil : self
        case .near(let phrases, let distance, let isPrefix):
            return Self.near(phrases, distance, isPrefix: isPrefix)
        case .fields(let names, let child): return Self.restriction(to: names, of: child.normalized)
        case .all(let children):
            var conjunction = Conjunction()
            for child in children { conjunction.add(child.normalized) }
            return conjunction.node
        case .any(let children): return Self.alternatives(children)
        case .excluding(let base, let others):
            var conjunction = Conjunction()
            conjunction.add(base?.normalized)
            for other in others { conjunction.exclude(other.normalized) }
            return conjunction.node
        }
    }

    private static func near(_ phrases: [String], _ distance: Int, isPrefix: Bool) -> SearchQuery.Node? {
        let texts = phrases.filter { !$0.isBlank }
        let isPrefix = isPrefix && phrases.last?.isBlank == false
        guard let first = texts.first else { return nil }
        if texts.count == 1 { return .phrase(first, isPrefix: isPrefix) }
        return .near(texts, distance: min(max(0, distance), SearchQuery.distanceLimit), isPrefix: isPrefix)
    }

    private static func restriction(to names: [String], of child: SearchQuery.Node?) -> SearchQuery.Node? {
        guard let child, !names.isEmpty else { return nil }
        var distinct: [String] = []
        for name in names where !distinct.contains(name) { distinct.append(name) }
        guard case .excluding(nil, let others) = child.kind else { return .fields(distinct, child) }
        return .excluding(nil, others.map { .fields(distinct, $0) })
    }

    private static func alternatives(_ children: [SearchQuery.Node]) -> SearchQuery.Node? {
        var parts: [SearchQuery.Node] = []
        for child in children {
            guard let part = child.normalized else { continue }
            if case .any(let inner) = part.kind { parts += inner } else { parts.append(part) }
        }
        return parts.count > 1 ? .any(parts) : parts.first
    }

    /// Parts that must all match, and what is excluded from them.
    private struct Conjunction {
        private var wanted: [SearchQuery.Node] = []
        private var unwanted: [SearchQuery.Node] = []

        /// Adds a part in normal form.
        mutating func add(_ part: SearchQuery.Node?) {
            guard let part else { return }
            switch part.kind {
            case .all(let parts): wanted += parts
            case .excluding(let base, let others):
                add(base)
                unwanted += others
            default: wanted.append(part)
            }
        }

        /// Excludes what a part in normal form matches.
        mutating func exclude(_ part: SearchQuery.Node?) {
            guard let part else { return }
            switch part.kind {
            case .any(let parts): for part in parts { exclude(part) }
            case .excluding(nil, let others):
                add(others.count > 1 ? .any(others) : others.first)
            default: unwanted.append(part)
            }
        }

        var node: SearchQuery.Node? {
            var seen: Set<SearchQuery.Node> = []
            let distinct = wanted.filter { seen.insert($0).inserted }
            let base = distinct.count > 1 ? .all(distinct) : distinct.first
            return unwanted.isEmpty ? base : .excluding(base, unwanted)
        }
    }
}

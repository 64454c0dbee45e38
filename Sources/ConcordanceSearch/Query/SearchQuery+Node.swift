extension SearchQuery {
    /// A part of a query.
    ///
    /// Parts may be nested as deeply as a program likes: creating, comparing, hashing and freeing them takes no stack.
    /// But no search accepts a query that is nested more than 512 deep.
    package struct Node: Hashable, Sendable {
        /// What a part is.
        package enum Kind: Hashable, Sendable {
            /// A word, or all words that begin with it.
            case word(String, isPrefix: Bool)
            /// A word that may have typos, or the beginning of one.
            case similar(String, isPrefix: Bool)
            /// Words next to each other in this order; the last may be the beginning of a word.
            case phrase(String, isPrefix: Bool)
            /// Words or phrases with at most `distance` words between the first and the last; the last may be the
            /// beginning of a word.
            case near([String], distance: Int, isPrefix: Bool)
            /// Something that is looked for in these fields only.
            case fields([String], Node)
            /// Rows that match each part.
            case all([Node])
            /// Rows that match at least one part.
            case any([Node])
            /// Rows that match the first part, or all rows without one, and none of the others.
            case excluding(Node?, [Node])
        }

        private var storage: Storage

        /// Creates a part of this kind.
        package init(_ kind: Kind) { storage = Storage(kind) }

        /// The kind of the part.
        package var kind: Kind { storage.kind }

        /// The text of a word, with or without typos; nil for anything else.
        var word: (text: String, isPrefix: Bool)? {
            switch kind {
            case .word(let text, let isPrefix), .similar(let text, let isPrefix): (text, isPrefix)
            default: nil
            }
        }

        /// How many levels of parts are nested, including this one.
        var depth: Int { storage.depth }
    }
}

// MARK: - Making parts

extension SearchQuery.Node {
    /// A word, or all words that begin with it.
    package static func word(_ text: String, isPrefix: Bool) -> Self { Self(.word(text, isPrefix: isPrefix)) }

    /// A word that may have typos, or the beginning of one.
    package static func similar(_ text: String, isPrefix: Bool) -> Self { Self(.similar(text, isPrefix: isPrefix)) }

    /// Words next to each other in this order; the last may be the beginning of a word.
    package static func phrase(_ text: String, isPrefix: Bool) -> Self { Self(.phrase(text, isPrefix: isPrefix)) }

    /// Words or phrases with at most `distance` words between the first and the last; the last may be the beginning of
    /// a word.
    package static func near(_ phrases: [String], distance: Int, isPrefix: Bool) -> Self {
        Self(.near(phrases, distance: distance, isPrefix: isPrefix))
    }

    /// Something that is looked for in these fields only.
    package static func fields(_ names: [String], _ part: Self) -> Self { Self(.fields(names, part)) }

    /// Rows that match each part.
    package static func all(_ parts: [Self]) -> Self { Self(.all(parts)) }

    /// Rows that match at least one part.
    package static func any(_ parts: [Self]) -> Self { Self(.any(parts)) }

    /// Rows that match the first part, or all rows without one, and none of the others.
    package static func excluding(_ part: Self?, _ others: [Self]) -> Self { Self(.excluding(part, others)) }
}

extension SearchQuery.Node: CustomStringConvertible {
    /// The query of this part alone, as a person would type it.
    package var description: String { SearchQuery(self).description }
}

// MARK: - Depth

extension SearchQuery.Node {
    /// The content of a part, shared by its copies.
    ///
    /// Swift frees nested values by nested calls, which for deeply nested parts would overflow the stack. So this frees
    /// them one after another.
    private final class Storage: @unchecked Sendable {
        // Changes only while nobody else has the storage.
        private(set) var kind: Kind
        let depth: Int

        init(_ kind: Kind) {
            self.kind = kind
            depth = 1 + (kind.children.lazy.map(\.depth).max() ?? 0)
        }

        deinit {
            var parts = takeChildren()
            while var part = parts.popLast() {
                if isKnownUniquelyReferenced(&part.storage) { parts += part.storage.takeChildren() }
            }
        }

        private func takeChildren() -> [SearchQuery.Node] {
            let children = kind.children
            if !children.isEmpty { kind = .all([]) }
            return children
        }
    }

    package static func == (left: Self, right: Self) -> Bool {
        var pairs = [(left, right)]
        while let (left, right) = pairs.popLast() {
            if left.storage === right.storage { continue }
            let children = left.kind.children
            let others = right.kind.children
            guard left.depth == right.depth, left.kind.head == right.kind.head, children.count == others.count else {
                return false
            }
            pairs += zip(children, others)
        }
        return true
    }

    package func hash(into hasher: inout Hasher) {
        var parts = [self]
        while let part = parts.popLast() {
            let children = part.kind.children
            hasher.combine(part.kind.head)
            hasher.combine(children.count)
            parts += children
        }
    }
}

extension SearchQuery.Node.Kind {
    fileprivate var children: [SearchQuery.Node] {
        switch self {
        case .word, .similar, .phrase, .near: []
        case .fields(_, let child): [child]
        case .all(let children), .any(let children): children
        case .excluding(let base, let others): (base.map { [$0] } ?? []) + others
        }
    }

    /// Everything but the children.
    fileprivate var head: Head {
        switch self {
        case .word(let text, let isPrefix): .word(text, isPrefix: isPrefix)
        case .similar(let text, let isPrefix): .similar(text, isPrefix: isPrefix)
        case .phrase(let text, let isPrefix): .phrase(text, isPrefix: isPrefix)
        case .near(let texts, let distance, let isPrefix): .near(texts, distance: distance, isPrefix: isPrefix)
        case .fields(let names, _): .fields(names)
        case .all: .all
        case .any: .any
        case .excluding(let base, _): .excluding(hasBase: base != nil)
        }
    }

    fileprivate enum Head: Hashable {
        case word(String, isPrefix: Bool)
        case similar(String, isPrefix: Bool)
        case phrase(String, isPrefix: Bool)
        case near([String], distance: Int, isPrefix: Bool)
        case fields([String])
        case all
        case any
        case excluding(hasBase: Bool)
    }
}

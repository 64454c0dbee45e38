/// The terms of one segment that a term of a query stands for: those that begin with one of several prefixes, in the
/// order of the dictionary, or the variants of a term with typos.
struct TermExpansions {
    let segment: Segment
    /// Keys of the dictionary.
    private let prefixes: [[UInt8]]
    /// The entries; nil if they are too many to hold in memory, so that they are looked up each time.
    let entries: [TermEntry]?
    private(set) var count: Int
    /// Terms in addition to those with the prefixes, and how much a hit counts.
    private var variants: [(entry: TermEntry, factor: Double)] = []
    private let frequencyOrder = FrequencyOrder()
    /// Whether terms may share a position, which counts once.
    let comparesPlaces: Bool
    /// Whether a term continues the last character of its prefix, which no UTF-8 does. A stored list lacks such terms.
    let splitsCharacters: Bool
    /// The number of postings of all terms.
    private(set) var postingCount: Int

    /// The number of entries that are kept: about 4 MB, and 32 MB for all terms of a query, or 64 kB for each of very many.
    private static let keptCount = 1 << 16
    private static let keptCountOfAll = 1 << 19
    private static let fewestKept = 1 << 10

    /// - Parameters:
    ///   - prefixes: Keys, none of which begins with another one.
    ///   - comparesPlaces: Whether terms may share a position, which counts once; otherwise it counts for each of them.
    ///   - shares: How many terms of a query stand for others.
    init(_ segment: Segment, prefixes: [[UInt8]], comparesPlaces: Bool, shares: Int = 1) throws {
        self.segment = segment
        self.comparesPlaces = comparesPlaces
        self.prefixes = Self.withoutLonger(prefixes)
        let keptCount = min(max(Self.keptCountOfAll / max(shares, 1), Self.fewestKept), Self.keptCount)
        var entries: [TermEntry] = []
        var count = 0
        var postingCount = 0
        var splits = false
        try Self.forEach(segment, self.prefixes) { entry, continuesCharacter in
            splits = splits || continuesCharacter
            if count < keptCount { entries.append(entry) }
            count += 1
            postingCount += entry.count
        }
        self.entries = count <= keptCount ? entries : nil
        self.count = count
        self.postingCount = postingCount
        splitsCharacters = splits
    }

    /// The terms that a term with typos stands for, each of which counts at its position.
    init(_ segment: Segment, forgiving term: QueryTerm) throws {
        let exact = term.exact
        let tokens = ([exact.bytes] + exact.synonyms).map { [0] + $0 }
        if exact.isPrefix, exact.listKey(segment.shape) == nil {
            try self.init(segment, prefixes: tokens, comparesPlaces: false)
        } else {
            try self.init(segment, prefixes: [], comparesPlaces: false)
            try add(exact.listKey(segment.shape).map { [$0] } ?? Array(Set(tokens)), factor: 1)
        }
        for variant in term.variants { try add([[0] + variant.bytes], factor: variant.factor) }
    }

    private mutating func add(_ keys: [[UInt8]], factor: Double) throws {
        for key in keys {
            guard let entry = try key.withUnsafeBufferPointer(segment.find), entry.count > 0 else { continue }
            variants.append((entry, factor))
            count += 1
            postingCount += entry.count
        }
    }

    /// Drops prefixes that begin with another one, which add no terms.
    private static func withoutLonger(_ prefixes: [[UInt8]]) -> [[UInt8]] {
        var kept: [[UInt8]] = []
        for prefix in prefixes.sorted(by: { $0.lexicographicallyPrecedes($1) })
        where kept.last.map({ !prefix.starts(with: $0) }) ?? true {
            kept.append(prefix)
        }
        return kept
    }

    private static func forEach(
        _ segment: Segment, _ prefixes: [[UInt8]],
        _ body: (_ entry: TermEntry, _ continuesCharacter: Bool) throws -> Void
    ) throws {
        for prefix in prefixes {
            let cursor = try segment.makeTermCursor(from: prefix)
            while try cursor.next(), cursor.withKey({ $0.starts(with: prefix) }) {
                guard cursor.entry.count > 0 else { continue }
                let continues = cursor.withKey { $0.count > prefix.count && $0[prefix.count] & 0xC0 == 0x80 }
                try body(cursor.entry, continues)
            }
        }
    }

    /// All terms in order, and how much a hit of each counts (nil if each counts 1). Nil if the terms are not in
    /// memory.
    var known: (entries: [TermEntry], factors: [Double]?)? {
        guard let entries else { return nil }
        if variants.isEmpty { return (entries, nil) }
        return (entries + variants.map(\.entry), entries.map { _ in 1 } + variants.map(\.factor))
    }

    /// The term with at least three quarters of the postings; nil if there is none, or the terms are not in memory.
    var mainTerm: TermEntry? {
        guard variants.isEmpty, let most = entries?.max(by: { $0.count < $1.count }),
            most.count >= postingCount - postingCount / 4
        else { return nil }
        return most
    }

    /// Calls `body` with each term that has postings in the segment, and how much a hit counts.
    func forEach(_ body: (_ entry: TermEntry, _ factor: Double) throws -> Void) throws {
        if let entries {
            for entry in entries { try body(entry, 1) }
        } else {
            try Self.forEach(segment, prefixes) { entry, _ in try body(entry, 1) }
        }
        for variant in variants { try body(variant.entry, variant.factor) }
    }

    /// Calls `body` with a cursor before the postings of each term. It is the same cursor each time, opened again.
    ///
    /// - Parameters:
    ///   - frequentFirst: Whether terms with many postings come first, if they are in memory: none has twice as many as one
    ///     before it.
    ///   - isWanted: Whether the postings of a term are of interest.
    func forEach(
        frequentFirst: Bool = false, where isWanted: (TermEntry) -> Bool = { _ in true },
        postings body: (inout PostingsCursor) throws -> Void
    ) throws {
        var opened: PostingsCursor?
        func open(_ entry: TermEntry) throws {
            guard isWanted(entry) else { return }
            var cursor = try segment.postings(entry, reusing: opened)
            try body(&cursor)
            opened = cursor
        }
        guard frequentFirst, let entries, variants.isEmpty else { return try forEach { entry, _ in try open(entry) } }
        for index in frequencyOrder.indexes(of: entries) { try open(entries[Int(index)]) }
    }

    /// Whether the index has positions. If not, a position stands for a column, with the frequency as its offset.
    var hasPositions: Bool { segment.shape.hasPositions }

    /// Merges the positions of several terms in one document.
    func merge(_ places: GrowingBuffer<Position>) {
        guard hasPositions else { return places.addUpColumns() }
        if comparesPlaces { places.sortWithoutDuplicates() } else { places.sortFew(by: <) }
    }
}

/// The order of terms by their numbers of postings, made when it is first needed.
private final class FrequencyOrder {
    private var known: [UInt16]?

    /// The indexes of terms, of which there are at most 2^16, by the number of binary digits of their posting counts, the
    /// longest first.
    func indexes(of entries: [TermEntry]) -> [UInt16] {
        if let known { return known }
        var classes = Array(repeating: [UInt16](), count: Int.bitWidth + 1)
        for (index, entry) in entries.enumerated() {
            classes[entry.count.leadingZeroBitCount].append(UInt16(truncatingIfNeeded: index))
        }
        let indexes = Array(classes.joined())
        known = indexes
        return indexes
    }
}

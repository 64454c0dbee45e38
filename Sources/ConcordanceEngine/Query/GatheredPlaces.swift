/// The positions of many terms in some documents, gathered in one pass over the terms:
///
///     starts      for each document, the index of its first position in `places`; and the end
///     places      by document, then in the order of the terms
final class GatheredPlaces {
    private let expansions: TermExpansions
    private let documents: [UInt32]
    private let starts: FixedBuffer<Int>
    private let places: FixedBuffer<Position>

    /// - Parameters:
    ///   - documents: Ascending.
    ///   - hitCounts: For each document, how many positions the terms have there, in all columns, according to the stored list
    ///     of a prefix: once that many are found, no more are looked for. Nil if that is not known.
    init(
        _ expansions: TermExpansions, in documents: [UInt32] = [], hitCounts: [UInt32]? = nil, columns: ColumnFilter?
    ) throws {
        self.expansions = expansions
        self.documents = documents
        starts = FixedBuffer(repeating: 0, count: documents.count + 1)
        if documents.isEmpty {
            places = FixedBuffer([])
            return
        }
        let hasCounts = hitCounts != nil && expansions.hasPositions && !expansions.splitsCharacters
        let gathering = Gathering(
            documents, missing: hasCounts ? hitCounts : nil, columns: columns, hasPositions: expansions.hasPositions)
        try expansions.forEach(
            frequentFirst: hasCounts, where: gathering.wants, postings: { try gathering.add(&$0) })
        // A counting sort by document.
        for run in gathering.runs.values { starts[Int(run.index) + 1] += Int(run.count) }
        for index in documents.indices { starts[index + 1] += starts[index] }
        places = FixedBuffer(repeating: Position(rawValue: 0), count: gathering.found.count)
        guard var source = gathering.found.values.baseAddress else { return }
        let next = FixedBuffer(repeating: 0, count: documents.count)
        for index in documents.indices { next[index] = starts[index] }
        for run in gathering.runs.values {
            let (index, count) = (Int(run.index), Int(run.count))
            (places.start + next[index]).update(from: source, count: count)
            next[index] += count
            source += count
        }
    }

    /// Replaces the contents of the buffer with the positions in a document, ascending; false if it is not one of the
    /// documents.
    func read(_ document: UInt32, into result: GrowingBuffer<Position>) -> Bool {
        guard let index = documents.sortedIndex(of: document) else { return false }
        result.removeAll()
        let start = starts[index]
        result.append(contentsOf: UnsafeBufferPointer(start: places.start + start, count: starts[index + 1] - start))
        expansions.merge(result)
        return true
    }
}

/// Collects the positions of one term after another in some documents.
private final class Gathering {
    /// The positions of a term in a document.
    struct Run {
        /// The document's index among all.
        var index: UInt32
        var count: UInt32
    }

    /// A posting of the decoded block that is of the wanted document with this number.
    private struct Choice {
        var place: Int
        var number: Int
    }

    /// In the order in which they are found.
    let runs = GrowingBuffer<Run>()
    /// Those of all runs.
    let found = GrowingBuffer<Position>()

    private let columns: ColumnFilter?
    private let isFiltered: Bool
    private let hasPositions: Bool
    private let chosen = GrowingBuffer<Choice>(capacity: PostingsCursor.blockSize)
    private let scratch = GrowingBuffer<Position>()
    /// How many positions each document still lacks; nil if that is not known.
    @exclusivity(unchecked) private var missing: [UInt32]?
    /// The documents in which positions may be missing, and their indexes among all; some are complete already.
    @exclusivity(unchecked) private var wanted: NumberedDocuments
    @exclusivity(unchecked) private var indexes: FixedBuffer<UInt32>
    @exclusivity(unchecked) private var completeCount = 0

    /// As many documents within a block are looked up one by one.
    private static let few = 4

    init(_ documents: [UInt32], missing: [UInt32]?, columns: ColumnFilter?, hasPositions: Bool) {
        self.columns = columns
        isFiltered = columns != nil
        self.hasPositions = hasPositions
        self.missing = missing
        let indexes = documents.indices.filter { missing == nil || missing?[$0] != 0 }
        self.indexes = FixedBuffer(indexes.map { UInt32($0) })
        wanted = NumberedDocuments(indexes.map { documents[$0] })
    }

    /// Whether the postings of a term are of interest.
    func wants(_ entry: TermEntry) -> Bool {
        if wanted.documents.isEmpty { return false }
        // Most terms occur in only one document, which is rarely one of these.
        guard case .dictionary(let single, _, _) = entry.place else { return true }
        return wanted.number(of: single.document) != nil
    }

    /// Adds the positions of a term whose postings have not been read.
    func add(_ cursor: inout PostingsCursor) throws {
        // Local, so that no posting costs reference counting.
        let (wanted, chosen) = (wanted, chosen)
        let documents = wanted.documents
        guard let first = documents.first, let last = documents.last else { return }
        var document = try cursor.advance(to: first)
        while document <= last {
            let block = cursor.documents
            let next = wanted.count(below: document)
            let end = wanted.count(below: block[block.count &- 1] &+ 1)
            chosen.removeAll()
            if end &- next <= Self.few {
                for number in next..<end where try cursor.advance(to: documents[number]) == documents[number] {
                    chosen.append(Choice(place: cursor.index, number: number))
                }
            } else {
                for place in cursor.index..<block.count {
                    if let number = wanted.number(of: block[place]) {
                        chosen.append(Choice(place: place, number: number))
                    }
                }
            }
            try addChosen(cursor.decoder)
            guard end < documents.count else { break }
            document = try cursor.advance(to: documents[end])
        }
        dropComplete()
    }

    /// Adds the positions of the chosen postings of the decoded block.
    private func addChosen(_ decoder: PostingsDecoder) throws {
        let (found, runs, scratch) = (found, runs, scratch)
        let target = isFiltered ? scratch : found
        for choice in chosen.values {
            let start = found.count
            if hasPositions {
                try decoder.readPositions(at: choice.place, into: target)
            } else {
                try decoder.forEachColumn(at: choice.place) { target.append(Position(column: $0, offset: $1)) }
            }
            let index = indexes[choice.number]
            if missing != nil { count(target.count - (isFiltered ? 0 : start), in: Int(index)) }
            if isFiltered {
                for place in scratch.values where columns?.contains(place.column) ?? true { found.append(place) }
                scratch.removeAll()
            }
            runs.append(Run(index: index, count: UInt32(truncatingIfNeeded: found.count &- start)))
        }
    }

    private func count(_ hitCount: Int, in index: Int) {
        guard let rest = missing?[index], rest > 0 else { return }
        missing?[index] -= min(rest, UInt32(clamping: hitCount))
        if hitCount >= Int(rest) { completeCount += 1 }
    }

    /// Forgets documents that lack nothing any more. To forget each at once would take quadratic time.
    private func dropComplete() {
        let documents = wanted.documents
        guard completeCount * 4 > documents.count, let missing else { return }
        let kept = documents.indices.filter { missing[Int(indexes[$0])] > 0 }
        indexes = FixedBuffer(kept.map { indexes[$0] })
        wanted = NumberedDocuments(kept.map { documents[$0] })
        completeCount = 0
    }
}

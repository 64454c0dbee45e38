/// Adds up the frequencies of many terms in each document, reduced for typos. If terms share positions, the sums are
/// upper bounds; with fractional weights they are exact except for rounding (`FrequencyCounter`, `CandidateEvaluator`).
struct TermSums {
    private let terms: TermExpansions
    private let columns: ColumnSet?
    private let weight: Double
    private let statistics: RankingStatistics
    private let work: QueryWork
    private let range: Range<UInt32>
    private let findsLeast: Bool

    /// - Parameters:
    ///   - columns: The columns in which hits count; nil for all.
    ///   - range: The only documents of interest.
    ///   - findsLeast: Whether lower bounds on the frequencies are needed. No column may then have a negative weight.
    init(
        _ terms: TermExpansions, columns: ColumnSet?, in range: Range<UInt32>, weight: Double,
        _ statistics: RankingStatistics, _ work: QueryWork, findsLeast: Bool
    ) {
        self.findsLeast = findsLeast
        self.range = range
        self.terms = terms
        self.columns = columns
        self.weight = weight
        self.statistics = statistics
        self.work = work
    }

    private var segment: Segment { terms.segment }

    /// The documents with any of the terms.
    ///
    /// Many postings are added up in an array with an element for each document of the range, which takes linear time
    /// for any number of terms. A few are collected and sorted instead, since such an array would cost more.
    ///
    /// - Parameter candidates: The only documents of interest; nil for all.
    func find(among candidates: CandidateDocuments?) throws -> FoundDocuments {
        if let candidates, terms.postingCount > max(candidates.postingCount, segment.documentCount / 64) {
            return try find(candidates.numbered())
        }
        guard terms.postingCount >= segment.documentCount / 16 else { return try findFew() }
        let first = range.lowerBound
        let sums = FrequencySums(count: range.count, findsLeast: findsLeast)
        // Weights may be 0 or negative, so a sum does not say whether there was a hit.
        let documents = DocumentSet(documentCount: range.count, expectedCount: range.count)
        try forEachPosting { document, frequency in
            sums.add(frequency, to: Int(document &- first))
            documents.insert(document &- first)
        }
        documents.freeze()
        let elements = documents.elements
        return sums.found(elements.lazy.map { Int($0) }, documents: first == 0 ? elements : elements.map { $0 + first })
    }

    /// The documents with any other of the terms, and how often all of the terms occur there. The postings of the others are
    /// decoded twice.
    func find(besides main: TermEntry) throws -> FoundDocuments {
        let others = DocumentSet(documentCount: segment.documentCount, expectedCount: terms.postingCount - main.count)
        try forEachTerm(where: { $0 != main }) { blocks, _ in
            for number in 0..<blocks.blockCount {
                let block = try blocks.decode(number)
                work.summedPostings &+= block.count
                for index in 0..<block.count { others.insert(block.documents[index]) }
            }
        }
        others.freeze()
        return try find(NumberedDocuments(others.elements))
    }

    private func findFew() throws -> FoundDocuments {
        var postings: [(document: UInt32, frequency: Double)] = []
        postings.reserveCapacity(terms.postingCount)
        try forEachPosting { postings.append(($0, $1)) }
        if terms.count > 1 { postings.sort { $0.document < $1.document } }
        let sums = FrequencySums(count: postings.count, findsLeast: findsLeast)
        var documents: [UInt32] = []
        for posting in postings {
            if posting.document != documents.last { documents.append(posting.document) }
            sums.add(posting.frequency, to: documents.count - 1)
        }
        return sums.found(documents.indices, documents: documents)
    }

    /// Of postings outside the candidates only the document is read. Blocks without a candidate are not read at all,
    /// nor is a term's only posting, whose document the dictionary names.
    private func find(_ candidates: NumberedDocuments) throws -> FoundDocuments {
        let sums = FrequencySums(count: candidates.documents.count, findsLeast: findsLeast)
        let isFound = FixedBuffer(repeating: false, count: candidates.documents.count)
        try withUnsafeTemporaryAllocation(of: Int.self, capacity: BlockSource.blockSize) { chosen in
            try forEachTerm { entry in
                guard case .dictionary(let single, _, _) = entry.place else { return true }
                return candidates.number(of: single.document) != nil
            } _: { blocks, factor in
                var number = 0
                var start: UInt32 = 0
                while let next = candidates.first(from: start),
                    let reached = try blocks.firstBlock(from: number, reaching: next)
                {
                    let block = try blocks.decode(reached)
                    work.summedPostings &+= block.count
                    let count = candidates.choose(block.documents, block.count, into: chosen)
                    for place in 0..<count {
                        let index = chosen[place]
                        guard let candidate = candidates.number(of: block.documents[index]) else { continue }
                        try blocks.countHits(at: index)
                        guard block.matches(index) else { continue }
                        sums.add(block.frequency(at: index) * factor, to: candidate)
                        isFound[candidate] = true
                    }
                    number = reached + 1
                    guard number < blocks.blockCount else { break }
                    start = try blocks.lastDocument(ofBlock: reached) &+ 1
                }
            }
        }
        let found = [Int](unsafeUninitializedCapacity: isFound.count + 1) { numbers, count in
            for number in 0..<isFound.count {
                numbers[count] = number
                count &+= isFound[number] ? 1 : 0
            }
        }
        return sums.found(found, documents: found.map { candidates.documents[$0] })
    }

    /// Calls `body` with each document of each term in the range, and the frequency of the term there, less if it has typos.
    @inline(__always)
    private func forEachPosting(_ body: (_ document: UInt32, _ frequency: Double) throws -> Void) throws {
        let range = range
        try forEachTerm { entry in
            guard case .dictionary(let single, _, _) = entry.place else { return true }
            return range.contains(single.document)
        } _: { blocks, factor in
            guard let first = try blocks.firstBlock(from: 0, reaching: range.lowerBound) else { return }
            for number in first..<blocks.blockCount {
                let block = try blocks.decode(number)
                guard block.count > 0, block.documents[0] < range.upperBound else { break }
                work.summedPostings &+= block.count
                try blocks.countHits()
                for index in 0..<block.count where block.matches(index) {
                    let document = block.documents[index]
                    guard range.contains(document) else { continue }
                    try body(document, block.frequency(at: index) * factor)
                }
            }
        }
    }

    /// Calls `body` with the postings of each term, and how much a hit counts.
    ///
    /// - Parameter isWanted: Whether the postings of a term are of interest.
    @inline(__always)
    private func forEachTerm(
        where isWanted: (TermEntry) -> Bool = { _ in true },
        _ body: (_ blocks: TermBlocks, _ factor: Double) throws -> Void
    ) throws {
        var opened: TermBlocks?
        try terms.forEach { entry, factor in
            guard isWanted(entry) else { return }
            let blocks = opened ?? TermBlocks(segment, entry, columns: columns, weight: weight, statistics)
            if opened != nil { blocks.open(entry) }
            opened = blocks
            try body(blocks, factor)
        }
    }
}

/// The sums of the frequencies of several terms in each of some documents. If terms share places, there are fewer hits, but at
/// least as many as one of the terms has, since its own are in different places, and so as many as the terms have on average.
private struct FrequencySums: ~Copyable {
    private let sums: FixedBuffer<Double>
    /// How many terms a document has; 255 stands for as many or more. Empty if lower bounds are not needed.
    private let termCounts: FixedBuffer<UInt8>

    init(count: Int, findsLeast: Bool) {
        sums = FixedBuffer(repeating: 0, count: count)
        termCounts = FixedBuffer(repeating: 0, count: findsLeast ? count : 0)
    }

    /// Adds the frequency of another term.
    @inline(__always)
    func add(_ frequency: Double, to document: Int) {
        sums[document] += frequency
        guard termCounts.count > 0 else { return }
        let count = termCounts[document]
        termCounts[document] = count < .max ? count + 1 : count
    }

    /// Those of `documents` that have the numbers `numbers` here.
    func found(_ numbers: some Collection<Int>, documents: [UInt32]) -> FoundDocuments {
        FoundDocuments(
            documents: documents, frequencies: numbers.map { sums[$0] },
            leastFrequencies: termCounts.count == 0 ? [] : numbers.map { leastFrequency(of: $0) })
    }

    private func leastFrequency(of document: Int) -> Double {
        switch termCounts[document] {
        case 1: sums[document]
        case .max: 0
        // Less than the sum, and in spite of rounding not more than the frequency of one of the terms.
        case let count: sums[document] / Double(count) * (1 - 0x1p-40)
        }
    }
}

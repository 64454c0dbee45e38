/// Ranks the documents of a segment that have all of several terms: the rarest leads, block by block in the order of their
/// bounds. A document of its is looked up in the other lists only where its own share, known exactly, and the bounds of the
/// blocks that would hold it there add up to the threshold; most blocks of the others are never decoded.
final class ConjunctionRanker: SegmentRanker {
    /// The rarest first.
    private var members: [Member]
    /// The members' indexes in the order of their phrases, in which scores are added.
    private let phraseOrder: [Int]
    /// The most that all but the leader add, by block of the leader.
    private var otherBounds: [Double] = []
    private var frequencies: [Double]

    /// A term of the query in this segment.
    struct Member {
        var reader: WeightedPostings
        let phrase: Int
        let idf: Double
        /// Of each block.
        var lastDocuments: [UInt32] = []
        var bounds: [Double] = []
        /// Where the last search ended.
        var block = 0

        init(_ reader: WeightedPostings, phrase: Int, _ statistics: RankingStatistics) throws {
            self.reader = reader
            self.phrase = phrase
            idf = statistics.inverseDocumentFrequencies[phrase]
            let count = reader.cursor.blockCount
            lastDocuments.reserveCapacity(count)
            bounds.reserveCapacity(count)
            for block in 0..<count {
                let summary = try reader.cursor.block(block)
                lastDocuments.append(summary.lastDocument)
                bounds.append(
                    reader.mayMatch(summary) ? statistics.bound(summary, idf: idf) : -.infinity)
            }
        }
    }

    init(index: Int, _ live: LiveSegment, _ members: [Member], _ statistics: RankingStatistics) {
        self.members = members.sorted { $0.reader.cursor.count < $1.reader.cursor.count }
        let phrases = self.members.map(\.phrase)
        phraseOrder = phrases.indices.sorted { phrases[$0] < phrases[$1] }
        frequencies = Array(repeating: 0, count: members.count)
        super.init(index: index, live, statistics)
    }

    override func units() throws -> [RankingUnit] {
        let leader = members[0]
        otherBounds = Array(repeating: 0, count: leader.bounds.count)
        for other in members.dropFirst() { Self.add(other, in: leader.lastDocuments, to: &otherBounds) }
        var units: [RankingUnit] = []
        for block in leader.bounds.indices {
            let bound = leader.bounds[block] + otherBounds[block]
            guard bound >= 0 else { continue }
            units.append(
                RankingUnit(
                    bound: bound, segment: Int32(truncatingIfNeeded: index), number: Int32(truncatingIfNeeded: block)))
        }
        return units
    }

    /// Adds the largest bound of the member's blocks that overlap each range of documents; below zero where none does.
    private static func add(_ member: Member, in lastDocuments: [UInt32], to bounds: inout [Double]) {
        var block = 0
        var first: UInt32 = 0
        for (range, last) in lastDocuments.enumerated() {
            while block < member.lastDocuments.count, member.lastDocuments[block] < first { block += 1 }
            var largest = -Double.infinity
            var next = block
            while next < member.lastDocuments.count {
                largest = max(largest, member.bounds[next])
                if member.lastDocuments[next] >= last { break }
                next += 1
            }
            block = min(next, member.lastDocuments.count)
            bounds[range] += largest
            first = last &+ 1
        }
    }

    override func rank(_ block: Int, into top: inout TopDocuments) throws {
        try members[0].reader.decode(block: block)
        for member in 1..<members.count { members[member].block = 0 }
        let idf = members[0].idf
        let otherBound = otherBounds[block]
        let documents = members[0].reader.cursor.documents
        for i in 0..<documents.count where members[0].reader.matches(i) {
            let document = documents[i]
            let frequency = members[0].reader.frequency(i)
            let norm = statistics.norm(try segment.length(at: Int(document)))
            let share = BM25.score(idf: idf, frequency: frequency, norm: norm)
            if (share + otherBound) * RankingStatistics.slack < top.threshold { continue }
            frequencies[0] = frequency
            guard try findOthers(document, share, top.threshold), !deletions.isDeleted(document) else { continue }
            var score = 0.0
            for member in phraseOrder {
                score += BM25.score(idf: members[member].idf, frequency: frequencies[member], norm: norm)
            }
            if score < top.threshold { continue }
            let segment = segment
            try top.offer(DocumentReference(segment: index, document: document), score: score) {
                try segment.rowID(at: Int(document))
            }
        }
    }

    /// Finds the document in all lists but the leader's, and its frequencies there; false where one has it not, or where it
    /// cannot reach the threshold.
    private func findOthers(_ document: UInt32, _ share: Double, _ threshold: Double) throws -> Bool {
        var bound = share
        for member in 1..<members.count {
            members[member].seekBlock(of: document)
            guard members[member].block < members[member].bounds.count else { return false }
            bound += members[member].bounds[members[member].block]
        }
        if bound * RankingStatistics.slack < threshold { return false }
        for member in 1..<members.count {
            guard let frequency = try members[member].frequency(of: document) else { return false }
            frequencies[member] = frequency
        }
        return true
    }
}

extension ConjunctionRanker.Member {
    /// Makes `block` the one that would hold the document, which is not before the last one sought: by steps that double, so
    /// that a near one costs little.
    fileprivate mutating func seekBlock(of document: UInt32) {
        guard block < lastDocuments.count, lastDocuments[block] < document else { return }
        lastDocuments.withUnsafeBufferPointer { lastDocuments in
            var step = 1
            var low = block
            while low + step < lastDocuments.count, lastDocuments[low + step] < document {
                low += step
                step *= 2
            }
            var high = min(low + step, lastDocuments.count)
            low += 1
            while low < high {
                let middle = (low + high) / 2
                if lastDocuments[middle] < document { low = middle + 1 } else { high = middle }
            }
            block = low
        }
    }

    /// The frequency in a document of the current block; nil where it does not match.
    fileprivate mutating func frequency(of document: UInt32) throws -> Double? {
        try reader.decode(block: block)
        let documents = reader.cursor.documents
        var low = 0
        var high = documents.count
        while low < high {
            let middle = (low + high) / 2
            if documents[middle] < document { low = middle + 1 } else { high = middle }
        }
        guard low < documents.count, documents[low] == document, reader.matches(low) else { return nil }
        return reader.frequency(low)
    }
}

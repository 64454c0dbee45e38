/// The documents that contain a phrase: its terms in direct succession; with `^`, only at the beginning of a column.
final class PhraseIterator: LeafIterator {
    /// The terms, the rarest first.
    private let terms: [Term]
    /// The terms in the order in which their positions are read: first the plain ones, whose positions are not gathered.
    private let placed: [Term]
    /// How many these are.
    private let plainCount: Int
    /// Keeps their postings alive.
    private let owners: [LeafIterator]
    private let isInitial: Bool
    /// Whether the first of them may have a position twice, as several terms of the dictionary that it stands for do.
    private let mayRepeat: Bool
    /// What finds the documents with all terms, if each of them is one of the dictionary.
    private let candidates: PhraseCandidates?
    /// The rarest term, if others gather the positions of announced documents; nil if none do, or it does itself.
    private let leader: LeafIterator?
    /// The documents before this one have been announced; 0 if none have.
    private var announcedEnd: UInt32 = 0
    /// How many are announced next.
    private var announcedCount = firstAnnouncedCount
    private static let firstAnnouncedCount = 16
    private let lastAnnouncedCount: Int
    private static let mostAnnounced = 1 << 14
    private static let fewestAnnounced = 1 << 10
    /// In so many documents the plain terms are looked at before it is known whether that is worth while.
    private static let sampleCount = 64
    /// The positions at which the phrase begins in the current document.
    private let instances = GrowingBuffer<Position>()
    private let scratch = GrowingBuffer<Position>()

    /// A term's postings and its number in the phrase. The reference to the postings is unowned, so that no document
    /// costs reference counting.
    private struct Term {
        let postings: Unmanaged<LeafIterator>
        let offset: UInt32

        @inline(__always)
        func seek(_ document: UInt32) throws -> UInt32 {
            try postings._withUnsafeGuaranteedRef { try $0.seek(document) }
        }

        @inline(__always)
        func move(to document: UInt32) throws -> Bool {
            try postings._withUnsafeGuaranteedRef { try $0.move(to: document) }
        }

        @inline(__always)
        func readInstances(into result: GrowingBuffer<Position>) throws {
            try postings._withUnsafeGuaranteedRef { try $0.readInstances(ofMember: 0, into: result) }
        }
    }

    /// - Parameters:
    ///   - terms: At least one.
    ///   - shares: How many prefixes a query has, for each of which documents may be announced.
    init(_ terms: [LeafIterator], isInitial: Bool, shares: Int = 1) {
        assert(!terms.isEmpty, "a phrase without terms")
        owners = terms
        candidates = PhraseCandidates(terms)
        let rarestFirst = terms.indices.sorted { terms[$0].cost < terms[$1].cost }
        let plain = rarestFirst.filter { !terms[$0].gathersPositions }
        let plainFirst = plain + rarestFirst.filter { terms[$0].gathersPositions }
        func makeTerm(_ index: Int) -> Term {
            Term(postings: .passUnretained(terms[index]), offset: UInt32(truncatingIfNeeded: index))
        }
        self.terms = rarestFirst.map(makeTerm)
        placed = plainFirst.map(makeTerm)
        plainCount = plain.count
        self.isInitial = isInitial
        mayRepeat = plainFirst.first.map { terms[$0].repeatsPlaces } ?? false
        let rarest = rarestFirst.first.map { terms[$0] }
        lastAnnouncedCount = max(Self.mostAnnounced / max(shares, 1), Self.fewestAnnounced)
        leader = terms.contains(where: \.gathersPositions) && rarest?.gathersPositions == false ? rarest : nil
    }

    override var cost: Int { owners.map(\.cost).min() ?? 0 }

    override var gathersPositions: Bool { owners.contains(where: \.gathersPositions) }

    override func rewind() {
        for owner in owners { owner.reset() }
        candidates?.forget()
        announcedEnd = 0
    }

    override func find(_ target: UInt32) throws -> UInt32 {
        if let candidates {
            var document = try candidates.next(from: target)
            while document != Self.exhausted, try !match() { document = try candidates.next(from: document &+ 1) }
            return document
        }
        guard let first = terms.first else { return Self.exhausted }
        let second = terms.count > 1 ? terms[1] : first
        var document = try first.seek(target)
        while document != Self.exhausted {
            let next = terms.count > 2 ? try seekAll(document) : try second.seek(document)
            if next == document {
                if document >= announcedEnd, leader != nil { try announce(from: document) }
                if try match() { return document }
                document = try first.seek(document &+ 1)
            } else {
                document = next == Self.exhausted ? next : try first.seek(next)
            }
        }
        return Self.exhausted
    }

    /// The document, if it contains all terms; otherwise a later one such that no document in between contains them
    /// all.
    private func seekAll(_ document: UInt32) throws -> UInt32 {
        for index in terms.indices {
            let next = try terms[index].seek(document)
            if next != document { return next }
        }
        return document
    }

    override func willReadAll() {
        announcedCount = lastAnnouncedCount
        for owner in owners { owner.willReadAll() }
    }

    override func expect(_ documents: [UInt32], hitCounts: [UInt32]? = nil) throws {
        announcedEnd = 0
        for owner in owners { try owner.expect(documents) }
    }

    /// Announces the next documents with all terms, of which all terms are at the first one.
    private func announce(from document: UInt32) throws {
        guard let leader else { return }
        let documents = try [UInt32](unsafeUninitializedCapacity: announcedCount) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            leader.reset()
            count = try leader.read(from: document, below: Self.exhausted, into: buffer)
            announcedEnd = count < buffer.count ? Self.exhausted : buffer[count - 1] &+ 1
            for owner in owners where owner !== leader {
                owner.reset()
                count = try owner.keep(start, count)
            }
            count = try keepPlain(start, count)
        }
        announcedCount = min(announcedCount * 4, lastAnnouncedCount)
        for owner in owners where owner !== leader { try owner.expect(documents) }
        for owner in owners {
            owner.reset()
            _ = try owner.seek(document)
        }
    }

    /// Drops those of `count` documents in which the plain terms are not where the phrase has them, as long as they are most.
    /// Returns how many are left.
    private func keepPlain(_ documents: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        guard hasPlainPart else { return count }
        var kept = 0
        for index in 0..<count {
            if index == Self.sampleCount, kept * 2 > index {
                (documents + kept).update(from: documents + index, count: count &- index)
                return kept &+ count &- index
            }
            let document = documents[index]
            documents[kept] = document
            kept &+= try movePlain(to: document) ? 1 : 0
        }
        return kept
    }

    /// Whether the plain terms alone can rule a document out that has all terms.
    private var hasPlainPart: Bool { plainCount < placed.count && (plainCount > 1 || plainCount == 1 && isInitial) }

    override func move(to document: UInt32) throws -> Bool {
        settle(at: document)
        candidates?.forget()
        guard try movePlain(to: document) else { return false }
        for index in plainCount..<placed.count where try !placed[index].move(to: document) {
            instances.removeAll()
            return false
        }
        return try narrow(by: plainCount..<placed.count)
    }

    override func keepFew(_ documents: UnsafeMutablePointer<UInt32>, _ count: Int) throws -> Int {
        try gathersPositions ? gatherFew(documents, count, of: owners) : keep(documents, count)
    }

    override func mayMatch(_ document: UInt32) throws -> Bool {
        try hasPlainPart ? movePlain(to: document) : true
    }

    /// Moves the plain terms; false if the phrase cannot be in the document because of them.
    private func movePlain(to document: UInt32) throws -> Bool {
        instances.removeAll()
        for index in 0..<plainCount where try !placed[index].move(to: document) { return false }
        return try narrow(by: 0..<plainCount)
    }

    /// Finds the instances in the document; false if there are none.
    private func match() throws -> Bool { try narrow(by: 0..<placed.count) }

    /// Narrows the instances down by the positions of some of the terms, from those of the first one on; false if none are left.
    @inline(__always)
    private func narrow(by range: Range<Int>) throws -> Bool {
        var index = range.lowerBound
        if index == 0, let first = placed.first, !range.isEmpty {
            try first.readInstances(into: instances)
            begin(first.offset)
            index = 1
        }
        while index < range.upperBound, !instances.isEmpty {
            try placed[index].readInstances(into: scratch)
            intersect(offset: UInt64(placed[index].offset))
            index &+= 1
        }
        return range.isEmpty || !instances.isEmpty
    }

    /// Converts the positions of a term with this number in the phrase to instances.
    @inline(__always)
    private func begin(_ offset: UInt32) {
        if mayRepeat { instances.dropRepeated() }
        let isInitial = isInitial
        guard offset > 0 || isInitial else { return }
        instances.replaceEach {
            $0.offset < offset || (isInitial && $0.offset != offset)
                ? nil : Position(rawValue: $0.rawValue &- UInt64(offset))
        }
    }

    /// Keeps the instances that are followed, at this distance, by a position of `scratch`.
    private func intersect(offset: UInt64) {
        let places = scratch.values
        var next = 0
        instances.replaceEach {
            let wanted = $0.rawValue &+ offset
            while next < places.count, places[next].rawValue < wanted { next &+= 1 }
            return next < places.count && places[next].rawValue == wanted ? $0 : nil
        }
    }

    override func readInstances(ofMember member: Int, into result: GrowingBuffer<Position>) throws {
        result.removeAll()
        result.append(contentsOf: instances.values)
    }
}

/// The documents that have a phrase: its terms behind each other, with `^` at the beginning of a column only.
final class PhraseIterator: LeafIterator {
    /// The terms' postings and numbers in the phrase, the rarest first.
    private let terms: [(postings: LeafIterator, offset: UInt32)]
    private let isInitial: Bool
    /// Where the phrase begins in the current document.
    private var instances: [Position] = []
    private var scratch: [Position] = []

    init(_ terms: [LeafIterator], isInitial: Bool) {
        self.terms = terms.enumerated()
            .map { (postings: $0.element, offset: UInt32(truncatingIfNeeded: $0.offset)) }
            .sorted { $0.postings.cost < $1.postings.cost }
        self.isInitial = isInitial
    }

    override var cost: Int { terms.first?.postings.cost ?? 0 }

    override func rewind() { for term in terms { term.postings.reset() } }

    override func find(_ target: UInt32) throws -> UInt32 {
        var target = target
        while let document = try nextCandidate(from: target) {
            if try match() { return document }
            target = document &+ 1
        }
        return Self.exhausted
    }

    /// The first document with all terms.
    private func nextCandidate(from target: UInt32) throws -> UInt32? {
        var target = target
        var agreed = 0
        while agreed < terms.count {
            let document = try terms[agreed].postings.seek(target)
            if document == Self.exhausted { return nil }
            if document != target, agreed > 0 {
                agreed = 0
            } else {
                agreed += 1
            }
            target = document
        }
        return terms.isEmpty ? nil : target
    }

    override func move(to document: UInt32) throws -> Bool {
        settle(at: document)
        instances.removeAll(keepingCapacity: true)
        for term in terms where try !term.postings.move(to: document) { return false }
        return try match()
    }

    /// Finds the instances in the document that all terms are at: what is left of the first term's places when the others'
    /// are taken in. False where nothing is.
    private func match() throws -> Bool {
        guard let first = terms.first else { return false }
        try first.postings.readInstances(ofMember: 0, into: &instances)
        let offset = first.offset
        instances.removeAll { $0.offset < offset || (isInitial && $0.offset != offset) }
        for index in instances.indices { instances[index].rawValue &-= UInt64(offset) }
        for term in terms.dropFirst() where !instances.isEmpty {
            try term.postings.readInstances(ofMember: 0, into: &scratch)
            intersect(offset: UInt64(term.offset))
        }
        return !instances.isEmpty
    }

    /// Keeps the instances that have a place of `scratch` so much behind them.
    private func intersect(offset: UInt64) {
        var kept = 0
        var next = 0
        for instance in instances {
            let wanted = instance.rawValue &+ offset
            while next < scratch.count, scratch[next].rawValue < wanted { next += 1 }
            if next == scratch.count { break }
            if scratch[next].rawValue == wanted {
                instances[kept] = instance
                kept += 1
            }
        }
        instances.removeLast(instances.count - kept)
    }

    override func readInstances(ofMember member: Int, into result: inout [Position]) throws {
        result.removeAll(keepingCapacity: true)
        result.append(contentsOf: instances)
    }
}

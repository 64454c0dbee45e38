/// The documents that have a phrase: its terms behind each other, with `^` at the beginning of a column only.
final class PhraseIterator: LeafIterator {
    /// The terms' postings and numbers in the phrase, the rarest first.
    private let terms: [(postings: LeafIterator, offset: UInt32)]
    private let isInitial: Bool
    /// Where the phrase begins in the current document.
    @exclusivity(unchecked) private var instances: [Position] = []
    @exclusivity(unchecked) private var scratch: [Position] = []

    init(_ terms: [LeafIterator], isInitial: Bool) {
        self.terms = terms.enumerated()
            .map { (postings: $0.element, offset: UInt32(truncatingIfNeeded: $0.offset)) }
            .sorted { $0.postings.cost < $1.postings.cost }
        self.isInitial = isInitial
    }

    override var cost: Int { terms.first?.postings.cost ?? 0 }

    override func rewind() { for term in terms { term.postings.reset() } }

    override func find(_ target: UInt32) throws -> UInt32 {
        guard let first = terms.first?.postings else { return Self.exhausted }
        let second = terms.count > 1 ? terms[1].postings : first
        var document = try first.seek(target)
        while document != Self.exhausted {
            let next = terms.count > 2 ? try seekAll(document) : try second.seek(document)
            if next == document {
                if try match() { return document }
                document = try first.seek(document &+ 1)
            } else {
                document = next == Self.exhausted ? next : try first.seek(next)
            }
        }
        return Self.exhausted
    }

    /// The document, where all terms stand in it; otherwise a greater one, before which none has all.
    private func seekAll(_ document: UInt32) throws -> UInt32 {
        for term in terms {
            let next = try term.postings.seek(document)
            if next != document { return next }
        }
        return document
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
        if offset > 0 || isInitial {
            instances.removeAll { $0.offset < offset || (isInitial && $0.offset != offset) }
            for index in instances.indices { instances[index].rawValue &-= UInt64(offset) }
        }
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

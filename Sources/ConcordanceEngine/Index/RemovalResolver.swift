/// Finds the terms of documents that were removed without their text, or with a wrong one, for all removals of a flush at
/// once.
///
/// Mostly, a row with a similar text has taken the place of such a document. So the terms that are pending are looked up first:
/// if they account for all tokens of a document, it has no others. For other documents, all terms of the segment are read.
struct RemovalResolver {
    let index: InvertedIndex
    let buffer: PendingBuffer

    /// No more pending terms are looked up, which takes a few milliseconds, and at most one for each `documentsPerTerm` documents
    /// of the segment, so that reading its terms would take longer.
    private static let termLimit = 1 << 12
    private static let documentsPerTerm = 8
    /// No more pairs of a term and a document are looked up.
    private static let pairLimit = 1 << 16

    /// Adds an event for each such document to the lists of its terms.
    func resolve() throws {
        let manifest = try index.manifest()
        for (segment, documents) in buffer.unresolvedRemovals {
            guard let entry = manifest.segments.first(where: { $0.info.id == segment }) else {
                throw corrupt("a removed row is in no segment")
            }
            let segment = try index.segment(entry).segment
            let rest = try resolveByPending(documents.sorted(), in: segment)
            if !rest.isEmpty { try resolveByDictionary(rest, in: segment) }
        }
    }

    /// Resolves the documents all of whose terms are pending; returns the others.
    private func resolveByPending(_ documents: [UInt32], in segment: Segment) throws -> [UInt32] {
        let terms = buffer.terms
        // Where tokens share places, lengths do not tell how many tokens there are.
        guard !segment.hasColocatedTokens,
            terms.count <= min(Self.termLimit, segment.documentCount / Self.documentsPerTerm),
            terms.count <= Self.pairLimit / documents.count
        else { return documents }
        var missing = try documents.map { Int(try segment.length(at: Int($0))) }
        var found = documents.map { _ in [Int]() }
        var openCount = missing.count { $0 > 0 }
        let key = KeyBuffer()
        var opened: PostingsCursor?
        for term in 0..<terms.count where openCount > 0 {
            guard let entry = try segment.find(key.set(0, terms.key(term))), entry.count > 0 else { continue }
            var postings = try segment.postings(entry, reusing: opened)
            for (number, document) in documents.enumerated() where try postings.advance(to: document) == document {
                found[number].append(term)
                missing[number] -= Int(try postings.frequency)
                if missing[number] == 0 { openCount -= 1 }
            }
            opened = postings
        }
        for number in documents.indices where missing[number] == 0 {
            let event = beginEvent(documents[number], in: segment)
            for term in found[number] { add(terms.key(term), event) }
        }
        return documents.indices.filter { missing[$0] != 0 }.map { documents[$0] }
    }

    private func resolveByDictionary(_ documents: [UInt32], in segment: Segment) throws {
        index.dictionaryScanCount += 1
        let events = documents.map { beginEvent($0, in: segment) }
        let cursor = try segment.makeTermCursor(from: [0])
        var postings: PostingsCursor?
        while try cursor.next(), cursor.withKey({ $0.first }) == 0 {
            guard cursor.entry.count > 0 else { continue }
            postings = try segment.postings(cursor.entry, reusing: postings)
            for (document, event) in zip(documents, events) {
                guard let found = try postings?.advance(to: document), found != PostingsCursor.exhausted else { break }
                guard found == document else { continue }
                cursor.withKey { add(UnsafeBufferPointer(rebasing: $0.dropFirst()), event) }
            }
        }
    }

    private func beginEvent(_ document: UInt32, in segment: Segment) -> UInt32 {
        let event = buffer.begin(rowID: 0, segment: segment.info.id, document: document)
        buffer.complete(event, as: .resolution, nil)
        return event
    }

    private func add(_ term: UnsafeBufferPointer<UInt8>, _ event: UInt32) {
        buffer.terms.add(term, hash: TokenHash.hash(term), event: event)
    }
}

/// Finds the terms of documents that were removed without their text, or with a wrong one, by reading all terms of
/// their segments once for all removals of a flush.
struct RemovalResolver {
    let index: InvertedIndex
    let buffer: PendingBuffer

    /// Adds an event for each such document to the lists of its terms.
    func resolve() throws {
        let manifest = try index.manifest()
        for (segment, documents) in buffer.unresolvedRemovals {
            guard let entry = manifest.segments.first(where: { $0.info.id == segment }) else {
                throw corrupt("a removed row is in no segment")
            }
            try resolve(documents.sorted(), in: try index.segment(entry).segment)
        }
    }

    private func resolve(_ documents: [UInt32], in segment: Segment) throws {
        let events = documents.map { document in
            let event = buffer.begin(rowID: 0, segment: segment.info.id, document: document)
            buffer.complete(event, as: .resolution, nil)
            return event
        }
        let cursor = try segment.makeTermCursor(from: [0])
        var postings: PostingsCursor?
        while try cursor.next(), cursor.withKey({ $0.first }) == 0 {
            guard cursor.entry.count > 0 else { continue }
            postings = try segment.postings(cursor.entry, reusing: postings)
            for (document, event) in zip(documents, events) {
                guard let found = try postings?.advance(to: document), found != PostingsCursor.exhausted else { break }
                guard found == document else { continue }
                cursor.withKey { key in
                    let term = UnsafeBufferPointer(rebasing: key.dropFirst())
                    buffer.terms.add(term, hash: TokenHash.hash(term), event: event)
                }
            }
        }
    }
}

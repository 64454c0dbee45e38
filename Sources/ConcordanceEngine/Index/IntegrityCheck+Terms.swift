extension IntegrityCheck {
    /// Visits the keys of all segments at once, and checks that keys and postings are in order, and that the rows that
    /// a key claims to be in, adjustments included, are as many as are found.
    func checkTerms() throws {
        var sources: [KeySource] = []
        for live in snapshot.segments {
            let cursor = try live.segment.makeTermCursor(from: [])
            if try cursor.next() { sources.append((cursor, PostingsCheck(live))) }
        }
        while let least = sources.min(by: { $0.cursor.compared(to: $1.cursor) < 0 })?.cursor {
            let key = least.key
            guard let list = key.first, Int(list) <= index.shape.prefixes.count else {
                throw corrupt("the dictionary has a key that belongs to no list")
            }
            var said = 0
            var found = 0
            for (cursor, postings) in sources where cursor === least || cursor.compared(to: least) == 0 {
                let (live, entry) = (postings.live, cursor.entry)
                guard index.shape.hasAdjustments || entry.adjustment == 0 else {
                    throw corrupt("\(PostingsCheck.name(key)) has an adjustment in an index without adjustments")
                }
                said &+= try live.liveCount(entry)
                found += try postings.check(entry, of: key, adding: &checksum)
                // The keys of a page ascend, so it is enough to look in the right page.
                guard try cursor.withKey({ try live.segment.index().page(for: $0) }) == cursor.pageNumber else {
                    throw corrupt("\(PostingsCheck.name(key)) is not found in segment \(live.entry.info.id)")
                }
            }
            guard said == found else {
                throw corrupt("\(PostingsCheck.name(key)) should be in \(said) rows, and is in \(found)")
            }
            try advance(&sources, past: key)
        }
    }

    private typealias KeySource = (cursor: TermCursor, postings: PostingsCheck)

    private func advance(_ sources: inout [KeySource], past key: [UInt8]) throws {
        for (cursor, postings) in sources where cursor.withKey({ $0.elementsEqual(key) }) {
            guard try cursor.next() else {
                sources.removeAll { $0.cursor === cursor }
                continue
            }
            guard cursor.withKey({ key.lexicographicallyPrecedes($0) }) else {
                throw corrupt("the terms of segment \(postings.live.entry.info.id) are not in order")
            }
        }
    }
}

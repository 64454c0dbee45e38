extension IntegrityCheck {
    /// Visits the keys of all segments at once, and checks that keys and postings are in order, and that the rows that
    /// a key claims to be in, adjustments included, are as many as are found.
    func checkTerms() throws {
        var cursors: [(live: LiveSegment, cursor: TermCursor)] = []
        for live in snapshot.segments {
            let cursor = try live.segment.makeTermCursor(from: [])
            if try cursor.next() { cursors.append((live, cursor)) }
        }
        while let least = cursors.min(by: { $0.cursor.compared(to: $1.cursor) < 0 })?.cursor {
            let key = least.key
            guard let list = key.first, Int(list) <= index.shape.prefixes.count else {
                throw corrupt("the dictionary has a key that belongs to no list")
            }
            var said = 0
            var found = 0
            for (live, cursor) in cursors where cursor === least || cursor.compared(to: least) == 0 {
                guard index.shape.hasAdjustments || cursor.entry.adjustment == 0 else {
                    throw corrupt("\(name(key)) has an adjustment in an index without adjustments")
                }
                said &+= try live.liveCount(cursor.entry)
                found += try checkPostings(of: cursor.entry, key: key, in: live)
                // The keys of a page ascend, so it is enough to look in the right page.
                guard try cursor.withKey({ try live.segment.index().page(for: $0) }) == cursor.pageNumber else {
                    throw corrupt("\(name(key)) is not found in segment \(live.entry.info.id)")
                }
            }
            guard said == found else {
                throw corrupt("\(name(key)) should be in \(said) rows, and is in \(found)")
            }
            try advance(&cursors, past: key)
        }
    }

    private func advance(_ cursors: inout [(live: LiveSegment, cursor: TermCursor)], past key: [UInt8]) throws {
        for (live, cursor) in cursors where cursor.withKey({ $0.elementsEqual(key) }) {
            guard try cursor.next() else {
                cursors.removeAll { $0.cursor === cursor }
                continue
            }
            guard cursor.withKey({ key.lexicographicallyPrecedes($0) }) else {
                throw corrupt("the terms of segment \(live.entry.info.id) are not in order")
            }
        }
    }

    private func name(_ key: [UInt8]) -> String {
        let text = String(decoding: key.dropFirst(), as: UTF8.self)
        return key.first == 0 ? "term \"\(text)\"" : "prefix \"\(text)\""
    }

    /// Checks the postings of a key, and returns how many are of live documents.
    private func checkPostings(of entry: TermEntry, key: [UInt8], in live: LiveSegment) throws -> Int {
        guard entry.count != 0 else { return 0 }
        guard entry.count > 0, entry.count <= live.segment.documentCount else {
            throw corrupt("\(name(key)) has \(entry.count) postings in segment \(live.entry.info.id)")
        }
        let hash = key.dropFirst().withUnsafeBufferPointer { TokenHash.hash($0) }
        var postings = try live.segment.postings(entry, reusing: opened[live.entry.info.id])
        defer { opened[live.entry.info.id] = postings }
        var positions: [Position] = []
        var previous: UInt32?
        var count = 0
        var liveCount = 0
        while try postings.next() != PostingsCursor.exhausted {
            let document = postings.document
            guard Int(document) < live.segment.documentCount, previous.map({ $0 < document }) ?? true else {
                throw corrupt("the postings of \(name(key)) are not in order")
            }
            previous = document
            count += 1
            let isLive = !live.deletions.isDeleted(document)
            if isLive { liveCount += 1 }
            let rowID = try live.segment.rowID(at: Int(document))
            let isTerm = key.first == 0
            let hasPositions = isTerm && index.shape.hasPositions
            try checkColumns(of: &postings, key: key, in: live.segment) { column, count in
                guard isTerm, isLive, !hasPositions else { return }
                checksum.add(token: hash, rowID: rowID, place: UInt64(column), count: count)
            }
            guard hasPositions else { continue }
            try postings.readPositions(into: &positions)
            try check(positions, of: &postings, key: key, in: live.segment)
            if isLive {
                for position in positions { checksum.add(token: hash, rowID: rowID, place: position.rawValue) }
            }
        }
        guard count == entry.count else { throw corrupt("\(name(key)) has \(count) postings, not \(entry.count)") }
        try checkBlocks(of: &postings, key: key, in: live.segment)
        return liveCount
    }

    private func checkColumns(
        of postings: inout PostingsCursor, key: [UInt8], in segment: Segment, _ body: (UInt32, UInt32) -> Void
    ) throws {
        let frequency = try postings.frequency
        let document = Int(postings.document)
        var sum: UInt32 = 0
        var previous: UInt32?
        // Positions are checked one by one. If tokens share a place, a list of prefixes counts it for each of them.
        let isTerm = key.first == 0
        let isBounded = isTerm ? !index.shape.hasPositions : !segment.hasColocatedTokens
        try postings.forEachColumn { column, count in
            guard Int(column) < index.shape.columnCount, previous.map({ $0 < column }) ?? true, count > 0 else {
                throw corrupt("the columns of \(name(key)) are not in order")
            }
            guard try !isBounded || count <= segment.columnLength(at: document, column: Int(column)) else {
                throw corrupt("\(name(key)) occurs in a column more often than the column has tokens")
            }
            previous = column
            sum &+= count
            body(column, count)
        }
        guard sum == frequency, frequency > 0 else { throw corrupt("the frequencies of \(name(key)) do not add up") }
    }

    private func check(
        _ positions: [Position], of postings: inout PostingsCursor, key: [UInt8], in segment: Segment
    ) throws {
        let frequency = try postings.frequency
        guard positions.count == Int(frequency) else {
            throw corrupt("\(name(key)) has \(positions.count) positions, not \(frequency)")
        }
        var previous: Position?
        var column: UInt32?
        var length: UInt32 = 0
        for position in positions {
            if let previous, previous >= position { throw corrupt("the positions of \(name(key)) are not in order") }
            previous = position
            if position.column != column {
                guard Int(position.column) < index.shape.columnCount else {
                    throw corrupt("\(name(key)) has a position in a column that does not exist")
                }
                column = position.column
                length = try segment.columnLength(at: Int(postings.document), column: Int(position.column))
            }
            guard position.offset < length else {
                throw corrupt("\(name(key)) has a position after the end of its column")
            }
        }
    }

    /// What the index says about a block, without decoding it, must hold for its documents.
    private func checkBlocks(of postings: inout PostingsCursor, key: [UInt8], in segment: Segment) throws {
        // The bounds of a single block are computed from its documents.
        guard postings.blockCount > 1 else { return }
        for number in 0..<postings.blockCount {
            let summary = try postings.block(number)
            try postings.decode(block: number)
            guard postings.documents.last == summary.lastDocument else {
                throw corrupt("a block of \(name(key)) ends with another document")
            }
            if let (group, lastBlock) = try postings.group(ofBlock: number) {
                guard group.holds(for: summary), number != lastBlock || group.lastDocument == summary.lastDocument
                else { throw corrupt("a group of blocks of \(name(key)) has a block beyond its bounds") }
            }
            for place in postings.documents.indices {
                if place > 0 { _ = try postings.next() }
                guard try isBounded(by: summary, postings, in: segment) else {
                    throw corrupt("a block of \(name(key)) has a document beyond its bounds")
                }
            }
        }
    }

    /// Whether the bounds of a block hold for the score of the current document.
    private func isBounded(by block: BlockSummary, _ postings: PostingsCursor, in segment: Segment) throws -> Bool {
        var columns: UInt16 = 0
        var (atHome, elsewhere) = (UInt32(0), UInt32(0))
        try postings.forEachColumn { column, count in
            columns |= ColumnFilter.summaryBit(column)
            if column == block.home?.column { atHome &+= count } else { elsewhere &+= count }
        }
        let length = try segment.length(at: Int(postings.document))
        let lengthCode = FloatCode.floor(length: length)
        var builder = BlockBoundsBuilder(slope: LengthSlope.slope(of: segment.reader))
        builder.add(frequency: try postings.frequency, lengthCode: lengthCode)
        if elsewhere > 0 { builder.addException(home: atHome, elsewhere: elsewhere, lengthCode: lengthCode) }
        return columns & ~block.columns == 0 && block.shortestLength <= length && block.bounds.hold(for: builder.bounds)
            && block.home?.exceptions.hold(for: builder.exceptions) ?? true
    }
}

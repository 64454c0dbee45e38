/// Checks the postings of one segment, those of one key after the other: a part of `IntegrityCheck`.
final class PostingsCheck {
    let live: LiveSegment
    private let slope: Float
    private let positions = GrowingBuffer<Position>()
    /// The cursor of the last key, for the next.
    private var opened: PostingsCursor?

    init(_ live: LiveSegment) {
        self.live = live
        slope = LengthSlope.slope(of: live.segment.reader)
    }

    /// What is checked of each posting of a key.
    private struct Rules {
        let isTerm: Bool
        let hasPositions: Bool
        /// Whether a frequency in a column is at most its length. Positions are checked one by one; and if tokens share a place,
        /// a list of prefixes counts it for each of them.
        let isLimited: Bool
        let columnCount: Int

        init(_ key: [UInt8], in segment: Segment) {
            columnCount = segment.shape.columnCount
            isTerm = key.first == 0
            hasPositions = isTerm && segment.shape.hasPositions
            isLimited = isTerm ? !hasPositions : !segment.hasColocatedTokens
        }
    }

    /// Checks the postings of a key.
    ///
    /// - Parameter checksum: Receives those of terms in live documents.
    /// - Returns: How many are of live documents.
    func check(_ entry: TermEntry, of key: [UInt8], adding checksum: inout DocumentChecksum) throws -> Int {
        guard entry.count != 0 else { return 0 }
        let (segment, deletions) = (live.segment, live.deletions)
        guard entry.count > 0, entry.count <= segment.documentCount else {
            throw corrupt("\(Self.name(key)) has \(entry.count) postings in segment \(live.entry.info.id)")
        }
        let rules = Rules(key, in: segment)
        let hash = key.dropFirst().withUnsafeBufferPointer { TokenHash.hash($0) }
        var postings = try segment.postings(entry, reusing: opened)
        defer { opened = postings }
        // The bounds of a single block are computed from its documents.
        let isBounded = postings.blockCount > 1
        var block: BlockCheck?
        var previous: UInt32?
        var (count, liveCount) = (0, 0)
        while try postings.next() != PostingsCursor.exhausted {
            let document = postings.document
            guard Int(document) < segment.documentCount, previous.map({ $0 < document }) ?? true else {
                throw corrupt("the postings of \(Self.name(key)) are not in order")
            }
            previous = document
            count += 1
            if isBounded, postings.index == 0 {
                block = BlockCheck(try postings.block(postings.blockNumber), slope: slope)
            }
            try checkColumns(of: postings, rules, key, segment, &block)
            if rules.hasPositions { try checkPositions(of: postings, rules, key, segment) }
            if !deletions.isDeleted(document) {
                liveCount += 1
                if rules.isTerm {
                    try add(postings, rules, hash, rowID: try segment.rowID(at: Int(document)), to: &checksum)
                }
            }
            if let block, postings.index == postings.documents.count - 1 { try check(block, of: postings, key) }
        }
        guard count == entry.count else { throw corrupt("\(Self.name(key)) has \(count) postings, not \(entry.count)") }
        return liveCount
    }

    @inline(__always)
    private func add(
        _ postings: PostingsCursor, _ rules: Rules, _ hash: UInt64, rowID: Int64, to checksum: inout DocumentChecksum
    ) throws {
        if rules.hasPositions {
            for position in positions.values { checksum.add(token: hash, rowID: rowID, place: position.rawValue) }
        } else {
            try postings.forEachColumn { column, count in
                checksum.add(token: hash, rowID: rowID, place: UInt64(column), count: count)
            }
        }
    }

    // MARK: - One posting

    /// Checks the columns of the current posting, and adds it to what is known of its block.
    @inline(__always)
    private func checkColumns(
        of postings: PostingsCursor, _ rules: Rules, _ key: [UInt8], _ segment: Segment, _ block: inout BlockCheck?
    ) throws {
        let document = Int(postings.document)
        let frequency = try postings.frequency
        let home = block?.home
        var (sum, atHome) = (UInt32(0), UInt32(0))
        var columns: UInt16 = 0
        var previous: UInt32?
        try postings.forEachColumn { column, count in
            guard Int(column) < rules.columnCount, previous.map({ $0 < column }) ?? true, count > 0 else {
                throw corrupt("the columns of \(Self.name(key)) are not in order")
            }
            guard try !rules.isLimited || count <= segment.columnLength(at: document, column: Int(column)) else {
                throw corrupt("\(Self.name(key)) occurs in a column more often than the column has tokens")
            }
            previous = column
            sum &+= count
            columns |= ColumnFilter.summaryBit(column)
            if column == home { atHome &+= count }
        }
        guard sum == frequency, frequency > 0 else {
            throw corrupt("the frequencies of \(Self.name(key)) do not add up")
        }
        if block != nil {
            block?.add(columns: columns, atHome: atHome, of: frequency, length: try segment.length(at: document))
        }
    }

    /// Reads the positions of the current posting, and checks them.
    @inline(__always)
    private func checkPositions(
        of postings: PostingsCursor, _ rules: Rules, _ key: [UInt8], _ segment: Segment
    ) throws {
        let frequency = try postings.frequency
        positions.removeAll()
        try postings.readPositions(into: positions)
        guard positions.count == Int(frequency) else {
            throw corrupt("\(Self.name(key)) has \(positions.count) positions, not \(frequency)")
        }
        var previous: Position?
        var column: UInt32?
        var length: UInt32 = 0
        for position in positions.values {
            if let previous, previous >= position {
                throw corrupt("the positions of \(Self.name(key)) are not in order")
            }
            previous = position
            if position.column != column {
                guard Int(position.column) < rules.columnCount else {
                    throw corrupt("\(Self.name(key)) has a position in a column that does not exist")
                }
                column = position.column
                length = try segment.columnLength(at: Int(postings.document), column: Int(position.column))
            }
            guard position.offset < length else {
                throw corrupt("\(Self.name(key)) has a position after the end of its column")
            }
        }
    }

    // MARK: - Blocks

    /// What the index says about a block without decoding it, and what it should say at least.
    private struct BlockCheck {
        let summary: BlockSummary
        private var columns: UInt16 = 0
        private var shortestLength = UInt32.max
        private var bounds: BlockBoundsBuilder

        init(_ summary: BlockSummary, slope: Float) {
            self.summary = summary
            bounds = BlockBoundsBuilder(slope: slope)
        }

        var home: UInt32? { summary.home?.column }

        /// Adds a document.
        @inline(__always)
        mutating func add(columns: UInt16, atHome: UInt32, of frequency: UInt32, length: UInt32) {
            self.columns |= columns
            shortestLength = min(shortestLength, length)
            let lengthCode = FloatCode.floor(length: length)
            bounds.add(frequency: frequency, lengthCode: lengthCode)
            if atHome < frequency {
                bounds.addException(home: atHome, elsewhere: frequency - atHome, lengthCode: lengthCode)
            }
        }

        /// Whether its bounds hold for the scores of the documents.
        var isBounded: Bool {
            columns & ~summary.columns == 0 && summary.shortestLength <= shortestLength
                && summary.bounds.hold(for: bounds.bounds)
                && summary.home?.exceptions.hold(for: bounds.exceptions) ?? true
        }
    }

    /// Checks a block whose documents have been added. That it ends where the index says was seen to when it was decoded.
    private func check(_ block: BlockCheck, of postings: PostingsCursor, _ key: [UInt8]) throws {
        let (summary, number) = (block.summary, postings.blockNumber)
        if let (group, lastBlock) = try postings.group(ofBlock: number) {
            guard group.holds(for: summary), number != lastBlock || group.lastDocument == summary.lastDocument
            else { throw corrupt("a group of blocks of \(Self.name(key)) has a block beyond its bounds") }
        }
        guard block.isBounded else {
            throw corrupt("a block of \(Self.name(key)) has a document beyond its bounds")
        }
    }

    // MARK: - Messages

    /// How messages name a key of the dictionary.
    static func name(_ key: [UInt8]) -> String {
        let text = String(decoding: key.dropFirst(), as: UTF8.self)
        return key.first == 0 ? "term \"\(text)\"" : "prefix \"\(text)\""
    }
}

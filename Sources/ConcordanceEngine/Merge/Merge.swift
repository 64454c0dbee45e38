/// Makes one segment of several, in steps of bounded work that may be spread over commits, processes and days.
///
/// First the documents that are not removed then, in the order of their rowids; that fixes which documents the result
/// has. Then the terms in the order of their bytes, with the postings of those documents. Documents that are removed
/// later are in the result as removed ones. A term's adjustment becomes the sum of all its counts and adjustments, less
/// the postings that are left, so that the live count of documents is what it was.
///
/// After each step the row of the result's header says how to go on:
///
///     version u8, flags u8 = 2 (unfinished: no segment yet)
///     stamp           8 random bytes, by which who did the last step knows that nobody else has done one
///     phase u8        0: documents; 1: terms; 2: within a term, the writer's
///     writer          `SegmentWriter.suspend()`
///
/// In memory: four bytes a document of the inputs, a byte a document of the result, and a page of each stream.
final class Merge {
    let job: MergeJob
    private let shape: IndexShape
    private let store: BlockStore
    @exclusivity(unchecked) private var inputs: [MergeInput]
    private let writer: SegmentWriter
    @exclusivity(unchecked) private var phase = Phase.documents
    /// Of the last step that is stored; nil where none is.
    private var stamp: UInt64?
    @exclusivity(unchecked) private var positions: [Position] = []
    @exclusivity(unchecked) private var columns: [ColumnFrequency] = []
    /// The inputs that are not at the end of their terms, by their current terms; and those that have the least one.
    @exclusivity(unchecked) private var order: [Int] = []
    @exclusivity(unchecked) private var members: [Int] = []

    private enum Phase: UInt8 {
        case documents = 0
        case terms = 1
        case withinTerm = 2
    }

    /// Goes on where the last step that is stored has ended, or begins. `segments` are the job's inputs.
    init(_ job: MergeJob, segments: [Segment], shape: IndexShape, store: BlockStore) throws {
        self.job = job
        self.shape = shape
        self.store = store
        guard let row = try store.uncachedBlock(Self.headerID(job)) else {
            writer = SegmentWriter(id: job.output, shape: shape, store: store)
            inputs = segments.map { MergeInput($0, map: DocumentMap(capacity: $0.documentCount)) }
            return
        }
        var reader = ByteReader(row.bytes)
        stamp = try Self.readStamp(&reader)
        guard let phase = Phase(rawValue: try reader.byte()) else { throw corrupt("a merge is in no known phase") }
        let writer = try SegmentWriter(resuming: &reader, id: job.output, shape: shape, store: store)
        let documents = try writer.writtenDocuments()
        let limits = try segments.map { segment in
            if phase != .documents { return segment.documentCount }
            return writer.documentCount == 0 ? 0 : try segment.firstDocument(after: writer.maximumRowID)
        }
        let maps = try DocumentMap.maps(of: segments, limits: limits, into: documents, count: writer.documentCount)
        self.phase = phase
        self.writer = writer
        inputs = zip(segments, maps).map { MergeInput($0, map: $1) }
        if phase != .documents { try openTerms() }
        withExtendedLifetime(row) {}
    }

    private static func headerID(_ job: MergeJob) -> Int64 { BlockStore.id(segment: job.output, stream: 0, page: 0) }

    private static func readStamp(_ reader: inout ByteReader) throws -> UInt64 {
        guard try reader.byte() == SegmentLayout.version, try reader.byte() == SegmentLayout.unfinishedFlag else {
            throw corrupt("a merge has no state to go on with")
        }
        return try reader.fixed(UInt64.self)
    }

    /// Whether the last step that is stored is this object's, so that it can go on.
    func isCurrent() throws -> Bool {
        let stored = try store.withRow(Self.headerID(job)) { bytes in
            var reader = ByteReader(bytes)
            return try Self.readStamp(&reader)
        }
        return stored == stamp
    }

    // MARK: - Steps

    /// Whether the documents of the result are complete.
    var isAtTerms: Bool { phase != .documents }

    /// Works until about so many bytes have been merged. `deletions` are those of the inputs as they are now.
    ///
    /// - Returns: Whether the segment is finished; otherwise where to go on is stored.
    func step(budget: Int, deletions: [Deletions]) throws -> Bool {
        var work = Work(budget: budget)
        if phase == .documents {
            guard try mergeDocuments(deletions, &work) else {
                try suspend()
                return false
            }
            try writer.endDocuments()
            phase = .terms
            try openTerms()
        }
        guard try mergeTerms(&work) else {
            try suspend()
            return false
        }
        return true
    }

    private func suspend() throws {
        let stamp = UInt64.random(in: 0 ... .max)
        var row = ByteWriter()
        row.append(byte: SegmentLayout.version)
        row.append(byte: SegmentLayout.unfinishedFlag)
        row.append(fixed: stamp)
        row.append(byte: phase.rawValue)
        try writer.suspend(into: &row)
        try row.bytes.withUnsafeBytes { try store.write(Self.headerID(job), $0) }
        self.stamp = stamp
    }

    /// The finished segment, and those of its documents that were removed since they were merged; nil where there is
    /// nothing left of the inputs.
    func finish(deletions: [Deletions], level: Int) throws -> (info: SegmentInfo, removed: [UInt32])? {
        guard !writer.isEmpty else { return nil }
        writer.hasColocatedTokens = inputs.contains { $0.segment.hasColocatedTokens }
        var info = try writer.finish()
        info.level = level
        var removed: [UInt32] = []
        for (input, deletions) in zip(inputs, deletions) where !deletions.isEmpty {
            for document in 0..<UInt32(truncatingIfNeeded: input.segment.documentCount)
            where deletions.isDeleted(document) {
                if let number = input.map[document] { removed.append(number) }
            }
        }
        return (info, removed.sorted())
    }

    /// Counts what has been done, about in bytes.
    private struct Work {
        var budget: Int
        var isDone: Bool { budget <= 0 }
    }

    // MARK: - Documents

    /// False where the budget is used up before the last document.
    private func mergeDocuments(_ deletions: [Deletions], _ work: inout Work) throws -> Bool {
        let lengths = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: shape.columnCount)
        defer { lengths.deallocate() }
        for index in inputs.indices { try nextDocument(index, deletions[index]) }
        while let index = inputs.indices.filter({ inputs[$0].rowID != nil })
            .min(by: { inputs[$0].rowID ?? 0 < inputs[$1].rowID ?? 0 })
        {
            // The next input's document, up to which all of this one come first.
            let limit = inputs.indices.filter { $0 != index }.compactMap { inputs[$0].rowID }.min() ?? .max
            while let rowID = inputs[index].rowID, rowID <= limit {
                if work.isDone, writer.isAtDocumentPage { return false }
                let input = inputs[index]
                let document = input.map.count
                try input.segment.columnLengths(at: document, into: lengths)
                try writer.addDocument(
                    rowID: rowID, columnLengths: UnsafeBufferPointer(lengths),
                    fingerprint: try input.segment.fingerprint(at: document))
                inputs[index].map.append(UInt32(truncatingIfNeeded: writer.documentCount - 1))
                work.budget -= 12
                try nextDocument(index, deletions[index])
            }
        }
        return true
    }

    /// Goes to the input's next document that is not removed.
    private func nextDocument(_ index: Int, _ deletions: Deletions) throws {
        let segment = inputs[index].segment
        while inputs[index].map.count < segment.documentCount {
            let document = inputs[index].map.count
            guard deletions.isDeleted(UInt32(truncatingIfNeeded: document)) else {
                inputs[index].rowID = try segment.rowID(at: document)
                return
            }
            inputs[index].map.appendLeft(UInt32(truncatingIfNeeded: writer.documentCount))
        }
        inputs[index].rowID = nil
    }

    // MARK: - Terms

    private func openTerms() throws {
        let key = writer.key
        order = []
        for index in inputs.indices {
            let cursor = try inputs[index].segment.makeTermCursor(from: key)
            var hasTerm = try cursor.next()
            // A term that is finished does not come again.
            if phase == .terms, hasTerm, cursor.key == key { hasTerm = try cursor.next() }
            inputs[index].terms = cursor
            if hasTerm { enter(index) }
        }
    }

    /// False where the budget is used up before the last term.
    private func mergeTerms(_ work: inout Work) throws -> Bool {
        while let first = order.first, let key = inputs[first].terms?.key {
            members.removeAll(keepingCapacity: true)
            for index in order {
                guard inputs[index].terms?.key == key else { break }
                members.append(index)
            }
            let total = members.reduce(0) { $0 + inputs[$1].liveCount }
            if phase == .withinTerm {
                guard key == writer.key else { throw corrupt("a merge is within a term that there is not") }
            } else {
                try key.withUnsafeBufferPointer { try writer.beginTerm($0, adjustment: 0) }
                // Postings that are left out cost their reading.
                for index in members { work.budget -= (inputs[index].terms?.entry.count ?? 0) / 8 }
            }
            guard try mergePostings(&work) else {
                phase = .withinTerm
                return false
            }
            phase = .terms
            try writer.endTerm(adjustment: shape.hasAdjustments ? total - writer.postingCount : 0)
            order.removeFirst(members.count)
            for index in members where try inputs[index].terms?.next() == true { enter(index) }
            work.budget -= 8 + key.count
            if work.isDone { return false }
        }
        return true
    }

    /// Puts an input in its place among the others, by its current term.
    private func enter(_ index: Int) {
        guard let terms = inputs[index].terms else { return }
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            if inputs[order[middle]].terms?.precedes(terms) == true { low = middle + 1 } else { high = middle }
        }
        order.insert(index, at: low)
    }

    /// False where the budget is used up before the last posting.
    private func mergePostings(_ work: inout Work) throws -> Bool {
        let last = phase == .withinTerm ? writer.lastPosting : nil
        for index in members { try inputs[index].openPostings(after: last) }
        while true {
            // The input with the least document, and up to where its documents come first.
            var source = -1
            var least = UInt32.max
            var limit = UInt32.max
            for index in members {
                let number = inputs[index].number
                if number < least {
                    limit = least
                    least = number
                    source = index
                } else if number < limit {
                    limit = number
                }
            }
            guard source >= 0 else { return true }
            while inputs[source].number < limit {
                if work.isDone, writer.canSuspendWithinTerm { return false }
                try copyPosting(of: source, &work)
                try inputs[source].nextPosting()
            }
        }
    }

    @inline(__always)
    private func copyPosting(of source: Int, _ work: inout Work) throws {
        let number = inputs[source].number
        guard let cursor = inputs[source].postings else { return }
        if inputs[source].hasPositions {
            try cursor.readPositions(into: &positions)
            try positions.withUnsafeBufferPointer { try writer.addPosting(document: number, positions: $0) }
            work.budget -= 1 + positions.count
        } else {
            columns.removeAll(keepingCapacity: true)
            try cursor.forEachColumn { columns.append(ColumnFrequency(column: $0, count: $1)) }
            try columns.withUnsafeBufferPointer { try writer.addPosting(document: number, columns: $0) }
            work.budget -= 1 + columns.count
        }
    }
}

/// One of the segments that are merged.
struct MergeInput {
    let segment: Segment
    var map: DocumentMap
    /// The next document to merge is number `map.count`, and this is its rowid; nil where there is none.
    var rowID: Int64?
    /// On the current term; nil behind the last.
    var terms: TermCursor?
    var postings: PostingsCursor?
    /// What the current posting's document becomes; `UInt32.max` behind the last.
    var number = UInt32.max

    init(_ segment: Segment, map: DocumentMap) {
        self.segment = segment
        self.map = map
    }

    var hasPositions: Bool { terms?.entry.hasPositions ?? false }

    /// How many live documents of all segments the term's entry here stands for.
    var liveCount: Int { terms.map { $0.entry.count + $0.entry.adjustment } ?? 0 }

    /// Goes to the first posting of the current term whose document is left, behind that number if there is one.
    mutating func openPostings(after number: UInt32?) throws {
        guard let entry = terms?.entry else { return }
        if postings == nil { postings = try segment.postings(entry) } else { postings?.open(entry) }
        guard let number else { return try nextPosting() }
        guard let document = try postings?.advance(to: map.first(behind: number)) else { return }
        if let mapped = map[document] { self.number = mapped } else { try nextPosting() }
    }

    /// Goes to the next posting whose document is left.
    mutating func nextPosting() throws {
        while let document = try postings?.next(), document != PostingsCursor.exhausted {
            if let mapped = map[document] {
                number = mapped
                return
            }
        }
        number = .max
    }
}

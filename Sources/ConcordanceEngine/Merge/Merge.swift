/// Merges several segments into one, in steps of bounded work that may be spread over commits, processes and days.
///
/// First it writes the documents that have not been removed by then, in the order of their rowids, which fixes the
/// documents of the result. Then it writes the terms in the order of their bytes, with the postings of these documents.
/// Documents that are removed later are in the result as removed ones. A term's adjustment becomes the sum of all its
/// counts and adjustments minus the postings that are left, so that the live count of documents stays the same.
/// If an input has no prefix lists, all are made anew from the terms (`MergedLists`), and the merge is done in one step.
///
/// After each step, the row of the result's header holds the state from which to continue:
///
///     version u8, flags u8 = 2 (unfinished: no segment yet)
///     stamp           8 random bytes, which tell the author of the last step that nobody has made another
///     phase u8        0: documents; 1: terms; 2: within a term, the writer's
///     writer          `SegmentWriter.suspend()`
///
/// It takes four bytes of memory for each document of the inputs, one for each of the result, and a page of each stream. In one
/// step, it takes two batches of terms (`TermBatch`) and the pages of one more, and for new lists what `MergedLists` counts.
final class Merge {
    let job: MergeJob
    private let shape: IndexShape
    private let store: BlockStore
    private let inputs: [MergeInput]
    private let writer: SegmentWriter
    private let makesLists: Bool
    @exclusivity(unchecked) private var phase = Phase.documents
    /// The stamp of the last stored step; nil if there is none.
    private var stamp: UInt64?
    /// The inputs with terms left, in descending order of their current terms and, for the same term, of their numbers;
    /// and the inputs at the least term.
    @exclusivity(unchecked) private var order: [Place] = []
    @exclusivity(unchecked) private var members: [Int] = []
    /// The sources of the members.
    private let sources = SourceQueue()

    /// An input in the order. The head of its key usually decides, without access to the input.
    private struct Place {
        var head: KeyHead
        var input: Int
    }

    private enum Phase: UInt8 {
        case documents = 0
        case terms = 1
        case withinTerm = 2
    }

    /// Continues after the last stored step, or begins. `segments` are the inputs of the job.
    init(_ job: MergeJob, segments: [Segment], shape: IndexShape, store: BlockStore) throws {
        self.job = job
        self.shape = shape
        self.store = store
        makesLists = segments.contains { !$0.hasLists }
        guard let row = try Self.state(of: job, store) else {
            writer = SegmentWriter(id: job.output, shape: shape, store: store)
            inputs = segments.map { MergeInput($0, map: DocumentMap(capacity: $0.documentCount)) }
            return
        }
        var reader = ByteReader(row.bytes)
        stamp = try Self.readStamp(&reader)
        guard let phase = Phase(rawValue: try reader.byte()) else { throw corrupt("a merge is in an unknown phase") }
        let writer = try SegmentWriter(resuming: &reader, id: job.output, shape: shape, store: store)
        let documents = try writer.writtenDocuments(in: store)
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

    /// The state from which to continue; nil if there is none. What a merge has written in a form of before is deleted.
    private static func state(of job: MergeJob, _ store: BlockStore) throws -> Block? {
        guard let row = try store.uncachedBlock(headerID(job)) else { return nil }
        guard isOutdated(row.bytes) else { return row }
        try store.delete(BlockStore.ids(ofSegment: job.output))
        return nil
    }

    /// Whether the header is of a merge by an earlier version, which writes other pages.
    private static func isOutdated(_ header: UnsafeRawBufferPointer) -> Bool {
        header.first == SegmentLayout.oldVersion
            || header.dropFirst().first.map(SegmentLayout.oldUnfinishedFlags.contains) ?? false
    }

    private static func readStamp(_ reader: inout ByteReader) throws -> UInt64 {
        guard try reader.byte() == SegmentLayout.version, try reader.byte() == SegmentLayout.unfinishedFlag else {
            throw corrupt("a merge has no state from which to continue")
        }
        return try reader.fixed(UInt64.self)
    }

    /// Whether this object has made the last stored step, so that it can continue.
    func isCurrent() throws -> Bool {
        let isStored = try store.withRow(Self.headerID(job)) { bytes in
            // A rollback brings back what a merge of before has left.
            guard !Self.isOutdated(bytes) else { return false }
            var reader = ByteReader(bytes)
            return try Self.readStamp(&reader) == stamp
        }
        return isStored ?? (stamp == nil)
    }

    // MARK: - Steps

    /// Whether the documents of the result are complete.
    var isAtTerms: Bool { phase != .documents }

    /// Merges until about `budget` bytes have been read. `deletions` are the present ones of the inputs.
    ///
    /// If that is all at once, the merge deletes pages that it has read of inputs which are not in use.
    ///
    /// - Parameters:
    ///   - termCost: The cost of each term of each input, in bytes, in addition to its size.
    ///   - isInUse: Whether somebody else reads a segment, so that its pages have to stay.
    /// - Returns: Whether the segment is complete. If not, the state from which to continue has been stored.
    func step(budget: Int, termCost: Int = 0, deletions: [Deletions], isInUse: (UInt32) -> Bool) throws -> Bool {
        let isAtOnce = budget == .max || makesLists
        var work = Work(budget: isAtOnce ? .max : budget, termCost: termCost)
        if phase == .documents {
            guard try mergeDocuments(deletions, &work) else {
                try suspend()
                return false
            }
            try writer.endDocuments()
            phase = .terms
            try openTerms()
        }
        if isAtOnce {
            for input in inputs where !isInUse(input.segment.info.id) { input.allowDeletion() }
            let pipeline = TermPipeline(writer)
            // The budget is never used up.
            _ = try mergeTerms(to: pipeline, &work)
            if makesLists { try writeLists(to: pipeline) }
            try pipeline.finish()
            return true
        }
        guard try mergeTerms(to: writer, &work) else {
            try suspend()
            return false
        }
        return true
    }

    private func suspend() throws {
        let stamp = UInt64.random(in: 0 ... .max)
        let row = ByteWriter()
        row.append(byte: SegmentLayout.version)
        row.append(byte: SegmentLayout.unfinishedFlag)
        row.append(fixed: stamp)
        row.append(byte: phase.rawValue)
        try writer.suspend(into: row)
        try withExtendedLifetime(row) { try store.write(Self.headerID(job), row.bytes) }
        self.stamp = stamp
    }

    /// Writes the stored values of the result again, before it is finished: those of documents may have changed since
    /// they were merged.
    ///
    /// - Parameter tables: The present ones of the inputs.
    func replaceValues(with tables: [ValueTable]) throws {
        var origins = [UInt64](repeating: 0, count: writer.documentCount)
        for (index, input) in inputs.enumerated() {
            for document in 0..<UInt32(truncatingIfNeeded: input.segment.documentCount) {
                guard let number = input.source.map[document], number < origins.count else { continue }
                origins[Int(number)] = UInt64(index) << 32 | UInt64(document)
            }
        }
        try writer.replaceValues(with: origins, of: tables)
    }

    /// The finished segment and those of its documents that were removed after they had been merged; nil if nothing is
    /// left of the inputs.
    func finish(deletions: [Deletions], level: Int) throws -> (info: SegmentInfo, removed: [UInt32])? {
        guard !writer.isEmpty else { return nil }
        writer.hasColocatedTokens = inputs.contains { $0.segment.hasColocatedTokens }
        var info = try writer.finish()
        info.level = level
        var removed: [UInt32] = []
        for (input, deletions) in zip(inputs, deletions) where !deletions.isEmpty {
            for document in 0..<UInt32(truncatingIfNeeded: input.segment.documentCount)
            where deletions.isDeleted(document) {
                if let number = input.source.map[document] { removed.append(number) }
            }
        }
        return (info, removed.sorted())
    }

    /// What is left of the budget, in bytes.
    private struct Work {
        var budget: Int
        let termCost: Int
        var isDone: Bool { budget <= 0 }
    }

    // MARK: - Documents

    /// False if the budget is used up before the last document.
    private func mergeDocuments(_ deletions: [Deletions], _ work: inout Work) throws -> Bool {
        let lengths = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: shape.columnCount)
        defer { lengths.deallocate() }
        for index in inputs.indices { try nextDocument(index, deletions[index]) }
        while let index = inputs.indices.filter({ inputs[$0].rowID != nil })
            .min(by: { inputs[$0].rowID ?? 0 < inputs[$1].rowID ?? 0 })
        {
            // All documents of this input up to the first one of the other inputs come next.
            let limit = inputs.indices.filter { $0 != index }.compactMap { inputs[$0].rowID }.min() ?? .max
            while let rowID = inputs[index].rowID, rowID <= limit {
                if work.isDone, writer.isAtDocumentPage { return false }
                let input = inputs[index]
                let document = input.source.map.count
                try input.segment.columnLengths(at: document, into: lengths)
                try writer.addValues(ofDocument: document, of: input.values)
                try writer.addDocument(
                    rowID: rowID, columnLengths: UnsafeBufferPointer(lengths),
                    fingerprint: try input.segment.fingerprint(at: document))
                input.source.map.append(UInt32(truncatingIfNeeded: writer.documentCount - 1))
                work.budget -= 12
                try nextDocument(index, deletions[index])
            }
        }
        return true
    }

    /// Moves to the input's next document that has not been removed.
    private func nextDocument(_ index: Int, _ deletions: Deletions) throws {
        let input = inputs[index]
        let segment = input.segment
        while input.source.map.count < segment.documentCount {
            let document = input.source.map.count
            guard deletions.isDeleted(UInt32(truncatingIfNeeded: document)) else {
                input.rowID = try segment.rowID(at: document)
                return
            }
            input.source.map.appendLeft(UInt32(truncatingIfNeeded: writer.documentCount))
        }
        input.rowID = nil
    }

    // MARK: - Terms

    private func openTerms() throws {
        let key = writer.key
        order = []
        for index in inputs.indices {
            let cursor = try inputs[index].segment.makeTermCursor(from: key)
            var hasTerm = try cursor.next()
            // A finished term must not be written again.
            if phase == .terms, hasTerm, cursor.key == key { hasTerm = try cursor.next() }
            inputs[index].terms = cursor
            if hasTerm { enter(index) }
        }
    }

    /// The inputs at the least term become the members; returns a cursor at it, nil behind the last term.
    private func gatherMembers() -> TermCursor? {
        guard let first = order.last else { return nil }
        members.removeAll(keepingCapacity: true)
        for place in order.reversed() {
            guard compare(place, first) == 0 else { break }
            members.append(place.input)
        }
        return inputs[first.input].terms
    }

    /// Moves the members to their next terms.
    private func advanceMembers() throws {
        order.removeLast(members.count)
        for index in members where try inputs[index].terms?.next() == true { enter(index) }
    }

    /// False if the budget is used up before the last term.
    private func mergeTerms(to sink: some TermSink, _ work: inout Work) throws -> Bool {
        while let terms = gatherMembers() {
            if makesLists, terms.withKey({ $0.first != 0 }) { break }
            let size = terms.withKey(\.count)
            guard try mergeTerm(terms, to: sink, &work) else {
                phase = .withinTerm
                return false
            }
            phase = .terms
            for index in members { try inputs[index].deleteReadPages(in: store) }
            try advanceMembers()
            work.budget -= 8 + size + work.termCost * members.count
            if work.isDone { return false }
        }
        return true
    }

    /// Merges the current term, which is that of `terms`; false if the budget is used up within it.
    private func mergeTerm(_ terms: TermCursor, to sink: some TermSink, _ work: inout Work) throws -> Bool {
        var total = 0
        var postingCount = 0
        for index in members {
            guard let entry = inputs[index].terms?.entry else { continue }
            total &+= entry.count &+ entry.adjustment
            postingCount &+= entry.count
        }
        if members.count == 1, phase == .terms, try copyTerm(terms, of: inputs[members[0]], total, to: sink) {
            return true
        }
        if phase == .withinTerm {
            guard terms.key == writer.key else { throw corrupt("a merge continues within a term that no input has") }
        } else {
            terms.withKey { sink.beginTerm($0) }
            // Reading postings of removed documents costs something, too.
            work.budget -= postingCount / 8
        }
        let last = phase == .withinTerm ? writer.lastPosting : nil
        sources.removeAll()
        for index in members {
            try inputs[index].openPostings(after: last)
            sources.append(inputs[index].source)
        }
        guard try sources.write(to: sink, budget: &work.budget) else { return false }
        try sink.endTerm(adjustment: shape.hasAdjustments ? total - sink.postingCount : 0)
        return true
    }

    /// Copies a term whose only posting is in the dictionary of the only input that has it; false for others.
    private func copyTerm(
        _ terms: TermCursor, of input: MergeInput, _ total: Int, to sink: some TermSink
    ) throws -> Bool {
        guard case .dictionary(var posting, _, _) = terms.entry.place,
            let number = input.source.map[posting.document]
        else { return false }
        posting.document = number
        try terms.withKey {
            try sink.addTerm(
                $0, adjustment: shape.hasAdjustments ? total - 1 : 0, posting: posting, rest: terms.rest)
        }
        return true
    }

    // MARK: - Prefix lists

    /// Writes the prefix lists of all terms, which are written.
    private func writeLists(to pipeline: TermPipeline) throws {
        try pipeline.finish()
        let lists = try MergedLists(writer.writtenTerms(in: store), shape: shape)
        for (list, characters) in shape.prefixes.enumerated() {
            try lists.write(to: pipeline, list: UInt8(truncatingIfNeeded: list + 1), characters: characters) {
                try adjustment(ofList: $0, pipeline)
            }
        }
        while let terms = gatherMembers() { try writeAdjustment(terms, to: pipeline) }
    }

    /// The adjustment of a list of the result. Lists that precede it, of which inputs have only adjustments, are written before.
    private func adjustment(ofList key: UnsafeBufferPointer<UInt8>, _ pipeline: TermPipeline) throws -> Int {
        while let terms = gatherMembers(), terms.withKey({ !key.lexicographicallyPrecedes($0) }) {
            if terms.withKey({ $0.elementsEqual(key) }) {
                let adjustment = try adjustmentOfMembers()
                try advanceMembers()
                return adjustment
            }
            try writeAdjustment(terms, to: pipeline)
        }
        return 0
    }

    private func writeAdjustment(_ terms: TermCursor, to pipeline: TermPipeline) throws {
        terms.withKey { pipeline.beginTerm($0) }
        try pipeline.endTerm(adjustment: adjustmentOfMembers())
        try advanceMembers()
    }

    /// What the members' counts and adjustments of a list add up to, less the postings that are left of them. Of an input without
    /// lists, no documents are removed (`InvertedIndex.mergeUnlistedRuns`), and the sum would be zero.
    private func adjustmentOfMembers() throws -> Int {
        guard shape.hasAdjustments else { return 0 }
        var result = 0
        for index in members {
            guard let entry = inputs[index].terms?.entry else { continue }
            result &+= entry.count &+ entry.adjustment
            try inputs[index].openPostings(after: nil)
            let source = inputs[index].source
            while source.number != .max {
                result &-= 1
                try source.next()
            }
        }
        return result
    }

    /// Inserts an input into the order.
    private func enter(_ index: Int) {
        guard let terms = inputs[index].terms else { return assertionFailure("an input without terms") }
        let place = Place(head: terms.head, input: index)
        // In the order of the inputs' numbers, the postings usually need no sorting.
        let start = order.indices.partitionPoint {
            let comparison = compare(order[$0], place)
            return comparison == 0 ? order[$0].input > index : comparison > 0
        }
        order.insert(place, at: start)
    }

    /// Negative, 0 or positive if the term of an input is less than, equal to or greater than that of another one.
    @inline(__always)
    private func compare(_ left: Place, _ right: Place) -> Int {
        if let comparison = left.head.compared(to: right.head) { return comparison }
        guard let left = inputs[left.input].terms, let right = inputs[right.input].terms else { return 0 }
        return left.compared(to: right)
    }
}

/// An input of a merge.
final class MergeInput {
    let source: MergeSource
    /// The rowid of the next document to merge, the one with the number `source.map.count`; nil if there is none.
    @exclusivity(unchecked) var rowID: Int64?
    /// At the current term; nil after the last one.
    @exclusivity(unchecked) var terms: TermCursor?

    /// As they were when the merge began, or was resumed: `Merge.replaceValues` takes in what has changed since.
    let values: ValueTable
    /// Deletes its pages; nil if they have to stay.
    @exclusivity(unchecked) private var readPages: ReadPages?

    init(_ segment: Segment, map: DocumentMap) {
        source = MergeSource(segment, map: map)
        values = ValueTable(segment.reader, columnCount: segment.shape.valueColumns.count)
    }

    var segment: Segment { source.segment }

    /// From now on, `deleteReadPages` deletes pages.
    func allowDeletion() { readPages = ReadPages(segment) }

    /// Deletes the pages that have been read, if that is allowed.
    func deleteReadPages(in store: BlockStore) throws {
        guard readPages != nil, let terms else { return }
        let pages = source.pages
        try readPages?.delete(.dictionary, before: terms.pageNumber, in: store)
        try readPages?.delete(.postings, before: pages.postings, in: store)
        try readPages?.delete(.positions, before: pages.positions, in: store)
    }

    /// Moves to the first posting of the current term whose document is in the result, after `number` if that is given.
    @inline(__always)
    func openPostings(after number: UInt32?) throws {
        guard let terms else { return assertionFailure("postings of no term") }
        try source.open(terms.entry, rest: terms.rest, after: number)
    }
}

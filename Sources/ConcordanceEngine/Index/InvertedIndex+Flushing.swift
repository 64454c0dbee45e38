/// Pending rows become segments: when a transaction ends, when they take too much memory, and when a query wants to see them.
extension InvertedIndex {
    /// Writes what is staged, being encoded and pending, and does the merging that is due.
    ///
    /// - Parameter isRun: Whether the segment of what is pending may be one of the `runs`, which are merged when the transaction
    ///   ends.
    func flush(asRun isRun: Bool = false) throws {
        try beginWriting()
        try writeStaged()
        try writeEncoded()
        guard buffer.hasChanges else { return retireBuffer() }
        let hasLists = try !isRun || needsLists
        try writePending(hasLists: hasLists) { entry, _ in try mergeAfterFlush(of: entry, asRun: isRun) }
    }

    private func mergeAfterFlush(of entry: Manifest.Entry, asRun isRun: Bool) throws {
        guard isRun, settings.automerge > 0, entry.info.byteCount > runSize || !runStamps.isEmpty else {
            return try mergeAfterFlush(byteCount: entry.info.byteCount)
        }
        runStamps.insert(entry.stamp)
        try mergeManyRuns()
    }

    /// Merges the runs if there are as many as the limit allows; inside `write`, while nothing pending refers to a segment.
    private func mergeManyRuns() throws {
        let runs = try runs
        if runs.count >= MergePolicy.runLimit { try mergeRuns(byteCount: Self.byteCount(of: runs)) }
    }

    /// Whether what is pending becomes a run that has to have prefix lists.
    ///
    /// If there are so many runs that they are merged when the transaction ends, the merge makes the lists, once. Until then the
    /// prefixes are found by their terms, which would rank differently if tokens shared places. A removal is subtracted
    /// from lists, so before a row of such a run is changed or removed, the run gets them (`mergeUnlistedRuns`).
    private var needsLists: Bool {
        get throws {
            guard !shape.prefixes.isEmpty, settings.automerge > 0, buffer.hasOnlyInsertions, !buffer.hasColocatedTokens
            else { return true }
            return try runs.count < max(settings.automerge - 1, 1)
        }
    }

    /// A buffer takes about 96 kB without any rows, so smaller shares would hold few.
    private static let leastShare = 512 << 10

    /// Writes what is pending if it takes more memory than `memoryBound`.
    ///
    /// Behind the first run, two buffers share the memory: one is encoded in the background, to pages in memory, while the other
    /// one is filled. So a transaction of little more than `memoryBound` has no more segments than without.
    func flushIfLarge() throws {
        let isShared = isBackgroundAllowed && !runStamps.isEmpty && buffer.hasOnlyInsertions
        let share = max(memoryBound / 5 * 2, min(memoryBound, Self.leastShare))
        let bound = isShared || background != nil ? share : memoryBound
        guard buffer.byteCount > bound else { return }
        guard isShared else { return try flush(asRun: true) }
        try writeEncoded(mergeManyRuns)
        background = BackgroundFlush(buffer, shape: shape, hasLists: try needsLists)
        buffer = PendingBuffer(columnCount: shape.columnCount)
    }

    /// Writes what is staged, and does the merging that is due for it. Nothing else is pending then.
    func writeStaged() throws {
        guard store.hasStaged else { return }
        try write {
            try mergeManyRuns()
            if let stagedByteCount { try mergeAfterFlush(byteCount: stagedByteCount) }
        }
    }

    /// Makes staged segments of what is being encoded, which is a run, and of what is pending.
    func stagePending() throws {
        guard buffer.hasChanges || background != nil else { return }
        try beginWriting()
        stagedByteCount = nil
        try store.stage {
            try writePending(hasLists: true) { entry, isEncoded in
                if isEncoded { runStamps.insert(entry.stamp) } else { stagedByteCount = entry.info.byteCount }
            }
        }
    }

    /// Waits for what is being encoded, and writes it as a run.
    ///
    /// - Parameter finish: Goes on inside `write`. Only where nothing is pending that refers to a segment may it merge.
    func writeEncoded(_ finish: () throws -> Void = {}) throws {
        guard let background else { return }
        let encoded = try wait(for: background)
        try write {
            runStamps.insert(try writeSegment(of: background.buffer, encoded).stamp)
            try finish()
        }
        retireEncoded()
    }

    /// Writes what is being encoded and what is pending as segments, if anything is left of it, with which `finish` then goes on.
    ///
    /// - Parameter hasLists: Whether the latter has prefix lists.
    private func writePending(
        hasLists: Bool, _ finish: (Manifest.Entry, _ isEncoded: Bool) throws -> Void
    ) throws {
        let (pending, mark) = (buffer, buffer.mark)
        let encoded = try background.map { (buffer: $0.buffer, segment: try wait(for: $0)) }
        do {
            try write {
                if let encoded { try finish(writeSegment(of: encoded.buffer, encoded.segment), true) }
                try writeChangedValues()
                if pending.liveCount > 0 { try finish(writeSegment(of: pending, hasLists: hasLists), false) }
            }
        } catch {
            pending.rollback(to: mark)
            throw error
        }
        retireEncoded()
        retireBuffer()
    }

    /// The segment, once it is encoded. If it cannot be, the transaction cannot be committed.
    private func wait(for background: BackgroundFlush) throws -> EncodedSegment {
        do { return try background.segment() } catch {
            transaction.fail(error)
            throw error
        }
    }

    /// Writes the rows of a buffer as a segment, which may be encoded already; inside `write`.
    private func writeSegment(
        of buffer: PendingBuffer, _ encoded: EncodedSegment? = nil, hasLists: Bool = true
    ) throws -> Manifest.Entry {
        if shape.hasAdjustments { try RemovalResolver(index: self, buffer: buffer).resolve() }
        let id = try makeSegmentID()
        let info =
            try encoded?.write(to: store, id: id)
            ?? PendingFlush(buffer, shape: shape, writer: SegmentWriter(id: id, shape: shape, store: store))
            .write(hasLists: hasLists)
        let entry = Manifest.Entry(info: info, stamp: .random(in: 0 ... .max))
        var changes = PendingTotals(shape: shape)
        changes.addInsertions(of: buffer)
        var replaced: [LiveSegment] = []
        for (segment, documents) in buffer.removals {
            guard let entry = try manifest().segments.first(where: { $0.info.id == segment }) else {
                throw corrupt("a removed row is in no segment")
            }
            let live = try self.segment(entry)
            try changes.subtract(documents, of: live.segment)
            var changed = entry
            let deletions = live.deletions.adding(documents, documentCount: entry.info.documentCount)
            changed.deletedCount = deletions.count
            changed.deletionStamp = .random(in: 0 ... .max)
            try deletions.write(pagesOf: documents, segment: segment, store: store)
            replaced.append(LiveSegment(changed, deletions: deletions, successorOf: live))
        }
        try change { manifest in
            try changes.apply(to: &manifest)
            for live in replaced {
                let index = manifest.segments.firstIndex { $0.info.id == live.entry.info.id }
                assert(index != nil, "a changed segment that is not in the manifest")
                if let index { manifest.segments[index] = live.entry }
            }
            manifest.segments.append(entry)
            manifest.nextSegment = max(manifest.nextSegment, id &+ 1)
        }
        for live in replaced { open[live.entry.info.id] = live }
        return entry
    }

    /// Starts with nothing pending. Keeps only what a savepoint may restore.
    func retireBuffer() {
        retire(buffer)
        if transaction.lastSavepoint(of: buffer) != nil { buffer = PendingBuffer(columnCount: shape.columnCount) }
    }

    /// Ends the encoding of rows that are written or removed.
    func retireEncoded() {
        guard let encoded = background else { return }
        background = nil
        encoded.wait()
        retire(encoded.buffer)
    }

    private func retire(_ buffer: PendingBuffer) {
        guard let last = transaction.lastSavepoint(of: buffer) else { return buffer.removeAll() }
        if buffer.byteCount > retainedBound { buffer.shrink(to: last.mark) }
    }
}

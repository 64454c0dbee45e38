import CConcordanceSQLite
import ConcordanceSQLite

/// The index of one table in one connection: what is written, what is pending, and the way from one to the other.
///
/// Rows are added and removed in memory, and written as one segment when the transaction commits (`sync`), or when they
/// take more memory than `memoryBound`. When a query wants to see them (`snapshot`), they become a segment as well, whose
/// pages `BlockStore` keeps in memory until the next statement that writes. The transaction, savepoints included, is
/// that of the connection: SQLite undoes rows of `<t>_data`, and this undoes what is pending.
final class InvertedIndex {
    let store: BlockStore
    let shape: IndexShape

    /// What the special commands set.
    var settings = IndexSettings()

    /// How many bytes pending rows may use before they are written.
    var memoryBound = defaultMemoryBound
    /// Together with the cache of blocks, through which merges read, and what is built while writing, some 70 MB.
    static let defaultMemoryBound = 40 << 20
    /// Segments of so many bytes become `runs`. Where 'hashsize' allows little memory, smaller ones are merged as those of
    /// commits are.
    var runSize = MergePolicy.stepSize
    /// Buffers of fewer bytes are kept for a savepoint as they are; of larger ones, only what is needed.
    var retainedBound = 1 << 20

    /// The manifest as last read or written, or as the current write has changed it.
    var known: Manifest?
    /// How far the transaction has come.
    var transaction = IndexTransaction()
    /// Segments that are open, by id.
    var open: [UInt32: LiveSegment] = [:]
    /// Merges that this connection has worked on, by the segments that they write.
    var merges: [UInt32: Merge] = [:]
    /// How many steps of merges, or merges of small segments, this object has done.
    var mergeStepCount = 0
    /// How many times this object has read all terms of a segment to find those of removed rows.
    var dictionaryScanCount = 0
    private var latestSnapshot: Snapshot?
    private var handedOut: [WeakSnapshot] = []

    var buffer: PendingBuffer
    /// Earlier rows of the transaction, which are being encoded; nil if there are none.
    var background: BackgroundFlush?
    /// Whether rows may be encoded in the background: not if savepoints come so often that they have to wait for it.
    var isBackgroundAllowed = true
    /// How many rows have changed since the last savepoint.
    private var rowsSinceSavepoint = 0
    private let builder: DocumentBuilder
    private var isFilling = false
    /// Whether rows are being changed, all or none of them.
    private var isChanging = false
    private var removedTails = RemovedTails()
    /// The bytes of the segment of pending rows that is staged; nil if none is.
    var stagedByteCount: Int?

    /// The largest segment id that this connection has ever used, rolled back ones included: a cursor that is still open
    /// on a segment that is gone never reads another one.
    var largestSegment: UInt32 = 0

    /// The versions of the manifest that this transaction has found and written.
    var ownVersions: Set<UInt64> = []
    /// Segments from this one on are those of the present transaction.
    private var firstOwnSegment: UInt32 = 0
    /// Of the `runs`, their stamps in the manifest, and perhaps of some that were merged or that a rollback has undone.
    var runStamps: Set<UInt64> = []

    private struct WeakSnapshot { weak var snapshot: Snapshot? }

    init(store: BlockStore, shape: IndexShape) {
        self.store = store
        self.shape = shape
        buffer = PendingBuffer(columnCount: shape.columnCount)
        builder = DocumentBuilder(columnCount: shape.columnCount, terms: buffer.terms)
    }

    /// Writes the manifest of an index without rows into the empty table `<t>_data`.
    static func create(store: BlockStore, shape: IndexShape, firstSegment: UInt32 = 1) throws {
        var manifest = Manifest(columnCount: shape.columnCount)
        manifest.nextSegment = firstSegment
        manifest.version = .random(in: 0 ... .max)
        try manifest.encode(shape: shape).withUnsafeBytes { try store.write(Manifest.rowID, $0) }
    }

    // MARK: - The manifest

    /// The manifest as the connection sees it now. Reads one row and, if another connection or a rollback has changed
    /// it, decodes it.
    func manifest() throws -> Manifest {
        try transaction.checkOrder()
        if transaction.hasBegun, let known { return known }
        let latest = known
        let found = try store.withRow(Manifest.rowID) { bytes -> Manifest in
            if let latest, try Manifest.version(of: bytes) == latest.version { return latest }
            return try Manifest(bytes, shape: shape)
        }
        guard let fresh = found else { throw corrupt("the index has no manifest") }
        if fresh.version == latest?.version { return fresh }
        try store.checkSize(fresh.segments.reduce(0) { $0 + $1.info.byteCount })
        known = fresh
        largestSegment = max(largestSegment, fresh.nextSegment &- 1)
        let ids = Set(fresh.segments.map(\.info.id))
        open = open.filter { ids.contains($0.key) }
        return fresh
    }

    /// Makes sure that the manifest is the one that this write transaction changes.
    func beginWriting() throws {
        guard !isFilling else { throw failure("the table is written to by its own tokenizer") }
        try transaction.checkOrder()
        guard !transaction.hasBegun else { return }
        let manifest = try manifest()
        known = manifest
        ownVersions = [manifest.version]
        firstOwnSegment = max(manifest.nextSegment, largestSegment &+ 1)
        runStamps = []
        isBackgroundAllowed = true
        rowsSinceSavepoint = 0
        transaction.begin()
    }

    /// Changes the manifest; inside `write`, which then writes it.
    func change(_ body: (inout Manifest) throws -> Void) throws {
        var manifest = try manifest()
        try body(&manifest)
        manifest.version = .random(in: 0 ... .max)
        known = manifest
        transaction.noteManifest(isChanged: true)
        latestSnapshot = nil
    }

    /// Stages nothing: `known` is the manifest of what is staged.
    private func writeManifest() throws {
        guard transaction.isManifestChanged, !store.isStaging else { return }
        guard let known else { return assertionFailure("a changed manifest that is not known") }
        try known.encode(shape: shape).withUnsafeBytes { try store.write(Manifest.rowID, $0) }
        transaction.noteManifest(isChanged: false)
    }

    /// The id of a segment to write.
    func makeSegmentID() throws -> UInt32 {
        let id = try max(manifest().nextSegment, largestSegment &+ 1)
        guard id <= Manifest.maximumSegmentID else { throw failure("the index has used up its segment numbers") }
        largestSegment = id
        transaction.noteWriting(to: id)
        return id
    }

    /// Pages are about to be written of a segment that a merge of this or an earlier transaction writes.
    func noteWriting(to segment: UInt32) { transaction.noteWriting(to: segment) }

    /// Drops open segments that are no longer in the manifest.
    func close(_ segments: [UInt32]) {
        for segment in segments { open[segment] = nil }
    }

    /// The segment of an entry of the manifest.
    func segment(_ entry: Manifest.Entry) throws -> LiveSegment {
        let known = open[entry.info.id]
        if let known, known.entry == entry { return known }
        let live: LiveSegment
        if let known, known.entry.stamp == entry.stamp {
            if known.entry.valueStamp != entry.valueStamp {
                store.forget(BlockStore.ids(ofSegment: entry.info.id, stream: SegmentStream.values.rawValue))
            }
            live = LiveSegment(entry, deletions: try Deletions.read(entry, store: store), successorOf: known)
        } else {
            // The cache may have stored values of another state, which a rollback has undone.
            if known != nil || !shape.valueColumns.isEmpty { store.forget(BlockStore.ids(ofSegment: entry.info.id)) }
            live = LiveSegment(
                entry, segment: try Segment(entry.info, shape: shape, store: store),
                deletions: try Deletions.read(entry, store: store))
        }
        open[entry.info.id] = live
        return live
    }

    // MARK: - Reading

    /// The index as it is now, pending rows included, as a segment that is staged.
    ///
    /// Nothing is written, so that a query can be interrupted, and can fail, without harm to the transaction.
    ///
    ///     SELECT block FROM t_data WHERE id = 1
    func snapshot() throws -> Snapshot {
        try checkUnchanging()
        try stagePending()
        let manifest = try manifest()
        if let latestSnapshot, latestSnapshot.version == manifest.version { return latestSnapshot }
        let snapshot = Snapshot(manifest, segments: try manifest.segments.map(segment))
        latestSnapshot = snapshot
        handedOut.removeAll { $0.snapshot == nil }
        handedOut.append(WeakSnapshot(snapshot: snapshot))
        return snapshot
    }

    /// Whether a snapshot in use has that segment.
    func isInUse(_ id: UInt32) -> Bool {
        handedOut.contains { $0.snapshot?.segments.contains { $0.entry.info.id == id } ?? false }
    }

    /// Whether there is such a row, pending ones included.
    func contains(_ rowID: Int64) throws -> Bool {
        switch buffer.row(rowID) {
        case .inserted: true
        case .removed: false
        case .untouched: try isInBackground(rowID) || locate(rowID) != nil
        }
    }

    /// Whether the rows that are being encoded have a row.
    private func isInBackground(_ rowID: Int64) -> Bool {
        background.map { $0.buffer.row(rowID) != .untouched } ?? false
    }

    /// Where the segments have a row.
    func locate(_ rowID: Int64) throws -> (segment: LiveSegment, document: UInt32)? {
        for entry in try manifest().segments.reversed()
        where rowID >= entry.info.minimumRowID && rowID <= entry.info.maximumRowID && entry.liveCount > 0 {
            let live = try segment(entry)
            if let document = try live.document(withRowID: rowID) { return (live, document) }
        }
        return nil
    }

    /// The largest rowid, pending rows included; nil if there are no rows.
    func maximumRowID() throws -> Int64? {
        var result = [buffer.maximumRowID, background?.maximumRowID].compactMap(\.self).max()
        let entries = try manifest().segments.sorted { $0.info.maximumRowID > $1.info.maximumRowID }
        for entry in entries where entry.liveCount > 0 {
            if let result, entry.info.maximumRowID <= result { break }
            let live = try segment(entry)
            var end = removedTails.start(entry)
            while end > 0 {
                if let rowID = try largest(live, before: end) {
                    result = max(result ?? rowID, rowID)
                    break
                }
                end -= 1
            }
            removedTails.note(entry, from: end)
        }
        return result
    }

    /// The rowid of the document before `end`; nil if that is removed.
    private func largest(_ live: LiveSegment, before end: Int) throws -> Int64? {
        guard !live.deletions.isDeleted(UInt32(truncatingIfNeeded: end - 1)) else { return nil }
        let rowID = try live.segment.rowID(at: end - 1)
        return buffer.row(rowID) == .untouched ? rowID : nil
    }

    // MARK: - Rows

    /// Adds a row, whose tokens `fill` supplies; an existing one is removed first. When this throws, it has changed
    /// nothing.
    func insert(_ rowID: Int64, _ fill: (DocumentBuilder) throws -> Void) throws {
        try change {
            _ = try remove(rowID, oldText: nil)
            let event = buffer.begin(rowID: rowID)
            try self.fill(event, hasPlaces: true, fill)
            buffer.complete(event, as: .insertion, builder)
        }
    }

    /// Removes a row; false if there is none. When this throws, it has changed nothing.
    ///
    /// - Parameter oldText: Supplies the row's tokens, from which its terms are known without a search. They are
    ///   verified, so wrong ones do no harm.
    func delete(_ rowID: Int64, oldText: ((DocumentBuilder) throws -> Void)?) throws -> Bool {
        try change { try remove(rowID, oldText: oldText) }
    }

    /// Replaces the tokens of a row, if the new ones differ. When this throws, it has changed nothing.
    ///
    /// They are compared as `concordance_is_current` compares them, while they are collected: nothing is tokenized
    /// twice, and nothing that is pending has to be written for it.
    ///
    /// - Parameter fill: Supplies the tokens.
    func refresh(_ rowID: Int64, _ fill: (DocumentBuilder) throws -> Void) throws {
        try change {
            // Events are dead until they are completed, and are numbered in the order of completion.
            let row = buffer.row(rowID)
            let old = row == .untouched ? try locateWritten(rowID) : nil
            let removal = old.map {
                buffer.begin(rowID: rowID, segment: $0.segment.entry.info.id, document: $0.document)
            }
            let insertion = buffer.begin(rowID: rowID)
            try self.fill(insertion, hasPlaces: true, fill)
            if case .inserted(let event) = row {
                if buffer.holds(event, builder) {
                    try setValues(builder.values, of: rowID)
                    return
                }
                buffer.kill(event)
            } else if let old, let removal {
                if try holds(old.segment.segment, Int(old.document)) {
                    let place = PendingBuffer.ValueChange.Place(
                        segment: old.segment.entry.info.id, document: old.document)
                    let isCurrent =
                        try buffer.changedValues(of: place) == nil
                        && old.segment.values.has(builder.values.bytes, ofDocument: Int(old.document))
                    if !isCurrent { try setValues(builder.values, of: rowID) }
                    return
                }
                buffer.complete(removal, as: .unresolvedRemoval, nil)
            }
            buffer.complete(insertion, as: .insertion, builder)
        }
    }

    /// Whether a document has the tokens that the builder has collected.
    private func holds(_ segment: Segment, _ document: Int) throws -> Bool {
        guard builder.fingerprint == (try segment.fingerprint(at: document)) else { return false }
        return try segment.withColumnLengths { lengths in
            try segment.columnLengths(at: document, into: lengths)
            return lengths.indices.allSatisfy { builder.length(ofColumn: $0) == lengths[$0] }
        }
    }

    /// Replaces the stored values of a row; its tokens stay, and are not read. When this throws, it has changed
    /// nothing.
    ///
    /// - Parameter fill: Appends the values of all VALUE columns (`RowValues`).
    /// - Returns: False if there is no such row.
    func setValues(_ rowID: Int64, _ fill: (ByteWriter) throws -> Void) throws -> Bool {
        try change {
            builder.values.removeAll()
            try fill(builder.values)
            return try setValues(builder.values, of: rowID)
        }
    }

    @discardableResult
    private func setValues(_ values: ByteWriter, of rowID: Int64) throws -> Bool {
        guard !shape.valueColumns.isEmpty else { return true }
        switch buffer.row(rowID) {
        case .removed: return false
        case .inserted(let event): buffer.setValues(values.bytes, ofEvent: event)
        case .untouched:
            guard let (live, document) = try locateWritten(rowID) else { return false }
            buffer.setValues(values.bytes, of: .init(segment: live.entry.info.id, document: document))
        }
        return true
    }

    /// A statement is about to change a row. What is staged is written before the content is changed, since SQLite does not undo
    /// that if a statement of one row fails.
    func beginStatement() throws {
        try checkUnchanging()
        try writeStaged()
    }

    /// A function that a trigger on the content calls may use the table at any time.
    private func checkUnchanging() throws {
        guard !isChanging else { throw failure("the table is used while one of its rows is being changed") }
    }

    /// Runs `body`, which changes rows. If it throws, the index is as before.
    func change<Result>(_ body: () throws -> Result) throws -> Result {
        try beginWriting()
        guard !isChanging else { return try body() }
        try writeStaged()
        let pending = buffer
        let mark = pending.mark
        isChanging = true
        defer { isChanging = false }
        do {
            let result = try body()
            rowsSinceSavepoint &+= 1
            try flushIfLarge()
            return result
        } catch {
            pending.rollback(to: mark)
            removedTails.forget()
            throw error
        }
    }

    private func fill(_ event: UInt32, hasPlaces: Bool, _ body: (DocumentBuilder) throws -> Void) throws {
        isFilling = true
        defer { isFilling = false }
        builder.begin(event, hasPlaces: hasPlaces, terms: buffer.terms)
        try body(builder)
        builder.end()
        guard !buffer.terms.isFull else {
            throw DatabaseError(resultCode: .SQLITE_TOOBIG, message: "the row has too many tokens to be indexed")
        }
    }

    /// Where the segments have a row that is about to change, once it is written.
    private func locateWritten(_ rowID: Int64) throws -> (segment: LiveSegment, document: UInt32)? {
        if isInBackground(rowID) { try writeEncoded() }
        let found = try locate(rowID)
        guard let found, !found.segment.segment.hasLists else { return found }
        try mergeUnlistedRuns()
        return try locate(rowID)
    }

    private func remove(_ rowID: Int64, oldText: ((DocumentBuilder) throws -> Void)?) throws -> Bool {
        switch buffer.row(rowID) {
        case .removed: return false
        case .inserted(let event):
            buffer.kill(event)
            return true
        case .untouched: break
        }
        guard let (live, document) = try locateWritten(rowID) else { return false }
        let segment = live.entry.info.id
        if let oldText, shape.hasAdjustments {
            let event = buffer.begin(rowID: rowID, segment: segment, document: document)
            try fill(event, hasPlaces: false, oldText)
            if builder.fingerprint == (try live.segment.fingerprint(at: Int(document))) {
                buffer.complete(event, as: .removal, builder)
                return true
            }
        }
        let event = buffer.begin(rowID: rowID, segment: segment, document: document)
        buffer.complete(event, as: .unresolvedRemoval, nil)
        return true
    }

    /// Removes all rows, at the cost of deleting the rows of `<t>_data`.
    func deleteAll() throws {
        try beginWriting()
        let outputs = try segmentsUnderConstruction
        merges = [:]
        try write {
            try change { manifest in
                manifest.garbage += manifest.segments.map(\.info.id) + outputs
                manifest.segments = []
                manifest.mergeState = []
                manifest.rowCount = 0
                manifest.totalTokens = Array(repeating: 0, count: shape.columnCount)
            }
            try collectGarbage(limit: .max)
        }
        retireEncoded()
        retireBuffer()
    }

    // MARK: - Transactions

    /// A savepoint begins, before which what is staged and what is being encoded are written. If it is by the statement
    /// `SAVEPOINT`, what is pending is, too: rolling back to it may undo that the table was dropped.
    func savepoint(_ number: Int, isByStatement: @autoclosure () -> Bool) throws {
        let writesPending = buffer.hasChanges && isByStatement()
        if let background, rowsSinceSavepoint < background.buffer.liveCount / 4 { isBackgroundAllowed = false }
        rowsSinceSavepoint = 0
        do {
            if writesPending || background != nil || store.hasStaged, !transaction.isWriting, try ownsManifest() == true
            {
                if writesPending { try flush() } else { try writeStaged() }
                try writeEncoded()
            }
        } catch {
            transaction.failSavepoint(number)
            throw error
        }
        transaction.savepoint(number, buffer)
    }

    /// Savepoints from this number on end; their changes stay.
    func release(_ number: Int) { transaction.release(number) }

    /// The changes since this savepoint are undone; it stays.
    func rollback(to number: Int) { undo(.toSavepoint(number)) }

    /// The transaction is undone.
    func rollback() { undo(.whole) }

    /// Follows SQLite, which has undone changes of `<t>_data`; at the end of `write` if one is in progress.
    private func undo(_ rollback: IndexTransaction.Rollback) {
        guard let undone = transaction.undo(rollback) else { return }
        store.discardStaged()
        background = nil
        if let savepoint = undone.savepoint {
            buffer = savepoint.buffer
            buffer.rollback(to: savepoint.mark)
        } else {
            buffer.removeAll()
        }
        forget()
        guard let first = undone.firstSegment else { return }
        open = open.filter { $0.key < first }
        let last = BlockStore.ids(ofSegment: Manifest.maximumSegmentID).upperBound
        store.forget(BlockStore.ids(ofSegment: first).lowerBound...last)
    }

    /// Reads the manifest again.
    private func forget() {
        known = nil
        latestSnapshot = nil
        removedTails.forget()
    }

    /// Writes what is pending, and merges the runs; the last moment at which a commit can fail.
    func sync() throws {
        guard transaction.hasBegun else { return }
        try transaction.checkOrder()
        guard try ownsTable() else { return }
        try flush(asRun: !runStamps.isEmpty)
        let runs = try runs
        if settings.secureDelete { try eraseRemoved(since: firstOwnSegment) }
        if !runs.isEmpty { try write { try mergeRuns(byteCount: Self.byteCount(of: runs)) } }
    }

    /// The transaction is committed.
    func commit() {
        transaction.end()
        background = nil
        buffer.removeAll()
    }

    // MARK: - Writing

    /// Writes what is staged, runs `body`, which changes rows of `<t>_data` and the manifest, and writes the manifest.
    ///
    /// SQLite may roll back in the middle, when a disk is full or memory runs out; the index follows when `body` has ended.
    /// If it fails before a row is written, for example while `PRAGMA query_only` is on, everything is as before.
    func write(_ body: () throws -> Void) throws {
        try transaction.beginWrite()
        let (writeCount, manifest, segments) = (store.writeCount, known, open)
        let rowID = csqlite_last_insert_rowid(store.connection)
        defer { csqlite_set_last_insert_rowid(store.connection, rowID) }
        do {
            if store.hasStaged {
                try store.writeStaged()
                transaction.noteManifest(isChanged: true)
            }
            try body()
            try writeManifest()
        } catch {
            if let rollback = transaction.endWrite() {
                undo(rollback)
            } else if store.writeCount == writeCount {
                (known, open, latestSnapshot, merges) = (manifest, segments, nil, [:])
            }
            if store.writeCount != writeCount { transaction.fail(error) }
            throw error
        }
        guard let rollback = transaction.endWrite() else {
            if let known { ownVersions.insert(known.version) }
            return
        }
        undo(rollback)
        throw DatabaseError(resultCode: .SQLITE_ABORT_ROLLBACK)
    }
}

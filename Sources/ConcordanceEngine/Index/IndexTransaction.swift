import ConcordanceSQLite

/// The state of an index in the transaction of its connection: what it is doing, and what a rollback restores.
///
///                begin             beginWrite
///     unchanged ───────▶ changing ────────────▶ writing rows
///         ▲                ▲    ▲                 │     │
///         │ end, undo      │    └──── endWrite ───┘     │ endWrite, fail
///         └────────────────┤                            ▼
///                          └────────── undo ────── in disorder
///                          (to a savepoint from before the write)
///
/// SQLite may roll back savepoints or the transaction while rows of `<t>_data` are being written, because the disk is
/// full or memory has run out. The request then waits for `endWrite`.
struct IndexTransaction {
    /// A state of the pending rows that a rollback may restore.
    struct Savepoint {
        var number: Int
        var buffer: PendingBuffer
        var mark: PendingBuffer.Mark
    }

    /// What SQLite rolls back, in ascending order of reach.
    enum Rollback: Comparable {
        /// The changes since the savepoint with that number.
        case toSavepoint(Int)
        /// The whole transaction, which ends.
        case whole

        static func < (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.toSavepoint(let left), .toSavepoint(let right)): left > right
            case (.toSavepoint, .whole): true
            case (.whole, _): false
            }
        }
    }

    /// What the index does after a rollback.
    struct Undone {
        /// The state to restore; nil if nothing stays pending.
        var savepoint: Savepoint?
        /// The first segment that the transaction may have written.
        var firstSegment: UInt32?
    }

    private enum Phase {
        /// Rows are added and removed in memory.
        case changing
        /// Rows of `<t>_data` are being written, and the manifest, once it has changed. `due` is what SQLite has undone
        /// meanwhile.
        case writing(isManifestChanged: Bool, due: Rollback?)
        /// A write has failed halfway; only a rollback restores order, to a savepoint from before the write, of which there are
        /// `savepointCount`, or of the whole transaction.
        case disorder(any Error, savepointCount: Int)
    }

    private struct Changes {
        var phase: Phase = .changing
        var firstSegment: UInt32?
    }

    /// What this index is doing; nil while it has changed nothing and others may change its manifest.
    private var changes: Changes?
    /// The open savepoints, by ascending numbers. SQLite reports them even before the first change.
    private var savepoints: [Savepoint] = []
    /// So many outer savepoints are open that are older than the first one that SQLite has reported: that was the innermost.
    private var olderSavepointCount = 0
    /// The last savepoint, if it has failed. SQLite then does not open it, but goes back to it as if it were open.
    private var failedSavepoint: Int?

    // MARK: - Changes

    /// Whether the index changes in this transaction, so that nobody else changes it.
    var hasBegun: Bool { changes != nil }

    /// Whether rows of `<t>_data` are being written.
    var isWriting: Bool {
        if case .writing = changes?.phase { true } else { false }
    }

    /// Whether the manifest has changed and is not yet written.
    var isManifestChanged: Bool {
        if case .writing(isManifestChanged: true, due: _) = changes?.phase { true } else { false }
    }

    /// Throws the error that left the rows in disorder.
    func checkOrder() throws {
        if case .disorder(let error, _) = changes?.phase { throw error }
    }

    /// The first change is about to be made.
    mutating func begin() {
        assert(changes == nil, "a transaction that has begun")
        if changes == nil { changes = Changes() }
    }

    /// The transaction is committed.
    mutating func end() {
        switch changes?.phase {
        case nil, .changing?: break
        case .writing?, .disorder?: assertionFailure("a commit of rows that are half written")
        }
        self = Self()
    }

    // MARK: - Writing rows

    /// Rows of `<t>_data` are about to be written.
    mutating func beginWrite() throws {
        switch changes?.phase {
        case .changing?: changes?.phase = .writing(isManifestChanged: false, due: nil)
        case .writing?: throw failure("the table is being written to")
        case .disorder(let error, _)?: throw error
        case nil:
            assertionFailure("rows are written before a transaction has begun")
            throw failure("the table is not being changed")
        }
    }

    /// The manifest has changed, or has been written.
    mutating func noteManifest(isChanged: Bool) {
        guard case .writing(_, let due) = changes?.phase else {
            return assertionFailure("the manifest changes where no rows are written")
        }
        changes?.phase = .writing(isManifestChanged: isChanged, due: due)
    }

    /// Pages of a segment are about to be written: a new one, or one that a merge is making.
    mutating func noteWriting(to segment: UInt32) {
        assert(isWriting, "a segment is written where no rows are")
        let first = changes?.firstSegment ?? segment
        changes?.firstSegment = min(first, segment)
    }

    /// The rows are written, or writing one of them has failed. Returns what SQLite has rolled back meanwhile.
    mutating func endWrite() -> Rollback? {
        guard case .writing(_, let due) = changes?.phase else {
            assertionFailure("the end of a write that has not begun")
            return nil
        }
        changes?.phase = .changing
        return due
    }

    /// A write has failed, after `endWrite` and the rollback that it returned. If the transaction continues, some of
    /// the rows may have been written.
    mutating func fail(_ error: any Error) {
        assert(!isWriting, "a write that fails before it has ended")
        changes?.phase = .disorder(error, savepointCount: savepoints.count)
    }

    // MARK: - Savepoints

    /// The innermost savepoint at which something was pending in `buffer`.
    func lastSavepoint(of buffer: PendingBuffer) -> Savepoint? {
        savepoints.last { $0.buffer === buffer && !$0.mark.isStart }
    }

    /// A savepoint begins, which is only noted. If it is already known, or older than what is known, nothing changes: a second
    /// object of the table has joined the transaction within it.
    mutating func savepoint(_ number: Int, _ buffer: PendingBuffer) {
        failedSavepoint = nil
        if number < olderSavepointCount { return }
        if let last = savepoints.last, last.number >= number { return }
        if savepoints.isEmpty { olderSavepointCount = number }
        savepoints.append(Savepoint(number: number, buffer: buffer, mark: buffer.mark))
    }

    /// What has to be written before a savepoint begins could not be written.
    mutating func failSavepoint(_ number: Int) { failedSavepoint = number }

    /// Savepoints from this number on end; their changes stay.
    mutating func release(_ number: Int) {
        while let last = savepoints.last, last.number >= number { savepoints.removeLast() }
        olderSavepointCount = min(olderSavepointCount, number)
        if case .disorder(let error, let count) = changes?.phase {
            changes?.phase = .disorder(error, savepointCount: min(count, savepoints.count))
        }
    }

    // MARK: - Going back

    /// SQLite has undone changes. Returns what the index does about it; nil if there are none since the savepoint, and while rows
    /// are being written, whose end then returns the most far-reaching request.
    ///
    /// A savepoint whose number is not known is older than the first change, or was released since; -1 is the
    /// transaction itself. Going back to any of these undoes all, but does not end the transaction.
    mutating func undo(_ rollback: Rollback) -> Undone? {
        if case .writing(let isManifestChanged, let due) = changes?.phase {
            changes?.phase = .writing(isManifestChanged: isManifestChanged, due: max(due ?? rollback, rollback))
            return nil
        }
        if case .toSavepoint(let number) = rollback, number == failedSavepoint { return nil }
        failedSavepoint = nil
        var undone = Undone(savepoint: nil, firstSegment: changes?.firstSegment)
        switch rollback {
        case .whole: self = Self()
        case .toSavepoint(let number):
            let end = savepoints.firstIndex { $0.number == number }.map { $0 + 1 } ?? 0
            if case .disorder(_, let count) = changes?.phase, end > count {
                // What the failed write has left is older than the savepoint.
            } else {
                changes?.phase = .changing
            }
            savepoints.removeSubrange(end...)
            olderSavepointCount = min(olderSavepointCount, number + 1)
            undone.savepoint = savepoints.last
        }
        return undone
    }
}

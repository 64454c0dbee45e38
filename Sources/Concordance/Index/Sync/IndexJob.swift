/// Work on an index that is done in parts, between which others can write.
protocol IndexJob: Sendable {
    /// Whether there is anything to do. Only reads.
    func isNeeded(in db: Database) throws -> Bool
    /// The number of rows, for the progress.
    func rowCount(in db: Database) throws -> Int
    /// Whether the next part writes.
    var writes: Bool { get }
    /// Does a part of the work, up to the deadline but at least one row; all of it without a deadline.
    ///
    /// - Returns: The phase and the number of rows done; nil when nothing is left.
    mutating func advance(in db: Database, until deadline: ContinuousClock.Instant?) throws -> IndexStep?
    /// Removes what cannot be completed because of an error, in a transaction after the failed one.
    func discard(in db: Database) throws
}

/// What a part of a job has left.
struct IndexStep: Sendable {
    let phase: IndexProgress.Phase
    let rowsDone: Int
}

/// A job after one part of it.
private struct Turn<Job: IndexJob>: Sendable {
    var job: Job
    let step: IndexStep?
    /// When the transaction had begun.
    let start: ContinuousClock.Instant
    /// Whether others wait for the writing connection.
    let hasLine: Bool
    /// The `data_version` of the connection, if it is the writing one.
    let version: Int?

    init(_ job: Job, in db: Database, until budget: Duration, hasLine: () -> Bool) throws {
        var job = job
        start = ContinuousClock.now
        version = job.writes ? try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) : nil
        step = try job.advance(in: db, until: start + budget)
        self.job = job
        self.hasLine = job.writes && hasLine()
    }
}

extension DatabaseWriter {
    /// Does a job, part by part, on the calling thread; returns its final state.
    func run<Job: IndexJob>(_ job: Job, progress: ((IndexProgress) throws -> Void)?) throws -> Job {
        ConcordanceSearch.enable(on: self)
        guard try read({ try job.isNeeded(in: $0) }) else { return job }
        let total = try progress.map { _ in try read { try job.rowCount(in: $0) } } ?? 0
        var job = job
        var pace = IndexPace(path: path)
        let checkpointer = Checkpointer(for: self)
        defer { checkpointer?.close() }
        while true {
            let turn: Turn<Job>
            do {
                let (current, budget) = (job, pace.budget)
                turn =
                    job.writes
                    ? try writeWithoutTransaction { db in
                        try db.inTransaction(checkpointing: checkpointer) {
                            try Turn(current, in: $0, until: budget, hasLine: { self.hasWaitingWriters })
                        }
                    }
                    : try read { try Turn(current, in: $0, until: budget, hasLine: { self.hasWaitingWriters }) }
            } catch {
                if error.isLasting { try? write { try job.discard(in: $0) } }
                throw error
            }
            pace.took(ContinuousClock.now - turn.start, version: turn.version, hasLine: turn.hasLine)
            job = turn.job
            try progress?(IndexProgress(turn.step, total: total))
            guard turn.step != nil else { return job }
            checkpointer?.advance()
            pace.rest()
        }
    }

    /// Does a job, part by part. Cancelling the task ends it between two parts.
    func run<Job: IndexJob>(
        _ job: Job, progress: (@Sendable (IndexProgress) throws -> Void)?
    ) async throws -> Job {
        let checkpointer = Checkpointer(for: self)
        do {
            let done = try await run(job, checkpointer, progress: progress)
            await checkpointer?.close()
            return done
        } catch {
            await checkpointer?.close()
            throw error
        }
    }

    private func run<Job: IndexJob>(
        _ job: Job, _ checkpointer: Checkpointer?, progress: (@Sendable (IndexProgress) throws -> Void)?
    ) async throws -> Job {
        ConcordanceSearch.enable(on: self)
        let first = job
        guard try await read({ try first.isNeeded(in: $0) }) else { return job }
        let total = progress == nil ? 0 : try await read { try first.rowCount(in: $0) }
        var job = job
        var pace = IndexPace(path: path)
        while true {
            let (current, budget) = (job, pace.budget)
            let turn: Turn<Job>
            do {
                turn =
                    job.writes
                    ? try await writeWithoutTransaction { db in
                        try db.inTransaction(checkpointing: checkpointer) {
                            try Turn(current, in: $0, until: budget, hasLine: { self.hasWaitingWriters })
                        }
                    }
                    : try await read { try Turn(current, in: $0, until: budget, hasLine: { self.hasWaitingWriters }) }
            } catch {
                if error.isLasting { try? await write { try current.discard(in: $0) } }
                throw error
            }
            pace.took(ContinuousClock.now - turn.start, version: turn.version, hasLine: turn.hasLine)
            job = turn.job
            try progress?(IndexProgress(turn.step, total: total))
            guard turn.step != nil else { return job }
            await checkpointer?.advance()
            try await pace.rest()
        }
    }
}

extension IndexProgress {
    fileprivate init(_ step: IndexStep?, total: Int) {
        let done = step?.rowsDone ?? total
        self.init(phase: step?.phase ?? .finished, rowsDone: done, rowsTotal: max(total, done))
    }
}

extension Error {
    /// Whether the error would occur again. It would not if others, or a request, have stopped the work.
    fileprivate var isLasting: Bool {
        guard let code = (self as? DatabaseError)?.resultCode else { return false }
        return ![.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT, .SQLITE_IOERR, .SQLITE_MISUSE].contains(code)
    }
}

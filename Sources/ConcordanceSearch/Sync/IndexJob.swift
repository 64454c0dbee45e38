import CConcordanceSQLite
import ConcordanceSQLite

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

/// What is known about a job before its first part.
private struct Beginning: Sendable {
    let isNeeded: Bool
    let rowCount: Int
    /// Whether nobody else can reach the database.
    let isPrivate: Bool
    let hasWriteAheadLog: Bool

    init(_ job: some IndexJob, counting: Bool, in db: Database) throws {
        isNeeded = try job.isNeeded(in: db)
        rowCount = isNeeded && counting ? try job.rowCount(in: db) : 0
        isPrivate = try csqlite_db_filename(db.sqliteConnection, "main").map { $0.pointee == 0 } ?? true
        hasWriteAheadLog = isNeeded && !isPrivate && db.hasWriteAheadLog
    }
}

extension ConnectionWriter {
    /// Does a job, part by part, on the calling thread; returns its final state.
    func run<Job: IndexJob>(
        _ job: Job, _ pace: IndexingPace = .considerate, progress: ((IndexProgress) throws -> Void)?
    ) throws -> Job {
        SearchSupport.enable(on: self)
        let beginning = try read { try Beginning(job, counting: progress != nil, in: $0) }
        guard beginning.isNeeded else { return job }
        var job = job
        var pace = IndexPace(pace, isPrivate: beginning.isPrivate)
        let checkpointer = beginning.hasWriteAheadLog ? Checkpointer(for: self) : nil
        defer { checkpointer?.close() }
        while true {
            let (current, budget) = (job, pace.budget)
            let failure = JobFailure()
            let turn: Turn<Job>
            do {
                turn =
                    job.writes
                    ? try writeWithoutTransaction { try part(of: current, budget, checkpointer, failure, in: $0) }
                    : try read { try part(of: current, budget, failure, in: $0) }
            } catch {
                if failure.isLasting { try? write { try job.discard(in: $0) } }
                throw error
            }
            pace.took(ContinuousClock.now - turn.start, version: turn.version, hasLine: turn.hasLine)
            job = turn.job
            try progress?(IndexProgress(turn.step, total: beginning.rowCount))
            guard turn.step != nil else { return job }
            checkpointer?.advance()
            pace.rest()
        }
    }

    /// Does a job, part by part. Cancelling the task ends it between two parts.
    func run<Job: IndexJob>(
        _ job: Job, _ pace: IndexingPace = .considerate, progress: (@Sendable (IndexProgress) throws -> Void)?
    ) async throws -> Job {
        SearchSupport.enable(on: self)
        let isCounting = progress != nil
        let beginning = try await read { try Beginning(job, counting: isCounting, in: $0) }
        guard beginning.isNeeded else { return job }
        let checkpointer = beginning.hasWriteAheadLog ? Checkpointer(for: self) : nil
        do {
            let pace = IndexPace(pace, isPrivate: beginning.isPrivate)
            let done = try await run(job, beginning, pace, checkpointer, progress: progress)
            await checkpointer?.close()
            return done
        } catch {
            await checkpointer?.close()
            throw error
        }
    }

    private func run<Job: IndexJob>(
        _ job: Job, _ beginning: Beginning, _ pace: IndexPace, _ checkpointer: Checkpointer?,
        progress: (@Sendable (IndexProgress) throws -> Void)?
    ) async throws -> Job {
        var job = job
        var pace = pace
        while true {
            let (current, budget) = (job, pace.budget)
            let failure = JobFailure()
            let turn: Turn<Job>
            do {
                turn =
                    job.writes
                    ? try await writeWithoutTransaction {
                        try self.part(of: current, budget, checkpointer, failure, in: $0)
                    }
                    : try await read { try self.part(of: current, budget, failure, in: $0) }
            } catch {
                if failure.isLasting { try? await write { try current.discard(in: $0) } }
                throw error
            }
            pace.took(ContinuousClock.now - turn.start, version: turn.version, hasLine: turn.hasLine)
            job = turn.job
            try progress?(IndexProgress(turn.step, total: beginning.rowCount))
            guard turn.step != nil else { return job }
            await checkpointer?.advance()
            try await pace.rest()
        }
    }

    /// A part of a job that writes.
    private func part<Job: IndexJob>(
        of job: Job, _ budget: Duration, _ checkpointer: Checkpointer?, _ failure: JobFailure, in db: Database
    ) throws -> Turn<Job> {
        try failure.noting {
            try db.inTransaction(checkpointing: checkpointer) {
                try Turn(job, in: $0, until: budget, hasLine: { self.hasWaitingWriters })
            }
        }
    }

    /// A part of a job that reads, in the open transaction.
    private func part<Job: IndexJob>(
        of job: Job, _ budget: Duration, _ failure: JobFailure, in db: Database
    ) throws -> Turn<Job> {
        try failure.noting { try Turn(job, in: db, until: budget, hasLine: { self.hasWaitingWriters }) }
    }
}

/// The error of a part of a job, before the lender of the connection has replaced it by an error of its own.
private final class JobFailure: Sendable {
    private let error = Locked<(any Error)?>(nil)

    func noting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            self.error.withLock { $0 = error }
            throw error
        }
    }

    /// Whether the error would occur again: not if others, or a request, have stopped the work, or something was short for a
    /// while.
    var isLasting: Bool {
        guard let code = (error.withLock { $0 } as? DatabaseError)?.resultCode else { return false }
        return ![
            .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_IOERR, .SQLITE_NOMEM,
            .SQLITE_CANTOPEN, .SQLITE_PROTOCOL, .SQLITE_SCHEMA, .SQLITE_MISUSE,
        ].contains(code)
    }
}

extension IndexProgress {
    fileprivate init(_ step: IndexStep?, total: Int) {
        let done = step?.rowsDone ?? total
        self.init(phase: step?.phase ?? .finished, rowsDone: done, rowsTotal: max(total, done))
    }
}

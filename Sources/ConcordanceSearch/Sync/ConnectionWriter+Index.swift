extension ConnectionReader {
    /// Returns the state of the index in the database. Reads no rows of the indexed table (`verify` does).
    ///
    /// - Throws: `SearchIndexError` if the definition does not fit the database; `DatabaseError`.
    public func indexState<Record>(of index: SearchIndex<Record>) throws -> IndexState {
        SearchSupport.enable(on: self)
        return try read { try $0.indexState(of: index) }
    }

    /// Returns the state of the index in the database; cancelled with its task.
    public func indexState<Record>(of index: SearchIndex<Record>) async throws -> IndexState {
        SearchSupport.enable(on: self)
        return try await read { try $0.indexState(of: index) }
    }
}

extension ConnectionWriter {
    /// Creates the index and everything that belongs to it, or brings it up to date.
    ///
    /// ```swift
    /// try await dbPool.install(reminderTexts)
    /// ```
    ///
    /// Call it whenever the app starts. If the index is as its definition says, there is nothing to do, and nothing is
    /// written. Otherwise:
    ///
    /// - A new index gets its triggers and follows its tables at once; existing rows are added in batches, and can be
    ///   found as soon as they are added.
    /// - An index with another definition (fields, analyzer, prefixes) stays in use while the new one is built beside
    ///   it; then they are swapped. Changed weights alone only change a setting. The definition installed last applies,
    ///   even if it is that of an older version of the app.
    /// - Triggers that are missing or were changed, as by rebuilding a table in a migration, are created again, and
    ///   entries that differ from their rows are rebuilt with them.
    ///
    /// The work is done in short transactions, between which others can write. If it is interrupted, even by the end of
    /// the process, the next call continues. Several processes may call it at once.
    ///
    /// For a pool's file, `install` opens one more connection, prepared like the pool's, which checkpoints the WAL
    /// between these transactions, so that no writer waits for it; unless `PRAGMA wal_autocheckpoint` is 0.
    ///
    /// - Parameters:
    ///   - index: The index to install.
    ///   - pace: How the work shares the database with other writers.
    ///   - progress: Called after each transaction; an error that it throws stops the work, which can continue later.
    /// - Throws: `SearchIndexError` if the definition does not fit the database, or another definition of the same name
    ///   was installed meanwhile; the errors of `progress`; `DatabaseError`. After a `DatabaseError` that would occur
    ///   again, such as SQLITE_READONLY, SQLITE_FULL, or SQLITE_TOOBIG for a row of more than a gigabyte, what was
    ///   built is dropped; after others, such as SQLITE_BUSY, the next call continues.
    public func install<Record>(
        _ index: SearchIndex<Record>, pace: IndexingPace = .considerate,
        progress: ((IndexProgress) throws -> Void)? = nil
    ) throws {
        _ = try run(IndexInstaller(index.definition), pace, progress: progress)
        try writeWithoutTransaction { try IndexChanges.follow(index.definition.name, in: $0) }
    }

    /// Creates the index, or brings it up to date; see the synchronous `install`. Cancelling the task stops the work,
    /// which can continue later.
    public func install<Record>(
        _ index: SearchIndex<Record>, pace: IndexingPace = .considerate,
        progress: (@Sendable (IndexProgress) throws -> Void)? = nil
    ) async throws {
        _ = try await run(IndexInstaller(index.definition), pace, progress: progress)
        let name = index.definition.name
        try await writeWithoutTransaction { try IndexChanges.follow(name, in: $0) }
    }

    /// Compares the index with the rows that it indexes, and reports what is missing, stale or surplus.
    ///
    /// First it applies all noted changes by programs without this library; it changes nothing else.
    ///
    /// It compares rows in transactions of about 16 ms, each of which sees one state of the database, so others can
    /// write in between.
    ///
    /// - Parameters:
    ///   - index: An installed index.
    ///   - thorough: Whether the engine also checks its own tables, by its command `integrity-check`, which reads all
    ///     of them in one transaction; others cannot write until it is done.
    ///   - progress: Called after each part; an error that it throws stops the work.
    /// - Throws: `SearchIndexError.notInstalled`, `.superseded`; the errors of `progress`; `DatabaseError`.
    public func verify<Record>(
        _ index: SearchIndex<Record>, thorough: Bool = false, progress: ((IndexProgress) throws -> Void)? = nil
    ) throws -> IndexReport {
        if !isReadOnly { _ = try run(IndexCatchUp(definition: index.definition), progress: nil) }
        return try run(IndexCheck(index.definition, isThorough: thorough, mends: false), progress: progress).report
    }

    /// Compares the index with its rows; see the synchronous `verify`. Cancelling the task stops the work.
    public func verify<Record>(
        _ index: SearchIndex<Record>, thorough: Bool = false,
        progress: (@Sendable (IndexProgress) throws -> Void)? = nil
    ) async throws -> IndexReport {
        if !isReadOnly { _ = try await run(IndexCatchUp(definition: index.definition), progress: nil) }
        return try await run(IndexCheck(index.definition, isThorough: thorough, mends: false), progress: progress)
            .report
    }

    /// Installs the index if needed, compares it with its rows, and rebuilds the entries that differ.
    ///
    /// - Parameters:
    ///   - index: The index to install.
    ///   - thorough: Whether the engine also checks its own tables, as in `verify`. If they are damaged, call
    ///     `rebuild`.
    ///   - progress: Called after each transaction; an error that it throws stops the work.
    /// - Returns: The differences that were found.
    @discardableResult
    public func repair<Record>(
        _ index: SearchIndex<Record>, thorough: Bool = false, progress: ((IndexProgress) throws -> Void)? = nil
    ) throws -> IndexReport {
        try run(IndexCheck(index.definition, isThorough: thorough, mends: true), progress: progress).report
    }

    /// Rebuilds the entries that differ; see the synchronous `repair`. Cancelling the task stops the work.
    @discardableResult
    public func repair<Record>(
        _ index: SearchIndex<Record>, thorough: Bool = false,
        progress: (@Sendable (IndexProgress) throws -> Void)? = nil
    ) async throws -> IndexReport {
        try await run(IndexCheck(index.definition, isThorough: thorough, mends: true), progress: progress).report
    }

    /// Builds the index again beside the present one, which stays in use, and swaps them.
    ///
    /// If it is interrupted, `install` continues it. Parameters and errors are those of `install`.
    public func rebuild<Record>(
        _ index: SearchIndex<Record>, pace: IndexingPace = .considerate,
        progress: ((IndexProgress) throws -> Void)? = nil
    ) throws {
        try write { try IndexRecord.invalidate(index.definition.name, in: $0) }
        try install(index, pace: pace, progress: progress)
    }

    /// Builds the index again; see the synchronous `rebuild`. Cancelling the task stops the work.
    public func rebuild<Record>(
        _ index: SearchIndex<Record>, pace: IndexingPace = .considerate,
        progress: (@Sendable (IndexProgress) throws -> Void)? = nil
    ) async throws {
        let name = index.definition.name
        try await write { try IndexRecord.invalidate(name, in: $0) }
        try await install(index, pace: pace, progress: progress)
    }

    /// Drops the index and everything that belongs to it, and nothing else, in one transaction; does nothing if there
    /// is none.
    public func uninstall<Record>(_ index: SearchIndex<Record>) throws {
        SearchSupport.enable(on: self)
        try write { try $0.uninstall(index) }
    }

    /// Drops the index and everything that belongs to it, and nothing else, in one transaction; does nothing if there
    /// is none.
    public func uninstall<Record>(_ index: SearchIndex<Record>) async throws {
        SearchSupport.enable(on: self)
        try await write { try $0.uninstall(index) }
    }
}

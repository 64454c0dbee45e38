extension ConnectionReader {
    /// What the database has of the index; looks at its schema only, not at rows (`verify` does).
    ///
    /// - Throws: `SearchIndexError` where the definition does not fit the database; `DatabaseError`.
    public func indexState<Record>(of index: SearchIndex<Record>) throws -> IndexState {
        SearchSupport.enable(on: self)
        return try read { try $0.indexState(of: index) }
    }

    /// What the database has of the index; cancelled with its task.
    public func indexState<Record>(of index: SearchIndex<Record>) async throws -> IndexState {
        SearchSupport.enable(on: self)
        return try await read { try $0.indexState(of: index) }
    }
}

extension ConnectionWriter {
    /// Creates the index with all that belongs to it, or brings it up to date.
    ///
    /// ```swift
    /// try await dbPool.install(reminderTexts)
    /// ```
    ///
    /// Call it whenever the app starts. There is nothing to do, and nothing is written, where the index is as the
    /// definition says; otherwise:
    ///
    /// - A new index gets its triggers and follows its tables at once; the rows that there are come in bit by bit, and
    ///   are found as they come.
    /// - An index with another definition (fields, analyzer, prefixes) stays in use while the new one is built beside
    ///   it; then they are swapped. Changed weights alone change a setting. The definition installed last holds, also
    ///   if it is that of an older version of the app.
    /// - Triggers that are gone or were changed, as by rebuilding a table in a migration, are made anew, and entries
    ///   that differ from their rows with them.
    ///
    /// The work is done in short transactions, so that others can write meanwhile. Stopped in the middle, even by the end of
    /// the process, the next call goes on from there. Several processes may call it at once.
    ///
    /// Of a pool's file, `install` opens one more connection, prepared like the pool's, which checkpoints the WAL between
    /// these transactions, so that no writer waits for it; unless `PRAGMA wal_autocheckpoint` is 0.
    ///
    /// - Parameters:
    ///   - index: What the database is to have.
    ///   - pace: How the work shares the database with other writers.
    ///   - progress: Called after each transaction; what it throws ends the work, which can go on later.
    /// - Throws: `SearchIndexError` where the definition does not fit the database, or another one of the same name was
    ///   installed meanwhile; what `progress` throws; `DatabaseError` of SQLite, such as SQLITE_READONLY, SQLITE_FULL,
    ///   SQLITE_TOOBIG for a row of more than a gigabyte: what was built is then dropped again.
    public func install<Record>(
        _ index: SearchIndex<Record>, pace: IndexingPace = .considerate,
        progress: ((IndexProgress) throws -> Void)? = nil
    ) throws {
        _ = try run(IndexInstaller(index.definition), pace, progress: progress)
        try writeWithoutTransaction { try IndexChanges.follow(index.definition.name, in: $0) }
    }

    /// Creates the index, or brings it up to date; see the synchronous `install`. Cancelling the task ends the work,
    /// which can go on later.
    public func install<Record>(
        _ index: SearchIndex<Record>, pace: IndexingPace = .considerate,
        progress: (@Sendable (IndexProgress) throws -> Void)? = nil
    ) async throws {
        _ = try await run(IndexInstaller(index.definition), pace, progress: progress)
        let name = index.definition.name
        try await writeWithoutTransaction { try IndexChanges.follow(name, in: $0) }
    }

    /// Compares the index with the rows that it indexes, and says what is missing, stale or too much.
    ///
    /// Changes that programs without this library have noted are taken in first, as a search would; besides that nothing
    /// is changed.
    ///
    /// Rows are compared in transactions of about 16 ms, each of which sees one state of the database, so others can
    /// write meanwhile.
    ///
    /// - Parameters:
    ///   - index: An index that is installed.
    ///   - thorough: Whether FTS5 checks its own tables too, by its command `integrity-check`: it reads all of them in
    ///     one transaction, which keeps others from writing until it is done.
    ///   - progress: Called after each part; what it throws ends the work.
    /// - Throws: `SearchIndexError.notInstalled`, `.superseded`; what `progress` throws; `DatabaseError`.
    public func verify<Record>(
        _ index: SearchIndex<Record>, thorough: Bool = false, progress: ((IndexProgress) throws -> Void)? = nil
    ) throws -> IndexReport {
        if !isReadOnly { _ = try run(IndexCatchUp(definition: index.definition), progress: nil) }
        return try run(IndexCheck(index.definition, isThorough: thorough, mends: false), progress: progress).report
    }

    /// Compares the index with its rows; see the synchronous `verify`. Cancelling the task ends the work.
    public func verify<Record>(
        _ index: SearchIndex<Record>, thorough: Bool = false,
        progress: (@Sendable (IndexProgress) throws -> Void)? = nil
    ) async throws -> IndexReport {
        if !isReadOnly { _ = try await run(IndexCatchUp(definition: index.definition), progress: nil) }
        return try await run(IndexCheck(index.definition, isThorough: thorough, mends: false), progress: progress)
            .report
    }

    /// Installs the index where that is needed, compares it with its rows, and makes the entries that differ anew.
    ///
    /// - Parameters:
    ///   - index: What the database is to have.
    ///   - thorough: Whether FTS5 checks its own tables too, as in `verify`. Damage there takes `rebuild`.
    ///   - progress: Called after each transaction; what it throws ends the work.
    /// - Returns: What was found.
    @discardableResult
    public func repair<Record>(
        _ index: SearchIndex<Record>, thorough: Bool = false, progress: ((IndexProgress) throws -> Void)? = nil
    ) throws -> IndexReport {
        try run(IndexCheck(index.definition, isThorough: thorough, mends: true), progress: progress).report
    }

    /// Makes what differs anew; see the synchronous `repair`. Cancelling the task ends the work.
    @discardableResult
    public func repair<Record>(
        _ index: SearchIndex<Record>, thorough: Bool = false,
        progress: (@Sendable (IndexProgress) throws -> Void)? = nil
    ) async throws -> IndexReport {
        try await run(IndexCheck(index.definition, isThorough: thorough, mends: true), progress: progress).report
    }

    /// Builds the index anew beside the present one, which stays in use, and swaps them.
    ///
    /// Stopped in the middle, `install` goes on with it. Parameters and errors are those of `install`.
    public func rebuild<Record>(
        _ index: SearchIndex<Record>, pace: IndexingPace = .considerate,
        progress: ((IndexProgress) throws -> Void)? = nil
    ) throws {
        try write { try IndexRecord.invalidate(index.definition.name, in: $0) }
        try install(index, pace: pace, progress: progress)
    }

    /// Builds the index anew; see the synchronous `rebuild`. Cancelling the task ends the work.
    public func rebuild<Record>(
        _ index: SearchIndex<Record>, pace: IndexingPace = .considerate,
        progress: (@Sendable (IndexProgress) throws -> Void)? = nil
    ) async throws {
        let name = index.definition.name
        try await write { try IndexRecord.invalidate(name, in: $0) }
        try await install(index, pace: pace, progress: progress)
    }

    /// Drops the index with all that belongs to it, and nothing else, in one transaction; does nothing where there is none.
    public func uninstall<Record>(_ index: SearchIndex<Record>) throws {
        SearchSupport.enable(on: self)
        try write { try $0.uninstall(index) }
    }

    /// Drops the index with all that belongs to it, and nothing else, in one transaction; does nothing where there is none.
    public func uninstall<Record>(_ index: SearchIndex<Record>) async throws {
        SearchSupport.enable(on: self)
        try await write { try $0.uninstall(index) }
    }
}

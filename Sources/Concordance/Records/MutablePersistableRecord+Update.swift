extension MutablePersistableRecord {
    /// Updates all columns that the record writes in its row.
    ///
    /// `UPDATE "book" SET "title" = ? WHERE "id" = ?`
    ///
    /// - Throws: `RecordError.recordNotFound` if no row has its key; `RecordError.missingKeyColumn`,
    ///   `RecordError.nullKey` or `RecordError.noPrimaryKey` if the record, or its table, has no key.
    public func update(_ db: Database, onConflict conflictResolution: ConflictResolution? = nil) throws {
        try update(db, RecordWriter(self, db), columns: nil, conflictResolution)
    }

    /// Updates some columns of the record's row.
    ///
    /// - Throws: `RecordError.noSuchColumn` for a column that the record does not write.
    public func update(
        _ db: Database, columns: [String], onConflict conflictResolution: ConflictResolution? = nil
    ) throws {
        if columns.isEmpty { return }
        try update(db, RecordWriter(self, db), columns: columns, conflictResolution)
    }

    /// Updates some columns of the record's row.
    public func update(
        _ db: Database, columns: [Column], onConflict conflictResolution: ConflictResolution? = nil
    ) throws { try update(db, columns: columns.map(\.name), onConflict: conflictResolution) }

    /// Updates the columns in which the record differs from another, usually an earlier version of itself.
    ///
    /// - Returns: Whether any differed; otherwise no statement is run.
    @discardableResult
    public func updateChanges(_ db: Database, from old: Self) throws -> Bool {
        let writer = try RecordWriter(self, db)
        let changed = try RecordWriter(old, db).columns(differingFrom: writer)
        if changed.isEmpty { return false }
        try update(db, writer, columns: changed, nil)
        return true
    }

    /// Changes the record, and updates the columns that changed.
    ///
    /// - Returns: Whether any changed; otherwise no statement is run.
    @discardableResult
    public mutating func updateChanges(_ db: Database, modify: (inout Self) throws -> Void) throws -> Bool {
        let old = self
        try modify(&self)
        return try updateChanges(db, from: old)
    }

    private func update(
        _ db: Database, _ writer: RecordWriter<Self>, columns: [String]?, _ conflictResolution: ConflictResolution?
    ) throws {
        try willUpdate(db)
        guard try writer.update(conflictResolution, columns: columns) else { throw try writer.notFound() }
        try didUpdate(db)
    }

    /// Deletes the record's row: `DELETE FROM "book" WHERE "id" = ?`.
    ///
    /// - Returns: Whether the row existed.
    @discardableResult
    public func delete(_ db: Database) throws -> Bool {
        try willDelete(db)
        let deleted = try RecordWriter(self, db).delete()
        try didDelete(db, deleted: deleted)
        return deleted
    }

    /// Returns whether the table has a row with the record's key.
    ///
    /// `SELECT EXISTS (SELECT 1 FROM "book" WHERE "id" = ?)`
    public func exists(_ db: Database) throws -> Bool { try RecordWriter(self, db).exists() }
}

// MARK: - By key

extension TableRecord {
    /// Returns whether the table has a row with a primary key.
    public static func exists(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
        try all().filter(key: key).exists(db)
    }

    /// Deletes the row with a primary key.
    ///
    /// - Returns: Whether the row existed.
    @discardableResult
    public static func deleteOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
        try all().filter(key: key).deleteAll(db) > 0
    }

    /// Deletes the row with these values in its key columns, which are those of the primary key or of a unique index.
    ///
    /// - Returns: Whether the row existed.
    @discardableResult
    public static func deleteOne(_ db: Database, key: [String: (any DatabaseValueConvertible)?]) throws -> Bool {
        try all().filter(condition(db, key: key)).deleteAll(db) > 0
    }

    /// Deletes the rows with these primary keys; there can be any number of them.
    ///
    /// - Returns: The number of deleted rows.
    @discardableResult
    public static func deleteAll(_ db: Database, keys: some Sequence<some DatabaseValueConvertible>) throws -> Int {
        try KeyBatches(keys).reduce(0) { count, batch in try count + all().filter(keys: batch).deleteAll(db) }
    }
}

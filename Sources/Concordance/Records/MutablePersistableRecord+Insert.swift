extension MutablePersistableRecord {
    /// Inserts the record, and tells it its rowid by `didInsert(_:)`.
    ///
    /// `INSERT INTO "book" ("id", "title") VALUES (?, ?)`. Records of one type share one prepared statement.
    ///
    /// - Parameters:
    ///   - db: The connection to write with.
    ///   - conflictResolution: What happens on a violated constraint; by default what the record's
    ///     `persistenceConflictPolicy` says. A row that is ignored is not reported to `didInsert(_:)`.
    public mutating func insert(_ db: Database, onConflict conflictResolution: ConflictResolution? = nil) throws {
        try willInsert(db)
        if let inserted = try RecordWriter(self, db).insert(conflictResolution) { didInsert(inserted) }
    }

    /// A copy of the record, inserted.
    public func inserted(_ db: Database, onConflict conflictResolution: ConflictResolution? = nil) throws -> Self {
        var record = self
        try record.insert(db, onConflict: conflictResolution)
        return record
    }

    /// Inserts the record, and returns what the table made of it: defaults, generated columns, what types convert.
    ///
    /// `INSERT INTO "book" ("id", "title") VALUES (?, ?) RETURNING *`
    ///
    /// - Throws: `RecordError.recordNotFound` where the row was ignored because of a conflict.
    public func insertAndFetch<Fetched: FetchableRecord>(
        _ db: Database, as type: Fetched.Type, onConflict conflictResolution: ConflictResolution? = nil
    ) throws -> Fetched {
        var record = self
        try record.willInsert(db)
        return try RecordWriter(record, db).insertAndFetch(conflictResolution)
    }

    /// Inserts the record, or updates the row that it is in conflict with: one with its primary key or with the same
    /// values in the columns of another unique index.
    ///
    /// ```sql
    /// INSERT INTO "book" ("id", "title") VALUES (?, ?)
    /// ON CONFLICT DO UPDATE SET "title" = "excluded"."title" RETURNING "rowid"
    /// ```
    ///
    /// - Parameters:
    ///   - db: The connection to write with.
    ///   - target: The columns of the unique index that may be in conflict; a conflict with another one is an error. By
    ///     default all.
    ///   - columns: The columns that are updated; by default all that the record writes but the primary key and `target`.
    public mutating func upsert(_ db: Database, on target: [String] = [], updating columns: [String]? = nil) throws {
        try willInsert(db)
        if let inserted = try RecordWriter(self, db).upsert(target: target, updated: columns) { didInsert(inserted) }
    }

    /// Inserts the record where it has no key or no row, otherwise updates it.
    public mutating func save(_ db: Database) throws {
        if try !updateIfStored(db) { try insert(db) }
    }

    /// Returns whether the table has a row with the record's key, which is then updated.
    fileprivate func updateIfStored(_ db: Database) throws -> Bool {
        let writer = try RecordWriter(self, db)
        guard try writer.hasKey() else { return false }
        try willUpdate(db)
        guard try writer.update(nil) else { return false }
        try didUpdate(db)
        return true
    }
}

extension PersistableRecord {
    /// Inserts the record.
    ///
    /// `INSERT INTO "book" ("id", "title") VALUES (?, ?)`. Records of one type share one prepared statement.
    ///
    /// - Parameters:
    ///   - db: The connection to write with.
    ///   - conflictResolution: What happens on a violated constraint; by default what the record's
    ///     `persistenceConflictPolicy` says. A row that is ignored is not reported to `didInsert(_:)`.
    public func insert(_ db: Database, onConflict conflictResolution: ConflictResolution? = nil) throws {
        try willInsert(db)
        if let inserted = try RecordWriter(self, db).insert(conflictResolution) { didInsert(inserted) }
    }

    /// Inserts the record, or updates the row that it is in conflict with; see
    /// `MutablePersistableRecord.upsert(_:on:updating:)`.
    public func upsert(_ db: Database, on target: [String] = [], updating columns: [String]? = nil) throws {
        try willInsert(db)
        if let inserted = try RecordWriter(self, db).upsert(target: target, updated: columns) { didInsert(inserted) }
    }

    /// Inserts the record where it has no key or no row, otherwise updates it.
    public func save(_ db: Database) throws {
        if try !updateIfStored(db) { try insert(db) }
    }
}

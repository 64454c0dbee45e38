extension MutablePersistableRecord {
    /// Inserts the record, and passes its rowid to `didInsert(_:)`.
    ///
    /// `INSERT INTO "book" ("id", "title") VALUES (?, ?)`. Records of one type share one prepared statement.
    ///
    /// - Parameters:
    ///   - db: The connection to write with.
    ///   - conflictResolution: What to do if a constraint is violated; by default, the record's
    ///     `persistenceConflictPolicy`. `didInsert(_:)` is not called for an ignored row.
    public mutating func insert(_ db: Database, onConflict conflictResolution: ConflictResolution? = nil) throws {
        try willInsert(db)
        if let inserted = try RecordWriter(self, db).insert(conflictResolution) { didInsert(inserted) }
    }

    /// Inserts a copy of the record, and returns it.
    public func inserted(_ db: Database, onConflict conflictResolution: ConflictResolution? = nil) throws -> Self {
        var record = self
        try record.insert(db, onConflict: conflictResolution)
        return record
    }

    /// Inserts the record, and returns the row as stored, including defaults, generated columns and type conversions.
    ///
    /// `INSERT INTO "book" ("id", "title") VALUES (?, ?) RETURNING *`
    ///
    /// - Throws: `RecordError.recordNotFound` if the row was ignored because of a conflict.
    public func insertAndFetch<Fetched: FetchableRecord>(
        _ db: Database, as type: Fetched.Type, onConflict conflictResolution: ConflictResolution? = nil
    ) throws -> Fetched {
        var record = self
        try record.willInsert(db)
        return try RecordWriter(record, db).insertAndFetch(conflictResolution)
    }

    /// Inserts the record, or updates the row that it conflicts with: the row with the same primary key, or with the
    /// same values in the columns of another unique index.
    ///
    /// ```sql
    /// INSERT INTO "book" ("id", "title") VALUES (?, ?)
    /// ON CONFLICT DO UPDATE SET "title" = "excluded"."title" RETURNING "rowid"
    /// ```
    ///
    /// - Parameters:
    ///   - db: The connection to write with.
    ///   - target: The columns of the unique index that may conflict; a conflict with another index is an error. By
    ///     default, any index may.
    ///   - columns: The columns that are updated; by default all that the record writes, except the primary key and
    ///     `target`.
    public mutating func upsert(_ db: Database, on target: [String] = [], updating columns: [String]? = nil) throws {
        try willInsert(db)
        if let inserted = try RecordWriter(self, db).upsert(target: target, updated: columns) { didInsert(inserted) }
    }

    /// Updates the record if it has a key and its row exists; otherwise inserts it.
    public mutating func save(_ db: Database) throws {
        if try !updateIfStored(db) { try insert(db) }
    }

    /// Updates the row with the record's key, and returns whether there is one.
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
    ///   - conflictResolution: What to do if a constraint is violated; by default, the record's
    ///     `persistenceConflictPolicy`. `didInsert(_:)` is not called for an ignored row.
    public func insert(_ db: Database, onConflict conflictResolution: ConflictResolution? = nil) throws {
        try willInsert(db)
        if let inserted = try RecordWriter(self, db).insert(conflictResolution) { didInsert(inserted) }
    }

    /// Inserts the record, or updates the row that it conflicts with; see
    /// `MutablePersistableRecord.upsert(_:on:updating:)`.
    public func upsert(_ db: Database, on target: [String] = [], updating columns: [String]? = nil) throws {
        try willInsert(db)
        if let inserted = try RecordWriter(self, db).upsert(target: target, updated: columns) { didInsert(inserted) }
    }

    /// Updates the record if it has a key and its row exists; otherwise inserts it.
    public func save(_ db: Database) throws {
        if try !updateIfStored(db) { try insert(db) }
    }
}

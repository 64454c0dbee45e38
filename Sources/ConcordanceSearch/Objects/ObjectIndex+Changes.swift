import ConcordanceSQLite

extension ObjectIndex {
    /// Adds an object, or replaces it by its present state.
    ///
    /// ```swift
    /// try await index.upsert(id: "doc1", texts: ["body": "She sells sea shells by the sea shore."])
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the object in its store.
    ///   - texts: Its texts by field name; fields that are not named get an empty text.
    ///   - version: The store's own version of this state; nil for a hash of the texts.
    /// - Returns: What changed: nothing is written for an object that is already there as it is.
    /// - Throws: `SearchIndexError.noSuchField` if no field has one of the names; `DatabaseError`.
    @discardableResult
    public func upsert(id: String, texts: [String: String], version: ObjectVersion? = nil) throws -> ObjectChanges {
        try apply(ObjectBatch(objects: [SearchObject(id: id, texts: texts, version: version)]))
    }

    /// Adds or replaces an object; see the synchronous `upsert(id:texts:version:)`.
    @discardableResult
    public func upsert(
        id: String, texts: [String: String], version: ObjectVersion? = nil
    ) async throws -> ObjectChanges {
        try await apply(ObjectBatch(objects: [SearchObject(id: id, texts: texts, version: version)]))
    }

    /// Adds or replaces objects, all or none, in one transaction. The sequence is read one by one, so there can be any
    /// number.
    @discardableResult
    public func upsert(_ objects: some Sequence<SearchObject>) throws -> ObjectChanges {
        try database.write { try upsert(objects, in: $0) }
    }

    /// Adds or replaces objects, all or none; see the synchronous `upsert(_:)`.
    @discardableResult
    public func upsert(_ objects: some Sequence<SearchObject> & Sendable) async throws -> ObjectChanges {
        try await database.write { [self] in try upsert(objects, in: $0) }
    }

    /// Removes an object; does nothing if no object has that id.
    @discardableResult
    public func delete(id: String) throws -> ObjectChanges { try delete(ids: [id]) }

    /// Removes an object; does nothing if no object has that id.
    @discardableResult
    public func delete(id: String) async throws -> ObjectChanges { try await delete(ids: [id]) }

    /// Removes objects, in one transaction.
    @discardableResult
    public func delete(ids: some Sequence<String>) throws -> ObjectChanges {
        try database.write { try delete(ids, in: $0) }
    }

    /// Removes objects, in one transaction.
    @discardableResult
    public func delete(ids: some Sequence<String> & Sendable) async throws -> ObjectChanges {
        try await database.write { [self] in try delete(ids, in: $0) }
    }

    /// Removes all objects.
    @discardableResult
    public func deleteAll() throws -> ObjectChanges { try database.write(deleteAll) }

    /// Removes all objects.
    @discardableResult
    public func deleteAll() async throws -> ObjectChanges { try await database.write(deleteAll) }

    /// Applies a batch, all or none, in one transaction.
    @discardableResult
    public func apply(_ batch: ObjectBatch) throws -> ObjectChanges {
        if batch.isEmpty { return ObjectChanges() }
        return try database.write { try apply(batch, in: $0) }
    }

    /// Applies a batch, all or none, in one transaction.
    @discardableResult
    public func apply(_ batch: ObjectBatch) async throws -> ObjectChanges {
        if batch.isEmpty { return ObjectChanges() }
        return try await database.write { [self] in try apply(batch, in: $0) }
    }

    // MARK: - Contents

    /// Returns the object with that id, as it was last written; nil if there is none.
    public func object(id: String) throws -> SearchObject? { try database.read { try Self.object(id, in: $0) } }

    /// Returns the object with that id, as it was last written; nil if there is none.
    public func object(id: String) async throws -> SearchObject? {
        try await database.read { try Self.object(id, in: $0) }
    }

    /// Returns the number of objects.
    public func count() throws -> Int { try database.read(Self.count) }

    /// Returns the number of objects.
    public func count() async throws -> Int { try await database.read(Self.count) }

    // MARK: - In a transaction

    private func upsert(_ objects: some Sequence<SearchObject>, in db: Database) throws -> ObjectChanges {
        var changes = ObjectChanges()
        for object in objects {
            try db.checkCancellation()
            try table.upsert(object, into: &changes, in: db)
        }
        return changes
    }

    private func delete(_ ids: some Sequence<String>, in db: Database) throws -> ObjectChanges {
        var changes = ObjectChanges()
        for id in ids { try table.delete(id, into: &changes, in: db) }
        return changes
    }

    @Sendable private func deleteAll(in db: Database) throws -> ObjectChanges {
        try db.execute(sql: "DELETE FROM objects")
        return ObjectChanges(deleted: db.changesCount)
    }

    private func apply(_ batch: ObjectBatch, in db: Database) throws -> ObjectChanges {
        let present = Set(batch.objects.map { Array($0.id.utf8) })
        var changes = try delete(batch.deletedIDs.filter { !present.contains(Array($0.utf8)) }, in: db)
        let upserts = try upsert(batch.objects, in: db)
        changes.inserted = upserts.inserted
        changes.updated = upserts.updated
        changes.unchanged = upserts.unchanged
        return changes
    }

    @Sendable private static func object(_ id: String, in db: Database) throws -> SearchObject? {
        try Row.fetchOne(db, sql: "SELECT * FROM objects WHERE object_id = ?", arguments: [id])
            .map { try SearchObject(row: $0) }
    }

    @Sendable private static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM objects") ?? 0
    }
}

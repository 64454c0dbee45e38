import ConcordanceSQLite

extension ObjectIndex {
    /// Puts in an object, or its present state.
    ///
    /// ```swift
    /// try await index.upsert(id: "doc1", texts: ["body": "She sells sea shells by the sea shore."])
    /// ```
    ///
    /// - Parameters:
    ///   - id: What the object is called where it lives.
    ///   - texts: Its texts by field name; fields that are not named have an empty text.
    ///   - version: The store's own mark of this state; nil for that of the texts.
    /// - Returns: What it took: nothing is written for an object that is there as it is.
    /// - Throws: `SearchIndexError.noSuchField` for a name that no field has; `DatabaseError`.
    @discardableResult
    public func upsert(id: String, texts: [String: String], version: ObjectVersion? = nil) throws -> ObjectChanges {
        try apply(ObjectBatch(objects: [SearchObject(id: id, texts: texts, version: version)]))
    }

    /// Puts in an object; see the synchronous `upsert(id:texts:version:)`.
    @discardableResult
    public func upsert(
        id: String, texts: [String: String], version: ObjectVersion? = nil
    ) async throws -> ObjectChanges {
        try await apply(ObjectBatch(objects: [SearchObject(id: id, texts: texts, version: version)]))
    }

    /// Puts in objects, all or none, in one transaction. They are asked for one by one: any number of them.
    @discardableResult
    public func upsert(_ objects: some Sequence<SearchObject>) throws -> ObjectChanges {
        try database.write { try upsert(objects, in: $0) }
    }

    /// Puts in objects, all or none; see the synchronous `upsert(_:)`.
    @discardableResult
    public func upsert(_ objects: some Sequence<SearchObject> & Sendable) async throws -> ObjectChanges {
        try await database.write { [self] in try upsert(objects, in: $0) }
    }

    /// Takes an object out; does nothing where there is none of that id.
    @discardableResult
    public func delete(id: String) throws -> ObjectChanges { try delete(ids: [id]) }

    /// Takes an object out; does nothing where there is none of that id.
    @discardableResult
    public func delete(id: String) async throws -> ObjectChanges { try await delete(ids: [id]) }

    /// Takes objects out, in one transaction.
    @discardableResult
    public func delete(ids: some Sequence<String>) throws -> ObjectChanges {
        try database.write { try delete(ids, in: $0) }
    }

    /// Takes objects out, in one transaction.
    @discardableResult
    public func delete(ids: some Sequence<String> & Sendable) async throws -> ObjectChanges {
        try await database.write { [self] in try delete(ids, in: $0) }
    }

    /// Takes all objects out.
    @discardableResult
    public func deleteAll() throws -> ObjectChanges { try database.write(deleteAll) }

    /// Takes all objects out.
    @discardableResult
    public func deleteAll() async throws -> ObjectChanges { try await database.write(deleteAll) }

    /// Makes the changes of a batch, all or none, in one transaction.
    @discardableResult
    public func apply(_ batch: ObjectBatch) throws -> ObjectChanges {
        if batch.isEmpty { return ObjectChanges() }
        return try database.write { try apply(batch, in: $0) }
    }

    /// Makes the changes of a batch, all or none, in one transaction.
    @discardableResult
    public func apply(_ batch: ObjectBatch) async throws -> ObjectChanges {
        if batch.isEmpty { return ObjectChanges() }
        return try await database.write { [self] in try apply(batch, in: $0) }
    }

    // MARK: - What is there

    /// The object of that id as it was put in last; nil where there is none.
    public func object(id: String) throws -> SearchObject? { try database.read { try Self.object(id, in: $0) } }

    /// The object of that id as it was put in last; nil where there is none.
    public func object(id: String) async throws -> SearchObject? {
        try await database.read { try Self.object(id, in: $0) }
    }

    /// How many objects there are.
    public func count() throws -> Int { try database.read(Self.count) }

    /// How many objects there are.
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

import ConcordanceSQLite

/// Keeps an index in step with a store that changes without telling it: files that other programs write, a server, a
/// save after which the app was killed.
extension ObjectIndex {
    /// Compares the index with its store by ids and versions, without texts; changes nothing.
    ///
    /// ```swift
    /// let drift = try await index.drift(from: store.posts.lazy.map { ($0.id, ObjectVersion(of: $0.texts)) })
    /// try await index.upsert((drift.missing + drift.stale).lazy.map(store.object))
    /// try await index.delete(ids: drift.surplus)
    /// ```
    ///
    /// - Parameter versions: The id and version of every object of the store, any number, read one by one.
    public func drift(from versions: some Sequence<(id: String, version: ObjectVersion)>) throws -> ObjectDrift {
        try database.writeWithoutTransaction { try drift(from: versions, in: $0) }
    }

    /// Compares the index with its store; see the synchronous `drift(from:)`.
    public func drift(
        from versions: some Sequence<(id: String, version: ObjectVersion)> & Sendable
    ) async throws -> ObjectDrift {
        try await database.writeWithoutTransaction { [self] in try drift(from: versions, in: $0) }
    }

    /// Removes all objects whose ids are not among those given.
    ///
    /// - Parameter ids: The ids of all objects of the store, any number, read one by one.
    @discardableResult
    public func prune(keeping ids: some Sequence<String>) throws -> ObjectChanges {
        try database.write { try prune(keeping: ids, in: $0) }
    }

    /// Removes all objects whose ids are not among those given; see the synchronous `prune(keeping:)`.
    @discardableResult
    public func prune(keeping ids: some Sequence<String> & Sendable) async throws -> ObjectChanges {
        try await database.write { [self] in try prune(keeping: ids, in: $0) }
    }

    /// Adds, updates and removes objects so that the index holds these and no others, in one transaction. Unchanged
    /// objects are not written again.
    ///
    /// - Parameter objects: Every object of the store, any number, read one by one.
    @discardableResult
    public func reconcile(with objects: some Sequence<SearchObject>) throws -> ObjectChanges {
        try database.write { try reconcile(with: objects, in: $0) }
    }

    /// Makes the index hold these objects and no others; see the synchronous `reconcile(with:)`.
    @discardableResult
    public func reconcile(with objects: some Sequence<SearchObject> & Sendable) async throws -> ObjectChanges {
        try await database.write { [self] in try reconcile(with: objects, in: $0) }
    }

    // MARK: - In a transaction

    private func prune(keeping ids: some Sequence<String>, in db: Database) throws -> ObjectChanges {
        var changes = ObjectChanges()
        try IDSet.with(in: db) { kept in
            for id in ids { try kept.insert(id) }
            try table.deleteOthers(than: kept, into: &changes)
        }
        return changes
    }

    private func reconcile(with objects: some Sequence<SearchObject>, in db: Database) throws -> ObjectChanges {
        var changes = ObjectChanges()
        try IDSet.with(in: db) { kept in
            for object in objects {
                try db.checkCancellation()
                try table.upsert(object, into: &changes, in: db)
                try kept.insert(object.id)
            }
            try table.deleteOthers(than: kept, into: &changes)
        }
        return changes
    }

    /// Runs on the writing connection, since only that one may have a temporary table; deferred, so that it does not
    /// lock the file.
    private func drift(
        from versions: some Sequence<(id: String, version: ObjectVersion)>, in db: Database
    ) throws -> ObjectDrift {
        var drift = ObjectDrift()
        try db.inTransaction(.deferred) {
            drift = try IDSet.with(in: db) { store in
                for (id, version) in versions { try store.insert(id, version: version) }
                return try Self.difference(in: db)
            }
            return .commit
        }
        return drift
    }

    private static func difference(in db: Database) throws -> ObjectDrift {
        let versions = "temp.concordance_ids AS store LEFT JOIN objects ON object_id = store.id"
        return ObjectDrift(
            missing: try String.fetchAll(
                db, sql: "SELECT store.id FROM \(versions) WHERE object_id IS NULL ORDER BY store.id"),
            stale: try String.fetchAll(
                db, sql: "SELECT store.id FROM \(versions) WHERE object_version <> store.version ORDER BY store.id"),
            surplus: try String.fetchAll(
                db,
                sql: """
                    SELECT object_id FROM objects WHERE object_id NOT IN (SELECT id FROM temp.concordance_ids)
                    ORDER BY object_id
                    """))
    }
}

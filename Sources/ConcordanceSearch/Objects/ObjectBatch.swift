/// Changes of objects that are applied to an `ObjectIndex` together, all or none.
public struct ObjectBatch: Sendable, Hashable {
    /// The new or changed objects, in their present state.
    public var objects: [SearchObject]
    /// The ids of deleted objects. An id that is also among `objects` is not deleted.
    public var deletedIDs: [String]

    /// Creates a batch, empty by default.
    public init(objects: [SearchObject] = [], deletedIDs: [String] = []) {
        self.objects = objects
        self.deletedIDs = deletedIDs
    }

    /// Whether the batch has no changes.
    public var isEmpty: Bool { objects.isEmpty && deletedIDs.isEmpty }

    /// Adds later changes: the batch then has the same effect as the two applied in turn.
    public mutating func append(_ later: ObjectBatch) {
        let changed = Set((later.objects.map(\.id) + later.deletedIDs).map { Array($0.utf8) })
        objects.removeAll { changed.contains(Array($0.id.utf8)) }
        deletedIDs.removeAll { changed.contains(Array($0.utf8)) }
        objects += later.objects
        deletedIDs += later.deletedIDs
    }
}

/// How many objects of an `ObjectIndex` were changed.
public struct ObjectChanges: Sendable, Hashable {
    /// Objects that were not in the index.
    public var inserted = 0
    /// Objects whose texts or version differed.
    public var updated = 0
    /// Objects that were already in the index as they are; nothing was written for them.
    public var unchanged = 0
    /// Objects that were removed from the index.
    public var deleted = 0

    /// Creates the counts.
    package init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0) {
        self.inserted = inserted
        self.updated = updated
        self.unchanged = unchanged
        self.deleted = deleted
    }
}

/// How an `ObjectIndex` differs from the store whose objects it holds.
public struct ObjectDrift: Sendable, Hashable {
    /// The ids of objects of the store that are missing from the index.
    public var missing: [String] = []
    /// The ids of objects that the index has in another version.
    public var stale: [String] = []
    /// The ids of objects in the index that the store does not have.
    public var surplus: [String] = []

    /// Whether index and store hold the same.
    public var isEmpty: Bool { missing.isEmpty && stale.isEmpty && surplus.isEmpty }
}

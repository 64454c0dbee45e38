/// Changes of objects that go into an `ObjectIndex` together, all or none.
public struct ObjectBatch: Sendable, Hashable {
    /// The objects that are new or changed, in their present state.
    public var objects: [SearchObject]
    /// The ids of those that are gone. One that is also among `objects` is there.
    public var deletedIDs: [String]

    /// A batch; empty unless something is given.
    public init(objects: [SearchObject] = [], deletedIDs: [String] = []) {
        self.objects = objects
        self.deletedIDs = deletedIDs
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { objects.isEmpty && deletedIDs.isEmpty }

    /// Adds changes that were made after these: the batch then leads to the same state as the two in turn.
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
    /// Those that were not there before.
    public var inserted = 0
    /// Those whose texts or version differed.
    public var updated = 0
    /// Those that were there as they are, for which nothing was written.
    public var unchanged = 0
    /// Those that were there and are gone.
    public var deleted = 0

    /// Counts.
    public init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0) {
        self.inserted = inserted
        self.updated = updated
        self.unchanged = unchanged
        self.deleted = deleted
    }
}

/// How an `ObjectIndex` differs from the store whose objects it holds.
public struct ObjectDrift: Sendable, Hashable {
    /// Objects of the store that the index does not have.
    public var missing: [String] = []
    /// Objects that the index has in another version.
    public var stale: [String] = []
    /// Objects of the index that the store does not have.
    public var surplus: [String] = []

    /// Whether index and store hold the same.
    public var isEmpty: Bool { missing.isEmpty && stale.isEmpty && surplus.isEmpty }
}

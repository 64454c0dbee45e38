import Foundation

/// Keeps an `ObjectIndex` in step with the objects of a context, by the calls that objects receive when they are saved.
///
/// ```swift
/// indexer.willSave(object)            // by the object, before it is saved
/// indexer.prepareForDeletion(object)  // by the object, before it is deleted
/// try indexer.didSave()               // when the context has saved
/// ```
///
///     willSave, willSave, … ─▶ noted once ──┐
///     prepareForDeletion ────▶ id noted ────┤ didSave ─▶ texts are read, one transaction
///     of a child ────────────▶ its parents ─┘ rollback ─▶ forgotten
///
/// - However often `willSave` is called within a save, the object is indexed once, with its final texts: a store calls
///   it again each time one object's `willSave` changes another.
/// - A deleted object is never indexed, and its row is removed with the save.
/// - However many children changed, their parent's row changes once.
/// - Each save is one transaction. It follows the store's own: after a crash between the two, the index lacks that
///   save, which `ObjectIndex.drift(from:)` finds.
///
/// Use it on the thread or queue of its context; it is not `Sendable`.
public final class ObjectIndexer {
    private struct Deletion {
        let object: any IndexedObject
        let id: String?
    }

    private let index: ObjectIndex
    /// The objects of the current save.
    private var saving: [ObjectIdentifier: any IndexedObject] = [:]
    /// The objects whose rows must be written, in the order in which they were first mentioned.
    private var marked: [ObjectIdentifier: any IndexedObject] = [:]
    private var order: [ObjectIdentifier] = []
    private var deletions: [ObjectIdentifier: Deletion] = [:]
    /// Saves that could not be written to the index.
    private var unsent = ObjectBatch()

    /// Creates an indexer that writes to `index`.
    public init(_ index: ObjectIndex) { self.index = index }

    /// Notes an object that is about to be saved, but not deleted; can be called any number of times.
    ///
    /// An object without an id gets one, a UUID, which changes the object.
    public func willSave(_ object: any IndexedObject) {
        if saving.isEmpty { forgetUndoneDeletions() }
        guard !object.isDeleted else { return prepareForDeletion(object) }
        saving[ObjectIdentifier(object)] = object
        deletions[ObjectIdentifier(object)] = nil
        markFamily(of: object)
    }

    /// Notes an object that is about to be deleted; can be called any number of times. The object is no longer indexed,
    /// its row is removed with the save, and its parents are indexed without it.
    public func prepareForDeletion(_ object: any IndexedObject) {
        let key = ObjectIdentifier(object)
        saving[key] = nil
        marked[key] = nil
        // The first call counts: later, the store may have cleared the id and the references to parents.
        guard deletions[key] == nil else { return }
        deletions[key] = Deletion(object: object, id: object.searchID)
        for parent in object.searchParents { markFamily(of: parent) }
    }

    /// Notes that an object has been saved, for stores that report single objects only. The call for the last object
    /// for which `willSave` was called completes the save, whose changes then go to the index.
    ///
    /// - Returns: What changed; nil while other objects are still to be saved.
    @discardableResult
    public func didSave(_ object: any IndexedObject) throws -> ObjectChanges? {
        saving[ObjectIdentifier(object)] = nil
        return saving.isEmpty ? try didSave() : nil
    }

    /// Applies the changes of a completed save to the index, in one transaction.
    ///
    /// - Throws: the errors of `ObjectIndex.apply`; the next `didSave` then includes these changes.
    ///   `ObjectIndexError.noID`, after all other objects have been indexed.
    @discardableResult
    public func didSave() throws -> ObjectChanges {
        let (batch, problem) = collect()
        unsent.append(batch)
        let changes = try index.apply(unsent)
        unsent = ObjectBatch()
        if let problem { throw problem }
        return changes
    }

    /// Call this when the save is done, to pass its changes to `ObjectIndex.apply` on another thread, in the order of
    /// the saves.
    ///
    /// - Throws: `ObjectIndexError.noID`; the next batch then holds the other objects.
    package func takeBatch() throws -> ObjectBatch {
        let (batch, problem) = collect()
        unsent.append(batch)
        if let problem { throw problem }
        defer { unsent = ObjectBatch() }
        return unsent
    }

    /// Forgets the changes of a save that has failed or was discarded.
    public func rollback() {
        forgetSave()
        deletions = [:]
    }

    /// A save begins, in contexts that report it: forgets what is left of a failed one, but not deletions.
    func beginSave() {
        forgetSave()
        forgetUndoneDeletions()
    }

    /// An object whose deletion was undone before the save is as it was before.
    private func forgetUndoneDeletions() {
        deletions = deletions.filter { $0.value.object.isDeleted }
    }

    /// Marks the object and those whose texts include its own, each once: parents may have parents, or form a cycle.
    ///
    /// A later call reads the parents again, since the object may have new ones.
    private func markFamily(of object: any IndexedObject) {
        var waiting = [object]
        var seen: Set<ObjectIdentifier> = []
        while let object = waiting.popLast() {
            let key = ObjectIdentifier(object)
            guard seen.insert(key).inserted, deletions[key] == nil, !object.isDeleted else { continue }
            if marked.updateValue(object, forKey: key) == nil {
                order.append(key)
                // Marked first, because a store calls willSave again for an object that changes.
                if object.searchID == nil { object.assignSearchID(UUID().uuidString) }
            }
            waiting += object.searchParents
        }
    }

    private func forgetSave() {
        saving = [:]
        marked = [:]
        order = []
    }

    /// The changes of the save, with the current texts of the objects; and what is wrong with one of them, if anything.
    private func collect() -> (ObjectBatch, ObjectIndexError?) {
        var batch = ObjectBatch(deletedIDs: deletions.values.compactMap(\.id))
        var problem: ObjectIndexError?
        // An object that was marked, deleted and restored is in the order twice.
        for key in order {
            guard let object = marked.removeValue(forKey: key) else { continue }
            switch (object.searchID, object.searchTexts) {
            case (let id?, let texts?): batch.objects.append(SearchObject(id: id, texts: texts))
            case (let id?, nil): batch.deletedIDs.append(id)
            case (nil, _?): problem = .noID(type: "\(type(of: object))")
            case (nil, nil): break
            }
        }
        rollback()
        return (batch, problem)
    }
}

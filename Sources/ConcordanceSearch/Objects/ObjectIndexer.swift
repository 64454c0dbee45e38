import Foundation

/// Keeps an `ObjectIndex` in step with the objects of a context, from the calls that objects get when they are saved.
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
/// - However often `willSave` is called within a save, the object is indexed once, with the texts that it has at the
///   end: a store calls it again each time that one object's `willSave` changes another.
/// - A deleted object is never indexed, and its row goes with the save.
/// - A change of a child is one change of its parent's row, whatever number of children changed.
/// - All of one save is one transaction. It follows the store's own: after a crash between the two, the index lacks that
///   save, which `ObjectIndex.drift(from:)` finds.
///
/// It is used on the thread, or queue, of its context, and is not `Sendable`.
public final class ObjectIndexer {
    private struct Deletion {
        let object: any IndexedObject
        let id: String?
    }

    private let index: ObjectIndex
    /// The objects of the save under way.
    private var saving: [ObjectIdentifier: any IndexedObject] = [:]
    /// The objects whose rows are to be written, in the order of their first mention.
    private var marked: [ObjectIdentifier: any IndexedObject] = [:]
    private var order: [ObjectIdentifier] = []
    private var deletions: [ObjectIdentifier: Deletion] = [:]
    /// Saves that could not be written to the index.
    private var unsent = ObjectBatch()

    /// An indexer that writes to `index`.
    public init(_ index: ObjectIndex) { self.index = index }

    /// The object is about to be saved, if it is not about to be deleted. May be called any number of times.
    ///
    /// An object without an id is given one, a UUID, which changes the object.
    public func willSave(_ object: any IndexedObject) {
        if saving.isEmpty { forgetUndoneDeletions() }
        guard !object.isDeleted else { return prepareForDeletion(object) }
        saving[ObjectIdentifier(object)] = object
        deletions[ObjectIdentifier(object)] = nil
        markFamily(of: object)
    }

    /// The object is going to be deleted: it is not indexed any more, and its row goes with the save. Its parents are
    /// indexed without it. May be called any number of times.
    public func prepareForDeletion(_ object: any IndexedObject) {
        let key = ObjectIdentifier(object)
        saving[key] = nil
        marked[key] = nil
        // The first call counts: later on, a store may have cut the ties to id and parents.
        guard deletions[key] == nil else { return }
        deletions[key] = Deletion(object: object, id: object.searchID)
        for parent in object.searchParents { markFamily(of: parent) }
    }

    /// The object has been saved. With that of the last object for which `willSave` was called, the whole save is, and
    /// goes to the index; for stores that tell of objects only.
    ///
    /// - Returns: What it took; nil as long as others are to come.
    @discardableResult
    public func didSave(_ object: any IndexedObject) throws -> ObjectChanges? {
        saving[ObjectIdentifier(object)] = nil
        return saving.isEmpty ? try didSave() : nil
    }

    /// The save is done: what it changed goes to the index, in one transaction.
    ///
    /// - Throws: what `ObjectIndex.apply` does; the next `didSave` then brings these changes too.
    ///   `ObjectIndexError.noID` when all other objects have been indexed.
    @discardableResult
    public func didSave() throws -> ObjectChanges {
        let (batch, problem) = collect()
        unsent.append(batch)
        let changes = try index.apply(unsent)
        unsent = ObjectBatch()
        if let problem { throw problem }
        return changes
    }

    /// The save is done: what it changed, for `ObjectIndex.apply` on another thread, in the order of the saves.
    ///
    /// - Throws: `ObjectIndexError.noID`; the other objects are in the next batch then.
    public func takeBatch() throws -> ObjectBatch {
        let (batch, problem) = collect()
        unsent.append(batch)
        if let problem { throw problem }
        defer { unsent = ObjectBatch() }
        return unsent
    }

    /// The save has failed, or its changes were given up: forgets them.
    public func rollback() {
        forgetSave()
        deletions = [:]
    }

    /// A save begins, for contexts that tell: what is left of one that failed is forgotten, deletions are not.
    func beginSave() {
        forgetSave()
        forgetUndoneDeletions()
    }

    /// An object whose deletion was undone before the save is as it was.
    private func forgetUndoneDeletions() {
        deletions = deletions.filter { $0.value.object.isDeleted }
    }

    /// Marks the object and those whose texts include its own, each once: parents may have parents, or be their own.
    ///
    /// A further call looks at the parents again, as the object may have got others.
    private func markFamily(of object: any IndexedObject) {
        var waiting = [object]
        var seen: Set<ObjectIdentifier> = []
        while let object = waiting.popLast() {
            let key = ObjectIdentifier(object)
            guard seen.insert(key).inserted, deletions[key] == nil, !object.isDeleted else { continue }
            if marked.updateValue(object, forKey: key) == nil {
                order.append(key)
                // Marked before, since a store calls willSave again for an object that changes.
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

    /// What the save changed, with the texts that the objects have now; and what is wrong with one of them.
    private func collect() -> (ObjectBatch, ObjectIndexError?) {
        var batch = ObjectBatch(deletedIDs: deletions.values.compactMap(\.id))
        var problem: ObjectIndexError?
        // One that was marked, deleted and brought back is in the order twice.
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

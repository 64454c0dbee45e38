// Not built on Linux, which has no Core Data: this file is compiled on Apple's platforms only.
#if canImport(CoreData)
    import CoreData

    /// Keeps an `ObjectIndex` in step with a Core Data context, by the context's own notifications: no object needs to
    /// override `willSave`, `didSave` or `prepareForDeletion`.
    ///
    /// ```swift
    /// extension Post: IndexedObject {
    ///     public var searchTexts: [String: String]? { ["title": title, "body": body] }
    /// }
    /// let indexer = ManagedObjectIndexer(viewContext, index: index) { print("not indexed: \($0)") }
    /// ```
    ///
    /// Managed objects are known by their `objectID`, as a URI, unless they implement `searchID` and `assignSearchID`: an
    /// attribute with an id of its own outlives a migration to another store, which gives all objects new URIs. A new
    /// object's `objectID` is temporary until it is saved; the index sees the lasting one only.
    ///
    /// Observe contexts that save to the store. What a child context saves goes to its parent first, and is indexed with
    /// that one's save. Saves by other processes are found by `ObjectIndex.drift(from:)`.
    public final class ManagedObjectIndexer: NSObject {
        private let indexer: ObjectIndexer
        private let onError: (any Error) -> Void

        /// Begins to observe the context; ends with this object. To be called on the context's queue.
        ///
        /// - Parameter onError: Called on the context's queue when a save could not be indexed; the next one brings its changes too.
        public init(
            _ context: NSManagedObjectContext, index: ObjectIndex, onError: @escaping (any Error) -> Void
        ) {
            indexer = ObjectIndexer(index)
            self.onError = onError
            super.init()
            let observed: [(Notification.Name, Selector)] = [
                (.NSManagedObjectContextObjectsDidChange, #selector(objectsDidChange(_:))),
                (.NSManagedObjectContextWillSave, #selector(contextWillSave(_:))),
                (.NSManagedObjectContextDidSave, #selector(contextDidSave(_:))),
            ]
            for (name, selector) in observed {
                // Delivered on the thread that posts them: the context's.
                NotificationCenter.default.addObserver(self, selector: selector, name: name, object: context)
            }
        }

        /// Deletions are noted here, while the ties to the parents are known, at the latest.
        @objc private func objectsDidChange(_ notification: Notification) {
            for object in objects(notification, NSDeletedObjectsKey) { indexer.prepareForDeletion(object) }
            // rollback() and reset() give up what was not saved.
            if notification.userInfo?[NSInvalidatedAllObjectsKey] != nil { indexer.rollback() }
        }

        /// Ids are assigned here, so that they are part of the save.
        @objc private func contextWillSave(_ notification: Notification) {
            guard let context = notification.object as? NSManagedObjectContext else { return }
            indexer.beginSave()
            for object in context.insertedObjects.union(context.updatedObjects) {
                if let object = object as? any IndexedObject { indexer.willSave(object) }
            }
            for object in context.deletedObjects {
                if let object = object as? any IndexedObject { indexer.prepareForDeletion(object) }
            }
        }

        /// What the `willSave` of some objects changed in others came after `contextWillSave`, and is part of these sets.
        @objc private func contextDidSave(_ notification: Notification) {
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey] {
                for object in objects(notification, key) { indexer.willSave(object) }
            }
            for object in objects(notification, NSDeletedObjectsKey) { indexer.prepareForDeletion(object) }
            do { try indexer.didSave() } catch { onError(error) }
        }

        private func objects(_ notification: Notification, _ key: String) -> [any IndexedObject] {
            let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
            return objects.compactMap { $0 as? any IndexedObject }
        }
    }

    extension IndexedObject where Self: NSManagedObject {
        /// The URI of the `objectID`; nil while that is temporary.
        public var searchID: String? {
            objectID.isTemporaryID ? nil : objectID.uriRepresentation().absoluteString
        }
    }
#endif

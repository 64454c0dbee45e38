// Not built on Linux, which has no Core Data: this file is compiled on Apple's platforms only.
#if canImport(CoreData)
    import CoreData

    /// Keeps an `ObjectIndex` in step with a Core Data context by means of the context's own notifications: no object
    /// needs to override `willSave`, `didSave` or `prepareForDeletion`.
    ///
    /// ```swift
    /// extension Post: IndexedObject {
    ///     public var searchTexts: [String: String]? { ["title": title, "body": body] }
    /// }
    /// let indexer = ManagedObjectIndexer(viewContext, index: index) { print("not indexed: \($0)") }
    /// ```
    ///
    /// Managed objects are identified by the URI of their `objectID`, unless they implement `searchID` and
    /// `assignSearchID`. An attribute with an id of your own survives a migration to another store, which gives all
    /// objects new URIs. The `objectID` of a new object is temporary until it is saved; the index only sees the
    /// permanent one.
    ///
    /// Observe the contexts that save to the store. A child context saves to its parent first, and its changes are
    /// indexed when the parent saves. `ObjectIndex.drift(from:)` finds what other processes have saved.
    public final class ManagedObjectIndexer: NSObject {
        private let indexer: ObjectIndexer
        private let onError: (any Error) -> Void

        /// Creates an indexer that observes the context until it is released. Call this on the context's queue.
        ///
        /// - Parameter onError: Called on the context's queue when a save could not be indexed; the next save indexes
        ///   its changes too.
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
                // Delivered on the thread that posts it, which is the context's.
                NotificationCenter.default.addObserver(self, selector: selector, name: name, object: context)
            }
        }

        /// Notes deletions while the references to the parents are still there.
        @objc private func objectsDidChange(_ notification: Notification) {
            for object in objects(notification, NSDeletedObjectsKey) { indexer.prepareForDeletion(object) }
            // rollback() and reset() discard unsaved changes.
            if notification.userInfo?[NSInvalidatedAllObjectsKey] != nil { indexer.rollback() }
        }

        /// Assigns ids here, so that the save includes them.
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

        /// These sets also hold what the `willSave` of some objects changed in others after `contextWillSave`.
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

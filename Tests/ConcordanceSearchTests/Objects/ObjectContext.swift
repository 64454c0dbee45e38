import Concordance
import ConcordanceSearch

/// A context of objects that calls `willSave`, `didSave` and `prepareForDeletion` as Core Data does: `willSave` for all
/// objects with changes, again as long as that changes objects; then, if the store accepted them, `didSave`.
final class ObjectContext {
    struct StoreError: Error {}

    let indexer: ObjectIndexer
    private(set) var changed: [ContextObject] = []
    private(set) var deleted: [ContextObject] = []
    private var isStable = true
    /// Makes the next save fail, as a validation error does.
    var failsNextSave = false
    /// What the last save changed in the index.
    private(set) var changes = ObjectChanges()

    init(_ indexer: ObjectIndexer) { self.indexer = indexer }

    func didChange(_ object: ContextObject) {
        isStable = false
        guard !object.isDeleted, !changed.contains(where: { $0 === object }) else { return }
        changed.append(object)
    }

    func delete(_ object: ContextObject) {
        guard !object.isDeleted else { return }
        object.prepareForDeletion()
        object.isDeleted = true
        changed.removeAll { $0 === object }
        deleted.append(object)
        for child in object.ownedObjects { delete(child) }
        object.didCutTies()
    }

    func undoDeletion(of object: ContextObject) {
        object.isDeleted = false
        deleted.removeAll { $0 === object }
    }

    func save() throws {
        repeat {
            isStable = true
            for object in changed + deleted { object.willSave() }
        } while !isStable
        if failsNextSave {
            failsNextSave = false
            throw StoreError()
        }
        let saved = changed + deleted
        changed = []
        deleted = []
        for object in saved { object.didSave() }
        changes = try indexer.didSave()
    }

    func rollback() {
        for object in deleted { object.isDeleted = false }
        changed = []
        deleted = []
        indexer.rollback()
    }
}

/// An object of the context that keeps itself in the index.
class ContextObject: IndexedObject {
    let context: ObjectContext
    var isDeleted = false
    var indexID: String? { didSet { context.didChange(self) } }
    private(set) var willSaveCount = 0
    private(set) var indexedCount = 0

    init(_ context: ObjectContext) {
        self.context = context
        context.didChange(self)
    }

    var ownedObjects: [ContextObject] { [] }
    func didCutTies() {}
    func makeTexts() -> [String: String]? { nil }

    func willSave() {
        willSaveCount += 1
        context.indexer.willSave(self)
    }
    func didSave() {}
    func prepareForDeletion() { context.indexer.prepareForDeletion(self) }

    // MARK: IndexedObject

    var searchID: String? { indexID }
    func assignSearchID(_ id: String) { indexID = id }
    var searchTexts: [String: String]? {
        indexedCount += 1
        return makeTexts()
    }
    var searchParents: [any IndexedObject] { [] }
}

/// A searchable text with an attribute that is derived from it.
final class TextObject: ContextObject {
    var text: String {
        didSet {
            context.didChange(self)
            sortPrefix = String(text.prefix(20))
        }
    }
    private(set) var sortPrefix = ""

    init(_ text: String, in context: ObjectContext) {
        self.text = text
        super.init(context)
    }

    override func makeTexts() -> [String: String]? { ["body": text] }
}

/// A post, identified by an attribute of its own.
final class Post: ContextObject {
    var title: String { didSet { context.didChange(self) } }
    var body: String { didSet { context.didChange(self) } }

    init(title: String, body: String, in context: ObjectContext) {
        self.title = title
        self.body = body
        super.init(context)
    }

    override func makeTexts() -> [String: String]? { ["title": title, "body": body] }
}

/// A place, whose row has the texts of its notes and the captions of its photos.
final class Place: ContextObject {
    var name: String { didSet { context.didChange(self) } }
    var notes: [PlacePart] = [] { didSet { context.didChange(self) } }

    init(_ name: String, in context: ObjectContext) {
        self.name = name
        super.init(context)
    }

    override var ownedObjects: [ContextObject] { notes }
    override func makeTexts() -> [String: String]? {
        ["title": name, "body": notes.map(\.text).joined(separator: "\n")]
    }
}

/// A note, or the caption of a photo, without a row of its own.
final class PlacePart: ContextObject {
    var text: String { didSet { context.didChange(self) } }
    private(set) var place: Place?

    init(_ text: String, of place: Place) {
        self.text = text
        self.place = place
        super.init(place.context)
        place.notes.append(self)
    }

    override func assignSearchID(_ id: String) {}
    override var searchParents: [any IndexedObject] { place.map { [$0] } ?? [] }
    override func didCutTies() {
        if let place, !place.isDeleted { place.notes.removeAll { $0 === self } }
        place = nil
    }

    /// Leaves one place for another.
    func move(to other: Place) {
        place?.notes.removeAll { $0 === self }
        place = other
        other.notes.append(self)
        context.didChange(self)
    }
}

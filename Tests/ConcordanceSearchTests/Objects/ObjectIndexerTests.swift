import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("Objects that are indexed when they are saved")
struct ObjectIndexerTests {
    private let temporary: TemporaryIndex
    private let context: ObjectContext
    private var index: ObjectIndex { temporary.index }

    init() throws {
        temporary = try TemporaryIndex()
        context = ObjectContext(ObjectIndexer(temporary.index))
    }

    /// The life of a searchable text: saved, changed, deleted, with `willSave` called again and again.
    @Test func `are indexed once a save, however often willSave is called`() throws {
        let text = TextObject("Ich heiße Großmann", in: context)
        try context.save()
        #expect(text.willSaveCount == 2, "giving it an id makes the context ask again")
        #expect(text.indexedCount == 1)
        #expect(context.changes == ObjectChanges(inserted: 1))
        let id = try #require(text.indexID)
        #expect(try index.ids(matching: "grossmann") == [id])

        text.text = "Ich heiße Müller"
        try context.save()
        #expect(text.sortPrefix == "Ich heiße Müller")
        #expect(text.indexID == id, "the id is assigned once")
        #expect(text.indexedCount == 2)
        #expect(context.changes == ObjectChanges(updated: 1))
        #expect(try index.ids(matching: "grossmann") == [])
        #expect(try index.ids(matching: "muller") == [id])

        try context.save()
        #expect(text.indexedCount == 2, "a save without the object does not index it")
        text.text = "Ich heiße Müller"
        try context.save()
        #expect(context.changes == ObjectChanges(unchanged: 1))
    }

    @Test func `with the texts that they have at the end of the save`() throws {
        let text = TextObject("first", in: context)
        context.indexer.willSave(text)
        text.text = "last"
        context.indexer.willSave(text)
        try context.indexer.didSave()
        #expect(try index.ids(matching: "first") == [])
        #expect(try index.ids(matching: "last").count == 1)
    }

    @Test func `never when they are deleted`() throws {
        let kept = TextObject("kept", in: context)
        let saved = TextObject("saved", in: context)
        try context.save()
        let unsaved = TextObject("unsaved", in: context)
        context.delete(unsaved)
        saved.text = "saved and changed"
        context.delete(saved)
        kept.text = "kept and changed"
        try context.save()
        #expect(context.changes == ObjectChanges(updated: 1, deleted: 1))
        #expect(unsaved.indexedCount == 0)
        #expect(saved.indexedCount == 1)
        #expect(try index.ids(matching: "saved") == [])
        #expect(try index.ids(matching: "kept") == [kept.indexID])
        #expect(try index.count() == 1)
    }

    @Test func `a save without changes of texts writes nothing`() throws {
        let text = TextObject("text", in: context)
        try context.save()
        let other = try Database(path: temporary.path)
        let before = try index.fileChangeCount(other)
        context.didChange(text)
        try context.save()
        #expect(context.changes == ObjectChanges(unchanged: 1))
        #expect(try index.fileChangeCount(other) == before)
    }

    @Test func `all of one save in one transaction`() throws {
        let other = try Database(path: temporary.path)
        let before = try #require(try index.fileChangeCount(other))
        let texts = (0..<79).map { TextObject("text \($0)", in: context) }
        try context.save()
        #expect(context.changes == ObjectChanges(inserted: 79))
        #expect(texts.allSatisfy { $0.indexedCount == 1 })
        #expect(Set(texts.map(\.indexID)).count == 79)
        #expect(try index.fileChangeCount(other) == before + 1)
    }

    @Test func `a save that fails leaves the index as it is`() throws {
        let text = TextObject("before", in: context)
        let deleted = TextObject("deleted", in: context)
        try context.save()
        text.text = "after"
        context.delete(deleted)
        context.failsNextSave = true
        #expect(throws: ObjectContext.StoreError.self) { try context.save() }
        #expect(try index.ids(matching: "before") == [text.indexID])
        context.rollback()
        text.text = "again"
        try context.save()
        #expect(context.changes == ObjectChanges(updated: 1))
        #expect(try index.ids(matching: "deleted") == [deleted.indexID])
    }

    @Test func `a deletion that is undone before the save does not happen`() throws {
        let text = TextObject("text", in: context)
        let other = TextObject("other", in: context)
        try context.save()
        context.delete(text)
        context.undoDeletion(of: text)
        other.text = "changed"
        try context.save()
        #expect(context.changes == ObjectChanges(updated: 1))
        #expect(try index.ids(matching: "text") == [text.indexID])
    }

    @Test func `children are part of their parent's row, written once a save`() throws {
        let place = Place("Café", in: context)
        let notes = (0..<5).map { PlacePart("note \($0)", of: place) }
        try context.save()
        #expect(context.changes == ObjectChanges(inserted: 1))
        #expect(place.indexedCount == 1)
        #expect(try index.ids(matching: "note") == [place.indexID])

        for note in notes { note.text = "caption" }
        try context.save()
        #expect(context.changes == ObjectChanges(updated: 1))
        #expect(place.indexedCount == 2)
        #expect(try index.ids(matching: "caption") == [place.indexID])

        notes[0].text = "last of its kind"
        try context.save()
        context.delete(notes[0])
        try context.save()
        #expect(context.changes == ObjectChanges(updated: 1))
        #expect(try index.ids(matching: "kind") == [])
        #expect(try index.count() == 1)
    }

    @Test func `a child that moves changes both parents`() throws {
        let (home, away) = (Place("home", in: context), Place("away", in: context))
        let note = PlacePart("suitcase", of: home)
        try context.save()
        #expect(try index.ids(matching: "suitcase") == [home.indexID])
        note.move(to: away)
        try context.save()
        #expect(context.changes == ObjectChanges(updated: 2))
        #expect(try index.ids(matching: "suitcase") == [away.indexID])
    }

    @Test func `a child that gets another parent between two calls of willSave changes that one`() throws {
        final class Line: IndexedObject {
            var page: Place?
            var isDeleted: Bool { false }
            var searchTexts: [String: String]? { nil }
            var searchParents: [any IndexedObject] { page.map { [$0] } ?? [] }
        }
        let (first, second) = (Place("first", in: context), Place("second", in: context))
        try context.save()
        let line = Line()
        line.page = first
        context.indexer.willSave(line)
        line.page = second
        context.indexer.willSave(line)
        try context.indexer.didSave()
        #expect(first.indexedCount == 2)
        #expect(second.indexedCount == 2)
    }

    @Test func `a parent goes with its children`() throws {
        let place = Place("Café", in: context)
        let notes = (0..<3).map { PlacePart("note \($0)", of: place) }
        try context.save()
        context.delete(place)
        try context.save()
        #expect(context.changes == ObjectChanges(deleted: 1))
        #expect(place.indexedCount == 1)
        #expect(notes.allSatisfy { $0.isDeleted })
        #expect(try index.count() == 0)
    }

    @Test func `stores that tell of objects only end a save with the last one`() throws {
        let objects = (0..<3).map { TextObject("text \($0)", in: context) }
        for object in objects { context.indexer.willSave(object) }
        #expect(try context.indexer.didSave(objects[0]) == nil)
        #expect(try context.indexer.didSave(objects[1]) == nil)
        #expect(try index.count() == 0)
        #expect(try context.indexer.didSave(objects[2]) == ObjectChanges(inserted: 3))
    }

    @Test func `what could not be written comes with the next save`() throws {
        let text = TextObject("text", in: context)
        let blocker = try Database(path: temporary.path)
        try index.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        var configuration = Configuration()
        configuration.busyTimeout = 0
        let impatient = ObjectContext(
            ObjectIndexer(try TemporaryIndex.open(temporary.path, configuration: configuration)))
        let other = TextObject("other", in: impatient)
        try blocker.execute(sql: "BEGIN IMMEDIATE")
        #expect(throws: DatabaseError.self) { try impatient.save() }
        try blocker.execute(sql: "ROLLBACK")
        TextObject("third", in: impatient).text = "third"
        try impatient.save()
        #expect(impatient.changes == ObjectChanges(inserted: 2))
        #expect(try index.ids(matching: "other") == [other.indexID])
        try context.save()
        #expect(try index.ids(matching: "text") == [text.indexID])
    }

    @Test func `a batch can be written elsewhere`() async throws {
        let text = TextObject("text", in: context)
        context.indexer.willSave(text)
        let batch = try context.indexer.takeBatch()
        #expect(batch.objects.map(\.id) == [text.indexID])
        #expect(try await index.apply(batch) == ObjectChanges(inserted: 1))
        #expect(try context.indexer.takeBatch().isEmpty)
    }

    @Test func `an object without an id is an error, and the others are indexed`() throws {
        final class Nameless: IndexedObject {
            var isDeleted: Bool { false }
            var searchTexts: [String: String]? { ["body": "nameless"] }
        }
        context.indexer.willSave(Nameless())
        let text = TextObject("text", in: context)
        context.indexer.willSave(text)
        #expect(throws: ObjectIndexError.noID(type: "Nameless")) { try context.indexer.didSave() }
        #expect(try index.ids(matching: "text") == [text.indexID])
    }

    @Test func `two batches lead where their sum does`() throws {
        let first = ObjectBatch(
            objects: [SearchObject(id: "a", texts: ["body": "1"]), SearchObject(id: "b", texts: ["body": "1"])],
            deletedIDs: ["c", "d"])
        let second = ObjectBatch(objects: [SearchObject(id: "c", texts: ["body": "2"])], deletedIDs: ["a"])
        var sum = first
        sum.append(second)
        for id in ["a", "c", "d"] { try index.upsert(id: id, texts: ["body": "0"]) }
        try index.apply(sum)
        #expect(
            try index.database.read { try String.fetchAll($0, sql: "SELECT object_id FROM objects ORDER BY 1") } == [
                "b", "c",
            ])
        #expect(try index.object(id: "c")?["body"] == "2")
    }
}

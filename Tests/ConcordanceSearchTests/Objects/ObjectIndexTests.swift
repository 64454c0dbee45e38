import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("An index of objects that live elsewhere")
struct ObjectIndexTests {
    @Test func `the version of texts follows them, one of the store's own does not`() {
        var object = SearchObject(id: "a", texts: ["body": "one"])
        object.texts["body"] = "two"
        #expect(object == SearchObject(id: "a", texts: ["body": "two"]))
        var own = SearchObject(id: "a", texts: ["body": "one"], version: ObjectVersion(rawValue: 7))
        own.texts["body"] = "two"
        #expect(own.version == ObjectVersion(rawValue: 7))
    }

    @Test func `objects are added, changed, found and removed`() throws {
        let index = try TemporaryIndex().index
        let shells = "She sells sea shells by the sea shore."
        #expect(try index.upsert(id: "doc1", texts: ["title": "Shells", "body": shells]) == ObjectChanges(inserted: 1))
        #expect(try index.upsert(id: "doc2", texts: ["body": "Peter Piper"]) == ObjectChanges(inserted: 1))
        #expect(try index.ids(matching: "she*") == ["doc1"])
        #expect(try index.object(id: "doc1")?["body"] == shells)
        #expect(try index.object(id: "doc2")?["title"] == "")
        #expect(try index.upsert(id: "doc2", texts: ["body": "Peter's shed"]) == ObjectChanges(updated: 1))
        #expect(try index.ids(matching: "she*") == ["doc1", "doc2"])
        #expect(try index.ids(matching: "Piper") == [])
        #expect(try index.delete(id: "doc1") == ObjectChanges(deleted: 1))
        #expect(try index.delete(id: "doc1") == ObjectChanges())
        #expect(try index.ids(matching: "she*") == ["doc2"])
        #expect(try index.count() == 1)
        #expect(try index.deleteAll() == ObjectChanges(deleted: 1))
        #expect(try index.ids(matching: "she*") == [])
        #expect(try index.isConsistent())
    }

    @Test func `words are completed and put right from the objects' texts`() throws {
        let index = try TemporaryIndex().index
        try index.upsert(id: "doc1", texts: ["body": "She sells sea shells by the sea shore."])
        #expect(try index.suggestions(for: "sea shor").map(\.text) == ["sea shore"])
        #expect(try index.didYouMean("shlels")?.text == "shells")
        #expect(try index.didYouMean("shells") == nil)
    }

    @Test func `the asynchronous forms do the same`() async throws {
        let folder = try TemporaryFolder()
        let index = try await ObjectIndex.open(path: folder["index.sqlite"]) { Field("body") }
        #expect(try await index.upsert(id: "a", texts: ["body": "one"]) == ObjectChanges(inserted: 1))
        #expect(try await index.suggestions(for: "on").map(\.text) == ["one"])
        #expect(try await index.didYouMean("oen")?.text == "one")
        let objects = (0..<10).map { SearchObject(id: "\($0)", texts: ["body": "two \($0)"]) }
        #expect(try await index.upsert(objects) == ObjectChanges(inserted: 10))
        #expect(try await index.delete(ids: ["0", "1", "x"]) == ObjectChanges(deleted: 2))
        #expect(try await index.object(id: "a")?["body"] == "one")
        #expect(
            try await index.reconcile(with: objects.prefix(3)) == ObjectChanges(inserted: 2, unchanged: 1, deleted: 8))
        #expect(try await index.prune(keeping: ["1"]) == ObjectChanges(deleted: 2))
        #expect(try await index.drift(from: [(id: "1", version: objects[1].version)]).isEmpty)
        #expect(try await index.count() == 1)
        #expect(try await index.deleteAll() == ObjectChanges(deleted: 1))
    }

    @Test func `an unchanged object costs no write`() throws {
        let temporary = try TemporaryIndex()
        let object = SearchObject(id: "a", texts: ["title": "One", "body": "Two"])
        try temporary.index.upsert([object])
        let other = try Database(path: temporary.path)
        let before = try temporary.index.fileChangeCount(other)
        #expect(try temporary.index.upsert([object, object]) == ObjectChanges(unchanged: 2))
        #expect(try temporary.index.fileChangeCount(other) == before)
        #expect(try temporary.index.upsert(id: "a", texts: ["title": "One"]) == ObjectChanges(updated: 1))
        #expect(try temporary.index.fileChangeCount(other) != before)
    }

    @Test func `a change is seen though the version says that there is none`() throws {
        let index = try TemporaryIndex().index
        let version = ObjectVersion("revision 1")
        try index.upsert(id: "a", texts: ["body": "old"], version: version)
        #expect(try index.upsert(id: "a", texts: ["body": "new"], version: version) == ObjectChanges(updated: 1))
        #expect(try index.ids(matching: "new") == ["a"])
        #expect(try index.ids(matching: "old") == [])
    }

    @Test func `ids and texts are compared byte by byte`() throws {
        let index = try TemporaryIndex().index
        let ids = ["é", "e\u{301}", "", " ", "a\u{0}b", "a", "A", "file:///tmp/x", "日本", "'; DROP TABLE objects; --"]
        try index.upsert(ids.map { SearchObject(id: $0, texts: ["body": "text"]) })
        #expect(try index.count() == ids.count)
        #expect(try index.prune(keeping: ["é", "a"]) == ObjectChanges(deleted: ids.count - 2))
        #expect(try index.object(id: "é")?.id.utf8.count == 2)
        #expect(try index.object(id: "e\u{301}") == nil)
        try index.upsert(id: "a", texts: ["body": "é"])
        #expect(try index.upsert(id: "a", texts: ["body": "e\u{301}"]) == ObjectChanges(updated: 1))
    }

    @Test func `a batch is all or nothing`() throws {
        let index = try TemporaryIndex().index
        try index.upsert(id: "old", texts: ["body": "here"])
        let batch = ObjectBatch(
            objects: [SearchObject(id: "a", texts: ["body": "x"]), SearchObject(id: "b", texts: ["note": "y"])],
            deletedIDs: ["old"])
        let error = #expect(throws: SearchIndexError.self) { try index.apply(batch) }
        #expect(error == .noSuchField("note", index: "objectTexts", known: ["title", "body"]))
        #expect(try index.ids(matching: "here") == ["old"])
        #expect(try index.count() == 1)
    }

    @Test func `an object that is both deleted and put in is there`() throws {
        let index = try TemporaryIndex().index
        try index.upsert(id: "a", texts: ["body": "x"])
        let batch = ObjectBatch(objects: [SearchObject(id: "a", texts: ["body": "x"])], deletedIDs: ["a"])
        #expect(try index.apply(batch) == ObjectChanges(unchanged: 1))
        #expect(try index.count() == 1)
    }

    @Test func `drift from the store is found and mended`() throws {
        let index = try TemporaryIndex().index
        var store = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", ["body": "text \($0)"]) })
        try index.upsert(store.map { SearchObject(id: $0.key, texts: $0.value) })
        func drift() throws -> ObjectDrift {
            try index.drift(from: store.lazy.map { (id: $0.key, version: ObjectVersion(of: $0.value)) })
        }
        #expect(try drift().isEmpty)
        store["3"] = nil
        store["5"] = ["body": "changed"]
        store["new"] = ["title": "new"]
        #expect(try drift() == ObjectDrift(missing: ["new"], stale: ["5"], surplus: ["3"]))
        let changes = try index.reconcile(with: store.map { SearchObject(id: $0.key, texts: $0.value) })
        #expect(changes == ObjectChanges(inserted: 1, updated: 1, unchanged: 18, deleted: 1))
        #expect(try drift().isEmpty)
        #expect(try index.isConsistent())
    }

    @Test func `a version does not depend on the order of the texts, and not on empty ones`() {
        let version = ObjectVersion(of: ["a": "1", "b": "2"])
        #expect(ObjectVersion(of: ["b": "2", "c": "", "a": "1"]) == version)
        for other in [["a": "12"], ["a1": "", "b": "2"], ["a": "2", "b": "1"], ["a": "1b2"], [:]] {
            #expect(ObjectVersion(of: other) != version, "\(other)")
        }
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `after random changes the index holds what the store does`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let index = try TemporaryIndex().index
        var store: [String: [String: String]] = [:]
        let words = ["sea", "shell", "Großmann", "", "first", "naïve", "日本語", "x\u{0}y", "🎉"]
        for _ in 0..<120 {
            let id = "\(Int.random(in: 0..<12, using: &random))"
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                store[id] = nil
                try index.delete(id: id)
            case 1:
                let kept = store.keys.filter { _ in Bool.random(using: &random) }
                store = store.filter { kept.contains($0.key) }
                try index.prune(keeping: kept)
            default:
                let texts = ["title", "body"].map { name in
                    (name, (0..<3).compactMap { _ in words.randomElement(using: &random) }.joined(separator: " "))
                }
                store[id] = Dictionary(uniqueKeysWithValues: texts)
                try index.upsert(id: id, texts: store[id] ?? [:])
            }
        }
        let drift = try index.drift(from: store.map { (id: $0.key, version: ObjectVersion(of: $0.value)) })
        #expect(drift.isEmpty, "seed \(seed): \(drift)")
        #expect(try index.isConsistent(), "seed \(seed)")
        for (id, texts) in store { #expect(try index.object(id: id)?.texts == texts, "seed \(seed)") }
    }

    @Test func `two writers lose nothing`() async throws {
        let temporary = try TemporaryIndex()
        let other = try TemporaryIndex.open(temporary.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, index) in [("a", temporary.index), ("b", other)] {
                group.addTask {
                    for n in 0..<30 { try await index.upsert(id: "\(name)\(n)", texts: ["body": "by \(name)"]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await temporary.index.count() == 60)
        #expect(try temporary.index.isConsistent())
    }
}

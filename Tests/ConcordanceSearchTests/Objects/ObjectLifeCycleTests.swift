import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

/// Searches of apps whose objects are in a store without full-text search.
@Suite("Keyword search over the objects of a store")
struct ObjectLifeCycleTests {
    private let temporary: TemporaryIndex
    private let context: ObjectContext
    private var index: ObjectIndex { temporary.index }

    init() throws {
        temporary = try TemporaryIndex()
        context = ObjectContext(ObjectIndexer(temporary.index))
    }

    /// 79 texts of 175,553 bytes, all found by each of their words.
    @Test func `texts of a notebook are found by any of their words, in any case, with and without diacritics`() throws
    {
        let path = temporary.folder["keywords.sqlite"]
        let index = try ObjectIndex(path: path) {
            Field("body")
            Analysis(Analyzer(.words(), .fold, .latin, .stop(.english)))
        }
        let context = ObjectContext(ObjectIndexer(index))
        let words = ["Café", "naïve", "THE", "the", "Zürich", "and", "don't", "river", "Über", "mountain", "night"]
        var random = SeededGenerator(seed: 1)
        let texts = (0..<79).map { number in
            var text = "Nr\(number)"
            while text.utf8.count < 2222 { text += " " + (words.randomElement(using: &random) ?? "") }
            return TextObject(text, in: context)
        }
        try context.save()
        #expect(context.changes == ObjectChanges(inserted: 79))
        #expect(texts.allSatisfy { $0.willSaveCount == 2 && $0.indexedCount == 1 })
        for (word, count) in [("cafe", 79), ("NAIVE", 79), ("zurich", 79), ("uber", 79), ("nr7", 1), ("sea", 0)] {
            let page = try index.search(index.query(word, isTyping: false).counting(.exact))
            #expect(page.total?.count == count, "\(word)")
        }

        texts[7].text = "The silence of the sea"
        try context.save()
        #expect(context.changes == ObjectChanges(updated: 1))
        #expect(texts.map(\.indexedCount).reduce(0, +) == 80)
        #expect(try index.search("sea").hits.map(\.record.id) == [texts[7].indexID])
        #expect(try index.search(index.query("nr7", isTyping: false)).hits.isEmpty)
    }

    /// One line of the index per document, found by a prefix, shown with the match marked.
    @Test func `documents of another store are found by a prefix, with the match in its context`() throws {
        let posts = [
            Post(title: "doc1", body: "She sells sea shells by the sea shore.", in: context),
            Post(title: "doc2", body: "Peter Piper picked a peck of pickled peppers.", in: context),
        ]
        try context.save()
        let page = try index.search("she")
        #expect(page.hits.map(\.record.id) == [posts[0].indexID])
        let hit = try #require(page.hits.first)
        #expect(hit.record["title"] == "doc1")
        #expect(
            try hit.highlights("body").marked(open: "[", close: "]") == "[She] sells sea [shells] by the sea shore.")
        // The store is asked for the objects by the ids that were found.
        let found = posts.filter { post in page.hits.contains { $0.record.id == post.searchID } }
        #expect(found.map(\.title) == ["doc1"])

        posts[1].body = "She sold it."
        context.delete(posts[0])
        try context.save()
        #expect(context.changes == ObjectChanges(updated: 1, deleted: 1))
        #expect(try index.search("she").hits.map(\.record.id) == [posts[1].indexID])
    }

    /// Random lives of places with notes; saves that fail are tried again.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `after any history the index holds what the store does`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var places: [Place] = []
        var parts: [PlacePart] = []
        for step in 0..<150 {
            places.removeAll(where: \.isDeleted)
            parts.removeAll(where: \.isDeleted)
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: places.append(Place("place \(step)", in: context))
            case 2, 3:
                if let place = places.randomElement(using: &random) {
                    parts.append(PlacePart("note \(step)", of: place))
                }
            case 4, 5: parts.randomElement(using: &random)?.text = "changed \(step)"
            case 6: places.randomElement(using: &random)?.name = "renamed \(step)"
            case 7:
                if let part = parts.randomElement(using: &random), let place = places.randomElement(using: &random) {
                    part.move(to: place)
                }
            case 8: parts.randomElement(using: &random).map(context.delete)
            case 9: places.randomElement(using: &random).map(context.delete)
            case 10:
                context.failsNextSave = true
                #expect(throws: ObjectContext.StoreError.self) { try context.save() }
            default:
                let changed = places.filter { !$0.isDeleted }.count
                try context.save()
                #expect(context.changes.inserted + context.changes.updated <= changed, "seed \(seed), step \(step)")
            }
        }
        try context.save()
        places.removeAll(where: \.isDeleted)
        let versions = places.map { (id: $0.indexID ?? "", version: ObjectVersion(of: $0.makeTexts() ?? [:])) }
        let drift = try index.drift(from: versions)
        #expect(drift.isEmpty, "seed \(seed): \(drift)")
        #expect(try index.count() == places.count, "seed \(seed)")
        #expect(try index.isConsistent(), "seed \(seed)")
    }
}

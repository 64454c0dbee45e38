import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("An object index whose fields have changed")
struct ObjectMigrationTests {
    private let folder: TemporaryFolder
    private var path: String { folder["index.sqlite"] }

    init() throws { folder = try TemporaryFolder() }

    @Test func `is indexed again from what is stored`() throws {
        let first = try ObjectIndex(path: path) {
            Field("title")
            Field("body")
        }
        try first.upsert(id: "a", texts: ["title": "Running", "body": "shoes"])
        try first.close()
        let second = try ObjectIndex(path: path) {
            Field("title", weight: 5)
            Field("notes")
            Analysis(.english)
        }
        #expect(try second.ids(matching: "run") == ["a"])
        #expect(try second.ids(matching: "shoes") == [])
        #expect(try second.isConsistent())
        let texts = ["title": "Running", "notes": "marathon"]
        #expect(try second.drift(from: [(id: "a", version: ObjectVersion(of: texts))]).stale == ["a"])
        try second.upsert(id: "a", texts: texts)
        #expect(try second.ids(matching: "marathon") == ["a"])
        #expect(try second.object(id: "a")?.texts == texts)
    }

    @Test func `writes nothing for objects that the change does not concern`() throws {
        let texts = ["title": "Running"]
        try ObjectIndex(path: path) { Field("title") }.upsert(id: "a", texts: texts)
        let second = try ObjectIndex(path: path) {
            Field("title")
            Field("notes")
        }
        #expect(try second.drift(from: [(id: "a", version: ObjectVersion(of: texts))]).isEmpty)
        #expect(try second.upsert(id: "a", texts: texts) == ObjectChanges(unchanged: 1))
    }
}

import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("The file of an object index")
struct ObjectFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder["index.sqlite"] }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ fields: [Field<SearchObject>], readonly: Bool = false) throws -> ObjectIndex {
        var configuration = Configuration()
        configuration.readonly = readonly
        return try ObjectIndex(path: path, configuration: configuration) {
            for field in fields { field }
        }
    }

    @Test func `objects are there when it is opened again`() throws {
        try open([Field("body")]).upsert(id: "a", texts: ["body": "here"])
        #expect(try open([Field("body")]).ids(matching: "here") == ["a"])
        #expect(try open([Field("body")], readonly: true).ids(matching: "here") == ["a"])
    }

    @Test func `opening it as it is writes nothing`() throws {
        let index = try open([Field("body")])
        let other = try Database(path: path)
        let before = try index.fileChangeCount(other)
        let again = try open([Field("body")])
        #expect(try again.fileChangeCount(other) == before)
    }

    @Test func `for reading only, it has to exist`() throws {
        #expect(throws: ObjectIndexError.noFile(path: path)) { try open([Field("body")], readonly: true) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a read-only index refuses changes`() throws {
        try open([Field("body")]).upsert(id: "a", texts: ["body": "here"])
        let index = try open([Field("body")], readonly: true)
        #expect(throws: DatabaseError.self) { try index.upsert(id: "b", texts: [:]) }
        #expect(throws: ObjectIndexError.readOnly(path: path)) { try open([Field("other")], readonly: true) }
        #expect(try index.ids(matching: "here") == ["a"])
    }

    @Test func `other files are refused and left as they are`() throws {
        let other = try Database(path: path)
        try other.execute(sql: "CREATE TABLE mine (x)")
        try other.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: ObjectIndexError.otherDatabase(path: path)) { try open([Field("body")]) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `a later format is refused`() throws {
        let index = try open([Field("body")])
        try index.database.write { try $0.execute(sql: "PRAGMA user_version = 99") }
        let error = ObjectIndexError.newerFormat(path: path, format: 99, supported: 1)
        #expect(throws: error) { try open([Field("body")]) }
    }

    @Test(arguments: ["text", "header", "middle"])
    func `damage is an error that says what to do`(kind: String) throws {
        let index = try open([Field("body")])
        try index.upsert((0..<200).map { SearchObject(id: "\($0)", texts: ["body": "text \($0)"]) })
        try index.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        switch kind {
        case "text": bytes = Data("This is not a database, and never was one. Nothing to see.".utf8)
        case "header": bytes.replaceSubrange(0..<16, with: Data(repeating: 7, count: 16))
        // The first page's tree: the schema.
        default: bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: ObjectIndexError.self) { try open([Field("body")]) }
        guard case .damaged(let damaged, _) = error else {
            Issue.record("\(kind): \(String(describing: error))")
            return
        }
        #expect(damaged == path)
        try ObjectIndex.removeFile(at: path)
        #expect(try open([Field("body")]).count() == 0)
    }

    @Test func `impossible fields are errors`() {
        #expect(throws: ObjectIndexError.noFields(path: path)) { try open([]) }
        #expect(throws: ObjectIndexError.relatedField("tags")) {
            try open([Field("tags").joined("tags", \.title)])
        }
        let reserved = ["object_number", "object_id", "object_version"]
        #expect(throws: ObjectIndexError.reservedField("Object_ID", reserved: reserved)) {
            try open([Field("Object_ID")])
        }
    }

    @Test func `a computed field follows from the others`() throws {
        let index = try open([Field("first"), Field("full").computed("first || 'son'")])
        try index.upsert(id: "a", texts: ["first": "Ander"])
        #expect(try index.ids(matching: "Anderson") == ["a"])
        #expect(throws: SearchIndexError.self) { try index.upsert(id: "a", texts: ["full": "Anders"]) }
    }

    @Test func `another process finds and changes the same objects`() throws {
        guard Python.isThere() else { return }
        let index = try open([Field("body")])
        try index.upsert(id: "a", texts: ["body": "ours"])
        let child = try Python.start(
            """
            db = sqlite3.connect(sys.argv[1], timeout=3600)
            assert db.execute("SELECT body FROM objects").fetchall() == [("ours",)]
            db.execute("INSERT INTO objects(object_id, object_version, body) VALUES ('b', 0, 'theirs')")
            db.commit()
            """, path)
        child.waitUntilExit()
        #expect(child.terminationStatus == 0)
        #expect(try index.search("theirs").hits.map(\.record.id) == ["b"])
    }
}

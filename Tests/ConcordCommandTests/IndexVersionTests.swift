import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Indexes know what documents are filtered and ordered by")
struct IndexVersionTests {
    /// The index that the command made before it kept values.
    private func makeOlder(_ path: String) throws {
        let file = try IndexFile(path: path, isReadOnly: false)
        try file.database.execute(
            sql: """
                DROP TABLE documents;
                CREATE VIRTUAL TABLE documents USING concordance(title, path, body, tokenize='concordance standard', prefix='2');
                DROP TABLE parts;
                CREATE TABLE parts(document INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files(id), line INTEGER);
                INSERT INTO parts VALUES (1, 1, NULL);
                INSERT INTO documents(rowid, title, path, body) VALUES (1, 'a', 'a.txt', 'alpha');
                PRAGMA user_version = 1;
                """)
    }

    @Test func anOlderIndexIsMadeAnew() throws {
        let documents = try IndexedDocuments(["a.txt": "alpha", "b/b.md": "# Alpha\nbeta"])
        let expected = try contents(documents.path)
        try makeOlder(documents.path)
        #expect(throws: IndexError.older(documents.path)) { _ = try IndexFile(path: documents.path, isReadOnly: true) }
        let command = try #require(BuiltCommand())
        let search = try command.run(["search", "alpha", "--db", documents.path])
        #expect(search.code == 2)
        #expect(search.messages.contains("concord index"))
        // Whatever is asked for, the files of all folders are read again.
        let other = try TemporaryFolder()
        try other.write("c.txt", "gamma")
        let result = try command.run(["index", other.path, "--db", documents.path])
        #expect(result.code == 0)
        #expect(result.messages.contains("made by an older concord"))
        #expect(try contents(documents.path).count == expected.count + 2)
        #expect(try IndexCheck(IndexFile(path: documents.path, isReadOnly: false)).problems == [])
        #expect(try command.run(["search", "alpha", "--db", documents.path]).code == 0)
    }

    @Test(arguments: [nil, "fts5"])
    func filtersAndOrders(_ engine: String?) throws {
        let folder = try TemporaryFolder()
        let database = folder["index.db"]
        let command = try #require(BuiltCommand())
        for (name, text, seconds) in [
            ("docs/a.txt", "alpha", 951_782_400.0), ("docs/deep/b.md", "# Alpha\nbeta", 1_500_000_000),
            ("docs/deep/er/c.txt", "alpha alpha", 1_700_000_000),
        ] {
            try folder.write(name, text)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: folder[name])
        }
        let index = ["index", "-q", "--db", database, folder["docs"]] + (engine.map { ["--engine", $0] } ?? [])
        #expect(try command.run(index).code == 0)
        func names(_ arguments: String...) throws -> [String] {
            let output = try command.run(["search", "--json", "--db", database, "alpha"] + arguments).output
            return try output.split(separator: "\n").map { line in
                let hit = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return PathText.name(hit?["path"] as? String ?? "")
            }
        }
        #expect(try names("--sort", "newest") == ["c.txt", "b.md", "a.txt"])
        #expect(try names("--sort=oldest") == ["a.txt", "b.md", "c.txt"])
        #expect(try names("--sort=oldest", "-n", "1", "--offset", "1") == ["b.md"])
        #expect(try names("--year", "2017") == ["b.md"])
        #expect(try Set(names("--folder", folder["docs/deep"])) == ["b.md", "c.txt"])
        #expect(try names("--folder", folder["docs/deep"], "--kind", "text") == ["c.txt"])
        #expect(try names("--folder", folder["doc"]) == [])
        // A touched file has its new time.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_750_000_000)], ofItemAtPath: folder["docs/a.txt"])
        #expect(try command.run(["index", "-q", "--db", database]).code == 0)
        #expect(try names("--sort", "newest") == ["a.txt", "c.txt", "b.md"])
        #expect(try names("--year", "2025") == ["a.txt"])
        #expect(try names("--year", "2000") == [])
        #expect(try command.run(["check", "--db", database]).code == 0)
    }

    /// What kind a long file is turns out when its first documents have been written.
    @Test func theDocumentsOfALongFileHaveItsKind() throws {
        let text = (0..<120_000).map { "line \($0) of code\n" }.joined()
        let documents = try IndexedDocuments(["long.py": text])
        let file = try IndexFile(path: documents.path, isReadOnly: true)
        #expect(try Int.fetchOne(file.database, sql: "SELECT count(*) FROM parts") ?? 0 > 4)
        for table in ["parts", "documents"] {
            #expect(try String.fetchAll(file.database, sql: "SELECT DISTINCT kind FROM \(table)") == ["code"])
        }
    }

    @Test func foldersAreThoseBelowTheRoot() {
        for (path, relative, folder) in [
            ("/home/me/docs/a.txt", "a.txt", "/home/me/docs"), ("/home/me/docs/b/a.txt", "b/a.txt", "/home/me/docs/b"),
            ("/home/me/docs/b/c/d/a.txt", "b/c/d/a.txt", "/home/me/docs/b"), ("/a.txt", "a.txt", "/"),
            ("/b/a.txt", "b/a.txt", "/b"),
            ("/home/me/a.txt", "a.txt", "/home/me"),
        ] {
            #expect(DocumentValues.folder(of: path, relativePath: relative) == folder, "\(path)")
        }
    }

    @Test func days() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"), (951_868_800, "2000-03-01T00:00:00Z"),
            (1_714_979_289, "2024-05-06T07:08:09Z"),
            (-2_203_891_200, "1900-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)] {
            #expect(JSONText.time(seconds).text == "\"\(text)\"")
            #expect(DocumentValues.year(of: seconds) == Int64(text.prefix(4)))
        }
        #expect(JSONText.time(.max).text == "null")
        #expect(JSONText.time(nil).text == "null")
        // Whatever a file system says.
        for nanoseconds in [Int64.min, -1, 0, .max] {
            _ = DocumentValues(stamp: FileStamp(size: 0, modified: nanoseconds, changed: 0))
        }
    }
}

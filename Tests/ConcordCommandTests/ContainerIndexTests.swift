import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("What lies in containers is found under a path of its own")
struct ContainerIndexTests {
    private func hits(_ query: String, in database: String) throws -> [Hit] {
        try Searcher(IndexFile(path: database, isReadOnly: true)).search(query).hits
    }

    @Test func entriesAreFoundAndFollowTheirArchive() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let database = databases["index.db"]
        let root = try #require(DirectoryWalk.resolve(folder.path))
        try folder.write(
            "sub/all.zip", archive([("inner/a.txt", Array("kingfisher".utf8)), ("b.docx", Samples.docx())]))
        try folder.write("mail/1.eml", Samples.message)
        var report = try index(folder.path, into: database)
        #expect((report.new, report.documents) == (2, 5))
        #expect(try hits("kingfisher", in: database).map(\.path) == ["\(root)/sub/all.zip/inner/a.txt"])
        #expect(try hits("Söhne", in: database).map(\.path) == ["\(root)/sub/all.zip/b.docx"])
        #expect(try hits("attached", in: database).map(\.path) == ["\(root)/mail/1.eml/nötes.txt"])
        #expect(try hits("Привет", in: database).map(\.path) == ["\(root)/mail/1.eml"])
        // The names of entries are words of the path.
        #expect(try hits("path:inner", in: database).count == 1)

        report = try index(folder.path, into: database)
        #expect((report.unchanged, report.documents) == (2, 0))

        try folder.write("sub/all.zip", archive([("inner/c.txt", Array("heron".utf8))]))
        report = try index(folder.path, into: database)
        #expect((report.changed, report.unchanged) == (1, 1))
        #expect(try hits("kingfisher", in: database).isEmpty)
        #expect(try hits("heron", in: database).map(\.path) == ["\(root)/sub/all.zip/inner/c.txt"])

        try folder.remove("sub/all.zip")
        report = try index(folder.path, into: database)
        #expect(report.removed == 1)
        #expect(try hits("heron", in: database).isEmpty)
    }

    /// `--path`, `--folder` and `--kind archive` mean the paths that are shown.
    @Test func filtersByPathLookIntoArchives() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let root = try #require(DirectoryWalk.resolve(folder.path))
        try folder.write(
            "sub/all.zip", archive([("inner/a.txt", Array("kingfisher".utf8)), ("b.md", Array("kingfisher".utf8))]))
        try folder.write("sub/all.zip.txt", "kingfisher")
        try folder.write("inner.txt", "kingfisher")
        try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: folder["sub"])
        try index(folder.path, into: databases["index.db"])
        let command = try #require(BuiltCommand())
        for (options, expected) in [
            (["--path", "all.zip/inner"], ["sub/all.zip/inner/a.txt"]),
            (["--path", "inner"], ["sub/all.zip/inner/a.txt", "inner.txt"]),
            (["--folder", folder["sub/all.zip"]], ["sub/all.zip/inner/a.txt", "sub/all.zip/b.md"]),
            (["--folder", folder["sub/all.zip/inner"]], ["sub/all.zip/inner/a.txt"]),
            (["--folder", folder["link/all.zip/inner/"]], ["sub/all.zip/inner/a.txt"]),
            (["--folder", folder["sub/all"]], []),
            (["--kind", "archive"], ["sub/all.zip/inner/a.txt", "sub/all.zip/b.md"]),
            (["--kind", "archive", "--path", ".md"], ["sub/all.zip/b.md"]),
            (["--kind", "markdown"], ["sub/all.zip/b.md"]),
        ] {
            let found = try command.run(["search", "-l", "--db", databases["index.db"], "kingfisher"] + options)
            let paths = Set(found.output.split(separator: "\n").map(String.init))
            #expect(paths == Set(expected.map { "\(root)/\($0)" }), "\(options)")
            #expect(found.code == (expected.isEmpty ? 1 : 0))
        }
    }

    @Test func whatOfAnArchiveCouldNotBeReadIsListed() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        try folder.write("a.zip", archive([("bad.docx", Samples.zip([("x", "y")])), ("good.txt", Array("good".utf8))]))
        try index(folder.path, into: databases["index.db"])
        let file = try IndexFile(path: databases["index.db"], isReadOnly: true)
        let problem = try String.fetchOne(file.database, sql: "SELECT problem FROM files WHERE problem IS NOT NULL")
        #expect(problem?.hasPrefix("not read: bad.docx: damaged") == true)
        let facts = try IndexFacts(file).text
        #expect(facts.contains("Read in part  1 file (concord info --skipped)") && !facts.contains("Skipped"))
        #expect(try hits("good", in: databases["index.db"]).count == 1)
    }

    @Test func aBombLeavesNothing() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let words = Array(String(repeating: "bombword ", count: 4 << 20).utf8)
        try folder.write("a.zip", archive([("first.txt", Array("harmless".utf8)), ("words.txt", words)]))
        let report = try index(folder.path, into: databases["index.db"])
        #expect(report.skipped == 1)
        #expect(try hits("bombword", in: databases["index.db"]).isEmpty)
        #expect(try hits("harmless", in: databases["index.db"]).isEmpty)
    }

    /// The folders of a Maildir are hidden ones.
    @Test func maildir() throws {
        let folder = try TemporaryFolder()
        let databases = try TemporaryFolder()
        let database = databases["index.db"]
        let message = "From: a@b\nSubject: Greetings\nDate: Tue, 1 Jul 2003 10:52:37 +0200\n\n"
        for place in ["cur", "new", ".Sent/cur", ".Sent/new"] {
            try folder.write(
                "Maildir/\(place)/17.\(place.count).host:2,S", message + "in \(place.replacing("/", with: "x"))\n")
        }
        try folder.write("Maildir/.hidden/x.txt", "hidden")
        #expect(try index(folder.path, into: database).new == 4)
        #expect(try hits("\".Sentxcur\"", in: database).count == 1)
        #expect(try hits("hidden", in: database).isEmpty)
        try folder.write("Maildir/new/18.host", message + "arrived\n")
        let report = try index(folder.path, into: database)
        #expect((report.new, report.unchanged) == (1, 4))
    }
}

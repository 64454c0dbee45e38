import Concordance
import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Databases in folders that cannot be written to are read")
struct UnsharedFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder["a b?.db"]
        let db = try Database(path: path)
        try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES (1)")
        try db.close()
    }

    /// Opens the database as SQLite does where it can make no file beside it.
    private func open(
        _ link: String? = nil, failingWith code: ResultCode, isFolderWritable: Bool? = false
    ) throws -> (value: Int?, locations: [String]) {
        var locations: [String] = []
        let path = link ?? path
        let value = try UnsharedFile.open(path, isFolderWritable: isFolderWritable) { location in
            locations.append(location)
            if location == path { throw DatabaseError(resultCode: code, message: "") }
            return try Int.fetchOne(Database(path: location), sql: "SELECT x FROM t")
        }
        return (value, locations)
    }

    @Test(arguments: [ResultCode.SQLITE_CANTOPEN, .SQLITE_READONLY])
    func theFileIsReadAlone(_ code: ResultCode) throws {
        let (value, locations) = try open(failingWith: code)
        #expect(value == 1)
        #expect(locations.count == 2 && locations.last?.hasSuffix("?immutable=1") == true)
    }

    /// Another process may be about to make or remove the log, and goes on writing.
    @Test func aFileThatOthersMayWriteToIsShared() {
        #expect(throws: DatabaseError.self) { try open(failingWith: .SQLITE_CANTOPEN, isFolderWritable: nil) }
    }

    @Test func otherErrorsAreTheAnswer() {
        #expect(throws: DatabaseError.self) { try open(failingWith: .SQLITE_BUSY) }
    }

    @Test(arguments: [false, true])
    func commitsInALogAreNotLeftOut(ofALink: Bool) throws {
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: other["link.db"], withDestinationPath: path)
        let link = ofALink ? other["link.db"] : nil
        #expect(try open(link, failingWith: .SQLITE_CANTOPEN).value == 1)
        try folder.write("a b?.db-wal", "commits")
        #expect(throws: DatabaseError.self) { try open(link, failingWith: .SQLITE_CANTOPEN) }
    }

    /// Root may write everywhere.
    @Test(.enabled(if: geteuid() != 0))
    func anIndexIsSearched() throws {
        try folder.write("docs/one.txt", "one")
        try folder.write("closed/empty", "")
        try index(folder["docs"], into: folder["closed/i.db"])
        for name in ["i.db-shm", "i.db-wal"] { try? FileManager.default.removeItem(atPath: folder["closed/" + name]) }
        chmod(folder["closed"], 0o500)
        defer { chmod(folder["closed"], 0o700) }
        let searcher = try Searcher(IndexFile(path: folder["closed/i.db"], isReadOnly: true))
        #expect(try searcher.search("one").total == 1)
    }
}

import ConcordanceGRDB
import GRDB
import Testing

@Suite struct `Indexes in GRDB's databases` {
    @Test func `are installed by a pool, and follow what its records write`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try database.pool()
        try await pool.write { db in
            try insertNote("Groceries", "milk and bread", in: db)
            try insertNote("Minutes", "quarterly report", folder: 2, in: db)
        }
        try await pool.install(noteTexts)
        #expect(try await pool.search(noteTexts, "groc").map(\.record.title) == ["Groceries"])
        #expect(try await pool.search(noteTexts, "work").map(\.record.title) == ["Minutes"])

        // In one transaction with the record.
        try await pool.write { db in
            var note = try insertNote("Holidays", "sea and sand", in: db)
            #expect(try db.search(noteTexts, "sand").count == 1)
            note.body = "mountains"
            try note.update(db)
            #expect(try db.search(noteTexts.query("sand").typos(.none)).isEmpty)
            #expect(try db.search(noteTexts, "mount").map(\.record) == [note])
        }
        try await pool.write { db in _ = try Note.deleteAll(db) }
        #expect(try await pool.search(noteTexts, "mount").isEmpty)
        #expect(try await pool.verify(noteTexts).isClean)
    }

    @Test func `are installed by a migration`() throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let queue = try database.queue()
        try queue.write { _ = try insertNote("Groceries", in: $0) }
        var migrator = NotesDatabase.migrator
        migrator.registerMigration("search") { try $0.install(noteTexts) }
        try migrator.migrate(queue)
        #expect(try queue.search(noteTexts, "groceries").count == 1)
        try queue.write { try $0.uninstall(noteTexts) }
        #expect(try queue.read { try $0.tableExists("noteTexts") } == false)
    }

    @Test func `report their commits to GRDB's observers`() throws {
        final class Commits: TransactionObserver {
            var count = 0

            func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
            func databaseDidChange(with event: DatabaseEvent) {}
            func databaseDidCommit(_ db: Database) { count += 1 }
            func databaseDidRollback(_ db: Database) {}
        }
        let database = try NotesDatabase()
        defer { database.remove() }
        let queue = try database.queue()
        try queue.write { _ = try insertNote("Groceries", in: $0) }
        let commits = Commits()
        queue.add(transactionObserver: commits, extent: .databaseLifetime)
        func count() throws -> Int { try queue.read { _ in commits.count } }
        try queue.install(noteTexts)
        let installed = try count()
        #expect(installed > 0)
        try queue.rebuild(noteTexts)
        let rebuilt = try count()
        #expect(rebuilt > installed)
        #expect(try queue.search(noteTexts, "groceries").count == 1)
        #expect(try count() == rebuilt)
    }

    @Test func `are rolled back with the transaction`() throws {
        struct Changed: Error {}
        let database = try NotesDatabase()
        defer { database.remove() }
        let queue = try database.queue()
        try queue.install(noteTexts)
        #expect(throws: Changed.self) {
            try queue.write { db in
                try insertNote("Groceries", in: db)
                #expect(try db.search(noteTexts, "groceries").count == 1)
                throw Changed()
            }
        }
        #expect(try queue.search(noteTexts, "groceries").isEmpty)
        #expect(try queue.verify(noteTexts).isClean)
    }

    @Test(arguments: [false, true]) func `follow writes before the first search of a launch`(isPrepared: Bool) throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        try database.pool().install(noteTexts)
        var configuration = Configuration()
        if isPrepared { configuration.prepareSearch() }
        let pool = try database.pool(configuration)
        try pool.write { _ = try insertNote("Groceries", in: $0) }
        if isPrepared {
            // The app's own SQL finds the module, and the row.
            let sql = "SELECT rowid FROM noteTexts WHERE noteTexts MATCH 'groceries' ORDER BY rank"
            #expect(try pool.read { try Int64.fetchAll($0, sql: sql) } == [1])
        }
        var page = try pool.search(noteTexts, "groceries")
        while !page.isComplete { page = try pool.search(noteTexts, "groceries") }
        #expect(page.count == 1)
    }

    @Test func `see what a program without Concordance writes`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try database.pool()
        try await pool.install(noteTexts)
        let other = try DatabaseQueue(path: database.path)
        try await other.write { db in
            try db.execute(sql: "INSERT INTO note VALUES (NULL, 2, 'Foreign', 'affairs', '2026-01-01')")
            try db.execute(sql: "ALTER TABLE note ADD COLUMN isPinned BOOLEAN")
        }
        var page = try await pool.search(noteTexts, "affairs")
        // On a busy machine a search may find the writer late.
        while !page.isComplete { page = try await pool.search(noteTexts, "affairs") }
        #expect(page.count == 1)
        #expect(try await pool.verify(noteTexts).isClean)
    }

    @Test func `are those of any writer`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let writers: [any DatabaseWriter] = [try database.pool(), AnyDatabaseWriter(try database.queue())]
        for writer in writers {
            try await writer.connections.install(noteTexts)
            try await writer.write { _ = try insertNote("Groceries", in: $0) }
        }
        for writer in writers {
            #expect(try await writer.connections.search(noteTexts, "groc").count == 2)
            let reader: any DatabaseReader = writer
            #expect(try await reader.connections.search(noteTexts, "groc").count == 2)
        }
        let snapshot = try database.pool().makeSnapshot()
        try await writers[0].write { _ = try insertNote("Groceries", in: $0) }
        #expect(try await snapshot.search(noteTexts, "groc").count == 2)
    }

    @Test func `throw errors of GRDB's, and their own`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        let pool = try database.pool()
        await #expect(throws: SearchIndexError.notInstalled("noteTexts")) { try await pool.search(noteTexts, "a") }
        try await pool.install(noteTexts)
        let error = try await #require(throws: DatabaseError.self) {
            try await pool.search(noteTexts.query("a").filter("nonsense((("))
        }
        #expect(error.resultCode == .SQLITE_ERROR)
        var configuration = Configuration()
        configuration.readonly = true
        let reader = try DatabaseQueue(path: database.path, configuration: configuration)
        #expect(try await reader.search(noteTexts, "a").isEmpty)
        await #expect(throws: DatabaseError.self) { try await reader.rebuild(noteTexts) }
    }

    @Test func `let others write while they are built`() async throws {
        let database = try NotesDatabase()
        defer { database.remove() }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let pool = try database.pool(configuration)
        try await pool.write { db in
            for number in 0..<3000 { try insertNote("Note \(number)", "number \(number % 10)", in: db) }
        }
        async let installation: Void = pool.install(noteTexts)
        for number in 0..<50 { try await pool.write { _ = try insertNote("New \(number)", in: $0) } }
        try await installation
        #expect(try await pool.search(noteTexts.query("new").counting(.exact).limit(100)).count == 50)
        #expect(try await pool.search(noteTexts.query("note").counting(.exact)).total?.count == 3000)
        #expect(try await pool.verify(noteTexts, thorough: true).isClean)
    }
}

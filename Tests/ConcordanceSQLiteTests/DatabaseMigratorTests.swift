import Dispatch
import Testing

@testable import ConcordanceSQLite

@Suite struct `A migrator` {
    private struct Refusal: Error {}

    private let file: TemporaryDatabase
    private let pool: DatabasePool

    init() throws {
        file = try TemporaryDatabase()
        pool = try DatabasePool(path: file.path, configuration: .patient)
    }

    /// A migrator whose migrations note that they ran, in the table `log`.
    private func logging(_ identifiers: String...) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for identifier in identifiers {
            migrator.registerMigration(identifier) { db in
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS log (migration TEXT NOT NULL)")
                try db.execute(sql: "INSERT INTO log VALUES (?)", arguments: [identifier])
            }
        }
        return migrator
    }

    private func log() throws -> [String] {
        try pool.read { try String.fetchAll($0, sql: "SELECT migration FROM log ORDER BY rowid") }
    }

    private func applied() throws -> Set<String> { try pool.read { try DatabaseMigrator().appliedIdentifiers($0) } }

    private func areForeignKeysEnforced(_ writer: some DatabaseWriter) throws -> Bool? {
        try writer.writeWithoutTransaction { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") }
    }

    // MARK: - Which migrations run

    @Test func `applies migrations in the order of their registration, and each once`() throws {
        try logging("z", "a").migrate(pool)
        #expect(try log() == ["z", "a"])
        try logging("z", "a", "m").migrate(pool)
        #expect(try log() == ["z", "a", "m"])
        try logging("z", "a", "m").migrate(pool)
        #expect(try log() == ["z", "a", "m"])
        #expect(try applied() == ["z", "a", "m"])
    }

    @Test func `applies them without blocking the task that asks`() async throws {
        try await logging("a", "b").migrate(pool, upTo: "a")
        #expect(try log() == ["a"])
        try await logging("a", "b").migrate(pool)
        #expect(try log() == ["a", "b"])
    }

    @Test func `writes nothing if there is nothing to do`() throws {
        try DatabaseMigrator().migrate(pool)
        #expect(try pool.read { try !$0.tableExists("grdb_migrations") })
        try logging("a").migrate(pool)
        var configuration = Configuration()
        configuration.busyTimeout = 0
        let other = try DatabasePool(path: file.path, configuration: configuration)
        try pool.inTransaction { _ in
            // Nobody else can write now.
            try logging("a").migrate(other)
            #expect(throws: DatabaseError.self) { try logging("a", "b").migrate(other) }
            return .commit
        }
        #expect(try log() == ["a"])
    }

    @Test func `applies one that was registered between two that were applied`() throws {
        try logging("1", "3").migrate(pool)
        let migrator = logging("1", "2", "3")
        #expect(try pool.read(migrator.completedMigrations) == ["1"])
        #expect(try pool.read { try !migrator.hasCompletedMigrations($0) })
        try migrator.migrate(pool)
        #expect(try log() == ["1", "3", "2"])
        #expect(try pool.read(migrator.completedMigrations) == ["1", "2", "3"])
        #expect(try pool.read(migrator.hasCompletedMigrations))
    }

    @Test func `keeps the history of GRDB, and leaves what it does not know`() throws {
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1'), ('of a newer version')
                    """)
        }
        let migrator = logging("1", "2")
        try migrator.migrate(pool)
        #expect(try log() == ["2"])
        #expect(try applied() == ["1", "2", "of a newer version"])
        #expect(try pool.read(migrator.hasBeenSuperseded))
        #expect(try pool.read { try !logging("1", "2", "of a newer version").hasBeenSuperseded($0) })
    }

    @Test func `makes the table of GRDB`() throws {
        try logging("a").migrate(pool)
        let sql = try pool.read {
            try String.fetchOne($0, sql: "SELECT sql FROM sqlite_schema WHERE name = 'grdb_migrations'")
        }
        #expect(sql == "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    }

    @Test func `reads the table of the main database, not one of an attached database`() throws {
        let other = file.path(named: "other.sqlite")
        try logging("a").migrate(try DatabaseQueue(path: other))
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "ATTACH ? AS other", arguments: [other]) }
        let queue = try DatabaseQueue(configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("a") { try $0.execute(sql: "CREATE TABLE main.t (a)") }
        try migrator.migrate(queue)
        #expect(try queue.read { try $0.tableExists("t", in: "main") })
        #expect(try queue.read { try $0.tableExists("grdb_migrations", in: "main") })
    }

    // MARK: - Up to one

    @Test func `stops after the one that is named`() throws {
        let migrator = logging("1", "2", "3")
        try migrator.migrate(pool, upTo: "2")
        #expect(try log() == ["1", "2"])
        try migrator.migrate(pool, upTo: "2")
        #expect(try log() == ["1", "2"])
        try migrator.migrate(pool, upTo: "3")
        #expect(try log() == ["1", "2", "3"])
    }

    @Test func `does not go back`() throws {
        let migrator = logging("1", "2", "3")
        try migrator.migrate(pool, upTo: "2")
        #expect(throws: DatabaseMigratorError.migratedBeyond("1", applied: "2")) {
            try migrator.migrate(pool, upTo: "1")
        }
        #expect(try log() == ["1", "2"])
    }

    @Test func `says which migrations there are when asked for another`() throws {
        let error = #expect(throws: DatabaseMigratorError.self) {
            try logging("1", "2").migrate(pool, upTo: "4")
        }
        #expect(error == .unknownIdentifier("4", known: ["1", "2"]))
        #expect(error?.description == "no migration is registered as 4; there are: 1, 2")
        #expect(try applied() == [])
    }

    @Test func `refuses two migrations of one identifier before it applies any`() throws {
        let error = #expect(throws: DatabaseMigratorError.self) { try logging("1", "2", "1").migrate(pool) }
        #expect(error == .duplicateIdentifier("1"))
        #expect(error?.description.contains("give the later one an identifier of its own") == true)
        #expect(try applied() == [])
    }

    // MARK: - Errors

    @Test func `rolls back a migration that throws, and keeps those before it`() throws {
        var migrator = logging("1")
        migrator.registerMigration("2") { db in
            try db.execute(sql: "INSERT INTO log VALUES ('2'); CREATE TABLE t (a)")
            throw Refusal()
        }
        migrator.registerMigration("3") { try $0.execute(sql: "INSERT INTO log VALUES ('3')") }
        #expect(throws: Refusal.self) { try migrator.migrate(pool) }
        #expect(try log() == ["1"])
        #expect(try pool.read { try !$0.tableExists("t") })
        #expect(try applied() == ["1"])
        try logging("1", "2", "3").migrate(pool)
        #expect(try log() == ["1", "2", "3"])
    }

    @Test func `does not note a migration that ends its transaction`() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: "COMMIT") }
        #expect(throws: DatabaseError.self) { try migrator.migrate(pool) }
        #expect(try applied() == [])
        #expect(try areForeignKeysEnforced(pool) == true)
    }

    @Test func `stops between two migrations when its task is cancelled`() async throws {
        let log = Locked<[String]>([])
        let task = Locked<Task<Void, any Error>?>(nil)
        let isKnown = DispatchSemaphore(value: 0)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { _ in
            log.withLock { $0.append("1") }
            isKnown.wait()
            task.withLock { $0?.cancel() }
        }
        migrator.registerMigration("2") { _ in log.withLock { $0.append("2") } }
        let migrating = Task { [migrator, pool] in try await migrator.migrate(pool) }
        task.withLock { $0 = migrating }
        isKnown.signal()
        await #expect(throws: CancellationError.self) { try await migrating.value }
        #expect(log.withLock { $0 } == ["1"])
        #expect(try areForeignKeysEnforced(pool) == true)
    }

    // MARK: - Foreign keys

    private static let library = """
        CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE books (
          id INTEGER PRIMARY KEY, title TEXT, authorID INTEGER NOT NULL REFERENCES authors(id) ON DELETE CASCADE);
        CREATE TABLE loans (
          book INTEGER REFERENCES books(id) ON DELETE CASCADE, day TEXT, PRIMARY KEY (book, day)) WITHOUT ROWID;
        CREATE UNIQUE INDEX authorNames ON authors(name);
        CREATE TRIGGER noNameless BEFORE INSERT ON authors WHEN new.name = '' BEGIN SELECT raise(ABORT, 'no name'); END;
        CREATE VIEW bibliography AS SELECT name, title FROM authors JOIN books ON books.authorID = authors.id;
        INSERT INTO authors VALUES (1, 'Austen'), (2, 'Brontë');
        INSERT INTO books VALUES (10, 'Emma', 1), (20, 'Villette', 2);
        INSERT INTO loans VALUES (10, 'Monday'), (20, 'Friday');
        """

    /// Creates a table again, with everything attached to it, as SQLite's documentation of ALTER TABLE says; the rest
    /// of its twelve steps is the migrator's.
    private static let rebuild: @Sendable (Database) throws -> Void = { db in
        try db.execute(
            sql: """
                DROP VIEW bibliography;
                CREATE TABLE new_authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER);
                INSERT INTO new_authors (id, name) SELECT id, name FROM authors;
                DROP TABLE authors;
                ALTER TABLE new_authors RENAME TO authors;
                CREATE UNIQUE INDEX authorNames ON authors(name);
                CREATE TRIGGER noNameless BEFORE INSERT ON authors WHEN new.name = ''
                  BEGIN SELECT raise(ABORT, 'no name'); END;
                CREATE VIEW bibliography AS SELECT name, title FROM authors JOIN books ON books.authorID = authors.id;
                """)
    }

    @Test func `lets a table be recreated without touching what refers to it`() throws {
        try pool.write { try $0.execute(sql: Self.library) }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("born", migrate: Self.rebuild)
        try migrator.migrate(pool)
        try pool.write { db in
            #expect(try Int.fetchAll(db, sql: "SELECT id FROM books ORDER BY id") == [10, 20])
            #expect(try Int.fetchAll(db, sql: "SELECT book FROM loans ORDER BY book") == [10, 20])
            #expect(try db.columns(in: "authors").map(\.name) == ["id", "name", "born"])
            #expect(try db.foreignKeys(on: "books").map(\.destinationTable) == ["authors"])
            let names = try String.fetchAll(db, sql: "SELECT name FROM bibliography ORDER BY title")
            #expect(names == ["Austen", "Brontë"])
            // The keys are enforced again.
            try db.execute(sql: "DELETE FROM authors WHERE id = 1")
            #expect(try Int.fetchAll(db, sql: "SELECT id FROM books") == [20])
        }
        #expect(throws: DatabaseError.self) {
            try pool.write { try $0.execute(sql: "INSERT INTO books VALUES (30, 'Unknown', 99)") }
        }
    }

    @Test func `with immediate checks, has the keys enforced while it migrates`() throws {
        try pool.write { try $0.execute(sql: Self.library) }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("born", foreignKeyChecks: .immediate, migrate: Self.rebuild)
        try migrator.migrate(pool)
        // Dropping a table first deletes its rows, and the rows that refer to them.
        #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM books") } == 0)
        #expect(try areForeignKeysEnforced(pool) == true)
    }

    @Test(
        arguments: [
            ("DELETE FROM authors WHERE id = 2", "books", 20, "authors"),
            ("DELETE FROM books WHERE id = 10", "loans", nil, "books"),
            ("DROP TABLE authors", "books", 10, "authors"),
        ] as [(String, String, Int64?, String)])
    func `refuses a migration after which a row refers to nothing`(
        sql: String, table: String, row: Int64?, references: String
    ) throws {
        try pool.write { try $0.execute(sql: Self.library) }
        var migrator = logging("first")
        migrator.registerMigration("second") { try $0.execute(sql: sql) }
        let error = #expect(throws: DatabaseMigratorError.self) { try migrator.migrate(pool) }
        #expect(
            error == .foreignKeyViolation(table: table, rowID: row, references: references, migration: "second"))
        #expect(error?.description.contains(row.map { "row \($0) of table \(table)" } ?? "a row of table") == true)
        #expect(try applied() == ["first"])
        let counts = try pool.read {
            try Int.fetchAll(
                $0,
                sql: """
                    SELECT count(*) FROM authors UNION ALL SELECT count(*) FROM books
                    UNION ALL SELECT count(*) FROM loans
                    """)
        }
        #expect(counts == [2, 2, 2])
        #expect(try areForeignKeysEnforced(pool) == true)
    }

    @Test(arguments: [DatabaseMigrator.ForeignKeyChecks.deferred, .immediate])
    func `checks no keys if the connection enforces none`(checks: DatabaseMigrator.ForeignKeyChecks) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.write { try $0.execute(sql: Self.library) }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("a", foreignKeyChecks: checks) { try $0.execute(sql: "DELETE FROM authors") }
        try migrator.migrate(queue)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM books") } == 2)
        #expect(try areForeignKeysEnforced(queue) == false)
    }

    @Test(arguments: [DatabaseMigrator.ForeignKeyChecks.deferred, .immediate])
    func `leaves the keys enforced after an error`(checks: DatabaseMigrator.ForeignKeyChecks) throws {
        let queue = try DatabaseQueue()
        var migrator = DatabaseMigrator()
        migrator.registerMigration("a", foreignKeyChecks: checks) { _ in throw Refusal() }
        #expect(throws: Refusal.self) { try migrator.migrate(queue) }
        #expect(try areForeignKeysEnforced(queue) == true)
    }

    // MARK: - Several at once

    @Test func `waits for another one of the same file, and skips what that has applied`() throws {
        // Tells when the other one, which did not see any migration, waits for the lock.
        let isWaiting = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        var configuration = Configuration.patient
        configuration.trace = { event in
            if case .begin = event.kind, event.sql.hasPrefix("BEGIN IMMEDIATE") { isWaiting.signal() }
        }
        let other = try DatabasePool(path: file.path, configuration: configuration)
        let runs = Locked(0)
        let failure = Locked<(any Error)?>(nil)
        var later = DatabaseMigrator()
        later.registerMigration("1") { _ in runs.withLock { $0 += 1 } }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { [later] db in
            runs.withLock { $0 += 1 }
            try db.execute(sql: "CREATE TABLE t (a)")
            DispatchQueue(label: "other").async {
                do { try later.migrate(other) } catch { failure.withLock { $0 = error } }
                hasEnded.signal()
            }
            isWaiting.wait()
        }
        try migrator.migrate(pool)
        hasEnded.wait()
        #expect(failure.withLock { $0 } == nil)
        #expect(runs.withLock { $0 } == 1)
        #expect(try applied() == ["1"])
        #expect(try areForeignKeysEnforced(other) == true)
    }

    @Test func `several pools that migrate one file at once apply each migration once`() async throws {
        let migrator = logging("1", "2", "3", "4")
        let pools = try (0..<4).map { _ in try DatabasePool(path: file.path, configuration: .patient) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pool in pools { group.addTask { try await migrator.migrate(pool) } }
            try await group.waitForAll()
        }
        #expect(try log() == ["1", "2", "3", "4"])
    }
}

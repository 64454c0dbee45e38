import CConcordanceSQLite

/// Brings the schema of a database up to date by migrations, each of which is applied once.
///
/// ```swift
/// var migrator = DatabaseMigrator()
/// migrator.registerMigration("lists") { db in
///     try db.execute(sql: "CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
/// }
/// migrator.registerMigration("reminders") { db in
///     try db.execute(sql: "CREATE TABLE reminders (id INTEGER PRIMARY KEY, title TEXT, listID REFERENCES lists)")
/// }
/// try await migrator.migrate(dbPool)
/// ```
///
/// Migrations are applied in the order of registration. Each runs in its own transaction, which also records its
/// identifier: if one throws, it leaves nothing behind, and those before it stay applied. Never change a migration that
/// has been released; register a new one after it.
///
/// The names are those of GRDB's migrator. So are the name and columns of the table with the identifiers,
/// `grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)`: an app that comes from GRDB keeps its history, with the
/// same migrations under the same identifiers. Unregistered identifiers, such as those of a newer version of the app,
/// are left alone.
///
/// Several processes may migrate one file at the same time. The later one waits for the lock, up to its configuration's
/// busy timeout, and skips what has been applied meanwhile.
public struct DatabaseMigrator: Sendable {
    /// How a migration treats foreign keys.
    public enum ForeignKeyChecks: Sendable {
        /// They are not enforced while the migration runs; all of them are checked before it is committed. So a table
        /// can be rebuilt without deleting the rows that refer to it; see
        /// https://www.sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes. If the connection
        /// does not enforce them, nothing is checked.
        case deferred
        /// They are enforced statement by statement, as the connection does: for migrations that rebuild no table, so
        /// that the whole database need not be checked.
        case immediate
    }

    private struct Migration: Sendable {
        let identifier: String
        let foreignKeyChecks: ForeignKeyChecks
        let migrate: @Sendable (Database) throws -> Void
    }

    private var registered: [Migration] = []

    /// Creates a migrator without migrations.
    public init() {}

    /// Adds a migration after those already registered.
    ///
    /// - Parameters:
    ///   - identifier: Its permanent name in the database; no other migration has it.
    ///   - foreignKeyChecks: How it treats foreign keys.
    ///   - migrate: Changes the database, in an immediate transaction.
    public mutating func registerMigration(
        _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
        migrate: @escaping @Sendable (Database) throws -> Void
    ) {
        registered.append(Migration(identifier: identifier, foreignKeyChecks: foreignKeyChecks, migrate: migrate))
    }

    /// The identifiers of the registered migrations, in their order.
    public var migrations: [String] { registered.map(\.identifier) }

    // MARK: - Migrating

    /// Applies the missing migrations, while nobody else uses the queue or pool. If none are missing, nothing is
    /// written.
    ///
    /// SQL, for each: `BEGIN IMMEDIATE TRANSACTION`, the migration, `PRAGMA main.foreign_key_check`, `INSERT INTO
    /// main.grdb_migrations`, `COMMIT TRANSACTION`. With deferred checks, enforcement is switched off before, and on
    /// again afterwards in any case (`SQLITE_DBCONFIG_ENABLE_FKEY`); with immediate checks, or if the connection does
    /// not enforce foreign keys, neither the switch nor the pragma is used.
    ///
    /// - Parameters:
    ///   - writer: The queue or pool.
    ///   - identifier: The last migration to apply, for tests of migrations; nil for all.
    /// - Throws: the unchanged error of a migration; `DatabaseMigratorError`: `unknownIdentifier`, and `migratedBeyond` if
    ///   one after `identifier` has been applied; `DatabaseError`: SQLITE_BUSY if another connection holds the lock for
    ///   longer than the busy timeout.
    public func migrate(_ writer: some DatabaseWriter, upTo identifier: String? = nil) throws {
        try writer.barrierWriteWithoutTransaction { try apply(upTo: identifier, in: $0) }
    }

    /// Applies the missing migrations; see the synchronous `migrate(_:upTo:)`. It is cancelled with its task; what was
    /// committed by then stays applied.
    public func migrate(_ writer: some DatabaseWriter, upTo identifier: String? = nil) async throws {
        try await writer.barrierWriteWithoutTransaction { try apply(upTo: identifier, in: $0) }
    }

    private func apply(upTo target: String?, in db: Database) throws {
        if let twice = migrations.enumerated().first(where: { migrations[..<$0.offset].contains($0.element) }) {
            throw DatabaseMigratorError.duplicateIdentifier(twice.element)
        }
        let applied = try appliedIdentifiers(db)
        var wanted = registered[...]
        if let target {
            guard let index = migrations.firstIndex(of: target) else {
                throw DatabaseMigratorError.unknownIdentifier(target, known: migrations)
            }
            wanted = registered[...index]
            if let beyond = migrations[(index + 1)...].first(where: applied.contains) {
                throw DatabaseMigratorError.migratedBeyond(target, applied: beyond)
            }
        }
        for migration in wanted where !applied.contains(migration.identifier) {
            try db.checkCancellation()
            try apply(migration, in: db)
        }
    }

    private func apply(_ migration: Migration, in db: Database) throws {
        switch migration.foreignKeyChecks {
        case .immediate: try db.applyOnce(migration.identifier, migration.migrate)
        case .deferred:
            try db.withoutForeignKeys { wereEnforced in
                try db.applyOnce(migration.identifier) { db in
                    try migration.migrate(db)
                    if wereEnforced { try db.checkForeignKeys(after: migration.identifier) }
                }
            }
        }
    }

    // MARK: - Applied migrations

    /// Returns the identifiers of all migrations that were ever applied to the database, registered or not: those in
    /// its table `grdb_migrations`; none without that table.
    public func appliedIdentifiers(_ db: Database) throws -> Set<String> { try db.appliedMigrations() }

    /// Returns the registered migrations that have been applied together with all those before them, in order.
    public func completedMigrations(_ db: Database) throws -> [String] {
        Array(migrations.prefix(while: try appliedIdentifiers(db).contains))
    }

    /// Returns whether all registered migrations have been applied.
    public func hasCompletedMigrations(_ db: Database) throws -> Bool {
        try appliedIdentifiers(db).isSuperset(of: migrations)
    }

    /// Returns whether unregistered migrations were applied to the database, as by a newer version of the app.
    public func hasBeenSuperseded(_ db: Database) throws -> Bool {
        try !appliedIdentifiers(db).isSubset(of: migrations)
    }
}

extension Database {
    fileprivate func appliedMigrations() throws -> Set<String> {
        guard try tableExists("grdb_migrations", in: "main") else { return [] }
        return try String.fetchSet(self, sql: "SELECT identifier FROM main.grdb_migrations")
    }

    /// Runs a migration in its own transaction, and records it.
    fileprivate func applyOnce(_ identifier: String, _ migrate: (Database) throws -> Void) throws {
        try inTransaction(.immediate) {
            // Another process may have applied it while this one waited for the lock.
            if try appliedMigrations().contains(identifier) { return .rollback }
            try execute(sql: "CREATE TABLE IF NOT EXISTS main.grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            try migrate(self)
            try execute(sql: "INSERT INTO main.grdb_migrations (identifier) VALUES (?)", arguments: [identifier])
            return .commit
        }
    }

    /// Runs `body` while foreign keys are not enforced, and tells it whether they were. Unlike `PRAGMA foreign_keys`,
    /// the switch cannot be interrupted, and is not ignored in a transaction.
    fileprivate func withoutForeignKeys(_ body: (_ wereEnforced: Bool) throws -> Void) throws {
        let connection = try sqliteConnection
        var wereEnforced: Int32 = 0
        try check(csqlite_db_config_switch(connection, SQLITE_DBCONFIG_ENABLE_FKEY, -1, &wereEnforced))
        guard wereEnforced != 0 else { return try body(false) }
        try check(csqlite_db_config_switch(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 0, nil))
        defer { if let handle { csqlite_db_config_switch(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nil) } }
        try body(true)
    }

    /// Throws if a row of the main database refers to one that does not exist.
    fileprivate func checkForeignKeys(after migration: String) throws {
        // A row for each violation: table, rowid, referenced table, number of the key.
        guard let violation = try Row.fetchOne(self, sql: "PRAGMA main.foreign_key_check") else { return }
        throw DatabaseMigratorError.foreignKeyViolation(
            table: violation[0] ?? "", rowID: violation[1], references: violation[2] ?? "", migration: migration)
    }
}

/// Why a `DatabaseMigrator` cannot migrate.
public enum DatabaseMigratorError: Error, Hashable, Sendable {
    /// Two migrations were registered with the same identifier. Nothing was applied.
    case duplicateIdentifier(String)
    /// No migration is registered with the identifier to stop at; `known` lists those that are. Nothing was applied.
    case unknownIdentifier(String, known: [String])
    /// A migration after the one to stop at has been applied: `applied` is the first of these. Nothing was applied.
    case migratedBeyond(String, applied: String)
    /// A row refers to one that does not exist: the first that was found. The migration was rolled back.
    ///
    /// `rowID` is nil if the table is WITHOUT ROWID.
    case foreignKeyViolation(table: String, rowID: Int64?, references: String, migration: String)
}

extension DatabaseMigratorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .duplicateIdentifier(let identifier):
            "two migrations are registered as \(identifier); give the later one an identifier of its own"
        case .unknownIdentifier(let identifier, let known):
            "no migration is registered as \(identifier)"
                + (known.isEmpty ? "; none is registered" : "; there are: \(known.joined(separator: ", "))")
        case .migratedBeyond(let identifier, let applied):
            """
            the database cannot be migrated up to \(identifier), because \(applied), a later one, was applied; \
            migrations cannot be undone, so start with another database
            """
        case .foreignKeyViolation(let table, let rowID, let references, let migration):
            """
            after migration \(migration), \(rowID.map { "row \($0)" } ?? "a row") of table \(table) refers to a row of \
            \(references) that does not exist, so the migration was rolled back; have it delete or correct such rows, \
            which PRAGMA foreign_key_check lists, or, if they were there before, use foreignKeyChecks: .immediate
            """
        }
    }
}

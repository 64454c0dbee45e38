import ConcordanceSQLite

extension Database {
    /// Creates the index and everything that belongs to it, or brings it up to date, in the open transaction or in one
    /// of its own: all or nothing.
    ///
    /// If the index is as its definition says, there is nothing to do, and nothing is written. Triggers that are
    /// missing or were changed are created again, and entries that differ from their rows are rebuilt with them. With
    /// another definition the whole index is built again. All of this happens in one transaction;
    /// `ConnectionWriter.install` lets others write meanwhile.
    ///
    /// ```swift
    /// migrator.registerMigration("search") { db in try db.install(reminderTexts) }
    /// ```
    ///
    /// - Throws: `SearchIndexError` if the definition does not fit the database; `DatabaseError` of SQLite:
    ///   SQLITE_READONLY, SQLITE_FULL, SQLITE_TOOBIG for a row of more than a gigabyte of text. The database is then as
    ///   before.
    public func install<Record>(_ index: SearchIndex<Record>) throws {
        try SearchSupport.enable(on: self)
        var installer = IndexInstaller(index.definition)
        guard try installer.isNeeded(in: self) else { return try IndexChanges.follow(index.definition.name, in: self) }
        try inSavepoint {
            while try installer.advance(in: self, until: nil) != nil {}
            return .commit
        }
    }

    /// Drops the index and everything that belongs to it, and nothing else; does nothing if there is none.
    ///
    /// - Throws: `DatabaseError`; the database is then as before.
    public func uninstall<Record>(_ index: SearchIndex<Record>) throws {
        try SearchSupport.enable(on: self)
        let names = IndexNames(table: index.definition.name)
        let records = try [names.old, names.next, names].compactMap { try IndexRecord.fetch($0.table, in: self) }
        if records.isEmpty { return }
        try inSavepoint {
            for record in records { try record.removeAll(in: self) }
            return .commit
        }
    }
}

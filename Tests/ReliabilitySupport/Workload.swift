import ConcordanceEngine
import ConcordanceSQLite

/// An endless history of a full-text table: transactions that follow from a seed and their number, so that whoever
/// finds the table knows what must be in it.
///
/// The table `progress` says how many transactions are committed, and is part of each.
package struct Workload: Sendable, CustomStringConvertible {
    /// The module of the table: `fts5` or `concordance`.
    package let module: String
    package let seed: UInt64

    package init(module: String, seed: UInt64) {
        self.module = module
        self.seed = seed
    }

    package var description: String { "\(module) table of seed \(seed)" }

    /// Whether the text is in a table of its own, which triggers keep in step.
    package var isExternal: Bool { seed % 3 == 2 }

    package var detail: String {
        switch seed % 8 {
        case 3: "column"
        case 7: "none"
        default: "full"
        }
    }

    /// Whether the rows have a stored value each, in a column `v`. FTS5 has no such columns.
    package var hasValues: Bool { module == ConcordanceModule.name && [1, 2].contains(seed % 5) }

    /// The names of the table's columns.
    var columnNames: [String] { ["a", "b"] + (hasValues ? ["v"] : []) }

    /// The options of the table, apart from its columns and those about its content.
    package var options: String {
        let prefix = seed % 2 == 1 ? ", prefix='1 2'" : ""
        let tokenizer = seed % 5 == 4 ? ", tokenize='porter unicode61'" : ""
        return "detail=\(detail)\(prefix)\(tokenizer)"
    }

    /// The table that statements write to.
    var writtenTable: String { isExternal ? "texts" : "t" }
    var keyColumn: String { isExternal ? "id" : "rowid" }

    /// Opens a connection that can use the table.
    package func open(_ path: String, journal: String? = nil, vfs: String? = nil) throws -> Database {
        var configuration = Configuration()
        // Byte flips are written to the engine's own tables.
        configuration.defensive = false
        let db = try Database(path: vfs.map { "file:\(path)?vfs=\($0)" } ?? path, configuration: configuration)
        if module == ConcordanceModule.name { try ConcordanceModule.register(on: db) }
        // REPLACE calls the triggers that keep external content in step.
        try db.execute(sql: "PRAGMA recursive_triggers = ON; PRAGMA synchronous = OFF")
        // A cache too small for a transaction: pages reach the file before the commit, so that rolling back must read
        // the journal.
        try db.execute(sql: "PRAGMA cache_size = 8; PRAGMA wal_autocheckpoint = 30")
        // In WAL mode, SQLite 3.40 writes frames without checksums where ROLLBACK TO follows such a page; a killed
        // process then leaves a log that ends there, of plain tables too.
        if journal == "wal" { try db.execute(sql: "PRAGMA cache_spill = OFF") }
        if let journal { _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(journal)") }
        return db
    }

    /// Creates the table, empty, in a new file.
    package func create(in db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA page_size = 1024;
                CREATE TABLE progress(id INTEGER PRIMARY KEY, n INTEGER);
                INSERT INTO progress VALUES (1, 0);
                """)
        let columns = hasValues ? "a, b, v VALUE" : "a, b"
        if isExternal {
            try createTexts(in: db)
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE t USING \(module)(\(columns), \(options), content='texts', content_rowid='id')
                    """)
        } else {
            try db.execute(sql: "CREATE VIRTUAL TABLE t USING \(module)(\(columns), \(options))")
        }
        // Small pages and eager merges: many blocks of every kind in few rows.
        try db.execute(
            sql: """
                INSERT INTO t(t, rank) VALUES ('pgsz', 80), ('automerge', 2), ('crisismerge', 5);
                """)
        if seed % 4 == 1 { try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('hashsize', 3000)") }
    }

    /// Creates the table of the text, and the triggers that keep the index in step.
    private func createTexts(in db: Database) throws {
        let names = columnNames.joined(separator: ", ")
        let new = columnNames.map { "new.\($0)" }.joined(separator: ", ")
        let old = columnNames.map { "old.\($0)" }.joined(separator: ", ")
        let insert = "INSERT INTO t(rowid, \(names)) VALUES (new.id, \(new));"
        let delete = "INSERT INTO t(t, rowid, \(names)) VALUES ('delete', old.id, \(old));"
        let setValue = "INSERT INTO t(t, rowid, v) VALUES ('values', new.id, new.v);"
        try db.execute(
            sql: """
                CREATE TABLE texts(id INTEGER PRIMARY KEY, \(names));
                CREATE TRIGGER texts_insert AFTER INSERT ON texts BEGIN \(insert) END;
                CREATE TRIGGER texts_delete AFTER DELETE ON texts BEGIN \(delete) END;
                CREATE TRIGGER texts_update AFTER UPDATE OF id, a, b ON texts BEGIN \(delete) \(insert) END;
                \(hasValues ? "CREATE TRIGGER texts_value AFTER UPDATE OF v ON texts BEGIN \(setValue) END;" : "")
                """)
    }

    /// How many transactions are committed.
    package func progress(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT n FROM progress") ?? 0
    }

    /// Does transaction number `number`.
    package func perform(_ number: Int, in db: Database) throws {
        let step = WorkloadStep(self, number: number)
        if let command = step.command {
            try db.execute(sql: "BEGIN IMMEDIATE")
            try command.execute(in: db, self)
        } else if step.isRolledBack {
            try db.execute(sql: "BEGIN IMMEDIATE")
            for change in step.changes { try change.execute(in: db, self) }
            try db.execute(sql: "ROLLBACK; BEGIN IMMEDIATE")
        } else {
            try db.execute(sql: "BEGIN IMMEDIATE")
            for change in step.changes { try change.execute(in: db, self) }
            if !step.undoneChanges.isEmpty {
                try db.execute(sql: "SAVEPOINT s")
                for change in step.undoneChanges { try change.execute(in: db, self) }
                try db.execute(sql: "ROLLBACK TO s; RELEASE s")
            }
            for change in step.laterChanges { try change.execute(in: db, self) }
        }
        try db.execute(sql: "UPDATE progress SET n = ?", arguments: [number])
        try db.execute(sql: "COMMIT")
    }

    /// What must be in the table after this many transactions.
    package func model(after count: Int) -> TableModel {
        var model = TableModel()
        for number in 0..<count { model.apply(self, number + 1) }
        return model
    }
}

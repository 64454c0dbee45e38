import CConcordanceSQLite
import ConcordanceSQLite

/// A setting stored in an FTS5 table (https://www.sqlite.org/fts5.html#special_insert_commands).
public enum FTS5Setting: Hashable, Sendable {
    /// How many segments of one level are merged while rows are written: 2 to 64; 0 for never; 1 for SQLite's default,
    /// 4.
    case automerge(Int)
    /// How many segments of one level are merged at once, however long it takes; 0 and 1 for SQLite's default, 16.
    case crisismerge(Int)
    /// How many segments of one level `merge` needs: 2 to 16; 4 by default.
    case usermerge(Int)
    /// The size of the index's pages in bytes: 32 to 65,536; 4050 by default.
    case pageSize(Int)
    /// How many bytes of index are collected in memory before they are written: 1 MiB by default.
    case hashSize(Int)
    /// Whether deleted texts leave no trace in the index; requires SQLite 3.42.
    case secureDelete(Bool)
    /// The function that computes `rank`.
    case rank(FTS5RankFunction)
}

extension FTS5Table {
    /// Builds the index again from the content.
    ///
    /// ```sql
    /// INSERT INTO "documents"("documents") VALUES ('rebuild')
    /// ```
    public func rebuild(_ db: Database) throws { try command("rebuild", in: db) }

    /// Merges the whole index into one segment, which takes a while, and makes searches as fast as they can be.
    public func optimize(_ db: Database) throws { try command("optimize", in: db) }

    /// Does a part of the work of `optimize`.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - pages: About how many pages to write. A negative number starts a merge of all segments, which calls with
    ///     positive numbers continue.
    /// - Returns: Whether there was anything to merge. Call it again until it returns false.
    @discardableResult
    public func merge(_ db: Database, pages: Int) throws -> Bool {
        let before = db.totalChangesCount
        try command("merge", value: .int64(Int64(Int32(clamping: pages))), in: db)
        // FTS5's documentation: a merge that changed fewer than two rows had nothing to do.
        return db.totalChangesCount - before >= 2
    }

    /// Checks that the index is sound and matches the table's own content or, if `comparingContent` is true, external
    /// content.
    ///
    /// - Throws: `DatabaseError` with SQLITE_CORRUPT_VTAB if it does not; then call `rebuild(_:)`.
    public func integrityCheck(_ db: Database, comparingContent: Bool = true) throws {
        try command("integrity-check", value: .int64(comparingContent ? 1 : 0), in: db)
    }

    /// Empties the index of a table that is contentless or has external content.
    public func deleteAll(_ db: Database) throws { try command("delete-all", in: db) }

    /// Removes a row from the index of a table that is contentless or has external content.
    ///
    /// - Parameters:
    ///   - db: The connection.
    ///   - rowID: The rowid of the row.
    ///   - values: The row's value in each column when it was indexed. Other values corrupt the index.
    public func removeFromIndex(
        _ db: Database, rowID: Int64, values: [String: (any DatabaseValueConvertible)?]
    ) throws {
        var columns: SQL = "\(identifier: name), rowid"
        var list: SQL = "'delete', \(rowID)"
        for (column, value) in values {
            columns.append(", \(identifier: column)")
            list.append(", \(value)")
        }
        try db.execute("INSERT INTO \(raw: qualifiedName.sql)(\(columns)) VALUES (\(list))")
    }

    /// Changes a setting of the table permanently.
    ///
    /// ```sql
    /// INSERT INTO "documents"("documents", rank) VALUES ('automerge', 8)
    /// ```
    ///
    /// - Throws: `FTS5Error.invalidOption`, `unsupported`, `noSuchColumn`; `DatabaseError`.
    public func set(_ setting: FTS5Setting, in db: Database) throws {
        switch setting {
        case .automerge(let count): try set("automerge", count, in: 0...64, db)
        case .crisismerge(let count): try set("crisismerge", count, in: 0...Int(Int32.max), db)
        case .usermerge(let count): try set("usermerge", count, in: 2...16, db)
        case .pageSize(let size): try set("pgsz", size, in: 32...65_536, db)
        case .hashSize(let size): try set("hashsize", size, in: 1...Int(Int32.max), db)
        case .secureDelete(let isOn):
            guard csqlite_libversion_number() >= 3_042_000 else {
                throw FTS5Error.unsupported(feature: "secure-delete", requires: "SQLite 3.42 or later")
            }
            try command("secure-delete", value: .int64(isOn ? 1 : 0), in: db)
        case .rank(let function): try command("rank", value: .text(function.text(for: self)), in: db)
        }
    }

    private func set(_ option: String, _ value: Int, in range: ClosedRange<Int>, _ db: Database) throws {
        guard range.contains(value) else {
            throw FTS5Error.invalidOption(
                option, reason: "takes \(range.lowerBound) to \(range.upperBound), not \(value)")
        }
        try command(option, value: .int64(Int64(value)), in: db)
    }

    private func command(_ command: String, value: DatabaseValue? = nil, in db: Database) throws {
        let table: SQL = "\(raw: qualifiedName.sql)"
        guard let value else {
            return try db.execute("INSERT INTO \(table)(\(identifier: name)) VALUES (\(command))")
        }
        try db.execute("INSERT INTO \(table)(\(identifier: name), rank) VALUES (\(command), \(value))")
    }
}

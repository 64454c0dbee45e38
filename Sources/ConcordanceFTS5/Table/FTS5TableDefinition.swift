import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// The definition of an FTS5 table to be created; see `FTS5`.
public final class FTS5TableDefinition {
    /// The tokenizer; nil for SQLite's default, `unicode61`.
    public var tokenizer: FTS5TokenizerDescriptor?

    /// Where the text of the rows is stored.
    public var content: FTS5.Content = .own

    /// The lengths, in characters, for which there is an index of token prefixes: `[2, 3]` makes searches like `sw*`
    /// and `swi*` fast. Each from 1 to 999, at most 31 of them.
    public var prefixes: Set<Int> = []

    /// Whether the number of tokens in each column of each row is stored, which makes ranking fast.
    public var columnSize = true

    /// What the index stores about the places of a token.
    public var detail: FTS5.Detail = .full

    /// Options of a module beyond those of FTS5, as they are written.
    package var furtherOptions: [String] = []

    private(set) var columns: [FTS5ColumnDefinition] = []
    private(set) var synchronization: FTS5Synchronization?

    package init() {}

    /// Adds a column with any name except `rank` and `rowid`.
    ///
    /// ```swift
    /// t.column("title")
    /// t.column("url").notIndexed()
    /// ```
    @discardableResult
    public func column(_ name: String) -> FTS5ColumnDefinition {
        let column = FTS5ColumnDefinition(name: name)
        columns.append(column)
        return column
    }

    /// Makes the table an index of the ordinary table `table`, which has columns of the same names, and keeps it in
    /// step with triggers.
    ///
    /// ```swift
    /// // CREATE VIRTUAL TABLE "notesIndex" USING fts5(content='notes', content_rowid='id', title, body)
    /// // CREATE TRIGGER "__notesIndex_ai" AFTER INSERT ON "notes" ...
    /// // INSERT INTO "notesIndex"("notesIndex") VALUES ('rebuild')
    /// try db.create(virtualTable: "notesIndex", using: FTS5()) { t in
    ///     t.synchronize(withTable: "notes")
    ///     t.column("title")
    ///     t.column("body")
    /// }
    /// ```
    ///
    /// Existing rows of `table` are indexed at once. From then on the index follows whatever statement changes it,
    /// including rows that `INSERT OR REPLACE`, `UPDATE OR REPLACE` or a constraint with `ON CONFLICT REPLACE` deletes.
    /// The triggers depend on the unique indexes that exist now: create those first.
    ///
    /// An update that changes no indexed text costs a comparison. Writing a row that conflicts with another costs a
    /// copy of that row's texts, since SQLite does not tell beforehand whether the statement replaces the row, is
    /// ignored or, as an upsert, updates it.
    ///
    /// The rowids of the index are those of `table`: its `INTEGER PRIMARY KEY` or, if it has another key or none, the
    /// hidden `rowid`. For views and `WITHOUT ROWID` tables, `create` throws `FTS5Error.invalidOption`. SQLite's
    /// documentation allows `VACUUM` to renumber rows without an `INTEGER PRIMARY KEY`; its versions up to 3.54 do so
    /// only in a table without any index, so such a table gets an empty one. Restoring a dump may renumber them too.
    /// `FTS5Table.integrityCheck(_:comparingContent:)` tells whether the index still matches, and
    /// `FTS5Table.rebuild(_:)` builds it again.
    ///
    /// Before you drop the index, remove its triggers with `Database.dropFTS5SynchronizationTriggers(forTable:in:)`.
    ///
    /// - Important: SQLite does not document the order in which it calls the triggers of a table; in practice, the last
    ///   one created comes first. If a trigger of yours changes the indexed text of the very row that an insert or
    ///   update has just written, create it before the index, which it would otherwise corrupt.
    public func synchronize(withTable table: String) {
        synchronization = FTS5Synchronization(contentTable: table)
    }

    // MARK: SQL

    /// The arguments in parentheses after `USING fts5`: the options, then the columns.
    package func moduleArguments(table: QualifiedName, in db: Database) throws -> [String] {
        try validateColumns(table: table)
        if table.name.equalsIgnoringASCIICase("rank") { throw FTS5Error.reservedName(table.name) }
        let arguments = try options(table: table, in: db) + columns.map(\.sql)
        // SQLite counts the module, schema and table name and three more as arguments, and allows as many arguments as
        // columns.
        let limit = Int(csqlite_limit(try db.sqliteConnection, SQLITE_LIMIT_COLUMN, -1)) - 6
        if arguments.count > limit {
            let options = arguments.count - columns.count
            throw FTS5Error.tooManyColumns(columns.count, limit: max(0, limit - options))
        }
        return arguments
    }

    private func validateColumns(table: QualifiedName) throws(FTS5Error) {
        if columns.isEmpty { throw .noColumns(table: table.name) }
        if synchronization != nil, let column = columns.first(where: \.isValue) {
            throw .invalidOption(
                "column \(column.name)",
                reason: "stores values, which the triggers of synchronize(withTable:) ignore; use a SearchIndex")
        }
        // FTS5 has two hidden columns: one with the table's name, and rank.
        var seen: Set<String> = []
        for column in columns {
            try column.name.validateAsName()
            let key = column.name.lowercasedASCII
            if ["rank", "rowid", table.name.lowercasedASCII].contains(key) { throw .reservedName(column.name) }
            if !seen.insert(key).inserted { throw .duplicateColumn(column.name) }
        }
    }

    private func options(table: QualifiedName, in db: Database) throws -> [String] {
        var options: [String] = []
        if let tokenizer {
            try tokenizer.validate()
            options.append("tokenize=\(tokenizer.optionValue.quotedDatabaseString)")
        }
        options += try contentOptions(table: table, in: db)
        if !prefixes.isEmpty {
            try validatePrefixes()
            options.append("prefix='\(prefixes.sorted().map(String.init).joined(separator: " "))'")
        }
        if !columnSize { options.append("columnsize=0") }
        if detail != .full { options.append("detail=\(detail.optionValue)") }
        return options + furtherOptions
    }

    private func contentOptions(table: QualifiedName, in db: Database) throws -> [String] {
        if let synchronization {
            guard content == .own else {
                throw FTS5Error.invalidOption("content", reason: "is already set by synchronize(withTable:)")
            }
            let content = try synchronization.content(of: table, in: db)
            return Self.externalContent(content.name, content.rowID)
        }
        switch content {
        case .own: return []
        case .external(let contentTable, let rowID):
            try contentTable.validateAsName()
            try rowID.validateAsName()
            return Self.externalContent(contentTable, rowID)
        case .contentless: return ["content=''"]
        case .contentlessWithDelete:
            guard csqlite_libversion_number() >= 3_043_000 else {
                throw FTS5Error.unsupported(
                    feature: "deletion from a contentless full-text table", requires: "SQLite 3.43 or later")
            }
            guard columnSize else {
                throw FTS5Error.invalidOption("columnSize", reason: "must be true for .contentlessWithDelete")
            }
            return ["content=''", "contentless_delete=1"]
        }
    }

    private static func externalContent(_ table: String, _ rowID: String) -> [String] {
        let content = "content=\(table.quotedDatabaseString)"
        if rowID == "rowid" { return [content] }
        return [content, "content_rowid=\(rowID.quotedDatabaseString)"]
    }

    private func validatePrefixes() throws(FTS5Error) {
        let (longest, limit) = (TableOptions.maximumPrefixLength, TableOptions.maximumPrefixCount)
        if let length = prefixes.sorted().first(where: { !(1...longest).contains($0) }) {
            throw .invalidOption("prefixes", reason: "has the length \(length); a length is from 1 to \(longest)")
        }
        if prefixes.count > limit {
            throw .invalidOption("prefixes", reason: "has \(prefixes.count) lengths; FTS5 allows \(limit)")
        }
    }
}

/// A column of an FTS5 table that is to be created.
public final class FTS5ColumnDefinition {
    let name: String
    private(set) var isIndexed = true
    private(set) var isValue = false

    init(name: String) { self.name = name }

    /// Keeps the column out of the index: it is stored, but not searched (`UNINDEXED`).
    @discardableResult
    public func notIndexed() -> Self {
        isIndexed = false
        return self
    }

    /// Keeps the column out of the index of words, but stores its values in the index, to filter, sort and count by
    /// (`VALUE`). Only tables of Concordance's engine have such columns; for an FTS5 table, `create` throws
    /// `FTS5Error.invalidOption`.
    @discardableResult
    public func storesValues() -> Self {
        isIndexed = false
        isValue = true
        return self
    }

    fileprivate var sql: String {
        // FTS5 reads its arguments by its own rules, in which a bare word needs no quotes, even if it is a keyword; but
        // first it must be a word for SQLite, which takes anything that begins with a digit for a number.
        let isWord = name.isFTS5Bareword && name.utf8.first.map { $0 > UInt8(ascii: "9") } == true
        return (isWord ? name : name.quotedDatabaseIdentifier) + (isIndexed ? "" : isValue ? " VALUE" : " UNINDEXED")
    }
}

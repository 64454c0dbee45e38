/// A random full-text table, and the table that its text comes from, if that is another.
struct RandomSchema {
    enum Content {
        case stored
        /// In another table, by triggers.
        case external
        /// In another table, whose changes the index only learns by 'rebuild'.
        case unsynchronized
        case contentless
    }

    var columns: [String] = []
    var unindexed: Set<String> = []
    var content = Content.stored
    var detail = "full"
    var tokenizer: String?
    var options: [String] = []
    /// The database that the tables are in, with a dot; empty for the main one.
    var database = ""
    /// Whether rows of a contentless table can be deleted, in a module that supports it: FTS5 from 3.43 on.
    var deletesByRowID = false
    /// Whether the database keeps texts in UTF-16.
    var isUTF16 = false

    static let names = ["a", "b", "c", "d", "Eé", "from"] + (6..<20).map { "c\($0)" }

    init(_ chance: inout Chance) {
        let count = chance.weighted([(30, 1), (38, 2), (15, 3), (10, 4), (5, 6), (2, 20)])
        columns = Array(Self.names.prefix(count))
        detail = chance.weighted([(70, "full"), (15, "column"), (15, "none")])
        for column in columns.dropFirst() where chance.percent(35) { unindexed.insert(column) }
        if chance.percent(3) { unindexed = Set(columns) }
        // If FTS5 stores no positions, its auxiliary functions find hits in UNINDEXED columns.
        if detail != "full" { unindexed = [] }
        content = chance.weighted([(50, .stored), (22, .external), (5, .unsynchronized), (23, .contentless)])
        // Without positions or column sizes, FTS5 needs the text of each row that it ranks.
        if content == .unsynchronized { detail = "full" }
        tokenizer = Self.tokenizer(&chance)
        if let tokenizer { options.append("tokenize=\(tokenizer.sqlLiteral)") }
        if detail != "full" || chance.percent(10) { options.append("detail=\(detail)") }
        if chance.percent(40) {
            // From a list of prefixes that are one character longer, FTS5 counts a shared place sometimes once and
            // sometimes for each term.
            let lists = sharesPlaces ? ["1", "1 2", "1,2,3"] : ["1", "2", "3", "1 2", "1 2 3", "2,4", "3 1"]
            options.append("prefix='\(chance.pick(lists))'")
        }
        if chance.percent(15), content != .unsynchronized { options.append("columnsize=0") }
        database = chance.weighted([(88, ""), (6, "temp."), (6, "other.")])
        deletesByRowID = content == .contentless && !options.contains("columnsize=0") && chance.percent(40)
        switch content {
        case .stored: break
        case .contentless: options.append("content=''")
        case .external, .unsynchronized: options += ["content='m'", "content_rowid='id'"]
        }
    }

    private static func tokenizer(_ chance: inout Chance) -> String? {
        chance.weighted([
            (35, nil), (10, "unicode61"), (5, "unicode61 remove_diacritics 0"), (5, "unicode61 remove_diacritics 2"),
            (5, "unicode61 tokenchars '-.' separators '|'"), (3, "unicode61 categories 'L* N* Co'"), (7, "ascii"),
            (3, "ascii tokenchars '_'"), (8, "porter"), (4, "porter ascii"), (8, "trigram"),
            (4, "trigram case_sensitive 1"), (4, "concordance words fold latin"), (3, "concordance unicode61 fold"),
            (3, "concordance words fold edge_ngrams 1 4"), (2, "concordance words fold ngrams 2 3"),
            (3, "concordance words fold cjk romaji"), (3, "concordance words fold parts porter"),
        ])
    }

    /// Whether FTS5 can count the hits of a row and its length. Without texts it needs positions and column sizes,
    /// without which its scores are 0 or NULL.
    var hasScores: Bool {
        content != .contentless || detail == "full" && !options.contains("columnsize=0")
    }

    /// Whether the tokenizer makes several tokens at one place.
    var sharesPlaces: Bool {
        ["ngrams", "romaji", "parts"].contains { tokenizer?.contains($0) ?? false }
    }

    /// Whether a token may begin within the one before it; FTS5 writes what they share twice.
    var hasOverlaps: Bool { isTrigram || (tokenizer?.contains(" ngrams") ?? false) }

    var isTrigram: Bool { tokenizer?.hasPrefix("trigram") ?? false }

    /// The table to write to, and its rowid's name.
    var target: String { content == .stored ? "t" : "m" }
    var key: String { content == .stored ? "rowid" : "id" }

    var quotedColumns: [String] { columns.map { "\"\($0)\"" } }
    var columnList: String { quotedColumns.joined(separator: ", ") }

    /// The statements that make the tables.
    var statements: [String] {
        // The index would store different values from the table's, so `FullTextModule.valued` must not replace this
        // one.
        let unindexedOption = content == .unsynchronized ? "unindexed" : "UNINDEXED"
        let arguments =
            zip(columns, quotedColumns).map { unindexed.contains($0) ? "\($1) \(unindexedOption)" : $1 } + options
        let attach = database == "other." ? ["ATTACH ':memory:' AS other"] : []
        let create = "CREATE VIRTUAL TABLE \(database)t USING fts5(\(arguments.joined(separator: ", ")))"
        let source = content == .stored ? [] : ["CREATE TABLE \(database)m(id INTEGER PRIMARY KEY, \(columnList))"]
        let hasTriggers = content == .external || content == .contentless
        return attach + source + [create] + vocabulary + (hasTriggers ? triggers(isModule: false) : [])
    }

    var vocabulary: [String] {
        ["row", "col", "instance"].map { "CREATE VIRTUAL TABLE \(database)v\($0) USING fts5vocab(t, \($0))" }
    }

    /// The triggers that keep the index in step.
    private func triggers(isModule: Bool) -> [String] {
        let new = quotedColumns.map { "new.\($0)" }.joined(separator: ", ")
        let old = quotedColumns.map { "old.\($0)" }.joined(separator: ", ")
        let insert = "INTO t(rowid, \(columnList)) VALUES (new.id, \(new));"
        let delete = "INSERT INTO t(t, rowid, \(columnList)) VALUES ('delete', old.id, \(old));"
        let byRowID = "DELETE FROM t WHERE rowid = old.id"
        let update = "\(delete) INSERT \(insert)"
        return [
            "CREATE TRIGGER \(database)m_i AFTER INSERT ON m BEGIN INSERT \(insert) END",
            "CREATE TRIGGER \(database)m_d AFTER DELETE ON m BEGIN \(isModule ? "\(byRowID);" : delete) END",
            "CREATE TRIGGER \(database)m_u AFTER UPDATE ON m BEGIN "
                + "\(isModule ? "\(byRowID) AND old.id <> new.id; REPLACE \(insert)" : update) END",
        ]
    }

    /// `FuzzScript.substitutions`
    var substitutions: [String: String] {
        guard deletesByRowID else { return [:] }
        var result = Dictionary(
            uniqueKeysWithValues: zip(triggers(isModule: false), triggers(isModule: true)).filter { $0 != $1 })
        var deletable = self
        deletable.options.append("contentless_delete=1")
        for (sql, other) in zip(statements, deletable.statements) where sql != other { result[sql] = other }
        return result
    }

    /// Contentless tables have no texts to index again; those of others may have changed since.
    var canBeConverted: Bool { content == .stored || content == .external }

    /// What precedes the conversion of FTS5's table: a rollback would undo it, and vocabulary tables are created again.
    var conversion: [String] { ["COMMIT"] + ["vrow", "vcol", "vinstance"].map { "DROP TABLE \($0)" } }
}

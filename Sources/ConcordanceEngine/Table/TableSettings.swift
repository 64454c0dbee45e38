import ConcordanceSQLite

/// What `INSERT INTO t(t, rank) VALUES (key, value)` can set; FTS5's settings, with FTS5's bounds
/// (https://www.sqlite.org/fts5.html#special_insert_commands), and 'cachesize'.
struct TableSettings: Equatable {
    /// How many segments of a level are merged as rows are written; 0 for none.
    var automerge = 4
    /// How few segments of a level the command 'merge' merges.
    var usermerge = 4
    /// How many segments of a level are merged at once, whatever it takes.
    var crisismerge = 16
    /// How many bytes of pending terms are kept in memory; nil for the index's own bound.
    var hashSize: Int?
    /// How many bytes of blocks each connection keeps in memory; 0 for none, nil for the default.
    var cacheSize: Int?
    /// How large FTS5 would make its pages, in bytes. The index has its own pages; the number is only stored.
    var pageSize = 4050
    /// Whether a commit leaves nothing of removed rows in the index.
    var secureDelete = false
    /// From how many removed rows in a hundred on FTS5 would merge a segment again. Merges here have a rule of their own; the
    /// number is kept.
    var deleteMerge = 10
    /// Whether FTS5 would have the tokens of prefixes at hand. They are read from the text here; the setting is kept.
    var instanceTokens = false
    /// The function that ORDER BY rank sorts by.
    var rank = RankSpecification.bm25

    /// The names, as `<t>_config` has them.
    enum Key: String, CaseIterable {
        case automerge, usermerge, crisismerge, hashsize, cachesize, pgsz, rank
        case secureDelete = "secure-delete"
        case deleteMerge = "deletemerge"
        case instanceTokens = "insttoken"

        /// What may be set, in a sentence.
        var values: String {
            switch self {
            case .automerge: "an integer from 0 to 64"
            case .usermerge: "an integer from 2 to 16"
            case .crisismerge: "an integer that is not negative"
            case .hashsize: "a number of bytes, at least 1"
            case .cachesize: "a number of bytes, at most \(TableSettings.maximumCacheSize)"
            case .pgsz: "an integer from 32 to 65536"
            case .rank: "a call of a function, as 'bm25(10.0, 5.0)'"
            case .secureDelete, .instanceTokens: "0 or 1"
            case .deleteMerge: "an integer"
            }
        }
    }

    /// The largest 'cachesize', 1 TiB.
    fileprivate static let maximumCacheSize: Int64 = 1 << 40

    /// Sets one; false if the value is not valid for it.
    mutating func set(_ key: Key, to value: BorrowedValue) -> Bool {
        func integer(in range: ClosedRange<Int>) -> Int? {
            value.integer.map { Int(Int32(truncatingIfNeeded: $0)) }.flatMap { range.contains($0) ? $0 : nil }
        }
        switch key {
        case .automerge:
            guard let number = integer(in: 0...64) else { return false }
            automerge = number == 1 ? 4 : number
        case .usermerge:
            guard let number = integer(in: 2...16) else { return false }
            usermerge = number
        case .crisismerge:
            guard let number = integer(in: 0...Int(Int32.max)) else { return false }
            // FTS5's index cannot have more segments than this in all.
            crisismerge = number <= 1 ? 16 : min(number, 1999)
        case .hashsize:
            guard let number = integer(in: 1...Int(Int32.max)) else { return false }
            hashSize = number
        case .cachesize:
            guard let number = value.integer, (0...Self.maximumCacheSize).contains(number) else { return false }
            cacheSize = Int(number)
        case .pgsz:
            guard let number = integer(in: 32...64 * 1024) else { return false }
            pageSize = number
        case .secureDelete:
            guard let number = value.integer, number == 0 || number == 1 else { return false }
            secureDelete = number == 1
        case .instanceTokens:
            guard let number = value.integer, number == 0 || number == 1 else { return false }
            instanceTokens = number == 1
        case .deleteMerge:
            guard let number = integer(in: Int(Int32.min)...Int(Int32.max)) else { return false }
            // As in FTS5: a number that is not a percentage means one or none.
            deleteMerge = number < 0 ? 10 : number > 100 ? 0 : number
        case .rank:
            guard let text = value.string, let rank = RankSpecification(parsing: text) else { return false }
            self.rank = rank
        }
        return true
    }
}

/// The table `<t>_config(k PRIMARY KEY, v) WITHOUT ROWID`: the settings that differ from the defaults, and the version
/// of the format.
final class ConfigurationStore {
    /// The version of the format of `<t>_data` that this code reads and writes.
    static let formatVersion: Int64 = 1

    private let names: ShadowNames
    private let connection: OpaquePointer
    private var selecting: KeptStatement?
    private var replacing: KeptStatement?

    init(_ connection: OpaquePointer, names: ShadowNames) {
        self.connection = connection
        self.names = names
    }

    /// The settings, without those that cannot be read, and the version, 0 if there is none.
    ///
    ///     SELECT k, v FROM t_config
    func load() throws -> (settings: TableSettings, version: Int64) {
        let statement = try selecting ?? KeptStatement(connection, "SELECT k, v FROM \(names.quoted("config"))")
        selecting = statement
        var settings = TableSettings()
        var version: Int64 = 0
        while try statement.step() {
            guard let name = statement.value(at: 0).string else { continue }
            if name == "version" { version = statement.int64(at: 1) }
            if let key = TableSettings.Key(rawValue: name) { _ = settings.set(key, to: statement.value(at: 1)) }
        }
        return (settings, version)
    }

    /// Keeps a setting.
    ///
    ///     REPLACE INTO t_config VALUES (?, ?)
    func store(_ key: TableSettings.Key, _ value: BorrowedValue) throws {
        let statement =
            try replacing ?? KeptStatement(connection, "REPLACE INTO \(names.quoted("config")) VALUES (?, ?)")
        replacing = statement
        defer { statement.clear() }
        try statement.bind(key.rawValue, at: 1)
        try statement.bind(value, at: 2)
        try statement.execute()
    }

    /// Writes the version that this code has.
    func storeVersion() throws {
        let sql = "REPLACE INTO \(names.quoted("config")) VALUES ('version', \(Self.formatVersion))"
        try KeptStatement(connection, sql).execute()
    }
}

/// The names of a table's shadow tables.
struct ShadowNames {
    let schema: String
    let table: String

    /// `"main"."t_data"` for `data`.
    func quoted(_ suffix: String) -> String {
        "\(schema.quotedDatabaseIdentifier).\("\(table)_\(suffix)".quotedDatabaseIdentifier)"
    }
}

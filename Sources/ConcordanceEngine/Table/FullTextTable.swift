import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// A table `USING concordance(...)`, in one connection: FTS5's SQL over an inverted index of ours.
///
///     <t>_config   settings                  ConfigurationStore
///     <t>_content  texts, unless elsewhere   ContentStore
///     <t>_data     the index                 BlockStore, InvertedIndex
///
/// It holds the connection and nothing that holds a `Database`: SQLite keeps it until the connection is closed.
final class FullTextTable: WritableVirtualTable {
    /// What the tables of a connection share.
    final class Context {
        /// What was added to the connection: auxiliary functions, tokenizers.
        let registry: ExtensionRegistry
        let indexes = SharedIndexes()
        let savepoints = SavepointKind()

        init(_ registry: ExtensionRegistry) { self.registry = registry }
    }

    static let isShadowName: ShadowNameTest? = { virtualTableName($0, isOneOf: "config", "content", "data") ? 1 : 0 }

    let connection: OpaquePointer
    let registry: ExtensionRegistry
    let schema: String
    let name: String
    let options: TableOptions
    let tokenizer: any Tokenizer
    /// Extracts the texts from values of `fts5_locale()`; nil if the table has none, or SQLite lacks the function.
    let locales: LocaleValues?
    /// By which a query knows that it was compiled for this object.
    let identity = TableIdentity()
    /// Which patterns the index can narrow down; nil for none.
    let patterns: PatternSupport?
    let index: InvertedIndex
    let content: ContentStore
    let configuration: ConfigurationStore
    /// What the connection's queries have cost.
    let work: QueryWork
    /// Whether the ranks of the last query in the order of rank were read.
    var ranksAreRead = false
    private let indexes: SharedIndexes
    let savepoints: SavepointKind

    /// The settings, and the state of the file that they are from; nil if they must be read again.
    private var loadedSettings: (settings: TableSettings, dataVersion: UInt32)?
    /// What the rank option of the last ranked query says; the ranking is nil if the engine does not compute it.
    var lastRanking: (specification: RankSpecification, ranking: Ranking?)?
    /// Whether SQLite will tell the object of the end of the transaction.
    private var isInTransaction = false
    /// Whether SQLite has not told the object of a savepoint since the transaction began for it.
    var isJoining = false
    /// Whether the transaction that writes to the table is a statement by itself.
    var isOneStatement = false
    /// Why the table cannot be used, only dropped.
    private var unusable: DatabaseError?

    /// How often rows were written or transactions undone, by which a cursor knows that its rows may be gone.
    @exclusivity(unchecked) private(set) var changeCount = 0
    /// How often a transaction or a part of one was undone.
    var rollbackCount = 0
    /// What the cursors that are open have found ahead.
    private var runs: [UnsafeMutablePointer<VirtualTableRun>] = []

    /// The columns that are indexed.
    let indexedColumns: [Int]
    /// Those of the VALUE columns.
    var valueColumns: [Int] { index.shape.valueColumns }

    /// The cursor that an auxiliary function was called for last.
    let calledCursor = CalledCursor()

    /// The cursor whose rows the next cursor returns, in its place, to the statement that sorts them.
    var sortSource: TableCursor?

    /// The index of the hidden column that has the table's name; that of `rank` is one more.
    var tableColumn: Int { options.columns.count }
    var rankColumn: Int { options.columns.count + 1 }

    /// How many tokens each row has for `bm25`, where neither sizes nor texts are stored: FTS5 counts -1 an indexed column.
    var constantLength: Double? {
        guard options.content == .none, !options.storesColumnSizes else { return nil }
        return -Double(options.columns.filter(\.isIndexed).count)
    }

    convenience init(creating request: VirtualTableRequest<Context>) throws {
        try self.init(request, isNew: true)
    }

    convenience init(connecting request: VirtualTableRequest<Context>) throws {
        try self.init(request, isNew: false)
    }

    private init(_ request: VirtualTableRequest<Context>, isNew: Bool) throws {
        let connection = try request.database.sqliteConnection
        self.connection = connection
        work = QueryWork.of(request.database)
        let registry = request.context.registry
        self.registry = registry
        schema = request.databaseName
        name = request.tableName
        var tokenizer: (any Tokenizer)?
        options = try TableOptions(parsing: request.arguments, table: name) {
            tokenizer =
                try isNew
                ? TableTokenizer.make($0, registry) : TableTokenizer.open($0, registry, on: connection)
        }
        indexedColumns = options.columns.indices.filter { [options] in options.columns[$0].isIndexed }
        let plain = try tokenizer ?? TableTokenizer.make([], registry)
        self.tokenizer = options.hasTokenData ? TokenDataTokenizer(wrapping: plain) : plain
        locales = options.hasLocales ? LocaleValues(connection) : nil
        patterns = PatternSupport(options.tokenizer, registry)
        try Self.checkColumns(options, table: name)
        let names = ShadowNames(schema: schema, table: name)
        content = ContentStore(connection, names: names, options: options)
        configuration = ConfigurationStore(connection, names: names)
        indexes = request.context.indexes
        savepoints = request.context.savepoints
        let store = try BlockStore(database: request.database, schema: schema, table: name)
        if isNew {
            // To create a table inserts no row that `last_insert_rowid()` is to tell of.
            let lastRowID = csqlite_last_insert_rowid(connection)
            defer { csqlite_set_last_insert_rowid(connection, lastRowID) }
            try Self.createShadowTables(names, content, options, request.database)
            try configuration.storeVersion()
            try InvertedIndex.create(store: store, shape: options.shape)
            index = indexes.add(InvertedIndex(store: store, shape: options.shape))
        } else {
            index = indexes.index(of: store, shape: options.shape)
        }
        try request.declare(.innocuous)
        try request.declareConflictSupport()
        // SQLite does not call `begin` for the object that creates the table.
        if isNew { joinTransaction() } else { try checkFormat() }
    }

    var declaration: String {
        let columns = options.columns.map { $0.name.quotedDatabaseString } + [name.quotedDatabaseString + " HIDDEN"]
        return "CREATE TABLE x(\(columns.joined(separator: ", ")), rank HIDDEN)"
    }

    func makeCursor() throws -> TableCursor { TableCursor(self) }

    // MARK: - Changes

    /// Rows are about to be written, or a transaction is undone: cursors must check each row from now on.
    func noteChange() {
        changeCount &+= 1
        for run in runs { run.pointee.end = 0 }
    }

    func add(_ run: UnsafeMutablePointer<VirtualTableRun>) { runs.append(run) }

    func remove(_ run: UnsafeMutablePointer<VirtualTableRun>) { runs.removeAll { $0 == run } }

    // MARK: - Checks

    /// FTS5 leaves these to SQLite, which has a single sentence for them.
    private static func checkColumns(_ options: TableOptions, table: String) throws {
        let names = options.columns.map(\.name) + [table]
        let distinct = Set(names.map(\.lowercasedASCII))
        guard distinct.count == names.count, names.count > 1 else {
            throw failure("vtable constructor failed: \(table)")
        }
    }

    // MARK: - Shadow tables

    private static func createShadowTables(
        _ names: ShadowNames, _ content: ContentStore, _ options: TableOptions, _ database: Database
    ) throws {
        var tables = [("data", "(id INTEGER PRIMARY KEY, block BLOB)")]
        if options.content == .stored { tables.append(("content", "(\(content.definition))")) }
        tables.append(("config", "(k PRIMARY KEY, v) WITHOUT ROWID"))
        for (suffix, definition) in tables {
            do {
                // As a string, which SQLite takes for a name here, and repeats in an error as FTS5's has it.
                let table = "\(names.table)_\(suffix)".quotedDatabaseString
                let sql = "CREATE TABLE \(names.schema.quotedDatabaseIdentifier).\(table)\(definition)"
                try execute(sql, database.sqliteConnection)
            } catch let error as DatabaseError {
                let reason = error.message ?? "\(error)"
                throw DatabaseError(
                    resultCode: error.extendedResultCode,
                    message: "fts5: error creating shadow table \(names.table)_\(suffix): \(reason)")
            }
        }
    }

    private var shadowTables: [String] {
        ["data", "config"] + (options.content == .stored ? ["content"] : [])
    }

    func destroy() throws {
        // Going back to a savepoint would bring the table back, but not the error that keeps the transaction from a commit.
        try index.transaction.checkOrder()
        let names = ShadowNames(schema: schema, table: name)
        for suffix in shadowTables {
            try Self.execute("DROP TABLE IF EXISTS \(names.quoted(suffix))", connection)
        }
        if isInTransaction { indexes.leaveDropped(index) }
    }

    func joinTransaction() {
        if !isInTransaction { indexes.join(index) }
        isInTransaction = true
    }

    func leaveTransaction() {
        if isInTransaction { indexes.leave(index) }
        isInTransaction = false
    }

    /// This object keeps the old name: SQLite opens the table again, and notifies this object only of a rollback.
    func rename(to newName: String) throws {
        try index.sync()
        let names = ShadowNames(schema: schema, table: name)
        for suffix in shadowTables {
            let newTable = "\(newName)_\(suffix)".quotedDatabaseIdentifier
            try Self.execute("ALTER TABLE \(names.quoted(suffix)) RENAME TO \(newTable)", connection)
        }
    }

    private static func execute(_ sql: String, _ connection: OpaquePointer) throws {
        try KeptStatement(connection, sql).execute()
    }

    // MARK: - Settings

    /// A file whose configuration is unreadable or of another format can still be opened, so that the table can be dropped.
    private func checkFormat() throws {
        do {
            try loadSettings()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            unusable = error
        }
    }

    private func loadSettings() throws {
        let dataVersion = dataVersion
        let (settings, version) = try configuration.load()
        unusable =
            version == ConfigurationStore.formatVersion
            ? nil
            : failure(
                "invalid concordance file format (found \(version), expected \(ConfigurationStore.formatVersion))")
        loadedSettings = (settings, dataVersion)
        apply(settings)
    }

    /// The settings as the file has them, which another connection may have changed.
    var settings: TableSettings {
        get throws {
            if let loadedSettings, loadedSettings.dataVersion == dataVersion { return loadedSettings.settings }
            try loadSettings()
            return loadedSettings?.settings ?? TableSettings()
        }
    }

    /// Has the settings read again before they are used.
    func forgetSettings() { loadedSettings = nil }

    /// Takes note that the change of the file is this connection's own: the settings were checked when it began.
    func keepSettings() { loadedSettings?.dataVersion = dataVersion }

    /// Throws if the table has a format that this code does not know; otherwise the index then has the settings of the
    /// file.
    func checkUsable() throws {
        if let unusable { throw unusable }
        _ = try settings
    }

    private func apply(_ settings: TableSettings) {
        index.settings = IndexSettings(
            automerge: settings.automerge, crisismerge: settings.crisismerge, usermerge: settings.usermerge,
            pageSize: settings.pageSize, secureDelete: settings.secureDelete)
        index.memoryBound = settings.hashSize ?? InvertedIndex.defaultMemoryBound
        index.store.cacheCapacity = settings.cacheSize ?? BlockStore.defaultCacheCapacity
    }

    /// A number that differs after each commit to the file, by this connection or another.
    private var dataVersion: UInt32 {
        var version: UInt32 = 0
        // Without a copy of the name, which a string as an argument is.
        _ = schema.withCString { csqlite_file_control(connection, $0, SQLITE_FCNTL_DATA_VERSION, &version) }
        return version
    }
}

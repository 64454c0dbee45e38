import Concordance

/// The reminders in a database file.
public struct Reminders: Sendable {
    /// The database, for SQL of your own.
    public let database: DatabasePool
    private let index: SearchIndex<Reminder>

    /// Opens the file; a new one gets its tables and ten reminders.
    public init(path: String, index: SearchIndex<Reminder> = reminderTexts) throws {
        database = try DatabasePool(path: path)
        self.index = index
        try database.write { db in
            guard try !db.tableExists(Reminder.databaseTableName) else { return }
            try db.execute(sql: Schema.sql)
            for (title, notes, tags) in Schema.seed { try Self.add(title, notes: notes, tags: tags, in: db) }
        }
        try database.install(index)
    }

    // MARK: Reading

    /// A reminder with its tags.
    public struct Listed: Decodable, FetchableRecord, Sendable {
        public var id: Int64
        public var title: String
        public var notes: String
        public var isCompleted: Bool
        /// Joined by commas, as in the index.
        public var tags: String
    }

    /// All reminders, the open ones first.
    public func all() throws -> [Listed] {
        try database.read { db in
            try Listed.fetchAll(
                db,
                sql: """
                    SELECT reminders.*, reminderTexts.tags
                    FROM reminders JOIN reminderTexts ON reminderTexts.rowid = reminders.id
                    ORDER BY isCompleted, reminders.id
                    """)
        }
    }

    /// A search for whatever was typed: open reminders first, and among these the most relevant.
    public func request(_ text: String) -> SearchRequest<Reminder> { index.query(text).order { $0.isCompleted } }

    /// What a search finds.
    public func search(_ text: String) throws -> SearchPage<Reminder> { try database.search(request(text)) }

    /// What a search finds, at once and after every change, whichever program makes it.
    public func results(of text: String) -> LiveResults<Reminder> { database.results(of: request(text)) }

    // MARK: Writing

    /// Adds a reminder and returns its id.
    @discardableResult
    public func add(_ title: String, notes: String = "", tags: [String] = []) throws -> Int64? {
        try database.write { try Self.add(title, notes: notes, tags: tags, in: $0) }
    }

    /// Changes a reminder.
    ///
    /// - Throws: `RecordError.recordNotFound` if there is none with this id.
    public func edit(_ id: Int64, _ change: (inout Reminder) -> Void) throws {
        try database.write { db in
            var reminder = try Reminder.find(db, key: id)
            try reminder.updateChanges(db) { change(&$0) }
        }
    }

    /// Deletes a reminder.
    public func delete(_ id: Int64) throws {
        try database.write { db in _ = try Reminder.find(db, key: id).delete(db) }
    }

    /// Adds a tag to a reminder, and creates the tag if it is new.
    public func tag(_ id: Int64, _ tag: String) throws {
        try database.write { db in
            _ = try Reminder.find(db, key: id)
            try Self.tag(id, tag, in: db)
        }
    }

    /// Removes a tag from a reminder.
    public func untag(_ id: Int64, _ tag: String) throws {
        try database.write { db in
            try db.execute(
                """
                DELETE FROM reminderTags
                WHERE reminderID = \(id) AND tagID = (SELECT id FROM tags WHERE title = \(tag))
                """)
        }
    }

    @discardableResult
    private static func add(_ title: String, notes: String, tags: [String], in db: Database) throws -> Int64? {
        var reminder = Reminder(title: title, notes: notes)
        try reminder.insert(db)
        if let id = reminder.id { for tag in tags { try self.tag(id, tag, in: db) } }
        return reminder.id
    }

    private static func tag(_ id: Int64, _ tag: String, in db: Database) throws {
        try db.execute("INSERT INTO tags(title) VALUES (\(tag)) ON CONFLICT DO NOTHING")
        try db.execute(
            """
            INSERT INTO reminderTags SELECT \(id), id FROM tags WHERE title = \(tag) ON CONFLICT DO NOTHING
            """)
    }
}

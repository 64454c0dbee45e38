import Concordance
import ConcordanceSearch

/// A database of reminders with tags, as the examples of the documentation have it.
enum RemindersFixture {
    struct Reminder: Codable, Identifiable, Sendable, Equatable {
        var id: Int64
        var title: String
        var notes: String
        var isCompleted: Bool
    }

    static let index = index(TestEngine.current)

    static func index(_ engine: SearchEngine) -> SearchIndex<Reminder> {
        SearchIndex("reminderTexts", of: Reminder.self, in: "reminders", engine: engine) {
            Field(\.title, weight: 10)
            Field(\.notes, weight: 5)
            Field("tags").joined("tags", \.title, through: "reminderTags", separator: ",")
            Analysis(.trigram)
        }
    }

    static let schema = """
        CREATE TABLE reminders(
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, notes TEXT NOT NULL DEFAULT '',
            isCompleted INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE tags(id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
        CREATE TABLE reminderTags(
            reminderID INTEGER NOT NULL REFERENCES reminders(id) ON DELETE CASCADE,
            tagID INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
            PRIMARY KEY (reminderID, tagID));
        CREATE INDEX reminderTagsByTag ON reminderTags(tagID);
        """

    static let rows = """
        INSERT INTO tags(id, title) VALUES (1, 'weekend'), (2, 'easy-win'), (3, 'fun');
        INSERT INTO reminders(id, title, notes) VALUES
            (1, 'Groceries', 'Milk\nEggs\nApples\nOatmeal\nSpinach'), (2, 'Haircut', ''),
            (3, 'Doctor appointment', 'Ask about diet'), (4, 'Take a walk', '');
        INSERT INTO reminderTags(reminderID, tagID) VALUES (1, 1), (2, 1), (2, 2), (4, 1), (4, 3);
        """

    /// A database in memory with these tables and rows, and no index.
    static func database() throws -> Database {
        let db = try Database(path: ":memory:")
        try db.execute(sql: schema + rows)
        return db
    }
}

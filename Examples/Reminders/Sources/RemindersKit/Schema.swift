/// The app's own tables, which have nothing to do with search.
enum Schema {
    static let sql = """
        CREATE TABLE reminders(
          id INTEGER PRIMARY KEY,
          title TEXT NOT NULL,
          notes TEXT NOT NULL DEFAULT '',
          isCompleted INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE tags(
          id INTEGER PRIMARY KEY,
          -- The index has the tags of a reminder as one text, between commas.
          title TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (title <> '' AND instr(title, ',') = 0)
        );
        CREATE TABLE reminderTags(
          reminderID INTEGER NOT NULL REFERENCES reminders(id) ON DELETE CASCADE,
          tagID INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
          PRIMARY KEY (reminderID, tagID)
        );
        CREATE INDEX reminderTags_tagID ON reminderTags(tagID);
        """

    /// What a new database contains.
    static let seed: [(title: String, notes: String, tags: [String])] = [
        ("Groceries", "Milk\nEggs\nApples\nOatmeal\nSpinach", ["weekend"]),
        ("Haircut", "", ["weekend", "easy-win"]),
        ("Doctor appointment", "Ask about diet", []),
        ("Take a walk", "", ["weekend", "fun"]),
        ("Buy concert tickets", "", ["fun"]),
        ("Pick up kids from school", "", ["easy-win"]),
        ("Get laundry", "", ["easy-win"]),
        ("Take out trash", "", ["easy-win"]),
        ("Call accountant", "Status of tax return\nExpenses for next year\nChanging payroll company", []),
        ("Send weekly emails", "", []),
    ]
}

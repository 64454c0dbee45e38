import Concordance

/// A thing to do: a row of the table `reminders`.
public struct Reminder: Codable, Hashable, Identifiable, Sendable, FetchableRecord, MutablePersistableRecord {
    public static let databaseTableName = "reminders"

    public var id: Int64?
    public var title: String
    public var notes: String
    public var isCompleted: Bool

    public init(id: Int64? = nil, title: String, notes: String = "", isCompleted: Bool = false) {
        self.id = id
        self.title = title
        self.notes = notes
        self.isCompleted = isCompleted
    }

    public mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The searchable texts of a reminder: its title, its notes and its tags. A word in the title counts as much as two in the
/// notes, and as ten in the tags.
///
/// The index follows all three tables by itself, whichever program writes to them. It also has the reminder's id, so that
/// your own SQL can join it.
public let reminderTexts = SearchIndex("reminderTexts", of: Reminder.self) {
    Field(\.id).unindexed()
    Field(\.title, weight: 10)
    Field(\.notes, weight: 5)
    Field("tags").joined("tags", \.title, through: "reminderTags", separator: ",").holdingTags()
    Analysis(.trigram)
}

import Concordance
import Testing

@Suite("Installing an index")
struct InstallTests {
    @Test func `an installed index finds rows that were there, and those that come`() throws {
        let db = try RemindersFixture.database()
        try db.install(RemindersFixture.index)
        try db.execute("INSERT INTO reminders(title, notes) VALUES ('Send weekly emails', '')")
        try db.execute("UPDATE reminders SET title = 'Beard' WHERE title = 'Haircut'")
        try db.execute("DELETE FROM reminders WHERE title = 'Take a walk'")
        let rows = try Row.fetchAll(
            db, sql: "SELECT title, tags FROM reminderTexts WHERE reminderTexts MATCH 'week' ORDER BY rank")
        #expect(rows.map { $0["title"] as String? } == ["Send weekly emails", "Beard", "Groceries"])
        #expect(rows.map { $0["tags"] as String? } == ["", "weekend,easy-win", "weekend"])
    }
}

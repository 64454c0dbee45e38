import Concordance
import ConcordanceSearch
import Foundation
import RemindersKit

/// The story of Point-Free's episode 337, "Modern Search: Relevance & Ranking"
/// (https://www.pointfree.co/episodes/ep337-modern-search-relevance-ranking): ten reminders, four edits, and the figures
/// that its shell prints for the word "week" after each of them.
final class Episode {
    /// The edits, in order. The episode changes its full-text table by hand; here reminders are edited, as by the app, and
    /// the index follows.
    enum Edit: Int, CaseIterable, Sendable {
        case walkThisWeek, haircutNotes, haircutTitle, weeklySpecials
    }

    let reminders: Reminders
    /// The database file.
    let path: String
    private let folder: URL

    /// The reminders of the episode, after all edits up to and including one.
    init(upTo last: Edit?, index: SearchIndex<Reminder> = Episode.unweighted) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("reminders-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("reminders.db").path
        reminders = try Reminders(path: path, index: index)
        for edit in Edit.allCases where edit.rawValue <= last?.rawValue ?? -1 { try apply(edit) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func apply(_ edit: Edit) throws {
        switch edit {
        case .walkThisWeek: try reminders.edit(4) { $0.title = "Take a walk this week" }
        case .haircutNotes: try reminders.edit(2) { $0.notes = "Ask if I can reschedule next week" }
        case .haircutTitle: try reminders.edit(2) { $0.title = "Haircut next week" }
        case .weeklySpecials: try reminders.edit(1) { $0.notes = "Weekly specials\n\n" + $0.notes }
        }
    }

    /// The app's index before the episode introduces weights.
    static let unweighted = index(title: 1, notes: 1)

    /// The default engine, or the one that the variable CONCORDANCE_ENGINE names: both yield the episode's figures.
    static let engine: SearchEngine =
        ProcessInfo.processInfo.environment["CONCORDANCE_ENGINE"] == "fts5" ? .fts5 : .concordance

    static func index(title: Double, notes: Double) -> SearchIndex<Reminder> {
        SearchIndex("reminderTexts", of: Reminder.self, engine: engine) {
            Field(\.id).unindexed()
            Field(\.title, weight: title)
            Field(\.notes, weight: notes)
            Field("tags").joined("tags", \.title, through: "reminderTags", separator: ",")
            Analysis(.trigram)
        }
    }

    /// Titles, and values of an expression over the full-text table, as in
    /// `SELECT title, rank FROM reminderTexts WHERE reminderTexts MATCH 'week'`.
    func rows<Value: DatabaseValueConvertible & StatementDecodable & Sendable>(
        _ expression: String, orderedBy order: String? = nil, as type: Value.Type = Value.self
    ) throws -> [Line<Value>] {
        try reminders.database.read { db in
            let sql = """
                SELECT title, \(expression) FROM reminderTexts WHERE reminderTexts MATCH 'week' \
                \(order.map { "ORDER BY \($0)" } ?? "")
                """
            return try Row.fetchAll(db, sql: sql).map { row in
                Line(try row.decode(String.self, at: 0), try row.decode(Value.self, at: 1))
            }
        }
    }
}

/// A title and what is printed beside it.
struct Line<Value: Sendable>: Sendable {
    var title: String
    var value: Value

    init(_ title: String, _ value: Value) {
        self.title = title
        self.value = value
    }
}

extension Line: Equatable where Value: Equatable {}

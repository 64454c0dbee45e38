import Concordance
import Foundation
import RemindersKit

/// `reminders`: a list of reminders in the terminal, which is searched as a person types.
@main
enum RemindersCommand {
    static let usage = """
        usage: reminders [list]
               reminders search WORDS...        words, "phrases", -exclusions, title:word, #tag
               reminders watch WORDS...         the same, and again after every change
               reminders add TITLE [NOTES]
               reminders title ID TITLE         changes the title
               reminders notes ID NOTES         changes the notes
               reminders done ID | undo ID | delete ID
               reminders tag ID TAG... | untag ID TAG...

        The database is the file reminders.db in this folder, or the one that REMINDERS_DB names.
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch is UsageError {
            print(usage)
            exit(2)
        } catch {
            print("reminders: \(error)")
            exit(1)
        }
    }

    struct UsageError: Error {}

    static func run(_ arguments: [String]) async throws {
        let path = ProcessInfo.processInfo.environment["REMINDERS_DB"] ?? "reminders.db"
        let command = arguments.first ?? "list"
        let rest = Array(arguments.dropFirst())
        guard commands.contains(command) else { throw UsageError() }
        let reminders = try Reminders(path: path)
        switch command {
        case "list": try list(reminders)
        case "search": try show(reminders.search(rest.joined(separator: " ")))
        case "watch":
            for try await page in reminders.results(of: rest.joined(separator: " ")) {
                try show(page)
            }
        case "add":
            guard let title = rest.first else { throw UsageError() }
            try reminders.add(title, notes: rest.dropFirst().joined(separator: " "))
        default:
            guard let id = rest.first.flatMap({ Int64($0) }) else { throw UsageError() }
            try change(reminders, id, by: command, Array(rest.dropFirst()))
        }
    }

    private static let commands: Set = [
        "list", "search", "watch", "add", "title", "notes", "done", "undo", "delete", "tag", "untag",
    ]

    private static func change(_ reminders: Reminders, _ id: Int64, by command: String, _ rest: [String]) throws {
        let text = rest.joined(separator: " ")
        switch command {
        case "title": try reminders.edit(id) { $0.title = text }
        case "notes": try reminders.edit(id) { $0.notes = text }
        case "done": try reminders.edit(id) { $0.isCompleted = true }
        case "undo": try reminders.edit(id) { $0.isCompleted = false }
        case "delete": try reminders.delete(id)
        case "tag": for tag in rest { try reminders.tag(id, tag) }
        default: for tag in rest { try reminders.untag(id, tag) }
        }
    }

    // MARK: Output

    private static func list(_ reminders: Reminders) throws {
        for reminder in try reminders.all() {
            line(
                reminder.id, reminder.isCompleted, HighlightedText(reminder.title), tags: HighlightedText(reminder.tags)
            )
            for note in reminder.notes.split(separator: "\n") {
                print("       \(rendered(HighlightedText(String(note))))")
            }
        }
    }

    private static func show(_ page: SearchPage<Reminder>) throws {
        print("\(page.query): \(page.total.map { "\($0)" } ?? "?") found")
        for hit in page.hits {
            line(
                hit.id, hit.record.isCompleted, hit.highlights(\.title), tags: try hit.highlights("tags"),
                score: hit.score)
            let notes = hit.snippet(\.notes)
            if !notes.text.isEmpty { print("       \(rendered(notes))") }
        }
        // A program that reads this output should not wait for a full buffer.
        fflush(nil)
    }

    private static func line(
        _ id: Int64, _ isCompleted: Bool, _ title: HighlightedText, tags: HighlightedText, score: Double? = nil
    ) {
        let number = String(repeating: " ", count: max(0, 3 - "\(id)".count)) + "\(id)"
        let score = score.map { String(format: "  %.3f", $0) } ?? ""
        let tags = tags.text.isEmpty ? "" : "  #" + rendered(tags).replacingOccurrences(of: ",", with: " #")
        print("\(number) [\(isCompleted ? "x" : " ")] \(rendered(title))\(tags)\(score)")
    }

    /// Matches are bold in a terminal, and in brackets elsewhere. In neither case can control characters in a title affect
    /// the terminal.
    private static func rendered(_ text: HighlightedText) -> String {
        isatty(STDOUT_FILENO) == 1 ? text.ansi() : text.ansi(open: "[", close: "]")
    }
}

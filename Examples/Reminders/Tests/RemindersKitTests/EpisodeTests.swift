import Concordance
import RemindersKit
import Testing

@Suite("The figures that the episode prints")
struct EpisodeTests {
    // Each table as the episode prints it, with 15 digits.
    static let rank = [
        Line("Groceries", -0.311275160962883), Line("Haircut", -0.428577105836935),
        Line("Take a walk this week", -0.511054823046192), Line("Send weekly emails", -0.450732154386805),
    ]
    static let lastRank = [
        Line("Groceries", -0.423392196416313), Line("Haircut next week", -0.500689991452773),
        Line("Take a walk this week", -0.535392218033979), Line("Send weekly emails", -0.472375917985977),
    ]
    /// `bm25(reminderTexts, 0, 10)`
    static let weightedTitle = [
        Line("Groceries", -0.423392196416313), Line("Haircut next week", -0.701071664734543),
        Line("Take a walk this week", -0.740217353000073), Line("Send weekly emails", -0.755179838393609),
    ]
    /// `bm25(reminderTexts, 0, 10, 5)`
    static let weighted = [
        Line("Groceries", -0.620593661237979), Line("Haircut next week", -0.725259745835166),
        Line("Take a walk this week", -0.740217353000073), Line("Send weekly emails", -0.755179838393609),
    ]

    // MARK: By SQL

    @Test func `rank after the first edit, in the order of the rows and in its own`() throws {
        let episode = try Episode(upTo: .walkThisWeek)
        expect(try episode.rows("rank"), Self.rank)
        expect(try episode.rows("rank", orderedBy: "rank"), Self.rank.sorted { $0.value < $1.value })
    }

    /// `substr(rank, 0, 7)`, by rank.
    static let shortTables: [(Episode.Edit, [Line<String>])] = [
        (
            .haircutNotes,
            [
                Line("Take a walk this week", "-0.524"), Line("Send weekly emails", "-0.463"),
                Line("Haircut", "-0.437"), Line("Groceries", "-0.327"),
            ]
        ),
        (
            .haircutTitle,
            [
                Line("Take a walk this week", "-0.528"), Line("Haircut next week", "-0.492"),
                Line("Send weekly emails", "-0.466"), Line("Groceries", "-0.331"),
            ]
        ),
        (
            .weeklySpecials,
            [
                Line("Take a walk this week", "-0.535"), Line("Haircut next week", "-0.500"),
                Line("Send weekly emails", "-0.472"), Line("Groceries", "-0.423"),
            ]
        ),
    ]

    @Test(arguments: shortTables) func `rank in six characters after each edit`(
        edit: Episode.Edit, table: [Line<String>]
    ) throws {
        let episode = try Episode(upTo: edit)
        #expect(try episode.rows("substr(rank, 0, 7)", orderedBy: "rank") == table)
    }

    @Test(
        arguments: [
            ("rank", lastRank), ("bm25(reminderTexts)", lastRank), ("bm25(reminderTexts, 0, 10)", weightedTitle),
            ("bm25(reminderTexts, 0, 10, 5)", weighted), ("bm25(reminderTexts, 0, 10, 5, 1)", weighted),
        ])
    func `rank and bm25 with weights after the last edit`(expression: String, table: [Line<Double>]) throws {
        expect(try Episode(upTo: .weeklySpecials).rows(expression), table)
    }

    @Test func `the notes as the table shows them, where the new line stands for the milk, rank alike`() throws {
        let episode = try Episode(upTo: .haircutTitle)
        try episode.reminders.edit(1) { $0.notes = "Check weekly specials\nEggs\nApples\nOatmeal\nSpinach" }
        expect(try episode.rows("rank"), Self.lastRank)
    }

    @Test func `rank after its weights have been set by SQL`() throws {
        let episode = try Episode(upTo: .weeklySpecials)
        try episode.reminders.database.write { db in
            try db.execute(sql: "INSERT INTO reminderTexts(reminderTexts, rank) VALUES ('rank', 'bm25(0, 10, 5)')")
        }
        expect(try episode.rows("rank"), Self.weighted)
    }

    @Test func `rank where the definition has the weights: nothing else is to be done`() throws {
        expect(try Episode(upTo: .weeklySpecials, index: reminderTexts).rows("rank"), Self.weighted)
    }

    // MARK: By searches

    @Test(
        arguments: [
            (Episode.Edit.walkThisWeek, 1, 1, rank), (.weeklySpecials, 1, 1, lastRank),
            (.weeklySpecials, 10, 1, weightedTitle), (.weeklySpecials, 10, 5, weighted),
        ] as [(Episode.Edit, Double, Double, [Line<Double>])])
    func `hits have the scores, with the sign turned, and come in their order`(
        edit: Episode.Edit, title: Double, notes: Double, table: [Line<Double>]
    ) throws {
        let episode = try Episode(upTo: edit, index: Episode.index(title: title, notes: notes))
        let page = try episode.reminders.search("week")
        expect(page.hits.map { Line($0.record.title, -$0.score) }, table.sorted { $0.value < $1.value })
        #expect(page.total?.description == "4")
    }

    @Test func `a new version of the app has other weights, and the index has them from then on`() throws {
        let episode = try Episode(upTo: .weeklySpecials)
        #expect(try episode.reminders.search("week").hits.first?.record.title == "Take a walk this week")
        let hits = try Reminders(path: episode.path, index: reminderTexts).search("week").hits
        expect(hits.map { Line($0.record.title, -$0.score) }, Self.weighted.sorted { $0.value < $1.value })
    }

    // MARK: What else the episode shows

    @Test func `tags are found, and no longer when they are taken away`() throws {
        let episode = try Episode(upTo: nil)
        #expect(try Set(titles(episode)) == ["Groceries", "Haircut", "Take a walk", "Send weekly emails"])
        try episode.reminders.untag(2, "weekend")
        #expect(try Set(titles(episode)) == ["Groceries", "Take a walk", "Send weekly emails"])
        try episode.reminders.untag(1, "weekend")
        #expect(try Set(titles(episode)) == ["Take a walk", "Send weekly emails"])
        try episode.reminders.database.write { db in
            try db.execute(sql: "UPDATE tags SET title = 'sunday' WHERE title = 'weekend'")
        }
        #expect(try titles(episode) == ["Send weekly emails"])
    }

    @Test func `open reminders come first, then relevance counts`() throws {
        let episode = try Episode(upTo: .weeklySpecials, index: reminderTexts)
        try episode.reminders.edit(10) { $0.isCompleted = true }
        #expect(
            try titles(episode)
                == ["Take a walk this week", "Haircut next week", "Groceries", "Send weekly emails"])
    }

    @Test func `a tag with a comma is refused by the table`() throws {
        let episode = try Episode(upTo: nil)
        #expect(throws: DatabaseError.self) { try episode.reminders.tag(3, "a,b") }
    }

    @Test func `what matched is marked`() throws {
        let hits = try Episode(upTo: .weeklySpecials, index: reminderTexts).reminders.search("week").hits
        let options = SnippetOptions(length: .words(4))
        #expect(
            try hits.map {
                "\($0.highlights(\.title)) / \($0.snippet(\.notes, options)) / \(try $0.highlights("tags"))"
            }
                == [
                    "Send [week]ly emails /  / ", "Take a walk this [week] /  / [week]end,fun",
                    "Haircut next [week] / …can reschedule next [week] / [week]end,easy-win",
                    "Groceries / [Week]ly specials Milk Eggs… / [week]end",
                ])
    }

    private func titles(_ episode: Episode) throws -> [String] {
        try episode.reminders.search("week").hits.map(\.record.title)
    }

    private func expect(
        _ lines: [Line<Double>], _ table: [Line<Double>], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(lines.map(\.title) == table.map(\.title), sourceLocation: sourceLocation)
        for (line, printed) in zip(lines, table) {
            #expect(
                abs(line.value - printed.value) <= 1e-12, "\(line) is not \(printed)", sourceLocation: sourceLocation)
        }
    }
}

import Concordance
import Foundation
import TestSupport

/// A mail app, as its developer writes it from the documentation, and generated mail.
enum MailApp {
    /// How many messages there are; more with the variable CONCORDANCE_MAIL_MESSAGES.
    static let messageCount = max(
        ProcessInfo.processInfo.environment["CONCORDANCE_MAIL_MESSAGES"].flatMap { Int($0) } ?? 20_000, 5_000)

    struct Message: Codable, Sendable, Identifiable, FetchableRecord, MutablePersistableRecord {
        static let databaseTableName = "messages"
        static func databaseDateStrategy(for column: String) -> DatabaseDateStrategy { .secondsSince1970 }

        var id: Int64?
        /// The header Message-ID, by which a server knows it.
        var identifier: String
        var mailboxID: Int64
        var threadID: Int64
        var senderID: Int64
        var received: Date
        var isRead: Bool
        var subject: String
        var body: String

        mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }

    struct Recipient: Codable, Sendable, PersistableRecord {
        static let databaseTableName = "recipients"
        var messageID: Int64
        var personID: Int64
    }

    static let schema = """
        CREATE TABLE IF NOT EXISTS mailboxes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE IF NOT EXISTS people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, address TEXT NOT NULL UNIQUE);
        CREATE TABLE IF NOT EXISTS threads (id INTEGER PRIMARY KEY, topic TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS messages (
          id INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE,
          mailboxID INTEGER NOT NULL REFERENCES mailboxes(id) ON DELETE CASCADE,
          threadID INTEGER NOT NULL REFERENCES threads(id), senderID INTEGER NOT NULL REFERENCES people(id),
          received INTEGER NOT NULL, isRead BOOLEAN NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS recipients (
          messageID INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
          personID INTEGER NOT NULL REFERENCES people(id), PRIMARY KEY (messageID, personID)) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS messagesMailbox ON messages(mailboxID, received);
        CREATE INDEX IF NOT EXISTS messagesThread ON messages(threadID);
        CREATE INDEX IF NOT EXISTS messagesSender ON messages(senderID);
        CREATE INDEX IF NOT EXISTS recipientsPerson ON recipients(personID);
        """

    static let index = SearchIndex("messageTexts", of: Message.self) {
        Field(\.subject, weight: 4)
        Field(\.body)
        Field("sender", weight: 2).joined("people", \.name)
        Field("recipients").joined("people", \.name, through: "recipients")
        Field("topic").joined("threads", \.topic)
        Ranking.recommended
    }

    /// What a later version of the app searches.
    static let otherIndex = SearchIndex("messageTexts", of: Message.self) {
        Field(\.subject, weight: 4)
        Field("everyone").joined("people", \.name, through: "recipients")
        Analysis(.standard, prefixes: [1, 2])
    }

    static func open(_ path: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: .patient)
        try pool.write { try $0.execute(sql: schema) }
        return pool
    }

    // MARK: - Data

    /// Four hundred words, no two of which begin with the same four letters.
    static let vocabulary: [String] = {
        let syllables = [
            "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "we", "xi",
            "yo", "zu",
        ]
        return (0..<400).map { syllables[$0 % 20] + syllables[$0 / 20] + syllables[($0 * 7 + 3) % 20] }
    }()
    static let mailboxes = ["Inbox", "Archive", "Lists", "Sent", "Trash"]
    static let people: [String] = {
        let first = [
            "Ada", "Bruno", "Clara", "Dario", "Edith", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Karla", "Ludwig",
        ]
        let last = ["Berg", "Castellano", "Dubois", "Eklund", "Fischer"]
        return last.flatMap { last in first.map { "\($0) \(last)" } }
    }()
    static let topics: [[Int]] = (0..<500).map { [$0 * 13 % 400, ($0 * 29 + 7) % 400] }

    /// A message in numbers: words of the vocabulary, places of people and topics in their lists.
    struct Mail: Sendable {
        let identifier: String
        let mailbox: Int
        let thread: Int
        let sender: Int
        let recipients: [Int]
        let received: Int
        var isRead: Bool
        let subject: [Int]
        var body: [Int]

        /// Whether subject, body or topic have one of the words.
        func has(_ words: ClosedRange<Int>) -> Bool {
            subject.contains { words.contains($0) } || body.contains { words.contains($0) }
                || topics[thread].contains { words.contains($0) }
        }

        func has(_ word: Int) -> Bool { has(word...word) }

        /// Whether it is from or to somebody with that first or last name.
        func names(_ name: String) -> Bool { isFrom(name) || isTo(name) }
        func isFrom(_ name: String) -> Bool { people[sender].split(separator: " ").contains { $0 == name } }
        func isTo(_ name: String) -> Bool {
            recipients.contains { people[$0].split(separator: " ").contains { $0 == name } }
        }
    }

    /// Mail with these ids, no two of which were received at the same time.
    static func mails(_ ids: Range<Int>, seed: UInt64) -> [Int64: Mail] {
        var random = SeededGenerator(seed: seed)
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        func words(_ range: Range<Int>) -> [Int] {
            // The first words are more frequent.
            (0..<number(range)).map { _ in min(number(0..<400), number(0..<400)) }
        }
        var mails: [Int64: Mail] = [:]
        for id in ids {
            var recipients = [number(0..<people.count)]
            let other = number(0..<people.count)
            // Words in a row are rare otherwise.
            let body = (id % 97 == 0 ? [0, 1] : []) + words(8..<24)
            if other != recipients[0] { recipients.append(other) }
            mails[Int64(id)] = Mail(
                identifier: "<\(id)@example.org>", mailbox: number(0..<mailboxes.count),
                thread: number(0..<topics.count),
                sender: number(0..<people.count), recipients: recipients,
                received: 1_700_000_000 + (id * 7919 % 1_000_003) * 60, isRead: number(0..<3) > 0,
                subject: words(2..<6),
                body: body)
        }
        return mails
    }

    static func text(_ words: [Int]) -> String { words.map { vocabulary[$0] }.joined(separator: " ") }

    /// Adds what messages refer to.
    static func addLists(_ db: Database) throws {
        func add(_ sql: String, _ rows: [[String]]) throws {
            let statement = try db.makeStatement(sql: sql)
            for row in rows { try statement.execute(arguments: StatementArguments(row)) }
        }
        try add("INSERT INTO mailboxes(name) VALUES (?)", mailboxes.map { [$0] })
        try add("INSERT INTO people(name, address) VALUES (?, ?)", people.map { [$0, "\($0)@example.org"] })
        try add("INSERT INTO threads(topic) VALUES (?)", topics.map { [text($0)] })
    }

    static func message(_ mail: Mail, id: Int64? = nil) -> Message {
        Message(
            id: id, identifier: mail.identifier, mailboxID: Int64(mail.mailbox + 1), threadID: Int64(mail.thread + 1),
            senderID: Int64(mail.sender + 1), received: Date(timeIntervalSince1970: Double(mail.received)),
            isRead: mail.isRead, subject: text(mail.subject), body: text(mail.body))
    }

    static func addRecipients(of mail: Mail, _ id: Int64, _ db: Database) throws {
        for person in mail.recipients { try Recipient(messageID: id, personID: Int64(person + 1)).insert(db) }
    }

    static func add(_ mails: some Sequence<(key: Int64, value: Mail)>, _ db: Database) throws {
        for (id, mail) in mails {
            var message = message(mail, id: id)
            try message.insert(db)
            try addRecipients(of: mail, id, db)
        }
    }

    // MARK: - Questions

    struct Question: Sendable {
        let typed: String
        let isMatch: @Sendable (Mail) -> Bool

        init(_ typed: String, _ isMatch: @escaping @Sendable (Mail) -> Bool) {
            self.typed = typed
            self.isMatch = isMatch
        }
    }

    static let questions: [Question] = [
        Question(vocabulary[390] + " ") { $0.has(390) },
        Question(vocabulary[120] + " " + vocabulary[1].prefix(4)) { $0.has(120) && $0.has(1) },
        Question(vocabulary[7] + " -" + vocabulary[2]) { $0.has(7) && !$0.has(2) },
        Question("subject:\(vocabulary[33]) ") { $0.subject.contains(33) },
        Question("topic:\(vocabulary[13]) ") { topics[$0.thread].contains(13) },
        Question("\(vocabulary[350]) OR \(vocabulary[351]) ") { $0.has(350...351) },
        Question("\"\(vocabulary[0]) \(vocabulary[1])\"") { mail in
            [mail.subject, mail.body, topics[mail.thread]].contains { words in
                zip(words, words.dropFirst()).contains { $0 == (0, 1) }
            }
        },
        Question("eklund \(vocabulary[20]) ") { $0.names("Eklund") && $0.has(20) },
        Question("sender:dubois recipients:greta \(vocabulary[9]) ") {
            $0.isFrom("Dubois") && $0.isTo("Greta") && $0.has(9)
        },
        Question("recipients:\"hugo fischer\" \(vocabulary[0]) ") { mail in
            mail.recipients.contains { people[$0] == "Hugo Fischer" } && mail.has(0)
        },
    ]
}

import Concordance
import Foundation
import TestSupport
import Testing

@Suite struct `A mail app` {
    private typealias App = MailApp

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder["mail.sqlite"]
    }

    private func ids(_ mails: [Int64: App.Mail], _ isMatch: (App.Mail) -> Bool) -> [Int64] {
        mails.filter { isMatch($0.value) }.keys.sorted()
    }

    /// Matches, the newest first.
    private func newest(_ mails: [Int64: App.Mail], _ isMatch: (App.Mail) -> Bool) -> [(key: Int64, value: App.Mail)] {
        mails.filter { isMatch($0.value) }.sorted { $0.value.received > $1.value.received }
    }

    private func checkAll(
        _ pool: DatabasePool, _ mails: [Int64: App.Mail], _ comment: Comment, except words: String = "none"
    ) throws {
        let count = try pool.read { try App.Message.fetchCount($0) }
        try #require(count == mails.count, "the model of these tests is wrong: \(comment)")
        for question in App.questions where !question.typed.contains(words) {
            let expected = ids(mails, question.isMatch)
            let page = try pool.search(App.index.query(question.typed).typos(.none).counting(.exact).limit(mails.count))
            #expect(page.isComplete && page.total?.count == expected.count, "\(question.typed): \(comment)")
            #expect(page.hits.map(\.id).sorted() == expected, "\(question.typed): \(comment)")
            #expect(!expected.isEmpty, "\(question.typed): \(comment)")
        }
    }

    // MARK: - Mail that arrives

    /// Adds mail in transactions of some messages each, once the index is being built.
    private static func deliver(
        _ mails: [Int64: App.Mail], _ pool: DatabasePool, after signal: AsyncStream<Void>
    ) async throws {
        for await _ in signal { break }
        let sorted = mails.sorted { $0.key < $1.key }
        for start in stride(from: 0, to: sorted.count, by: 500) {
            try await pool.write { try App.add(sorted[start..<min(start + 500, sorted.count)], $0) }
        }
    }

    @Test func `mail that arrives while the index is built is found, with what was there before`() async throws {
        let pool = try App.open(path)
        let count = App.messageCount
        let (old, late) = (App.mails(1..<count / 2, seed: 1), App.mails(count / 2..<count + 1, seed: 2))
        try await pool.write { db in
            try App.addLists(db)
            try App.add(old, db)
        }
        let (signal, continuation) = AsyncStream<Void>.makeStream()
        async let delivery: Void = Self.deliver(late, pool, after: signal)
        try await pool.install(App.index) { progress in
            if progress.rowsDone > 0 { continuation.yield() }
        }
        continuation.finish()
        try await delivery
        let mails = old.merging(late) { first, _ in first }
        try checkAll(pool, mails, "after the delivery")
        let report = try await pool.verify(App.index, thorough: true)
        #expect(report.isClean && report.rowsCompared >= mails.count, "\(report)")
        #expect(try await pool.indexState(of: App.index) == .ready)
    }

    // MARK: - A day with mail

    /// The app with all mail and its index.
    private func filled() throws -> (DatabasePool, [Int64: App.Mail]) {
        let pool = try App.open(path)
        let mails = App.mails(1..<App.messageCount + 1, seed: 3)
        try pool.write { db in
            try App.addLists(db)
            try App.add(mails, db)
        }
        try pool.install(App.index)
        return (pool, mails)
    }

    @Test func `mail is listed newest first, by mailbox, unread, date and thread, with counts by sender`() throws {
        let (pool, mails) = try filled()
        let typed = "\(App.vocabulary[0]) OR \(App.vocabulary[1]) OR \(App.vocabulary[2]) "
        let request = App.index.query(typed)
        let found = newest(mails) { $0.has(0...2) }

        let unread = found.filter { $0.value.mailbox == 0 && !$0.value.isRead }
        let page = try pool.search(
            request.filter { $0.mailboxID == 1 && $0.isRead == false }.order { $0.received.desc }.limit(50)
                .counting(.exact))
        #expect(page.hits.map(\.id) == unread.prefix(50).map(\.key))
        #expect(page.total?.count == unread.count && unread.count > 50)

        let middle = found[found.count / 2].value.received
        let date = Date(timeIntervalSince1970: Double(middle))
        let recent = try pool.search(request.filter { $0.received > date }.counting(.exact).limit(0))
        #expect(recent.total?.count == found.count { $0.value.received > middle })
        #expect(try pool.search(request.filter("received > \(middle)").counting(.exact).limit(0)).total == recent.total)

        // Each thread by its newest message, with how many of them match.
        let threads = try pool.search(request.order { $0.received.desc }.grouped { $0.threadID }.limit(30))
        var seen: Set<Int> = []
        let heads = found.filter { seen.insert($0.value.thread).inserted }.prefix(30)
        #expect(threads.hits.map(\.id) == heads.map(\.key))
        #expect(
            threads.hits.map(\.group?.count)
                == heads.map { head in found.count { $0.value.thread == head.value.thread } })

        // Counts by sender, by number and by name, and by recipient.
        let facets = try pool.search(
            request.limit(0).facet(\.senderID, limit: 1_000).facet("sender", limit: 1_000).facet("recipients", limit: 5)
        )
        let senders = Dictionary(found.map { ($0.value.sender, 1) }, uniquingKeysWith: +)
        for (sender, count) in senders {
            #expect(facets.facet("senderID")?.count(of: sender + 1) == count)
            #expect(facets.facet("sender")?.count(of: App.people[sender]) == count)
        }
        #expect(facets.facet("senderID")?.buckets.map(\.count) == senders.values.sorted(by: >))
        let recipients = Dictionary(found.flatMap(\.value.recipients).map { ($0, 1) }, uniquingKeysWith: +)
        #expect(facets.facet("recipients")?.buckets.map(\.count) == Array(recipients.values.sorted(by: >).prefix(5)))
        #expect(facets.facet("recipients")?.valueCount == recipients.count)
    }

    @Test func `all hits are paged through, by date and by relevance, while messages are read`() throws {
        let (pool, mails) = try filled()
        let request = App.index.query("\(App.vocabulary[0]) OR \(App.vocabulary[3]) ").counting(.exact)
        let found = newest(mails) { $0.has(0) || $0.has(3) }
        let pageSize = found.count / 20
        for byDate in [true, false] {
            let request = byDate ? request.order { $0.received.desc } : request
            var ids: [Int64] = []
            var scores: [Double] = []
            var cursor: SearchCursor?
            repeat {
                let page = try pool.search(request.limit(pageSize).after(cursor))
                #expect(page.total?.count == found.count)
                ids += page.hits.map(\.id)
                scores += page.hits.map(\.score)
                // What an app does after showing messages: it changes no column that the index reads.
                let read = page.hits.compactMap(\.record.id)
                _ = try pool.write { db in
                    try App.Message.all().filter(keys: read).updateAll(db, Column("isRead").set(to: true))
                }
                cursor = page.next
            } while cursor != nil
            if byDate {
                #expect(ids == found.map(\.key))
            } else {
                #expect(ids.count == found.count && Set(ids) == Set(found.map(\.key)))
                #expect(zip(scores, scores.dropFirst()).allSatisfy { $0 >= $1 })
            }
        }
        let unread = try pool.search(request.typos(.none).filter { $0.isRead == false })
        #expect(unread.hits.isEmpty && unread.total?.count == 0)
        #expect(try pool.verify(App.index).isClean)
    }

    @Test func `mailboxes are deleted, messages fetched again and people renamed, and the index has it all`() throws {
        var (pool, mails) = try filled()
        try pool.write { try $0.execute(sql: "DELETE FROM mailboxes WHERE name = 'Lists'") }
        mails = mails.filter { $0.value.mailbox != 2 }
        try checkAll(pool, mails, "a mailbox is gone")

        // The server sends messages again: those that are replaced get other ids, and their recipients are inserted
        // again.
        let again = mails.keys.sorted().enumerated().filter { $0.offset % 20 == 0 }.map(\.element)
        let added = try pool.write { db in
            var added: [Int64: App.Mail] = [:]
            for (place, id) in again.enumerated() {
                guard var mail = mails[id] else { continue }
                mail.body = [place % 400, 390]
                mail.isRead = true
                var message = App.message(mail)
                if place % 2 == 0 {
                    try message.insert(db, onConflict: .replace)
                    let new = try #require(message.id)
                    #expect(new != id)
                    try App.addRecipients(of: mail, new, db)
                    added[new] = mail
                } else {
                    try message.upsert(db, on: ["identifier"])
                    #expect(message.id == id)
                    added[id] = mail
                }
            }
            return added
        }
        for id in again { mails[id] = nil }
        mails.merge(added) { first, _ in first }
        try checkAll(pool, mails, "messages were fetched again")

        // SQL's "INSERT OR REPLACE", of many rows at once, with their existing ids.
        try pool.write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO messages
                    SELECT id, identifier, mailboxID, threadID, senderID, received, isRead, subject,
                    body || ' ' || ? FROM messages WHERE id % 50 = 0
                    """, arguments: [App.vocabulary[399]])
        }
        for id in mails.keys where id % 50 == 0 {
            // The rows that were replaced took their recipients with them.
            guard let mail = mails[id] else { continue }
            mails[id] = App.Mail(
                identifier: mail.identifier, mailbox: mail.mailbox, thread: mail.thread, sender: mail.sender,
                recipients: [], received: mail.received, isRead: mail.isRead, subject: mail.subject,
                body: mail.body + [399])
        }
        try checkAll(pool, mails, "messages were replaced in SQL")
        let marked = try pool.search(App.index.query("body:\(App.vocabulary[399]) ").counting(.exact).limit(0))
        #expect(marked.total?.count == ids(mails) { $0.body.contains(399) }.count)

        try pool.write { db in
            try db.execute(sql: "UPDATE people SET name = 'Zelda Quist' WHERE name = 'Greta Dubois'")
        }
        let renamed = try #require(App.people.firstIndex(of: "Greta Dubois"))
        let page = try pool.search(App.index.query("quist ").counting(.exact).limit(mails.count))
        #expect(page.hits.map(\.id).sorted() == ids(mails) { $0.sender == renamed || $0.recipients.contains(renamed) })
        try checkAll(pool, mails, "somebody has another name", except: "dubois")
        #expect(try pool.verify(App.index, thorough: true).isClean)
    }

    // MARK: - Maintenance

    @Test func `damaged entries are found and mended, a damaged index is rebuilt, and other fields take its place`()
        throws
    {
        var (pool, mails) = try filled()
        let (missing, stale, surplus) = (Int64(App.messageCount / 3), Int64(App.messageCount / 2), Int64.max - 5)
        try pool.write { db in
            try db.execute(
                sql: """
                    DELETE FROM messageTexts WHERE rowid = \(missing);
                    UPDATE messageTexts SET subject = 'nothing of the kind' WHERE rowid = \(stale);
                    INSERT INTO messageTexts(rowid, subject) VALUES (\(surplus), 'a ghost');
                    """)
        }
        for report in [try pool.verify(App.index), try pool.repair(App.index)] {
            #expect(report.missing.ids == [missing] && report.stale.ids == [stale] && report.surplus.ids == [surplus])
            #expect(!report.isClean)
        }
        #expect(try pool.verify(App.index, thorough: true).isClean)
        try checkAll(pool, mails, "entries were mended")

        // A block of the index is overwritten, as by a failing disk.
        try pool.close()
        var careless = Configuration.patient
        careless.defensive = false
        let damaging = try DatabaseQueue(path: path, configuration: careless)
        try damaging.write { db in
            try db.execute(
                sql: """
                    UPDATE messageTexts_data SET block = zeroblob(40) WHERE id = (
                      SELECT id FROM messageTexts_data WHERE id > 10 ORDER BY length(block) DESC, id LIMIT 1)
                    """)
            #expect(db.changesCount == 1)
        }
        try damaging.close()
        pool = try App.open(path)
        let report = try pool.verify(App.index, thorough: true)
        guard case .damaged = report.structure else {
            Issue.record("\(report)")
            return
        }
        try pool.rebuild(App.index)
        #expect(try pool.verify(App.index, thorough: true).isClean)
        try checkAll(pool, mails, "the index was rebuilt")

        // The next version of the app has other fields. The old index serves while the new one is built.
        #expect(try pool.indexState(of: App.otherIndex) == .otherDefinition)
        let question = App.questions[0]
        var served = 0
        try pool.install(App.otherIndex) { _ in
            guard try pool.indexState(of: App.otherIndex) == .otherDefinition else { return }
            let page = try pool.search(App.index.query(question.typed).counting(.exact).limit(0))
            #expect(page.total?.count == ids(mails, question.isMatch).count)
            served += 1
        }
        #expect(served > 0)
        #expect(try pool.indexState(of: App.otherIndex) == .ready)
        #expect(throws: SearchIndexError.superseded("messageTexts")) { try pool.verify(App.index) }
        for (typed, isMatch) in [
            (App.vocabulary[7] + " ", { $0.subject.contains(7) }), ("everyone:eklund ", { $0.isTo("Eklund") }),
            (
                "castellano \(App.vocabulary[5].prefix(2))",
                { mail in
                    mail.isTo("Castellano")
                        && mail.subject.contains { App.vocabulary[$0].hasPrefix(App.vocabulary[5].prefix(2)) }
                }
            ),
        ] as [(String, (App.Mail) -> Bool)] {
            let page = try pool.search(App.otherIndex.query(typed).typos(.none).counting(.exact).limit(mails.count))
            #expect(page.hits.map(\.id).sorted() == ids(mails, isMatch), "\(typed)")
            #expect(page.isComplete && !page.hits.isEmpty, "\(typed)")
        }
        try pool.write { try $0.execute(sql: "DELETE FROM mailboxes WHERE name = 'Trash'") }
        mails = mails.filter { $0.value.mailbox != 4 }
        #expect(try pool.verify(App.otherIndex, thorough: true).isClean)
        try pool.uninstall(App.otherIndex)
        #expect(try pool.indexState(of: App.otherIndex) == .notInstalled)
        let left = try pool.read { db in
            (
                try App.Message.fetchCount(db),
                try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'messageTexts%'")
            )
        }
        #expect(left.0 == mails.count && left.1.isEmpty)
    }
}

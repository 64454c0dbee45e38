@testable import Concordance
@testable import ConcordanceSearch
import ConcordanceText
import TestSupport
import Testing

@Suite("Fields with analyzers of their own")
struct FieldAnalyzerTests {
    static let analyzers: [Analyzer] = [
        .unicode61, .trigram, .standard, .english, .german, .french, .japanese, .chinese, .turkish,
        Analyzer(.ascii()), Analyzer(.porter()), Analyzer(.words(), .fold, .querySynonyms(.englishOrdinals)),
        Analyzer(.words(), .fold, .stop(["it's", "d'oh \\ of", ""])),
    ]

    /// Texts of words in several scripts, marks, noncharacters and anything else.
    private static func text(_ generator: inout SeededGenerator) -> String {
        let pieces = [
            "the", "running", "Großmann", "l'avion", "東京タワー", "ローマ字", "拼音", "İstanbul", "first", "it's", " ", " ", "-",
            "\n",
            "e\u{301}", FieldMarker.text(1), FieldMarker.text(2) + "x", FieldMarker.text(31), "\u{E001}", "\u{0}", "🙂",
            "ﬁ", "\"", "'",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            if Int.random(in: 0..<6, using: &generator) == 0 {
                let value = UInt32.random(in: 0...0x10FFFF, using: &generator)
                text.unicodeScalars.append(Unicode.Scalar(value) ?? " ")
            } else {
                text += pieces.randomElement(using: &generator) ?? ""
            }
        }
        return text
    }

    /// Each token of a column: the term and its position.
    private static func tokens(of column: String, in db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT term || '@' || offset FROM terms WHERE col = ? ORDER BY offset, term", arguments: [column])
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `each field has the tokens that its analyzer makes alone`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...5, using: &generator)
        let chosen = (0..<count).map { _ in Self.analyzers.randomElement(using: &generator) ?? .standard }
        let texts = chosen.map { _ in Self.text(&generator) }
        let index = SearchIndex("entries", in: "t") {
            for (number, analyzer) in chosen.enumerated() { Field("c\(number)").analyzed(by: analyzer) }
            Field("plain")
            Analysis(Self.analyzers.randomElement(using: &generator) ?? .standard)
        }
        let db = try Database(path: ":memory:")
        let columns = (0..<count).map { "c\($0)" } + ["plain"]
        try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))")
        try db.install(index)
        let plain = "plain " + Self.text(&generator)
        try db.execute(
            "INSERT INTO t VALUES (1, \((texts + [plain]).map { "\($0)" as SQL }.joined(separator: ", ")))")
        try db.execute(
            sql: "CREATE VIRTUAL TABLE temp.terms USING \(TestEngine.moduleName)vocab(main, entries, instance)")
        for (field, text) in zip(index.definition.fields, texts + [plain]) {
            // A field without a marker would be taken for another's if its text began with a marker, which no text
            // does.
            if index.definition.marker(of: field).isEmpty, FieldMarker.removed(from: text) != text { continue }
            let analyzer = index.definition.analyzer(of: field)
            var expected = analyzer.makeTokenizer().tokens(in: text).map { "\($0.text)@\($0.position)" }
            expected = Array(Set(expected)).sorted()
            let found = Array(Set(try Self.tokens(of: field.name, in: db))).sorted()
            #expect(found == expected, "\(analyzer): \(text.debugDescription)")
            let stored = try String.fetchOne(db, sql: "SELECT \(field.name) FROM entries") ?? ""
            #expect(Array(FieldMarker.removed(from: stored).utf8) == Array(text.utf8))
            #expect(stored.hasPrefix(index.definition.marker(of: field)))
        }
    }

    static let documents: String = """
        CREATE TABLE documents(id INTEGER PRIMARY KEY, title, french, code);
        INSERT INTO documents VALUES
            (1, 'The runners', 'Le vol de l''avion', 'getUserName()'), (2, 'Running', 'les avions', 'l''avion'),
            (3, 'avion', 'run', 'the username');
        """

    static let index = SearchIndex("texts", in: "documents") {
        Field("title")
        Field("french").analyzed(by: Analyzer(.words(), .fold, .elision(.french)))
        Field("code").analyzed(by: .trigram)
        Analysis(.english)
    }

    @Test(arguments: [
        ("run", [2, 3]), ("runner", [1]), ("running", [2]), ("avion", [1, 2, 3]), ("title:avion", [3]),
        ("french:avion", [1]), ("french:avio*", [1, 2]), ("code:serNam", [1, 3]), ("\"user name\"", []),
        ("\"vol de l'avion\"", [1]), ("running -avion", []), ("runners OR username", [1, 3]), ("the vol", [1]),
        ("french:les", [2]),
    ])
    func `a query means in each field what its analyzer says`(_ text: String, _ ids: [Int]) throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: Self.documents)
        try db.install(Self.index)
        let query = SearchQuery(text, for: Self.index.definition, isTyping: false)
        let compiled = try query.compiled(for: Self.index.definition)
        let found = try Int.fetchAll(
            db, literal: "SELECT rowid FROM texts WHERE \(compiled.condition) ORDER BY rowid")
        #expect(found == ids, "\(compiled.condition)")
    }

    @Test func `highlight marks the text after the marker`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: Self.documents)
        try db.install(Self.index)
        let french = try #require(Self.index.definition.field("french"))
        let marker = Self.index.definition.marker(of: french)
        let marked = try String.fetchAll(
            db, sql: "SELECT highlight(texts, 1, '[', ']') FROM texts WHERE texts MATCH ? ORDER BY rowid",
            arguments: ["french : \"\(marker)avi\" *"])
        #expect(marked.map(FieldMarker.removed(from:)) == ["Le vol de [l'avion]", "les [avions]"])
    }

    @Test func `hits have the texts as they are, and what matched in them`() throws {
        let queue = try DatabaseQueue(path: ":memory:")
        try queue.write { db in
            try db.execute(sql: Self.documents)
            try db.install(Self.index)
        }
        let page = try queue.search(Self.index, "avion")
        let texts = try page.hits.map { hit in try hit.highlights("french").marked(open: "[", close: "]") }
        #expect(Set(texts) == ["Le vol de [l'avion]", "les [avions]", "run"], "\(texts)")
        #expect(try Set(page.hits.map { try $0.text("code") }) == ["getUserName()", "l'avion", "the username"])
    }

    @Test func `fields that all have one analyzer need no marker, and SQLite's own tokenizer stays SQLite's`() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: Self.documents)
        let index = SearchIndex("texts", in: "documents") {
            Field("title").analyzed(by: Analyzer(.porter()))
            Field("french").analyzed(by: Analyzer(.porter()))
            Field("code").analyzed(by: .trigram).unindexed()
            Content(.kept)
        }
        #expect(index.definition.fields.map(index.definition.marker(of:)) == ["", "", ""])
        try db.install(index)
        let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'texts'") ?? ""
        #expect(sql.contains("tokenize='porter unicode61"), "\(sql)")
        let other = try Database(path: ":memory:")
        try other.execute(sql: sql.replacingOccurrences(of: "USING concordance(", with: "USING fts5("))
    }

    @Test func `another library's connection says what is missing, and works once it is enabled`() throws {
        let folder = try TemporaryFolder()
        do {
            let db = try Database(path: folder["t.sqlite"])
            try db.execute(sql: Self.documents)
            try db.install(Self.index)
        }
        let connection = try ForeignConnection(path: folder["t.sqlite"])
        let db = Database(borrowing: connection.pointer)
        #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT * FROM texts") }
        try SearchSupport.enable(on: db)
        try SearchSupport.enable(on: db)
        #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM texts WHERE texts MATCH 'title : avion'") == [3])
        let queue = try DatabaseQueue(path: folder["t.sqlite"])
        SearchSupport.enable(on: queue)
        SearchSupport.enable(on: queue)
        let found = try queue.read {
            try Int.fetchAll($0, sql: "SELECT rowid FROM texts WHERE texts MATCH 'title : avion'")
        }
        #expect(found == [3])
        try db.close()
    }
}

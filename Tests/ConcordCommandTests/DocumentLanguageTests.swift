import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Documents have a language, which is searched by")
struct DocumentLanguageTests {
    private static let english =
        "The committee had not yet decided whether the old bridge should be repaired or replaced."
    private static let german =
        "Der Ausschuss hatte noch nicht entschieden, ob die alte Brücke repariert oder ersetzt werden sollte."
    private static let french = "Le comité n'avait pas encore décidé si le vieux pont devait être réparé ou remplacé."

    @Test(
        arguments: [
            ("", english, "en"), ("", german, "de"), ("", french, "fr"),
            ("", "Комитет ещё не решил, следует ли ремонтировать старый мост или его нужно заменить.", "ru"),
            ("", "委员会尚未决定旧桥应该修复还是更换，会议将在下周继续进行讨论并作出最后的决定。", "zh"),
            ("", "委員会は、古い橋を修理すべきか、それとも架け替えるべきかをまだ決めていなかった。", "ja"),
            // What the document says counts, without its region.
            ("pt-BR", english, "pt"), ("nb", english, "no"), ("xh", english, "xh"),
            // Too little, or nothing in a language.
            ("", "Hello", nil), ("", "", nil), ("", "12 34 56 78 90 -- 123456789", nil),
            ("", "w1 x2 y3 w1 x2 y3 w1 x2 y3 w1 x2 y3 w1 x2 y3 w1 x2 y3 w1 x2 y3 w1 x2 y3 w1 x2 y3", nil),
            ("", "xkqz vbnw qqzx wvxk zzqj kxwq vjqz xqzk wqxj zkqv jxqw kzvq xwjq qzkx vqwj zxqk", nil),
        ] as [(String, String, String?)])
    func languages(_ tag: String, _ text: String, _ expected: String?) {
        let document = Document(title: "", body: text, language: tag.isEmpty ? nil : tag)
        #expect(DocumentLanguage.of(document) == expected)
    }

    /// Lists and tables are in no language, whatever their names look like.
    @Test func listsAndTables() {
        func language(_ text: String) -> String? { DocumentLanguage.of(Document(title: "", body: text)) }
        let paths = ["usr/share/doc/the-package", "usr/lib/and/other/things.so", "etc/default/with_the_name.conf"]
        for text in [
            paths.map { "/\($0)\n" }.joined(), paths.map { "-rw-r--r-- root/root 1204 2024-01-02 \($0)\n" }.joined(),
            (0..<200).map { "\($0)\t\($0 * 7).\($0 % 10)\t\($0 * 31)\tand\n" }.joined(),
            (0..<60).map { "https://example.org/the/page/of/that/\($0).html\n" }.joined(),
        ] {
            #expect(language(String(repeating: text, count: 5)) == nil, "\(text.prefix(80))")
        }
        // A text with some of them is in a language all the same.
        #expect(
            language(Self.english + "\n\n    /usr/share/doc\n    see https://example.org/a\n" + Self.english) == "en")
        #expect(language("“" + Self.german + "” (**" + Self.german + "**), _" + Self.german + "_") == "de")
    }

    /// A long text is judged by its middle, and is read no further than a little.
    @Test func longTexts() {
        let notice = String(repeating: "NAME-1234 ", count: 400)
        let long = notice + String(repeating: Self.german + " ", count: 60) + notice
        #expect(DocumentLanguage.of(Document(title: "", body: long)) == "de")
        #expect(DocumentLanguage.of(Document(title: "", body: String(repeating: "ä", count: 1 << 20))) == nil)
    }

    @Test(
        arguments: [
            ("de", "de"), ("German", "de"), ("pt-BR", "pt"), ("nb", "no"), ("xh", "xh"), ("??", nil), ("", nil),
        ]
            as [(String, String?)])
    func whatPeopleType(_ text: String, _ tag: String?) { #expect(DocumentLanguage.tag(text) == tag) }

    private func documents() throws -> IndexedDocuments {
        try IndexedDocuments([
            "a.txt": "bridge " + Self.english, "b.txt": "bridge " + Self.german, "c.txt": "bridge " + Self.french,
            "d.py": "# bridge " + Self.english, "e.csv": "bridge,\(Self.german)\n", "f.txt": "bridge",
            "mail.eml": "From: Ada Byron <ada@example.org>\nSubject: bridge\n\n" + Self.english + "\n",
        ])
    }

    @Test func theCommandFiltersByLanguage() throws {
        let documents = try documents()
        let command = try #require(BuiltCommand())
        func names(_ arguments: String...) throws -> Set<String> {
            let output = try command.run(["search", "--json", "--db", documents.path] + arguments).output
            return Set(
                try output.split(separator: "\n").map { line in
                    let hit = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    return PathText.name(hit?["path"] as? String ?? "")
                })
        }
        #expect(try names("bridge", "--language", "de") == ["b.txt"])
        #expect(try names("bridge", "--language", "german") == ["b.txt"])
        #expect(try names("bridge", "--language", "en") == ["a.txt", "mail.eml"])
        #expect(try names("bridge", "--language", "cs") == [])
        #expect(try names("author:byron") == ["mail.eml"])
        #expect(try names("byron") == ["mail.eml"])
        #expect(try command.run(["search", "x", "--language", "?", "--db", documents.path]).code == 2)
    }

    @Test func theServerCountsLanguages() throws {
        let documents = try documents()
        let server = try TestServer(documents.source())
        let answer = try server.json("/api/search?q=bridge")
        let facet = (answer["facets"] as? [[String: Any]])?.first { $0["name"] as? String == "language" }
        let values = facet?["values"] as? [[String: Any]] ?? []
        let counts = Dictionary(
            uniqueKeysWithValues: values.map { ($0["value"] as? String ?? "", $0["count"] as? Int ?? 0) })
        #expect(counts == ["en": 2, "de": 1, "fr": 1, "": 2])
        let label = values.first { $0["value"] as? String == "de" }?["label"] as? String
        #expect(label == "German")
        let german = try server.json("/api/search?q=bridge&f.language=de")
        let hits = try #require(german["hits"] as? [[String: Any]])
        #expect(hits.map { $0["name"] as? String } == ["b.txt"])
        #expect(hits.map { $0["language"] as? String } == ["de"])
        let mail = try #require((try server.json("/api/search?q=byron")["hits"] as? [[String: Any]])?.first)
        let fields = try #require(mail["fields"] as? [[String: Any]])
        #expect(fields.map { $0["name"] as? String } == ["author"])
        let author = marked(fields.first?["runs"])
        #expect(author.contains("[Byron]"))
        let id = try #require(mail["id"] as? String)
        #expect(try server.json("/api/document?id=\(id)")["language"] as? String == "en")
    }

    /// What a long file is turns out when its first documents have been written.
    @Test func aLongSourceFileHasNoLanguage() throws {
        let text = String(repeating: "# " + Self.english + "\n", count: 20_000)
        let documents = try IndexedDocuments(["long.py": text, "long.txt": text])
        let file = try IndexFile(path: documents.path, isReadOnly: true)
        for table in ["parts", "documents"] {
            let rows = try Row.fetchAll(
                file.database, sql: "SELECT DISTINCT kind, language FROM \(table) ORDER BY kind")
            let kinds: [String?] = rows.map { $0["kind"] }
            let languages: [String?] = rows.map { $0["language"] }
            #expect(kinds == ["code", "text"])
            #expect(languages == [nil, "en"])
        }
        #expect(try IndexCheck(IndexFile(path: documents.path, isReadOnly: false)).problems == [])
    }

    /// An index from before there were languages is made anew, and says so.
    @Test func anIndexWithoutLanguagesIsMadeAnew() throws {
        let documents = try documents()
        let expected = try contents(documents.path)
        let file = try IndexFile(path: documents.path, isReadOnly: false)
        try file.database.execute(sql: "PRAGMA user_version = 2")
        try file.database.close()
        #expect(throws: IndexError.older(documents.path)) { _ = try IndexFile(path: documents.path, isReadOnly: true) }
        let command = try #require(BuiltCommand())
        let result = try command.run(["index", "--db", documents.path])
        #expect(result.code == 0)
        #expect(result.messages.contains("The index was made by an older concord; all files are read again."))
        #expect(try contents(documents.path) == expected)
    }
}

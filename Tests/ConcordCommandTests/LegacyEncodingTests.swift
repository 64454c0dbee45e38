import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

/// What the system's `iconv` makes of bytes; characters that the encoding lacks are left out.
private func iconv(_ bytes: [UInt8], from source: String, to target: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("in", bytes)
    try folder.write("out", "")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["iconv", "-c", "-f", source, "-t", target]
    process.standardInput = FileHandle(forReadingAtPath: folder["in"])
    process.standardOutput = FileHandle(forWritingAtPath: folder["out"])
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Array(try Data(contentsOf: URL(fileURLWithPath: folder["out"])))
}

/// The bytes of a text in an encoding.
private func encode(_ text: String, _ encoding: String) throws -> [UInt8] {
    let bytes = try iconv(Array(text.utf8), from: "UTF-8", to: encoding)
    try #require(
        try iconv(bytes, from: encoding, to: "UTF-8") == Array(text.utf8), "iconv cannot write this in \(encoding)")
    return bytes
}

extension [UInt8] {
    fileprivate var asText: String { String(decoding: self, as: UTF8.self) }
}

private func read(_ pieces: [[UInt8]], beginning: [UInt8]) throws -> String {
    let stream = try TextStream(MemoryStream(pieces), beginning: beginning)
    return String(decoding: try stream.whole(limit: 1 << 20), as: UTF8.self)
}

/// Ordinary texts, and the encodings in which files with such texts are found.
private let samples: [(text: String, encodings: [String])] = [
    (
        "Список изменений. Программа теперь открывает файлы быстрее и не теряет настройки.",
        ["CP1251", "KOI8-R", "ISO-8859-5", "CP866"]
    ),
    ("Цей файл містить опис програми. Її можна запустити з командного рядка, як і інші.", ["CP1251", "KOI8-U"]),
    ("Το αρχείο περιέχει οδηγίες για την εγκατάσταση του προγράμματος στον υπολογιστή σας.", ["ISO-8859-7", "CP1253"]),
    ("הקובץ הזה מכיל הוראות להתקנת התוכנה במחשב שלך ורשימה של שינויים.", ["CP1255"]),
    ("يحتوي هذا الملف على تعليمات لتثبيت البرنامج على جهازك وقائمة بالتغييرات.", ["CP1256"]),
    ("ไฟล์นี้มีคำแนะนำสำหรับการติดตั้งโปรแกรมบนเครื่องคอมพิวเตอร์ของคุณ", ["TIS-620"]),
    ("このファイルには、プログラムのインストール方法と変更点の一覧が書かれています。", ["SHIFT_JIS", "EUC-JP", "ISO-2022-JP"]),
    ("这个文件包含在您的计算机上安装程序的说明以及更改列表。", ["GBK", "GB18030"]),
    ("這個檔案包含在您的電腦上安裝程式的說明以及變更清單。", ["BIG5"]),
    ("이 파일에는 컴퓨터에 프로그램을 설치하는 방법과 변경 사항 목록이 들어 있습니다.", ["EUC-KR"]),
    (
        "Ten plik zawiera wskazówki, jak zainstalować program, oraz listę ważniejszych zmian. Jeśli coś nie działa, proszę napisać do nas.",
        ["CP1250", "ISO-8859-2"]
    ),
    (
        "Tento soubor obsahuje pokyny, jak nainstalovat program na váš počítač, a přehled změn. Pokud něco nefunguje, napište nám prosím.",
        ["CP1250", "ISO-8859-2"]
    ),
    (
        "Ez a fájl a program telepítéséhez szükséges útmutatót és a változások jegyzékét tartalmazza. Ha valami nem működik, kérjük, írjon nekünk.",
        ["ISO-8859-2"]
    ),
    (
        "Bu dosya, programın bilgisayarınıza nasıl yükleneceğini ve yapılan değişiklikleri açıklıyor. Bir şey çalışmazsa lütfen bize yazın.",
        ["CP1254"]
    ),
    ("Diese Datei enthält Hinweise, wie das Programm für Ihren Rechner übersetzt wird: Größe, Stärke.", ["CP1252"]),
    ("Ce fichier décrit l’installation du programme à l’aide d’exemples, et ce qui a changé.", ["CP1252"]),
    ("Este archivo describe la instalación del programa y también los cambios del año pasado.", ["CP1252"]),
    ("Questo file spiega come si installa il programma; perché è così, e cosa è cambiato già.", ["CP1252"]),
    ("Dit bestand is geïnstalleerd, en beschrijft hoe het programma één keer wordt gebruikt.", ["CP1252"]),
    ("© 2003 Hervé Müller. Naïve café, 25 °C ± 1 – “quoted” £5.", ["CP1252"]),
    ("int main(void) { return 0; } /* Größe */\n", ["CP1252"]),
]

@Suite("Texts in encodings from before Unicode are read as they were written")
struct LegacyEncodingTests {
    @Test(arguments: samples.indices)
    func guessed(_ index: Int) throws {
        let (text, encodings) = samples[index]
        for encoding in encodings {
            let bytes = try encode(text, encoding)
            #expect(try read([bytes], beginning: bytes) == text, "\(encoding)")
            // A character may be cut anywhere.
            #expect(try read(bytes.map { [$0] }, beginning: bytes) == text, "\(encoding), byte by byte")
        }
    }

    /// A few accents in texts in other languages, which look like words in other encodings.
    @Test(arguments: [
        "Written by Øystein Nilsen for the foundation.\n", "var re = \"åäö\"; // alphabet\n", "allowed = \"áéíóúñ\"\n",
        "AUTHORS\nMartin Müller\nJosé García\nØystein Nilsen\nSébastien Émile\nRenée Ångström\n",
        "[a-zåäöÅÄÖ]+ and çÇ, ñÑ, æøå\n",
        "L’opzione è usata dall’utente per l’aiuto, cioè l’elenco.\n",
        "# Més informació també sobre els mòduls i els àlies.\n",
        "CONFIGURAÇÃO E INSTALAÇÃO DE PROGRAMAS: AS OPÇÕES, AÇÕES E FUNÇÕES SÃO DESCRITAS NESTA SEÇÃO.\n",
        "la città è citt\u{E0}",
        "<!—— ... ——> ( —— ) ——",
    ])
    func western(_ text: String) throws {
        let bytes = try encode(text, "CP1252")
        #expect(try read([bytes], beginning: bytes) == text)
    }

    /// Pages of manuals, most of them short, with commands and names in English.
    @Test(arguments: pages)
    func pagesAreRead(_ language: String, encodings: [String], share: Double) throws {
        guard let file = SharedData.url("corpora/tldr-multi.jsonl.gz") else { return }
        struct Page: Decodable {
            var lang: String
            var text: String
        }
        let bytes = try GzipStream(FileStream(path: file.path, limit: .max), limit: .max).whole(limit: .max)
        let pages = try bytes.split(separator: 10).compactMap { line -> String? in
            guard String(decoding: line, as: UTF8.self).contains("\"lang\": \"\(language)\"") else { return nil }
            return try JSONDecoder().decode(Page.self, from: Data(line)).text
        }
        let mark = "\n%%%%\n"
        for encoding in encodings {
            let encoded = try iconv(Array(pages.prefix(200).joined(separator: mark).utf8), from: "UTF-8", to: encoding)
            let expected = String(decoding: try iconv(encoded, from: encoding, to: "UTF-8"), as: UTF8.self)
            let texts = expected.split(separator: mark, omittingEmptySubsequences: false)
            let pages = encoded.split(separator: Array(mark.utf8), omittingEmptySubsequences: false)
            try #require(texts.count == pages.count && pages.count > 100)
            var (right, all) = (0, 0)
            for (text, page) in zip(texts, pages) where page.contains(where: { $0 >= 0x80 }) {
                all += 1
                right +=
                    try read([Array(page)], beginning: Array(page)) == TextStream.clean(Array(text.utf8)).asText ? 1 : 0
            }
            #expect(Double(right) >= share * Double(all), "\(encoding): \(right) of \(all)")
        }
    }

    private static let pages: [(String, [String], Double)] = [
        ("ru", ["CP1251", "KOI8-R", "ISO-8859-5", "CP866"], 0.99), ("uk", ["CP1251", "KOI8-U"], 0.99),
        ("bg", ["CP1251"], 0.99),
        ("el", ["ISO-8859-7", "CP1253"], 0.99), ("ar", ["CP1256"], 0.99), ("fa", ["CP1256"], 0.9),
        ("th", ["CP874"], 0.99),
        ("ja", ["CP932", "EUC-JP"], 0.99), ("zh", ["GB18030"], 0.99), ("zh_TW", ["BIG5"], 0.98),
        ("ko", ["CP949"], 0.98),
        ("pl", ["CP1250", "ISO-8859-2"], 0.9), ("cs", ["CP1250", "ISO-8859-2"], 0.9), ("tr", ["CP1254"], 0.8),
        ("de", ["CP1252"], 1), ("fr", ["CP1252"], 1), ("es", ["CP1252"], 1), ("it", ["CP1252"], 1),
        ("nl", ["CP1252"], 1),
        ("pt_BR", ["CP1252"], 1), ("sv", ["CP1252"], 1), ("ca", ["CP1252"], 1), ("da", ["CP1252"], 1),
        ("fi", ["CP1252"], 1),
    ]

    /// Marks that follow a letter are composed with it, so the last letter waits for one.
    @Test(arguments: [("שלום", "windows-1255"), ("Tiếng Việt", "windows-1258")])
    func lastLetter(_ text: String, encoding: String) throws {
        let decomposed = text.decomposedStringWithCanonicalMapping
        let bytes = try iconv(Array((encoding == "windows-1255" ? text : decomposed).utf8), from: "UTF-8", to: encoding)
        let expected = String(decoding: try iconv(bytes, from: encoding, to: "UTF-8"), as: UTF8.self)
        #expect(String(decoding: CharacterDecoder.text(bytes, encoding: encoding), as: UTF8.self) == expected)
        #expect(expected.count >= 4)
    }

    @Test("An invalid byte stands behind the letter before it")
    func invalidAfterLetter() throws {
        let bytes = try iconv(Array("שלום".utf8), from: "UTF-8", to: "windows-1255")
        let text = CharacterDecoder.text(bytes + [0xD9] + Array(" word".utf8), encoding: "windows-1255").asText
        #expect(text == "שלום\u{FFFD} word")
        #expect(CharacterDecoder.text(bytes + [0xD9], encoding: "windows-1255").asText == "שלום\u{FFFD}")
    }

    @Test("An invalid unit of UTF-16 or UTF-32 does not shift those after it")
    func invalidInUTF16() throws {
        for encoding in ["utf-16be", "utf-32be"] {
            let (start, end) = (try encode("start ", encoding), try encode(" end", encoding))
            let surrogate: [UInt8] = encoding == "utf-16be" ? [0xDC, 0] : [0, 0, 0xDC, 0]
            #expect(CharacterDecoder.text(start + surrogate + end, encoding: encoding).asText == "start \u{FFFD} end")
        }
    }

    @Test("Encodings that are guessed, and those that pages and messages name, can be converted")
    func known() {
        let labels = [
            EncodingGuess.western, "iso-8859-8-i", "x-sjis", "x-gbk", "x-euc-jp", "windows-949", "ks_c_5601-1987",
            "big5",
            "gb_2312-80", "koi8-r", "iso-2022-jp", "x-mac-roman",
        ]
        for name in EncodingGuess.contents.keys.sorted() + labels {
            #expect(CharacterConverter(encoding: name) != nil, "\(name)")
        }
        for name in ["html", "no-such-encoding", "", "utf-8//ignore"] {
            #expect(CharacterConverter(encoding: name) == nil)
        }
    }

    @Test("A page or a message in HTML is in the encoding that it declares, unless it cannot be")
    func declaredInHTML() throws {
        func page(_ label: String, _ text: String, _ encoding: String) throws -> String {
            let head = Array("<html><head><meta charset=\"\(label)\"></head><body><p>".utf8)
            let body = try encode(text, encoding)
            return String(decoding: try HTMLText(head + body + Array("</p></body></html>".utf8)).body, as: UTF8.self)
        }
        #expect(try page("shift_jis", "①㈱の一覧", "CP932").contains("①㈱の一覧"))
        #expect(try page("euc-kr", "똠방각하", "CP949").contains("똠방각하"))
        #expect(try page("iso-8859-1", "“café” – 5 €", "CP1252").contains("“café” – 5 €"))
        let russian = "Список изменений. Программа теперь открывает файлы быстрее и не теряет настройки."
        for label in ["utf-8", "utf-16", "utf-7", "html", "no-such-encoding", "windows-1251"] {
            #expect(try page(label, russian, "CP1251").contains(russian), "\(label)")
        }
        let damaged = try HTMLText(
            Array("<meta charset=windows-1252><p>start Gr".utf8) + [0xF6, 0xDF, 0x65, 0x20, 0x81] + Array(" end".utf8))
        #expect(String(decoding: damaged.body, as: UTF8.self).contains("start Größe"))
        #expect(String(decoding: damaged.body, as: UTF8.self).contains("end"))
    }

    @Test("A stray escape sequence does not make Japanese of a log")
    func strayEscape() throws {
        let log = Array("line one\n\u{1B}$Bafter words delta\nmany more words epsilon\n".utf8)
        #expect(try read([log], beginning: log).contains("epsilon"))
    }

    /// Windows' characters in what is called by the name of a standard without them.
    @Test(arguments: [("①㈱﨑", "CP932", "shift_jis"), ("€ – “…”", "CP1252", "ISO-8859-1"), ("똠방각하", "CP949", "euc-kr")])
    func declared(_ text: String, written: String, as name: String) throws {
        let bytes = try encode(text, written)
        #expect(String(decoding: CharacterDecoder.text(bytes, encoding: name), as: UTF8.self) == text)
    }

    @Test("A text that ends within a character, or has an invalid one, loses no other")
    func damaged() throws {
        let text = "このファイルには、プログラムのインストール方法が書かれています。"
        let bytes = try encode(text, "SHIFT_JIS")
        #expect(try read([bytes + [0x83]], beginning: bytes) == text + "\u{FFFD}")
        #expect(try read([bytes, [0x83], [0xFF, 0x41]], beginning: bytes).hasPrefix(text + "\u{FFFD}"))
    }

    @Test("The lines of such files are shown")
    func lines() throws {
        let folder = try TemporaryFolder()
        try folder.write("notes.txt", encode("Первая строка\nСписок изменений программы\n", "KOI8-R"))
        try folder.write("memo.txt", encode("一行目です。\nこの書類には変更点の一覧があります。\n", "SHIFT_JIS"))
        let source = try #require(SourceLines(file: folder["notes.txt"]))
        #expect(source.text(line: 2) == "Список изменений программы")
        let other = try #require(SourceLines(file: folder["memo.txt"]))
        #expect(other.text(line: 2) == "この書類には変更点の一覧があります。")
    }

    @Test("The lines of a page are shown in the encoding that it declares, which its words would not tell")
    func linesOfPage() throws {
        let folder = try TemporaryFolder()
        let page = try encode("<meta charset=windows-1250>\n<p>Řehoř\n", "CP1250")
        for name in ["page.html", "page.txt"] {
            try folder.write(name, page)
            let source = try #require(SourceLines(file: folder[name]))
            #expect(source.text(line: 2) == (name == "page.html" ? "<p>Řehoř" : "<p>Øehoø"))
        }
    }
}

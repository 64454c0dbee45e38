import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

/// The bytes of a text in an encoding, as the system's `iconv` writes them.
private func encode(_ text: String, _ encoding: String) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["iconv", "-f", "UTF-8", "-t", encoding]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // Less than a pipe holds.
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "iconv cannot write \(encoding)")
    return Array(bytes)
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
    ("Ten plik zawiera wskazówki, jak zainstalować program, oraz listę ważniejszych zmian.", ["CP1250", "ISO-8859-2"]),
    (
        "Tento soubor obsahuje pokyny, jak nainstalovat program na váš počítač, a přehled změn.",
        ["CP1250", "ISO-8859-2"]
    ),
    ("Ez a fájl a program telepítéséhez szükséges útmutatót és a változások jegyzékét tartalmazza.", ["ISO-8859-2"]),
    ("Bu dosya, programın bilgisayarınıza nasıl yükleneceğini ve yapılan değişiklikleri açıklıyor.", ["CP1254"]),
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
}

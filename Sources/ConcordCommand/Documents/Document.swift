/// One thing that a search can find: a file, a part of a long file, an entry of an archive, a line of JSON Lines, a row
/// of a table, a message.
struct Document: Equatable, Sendable {
    var title: String
    /// If the file has pages, `pageBreak` separates them.
    var body: String
    /// The line of the file where it begins, from 1; nil if the body's lines are not those of the file.
    var line: Int?
    /// The page, slide, sheet or chapter where it begins, from 1; nil if there are none.
    var page: Int?
    /// Its path inside the file, such as `inner/a.txt`; nil if it belongs to the file itself.
    var entry: String?
    /// The kind of the entry; nil if `entry` is nil.
    var kind: DocumentKind?
    /// Who wrote or sent it, according to the document.
    var author: String?
    /// When it was written, was sent or takes place, according to the document, in seconds since 1970.
    var date: Int64?
    /// The tag of its language, according to the document: `en`, `pt-BR`.
    var language: String?
    /// What tells that it is nearly the same as another one; nil for a short one, or if nobody has asked.
    var signature: ContentSignature?

    /// A form feed, which `pdftotext` writes after each page.
    static let pageBreak: UInt8 = 12

    /// The path of the document if its file has this path, such as `reports/all.zip/inner/a.txt`.
    func path(in file: String) -> String { entry.map { "\(file)/\($0)" } ?? file }

    /// The page of the character at an offset in bytes of `body`; nil if there are no pages.
    func page(at offset: Int) -> Int? {
        page.map { Self.page(at: offset, in: body, from: $0) }
    }

    /// The page of the character at an offset in bytes of a text that begins on the page `first`.
    static func page(at offset: Int, in text: String, from first: Int) -> Int {
        text.utf8.prefix(max(offset, 0)).reduce(into: first) { if $1 == pageBreak { $0 += 1 } }
    }
}

/// `1.5 MB`: decimal units, with one decimal below ten.
func byteCount(_ bytes: Int) -> String {
    var value = Double(bytes)
    if value < 1000 { return "\(bytes) bytes" }
    for unit in ["kB", "MB", "GB", "TB"] {
        value /= 1000
        if value < 999.5 || unit == "TB" {
            if value >= 9.95 { return "\(Int(value.rounded())) \(unit)" }
            let tenths = Int((value * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) \(unit)"
        }
    }
    return "\(bytes) bytes"
}

/// One thing that a search can find: a file, a part of a long file, an entry of an archive, a line of JSON Lines, a row of a
/// table, a message.
struct Document: Equatable, Sendable {
    var title: String
    /// Where the file has pages, `pageBreak` stands between them.
    var body: String
    /// The line of the file where it begins, from 1; nil where the body's lines are not those of the file.
    var line: Int?
    /// The page, slide, sheet or chapter where it begins, from 1; nil where there are none.
    var page: Int?
    /// Where it lies inside its file, as `inner/a.txt`; nil for what belongs to the file itself.
    var entry: String?
    /// What the entry is; nil where `entry` is nil.
    var kind: DocumentKind?
    /// Who wrote or sent it, as the document says.
    var author: String?
    /// Seconds since 1970 when it was written, sent or takes place, as the document says.
    var date: Int64?
    /// The tag of its language, as the document says: `en`, `pt-BR`.
    var language: String?

    /// A form feed, as `pdftotext` ends pages with.
    static let pageBreak: UInt8 = 12

    /// The path of the document, as `reports/all.zip/inner/a.txt`, in a file of that path.
    func path(in file: String) -> String { entry.map { "\(file)/\($0)" } ?? file }

    /// The page on which the character at an offset in bytes of `body` stands; nil where there are no pages.
    func page(at offset: Int) -> Int? {
        page.map { first in body.utf8.prefix(max(offset, 0)).reduce(into: first) { if $1 == Self.pageBreak { $0 += 1 } }
        }
    }
}

/// `1.5 MB`: decimal units, one digit after the point below ten.
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

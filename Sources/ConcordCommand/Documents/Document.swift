/// One thing that a search can find: a file, a part of a long file, a line of JSON Lines, a row of a table.
struct Document: Equatable, Sendable {
    var title: String
    var body: String
    /// The line of the file where it begins, from 1; nil where the document is the whole file.
    var line: Int?
}

/// Bounds on what one file may cost, so that no input, however hostile, exhausts memory or time.
struct ExtractionLimits: Equatable, Sendable {
    /// Bytes of a file on disk.
    var fileBytes = 1 << 30
    /// Bytes that a compressed file may unfold to.
    var unpackedBytes = 1 << 30
    /// Bytes of a file that has to be in memory as a whole: HTML, manual pages, Markdown, PDF.
    var wholeBytes = 64 << 20
    /// Bytes of one record of JSON Lines or CSV.
    var recordBytes = 4 << 20
    /// Bytes of one document's body; longer ones become several documents, split between lines.
    var bodyBytes = 256 << 10
    /// Seconds that `pdftotext` may take.
    var converterSeconds = 60.0
}

/// Why a file is not in the index.
enum ExtractionProblem: Error, Equatable, Sendable, CustomStringConvertible {
    case binary(String)
    case tooLarge(limit: Int)
    case bomb
    case compressed(String)
    case notAFile(String)
    case unreadable(String)
    case changedWhileRead
    case alias(String)
    case converter(String)
    case converterMissing(String)

    var description: String {
        switch self {
        case .binary(let what): "binary (\(what))"
        case .tooLarge(let limit): "larger than \(byteCount(limit))"
        case .bomb: "unfolds to an absurd size"
        case .compressed(let what): "damaged compression: \(what)"
        case .notAFile(let what): what
        case .unreadable(let what): "cannot be read: \(what)"
        case .changedWhileRead: "changed while it was read"
        case .alias(let target): "an alias of \(target)"
        case .converter(let what): "pdftotext: \(what)"
        case .converterMissing(let tool): "needs \(tool)"
        }
    }

    /// Whether the same bytes would fail again, so that an unchanged file need not be tried again.
    var isLasting: Bool {
        switch self {
        case .binary, .tooLarge, .bomb, .compressed, .alias, .converter: true
        case .notAFile, .unreadable, .changedWhileRead, .converterMissing: false
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

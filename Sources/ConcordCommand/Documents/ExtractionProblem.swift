/// Limits on the cost of one file, so that no input, however hostile, exhausts memory or time.
struct ExtractionLimits: Equatable, Sendable {
    /// Bytes of a file on disk.
    var fileBytes = 1 << 30
    /// Bytes that a compressed file or an archive may unpack to, at all depths together.
    var unpackedBytes = 1 << 30
    /// Bytes of content that has to be in memory as a whole: HTML, manual pages, Markdown, PDF, a message of a mailbox.
    var wholeBytes = 64 << 20
    /// Bytes of one record of JSON Lines or CSV, of one line elsewhere.
    var recordBytes = 4 << 20
    /// Bytes of one document's body; longer ones become several documents, split between lines.
    var bodyBytes = 256 << 10
    /// Entries to read in an archive and in the archives inside it, and parts of messages.
    var entries = 100_000
    /// How deep containers may be nested: an archive in a message in an archive is 3.
    var depth = 5
    /// Seconds that another program may run: `pdftotext`, `tesseract`.
    var converterSeconds = 60.0
    /// Pages of a PDF whose text is recognized.
    var recognizedPages = 500
    /// The longer side of the picture of a page, in pixels: 300 an inch on A4.
    var recognizedPixels = 3508
}

/// Why a file, or an entry of it, is not in the index.
enum ExtractionProblem: Error, Equatable, Sendable, CustomStringConvertible {
    case binary(String)
    case tooLarge(limit: Int)
    case bomb
    case compressed(String)
    /// Its structure makes no sense, or ends too early.
    case damaged(String)
    case encrypted
    case tooDeep(limit: Int)
    case tooMany(limit: Int)
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
        case .damaged(let what): "damaged: \(what)"
        case .encrypted: "encrypted"
        case .tooDeep(let limit): "nested in more than \(limit) containers"
        case .tooMany(let limit): "more than \(limit) entries"
        case .notAFile(let what): what
        case .unreadable(let what): "cannot be read: \(what)"
        case .changedWhileRead: "changed while it was read"
        case .alias(let target): "an alias of \(target)"
        case .converter(let what): what
        case .converterMissing(let tool): "needs \(tool)"
        }
    }

    /// Whether the same bytes would fail again, so that an unchanged file need not be retried.
    var isLasting: Bool {
        switch self {
        case .binary, .tooLarge, .bomb, .compressed, .damaged, .encrypted, .tooDeep, .tooMany, .alias, .converter: true
        case .notAFile, .unreadable, .changedWhileRead, .converterMissing: false
        }
    }
}

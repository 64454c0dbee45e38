import Concordance
import ConcordanceSearch

/// Finds the matches of hits in their files, one hit after the other.
struct HitPlaces {
    private let database: Database
    /// The last files, since several hits may be parts of one.
    private var sources: [(path: String, lines: SourceLines?)] = []
    /// By document, how many bytes of its first line are in the documents before it.
    private var skipped: [Int64: Int] = [:]

    init(_ database: Database) { self.database = database }

    /// Calls `receive` with the place of each match in the body, and with nil for a hit that was found by its title or name.
    ///
    /// - Parameters:
    ///   - path: That of the hit, possibly within an archive.
    ///   - kind: That of the document.
    mutating func forEach(
        of hit: SearchHit<Row>, in path: String, kind: String, _ receive: (MatchPlace?) throws -> Void
    ) throws {
        let body = try hit.text("body") ?? ""
        let leftOut = MarkedWords.leftOut(in: hit.record["language"])
        // All of them: a body is not long.
        let matches = try hit.highlighter(of: "body", leavingOut: leftOut).highlights(in: body, limit: .max)
        guard matches.hasMatches else { return try receive(nil) }
        let entry: String? = hit.record["entry"]
        let source = entry == nil ? lines(of: path) : nil
        try MatchPlaces.forEach(in: matches, try extent(of: hit, kind: kind), source: source, receive)
    }

    /// The lines of a file; nil if it is not text.
    private mutating func lines(of path: String) -> SourceLines? {
        if let known = sources.first(where: { $0.path == path }) { return known.lines }
        let lines = SourceLines(file: path)
        sources.append((path, lines))
        while sources.count > 1, sources.reduce(0, { $0 + ($1.lines?.bytes.count ?? 1) }) > SourceLines.mostBytes {
            sources.removeFirst()
        }
        return lines
    }

    /// Which lines of its file a document has.
    private mutating func extent(of hit: SearchHit<Row>, kind: String) throws -> DocumentExtent {
        var extent = DocumentExtent(firstLine: hit.record["line"])
        guard let first = extent.firstLine else { return extent }
        let file: Int64? = hit.record["file"]
        switch DocumentKind(rawValue: kind) {
        case .jsonl: extent.endLine = first &+ 1
        case .csv, .contact, .calendar:
            let next = try Int64.fetchOne(
                database,
                literal: """
                    SELECT line FROM parts WHERE file = \(file) AND document > \(hit.id) AND line > \(first)
                    ORDER BY document LIMIT 1
                    """)
            extent.endLine = next.map { Int(clamping: $0) } ?? .max
        case .mail: break
        default: extent.skipped = try skipped(before: hit.id, of: file, entry: hit.record["entry"])
        }
        return extent
    }

    /// How many bytes of the first line of a document are in those before it, if a line is so long that it was split.
    private mutating func skipped(before document: Int64, of file: Int64?, entry: String?) throws -> Int {
        var parts: [(document: Int64, bytes: Int)] = []
        var sum = 0
        var first = document
        while parts.count < Self.mostParts {
            if let known = skipped[first] {
                sum = known
                break
            }
            guard let before = try endOfLine(before: first, of: file, entry: entry) else { break }
            parts.append((first, before.bytes))
            if before.beginsLine { break }
            first = before.document
        }
        for part in parts.reversed() {
            sum += part.bytes
            skipped[part.document] = sum
        }
        return sum
    }

    /// A line of `SourceLines.mostBytes` is split into fewer documents.
    private static let mostParts = 500

    /// The document before one in the same file or entry: how many bytes its last line has, and whether the line begins there.
    private func endOfLine(
        before document: Int64, of file: Int64?, entry: String?
    ) throws -> (document: Int64, bytes: Int, beginsLine: Bool)? {
        let before = try Row.fetchOne(
            database,
            literal: """
                SELECT document, entry FROM parts WHERE file = \(file) AND document < \(document)
                ORDER BY document DESC LIMIT 1
                """)
        guard let before, before["entry"] == entry, let id: Int64 = before["document"],
            let body = try String.fetchOne(database, literal: "SELECT body FROM documents WHERE rowid = \(id)")
        else { return nil }
        guard let lineEnd = body.utf8.lastIndex(of: 10) else { return (id, body.utf8.count, false) }
        return (id, body.utf8[lineEnd...].count - 1, true)
    }
}

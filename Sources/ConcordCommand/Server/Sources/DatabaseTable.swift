import Concordance

/// A full-text table of a database, and the table that its rows are of.
struct DatabaseTable: Sendable {
    struct Content: Sendable {
        var table: String
        /// The column that the full-text table numbers its rows by.
        var rowID: String
    }

    var served: ServedTable
    var content: Content?
    /// Whether the columns of a row can be read.
    var hasTexts: Bool

    /// Bytes of text that one answer holds.
    private static let partBytes = 256 << 10

    func count(in database: Database) throws -> Int {
        Int(
            clamping: try Int64.fetchOne(database, literal: "SELECT count(*) FROM main.\(identifier: served.name)") ?? 0
        )
    }

    func document(_ id: Int64, from: String?, in database: Database) throws -> DocumentPart? {
        let start = try from.map(place) ?? (column: 0, byte: 0)
        let names = served.columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
        let row = try Row.fetchOne(
            database, literal: "SELECT \(names) FROM main.\(identifier: served.name) WHERE rowid = \(id)")
        guard let row else { return nil }
        var part = DocumentPart(id: id, title: "", columns: [])
        let title = row[served.titleColumn].map(ServedText.text) ?? ""
        part.title = String(title.prefix(300))
        var room = Self.partBytes
        for column in start.column..<max(served.columns.count, start.column) {
            guard column < row.count else { break }
            let text = ServedText.text(row.databaseValues[column])
            let rest = text.utf8.dropFirst(column == start.column ? start.byte : 0)
            if rest.isEmpty, column != start.column || start.byte > 0 { continue }
            let end = Self.boundary(in: rest, within: room)
            let isTruncated = end < rest.endIndex
            part.columns.append(
                .init(name: served.columns[column], text: String(Substring(rest[..<end])), isTruncated: isTruncated))
            room -= rest.distance(from: rest.startIndex, to: end)
            if isTruncated {
                part.next = "\(column).\(text.utf8.distance(from: text.startIndex, to: end))"
                break
            }
            if room <= 0, column + 1 < served.columns.count {
                part.next = "\(column + 1).0"
                break
            }
        }
        // A schema may refer to tables that are not there; the row is shown all the same.
        if from == nil, let content { part.related = (try? Neighbours(content, in: database).related(to: id)) ?? [] }
        return part
    }

    /// `3.4096`: a column, and a byte of its text.
    private func place(_ text: String) throws -> (column: Int, byte: Int) {
        let parts = text.split(separator: ".").map { Int($0) }
        guard parts.count == 2, let column = parts[0], let byte = parts[1], served.columns.indices.contains(column),
            byte >= 0
        else { throw HTTPProblem(400, "from is what 'next' of the part before said; leave it out for the first") }
        return (column, byte)
    }

    /// Where a text is cut that has to fit into so many bytes: between two characters.
    private static func boundary(in text: Substring.UTF8View, within bytes: Int) -> String.Index {
        guard let end = text.index(text.startIndex, offsetBy: max(bytes, 1), limitedBy: text.endIndex) else {
            return text.endIndex
        }
        var at = end
        while at > text.startIndex, at < text.endIndex, text[at] & 0xC0 == 0x80 { at = text.index(before: at) }
        return at > text.startIndex ? at : end
    }
}

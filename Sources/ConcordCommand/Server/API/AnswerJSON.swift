import Concordance
import ConcordanceSearch
import Foundation

// The answers of the API as JSON. Texts with matches are lists of runs, never markup.
extension HighlightedText {
    var json: JSONText {
        .array(
            runs.map { run in
                let text = ("text", JSONText.string(String(run.text)))
                return .object(run.isMatch ? [text, ("marked", .bool(true))] : [text])
            })
    }
}

extension JSONText {
    static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }
    static func optional(_ number: Int64?) -> JSONText { number.map { .integer(Int(clamping: $0)) } ?? .null }
    static func optional(_ number: Int?) -> JSONText { number.map { .integer($0) } ?? .null }

    /// Seconds since 1970 as RFC 3339 has them, in Greenwich: `2024-05-06T07:08:09Z`.
    static func time(_ seconds: Int64?) -> JSONText {
        guard let seconds, (-62_135_596_800...253_402_300_799).contains(seconds) else { return .null }
        let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
        let rest = Int(seconds - days * 86_400)
        let date = CivilDate(days: days)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String(date.year)
        return .string(
            String(repeating: "0", count: max(0, 4 - year.count)) + year + "-" + two(date.month) + "-" + two(date.day)
                + "T" + two(rest / 3600) + ":" + two(rest % 3600 / 60) + ":" + two(rest % 60) + "Z")
    }
}

extension IndexActivity {
    /// How far it is; null where it reads nothing.
    var progress: JSONText {
        guard isBusy else { return .null }
        return .object([("read", .integer(read)), ("total", .optional(total)), ("path", .string(path))])
    }
}

extension SearchAnswer {
    func json(query: String) -> JSONText {
        .object([
            ("query", .string(query)), ("milliseconds", .number((seconds * 10_000).rounded() / 10)),
            ("total", .object([("value", .integer(total.count)), ("isExact", .bool(total.isExact))])),
            ("correction", correction?.json ?? .null),
            (
                "replaced",
                .array(
                    similarWords.map {
                        .object([("typed", .string($0.typed)), ("found", .array([.string($0.found)]))])
                    })
            ),
            ("hits", .array(hits.map { $0.json(table: table) })), ("cursor", .optional(cursor)),
            ("facets", facets.map { .array($0.map(\.json)) } ?? .null),
        ])
    }
}

extension SearchAnswer.Facet {
    fileprivate var json: JSONText {
        .object([
            ("name", .string(name)), ("label", .string(label)),
            (
                "values",
                .array(
                    values.map {
                        .object([
                            ("value", .string($0.value)), ("label", .string($0.label)), ("count", .integer($0.count)),
                            ("selected", .bool($0.isSelected)),
                        ])
                    })
            ), ("more", .bool(hasMore)),
        ])
    }
}

extension FoundDocument {
    func json(table: String) -> JSONText {
        .object([
            ("id", .string(String(id))), ("table", .string(table)), ("title", title.json), ("path", .optional(path)),
            ("name", .optional(path.map(PathText.name))), ("folder", .optional(path.map(PathText.folder))),
            ("kind", .optional(kind)), ("size", .optional(size)), ("modified", .time(modified)),
            ("line", .optional(line)),
            ("page", .optional(page)), ("language", .optional(language)), ("snippet", snippet.json),
            ("score", .number(score)),
            ("similar", .integer(similarCount)),
            (
                "fields",
                .array(fields.map { .object([("name", .string($0.name)), ("runs", $0.text.json)]) })
            ),
        ])
    }
}

extension QueryCorrection {
    /// The query, with what was put right marked.
    var json: JSONText {
        var ranges: [Range<String.Index>] = []
        var rest = text.startIndex..<text.endIndex
        for word in words {
            guard let found = text.range(of: word.meant, range: rest) else { continue }
            ranges.append(found)
            rest = found.upperBound..<text.endIndex
        }
        return .object([("query", .string(text)), ("runs", HighlightedText(text, ranges: ranges).json)])
    }
}

extension Suggestion {
    /// The completed text, with what was added marked.
    func json(typed: String) -> JSONText {
        let common = text.commonPrefix(with: typed, options: .caseInsensitive)
        let start = text.index(text.startIndex, offsetBy: common.count, limitedBy: text.endIndex) ?? text.endIndex
        return .object([
            ("text", .string(text)), ("count", .integer(count)),
            ("runs", HighlightedText(text, ranges: [start..<text.endIndex]).json),
        ])
    }
}

extension DocumentAnswer {
    var json: JSONText {
        .object([
            ("id", .string(String(part.id))), ("table", .string(table)), ("title", title.json),
            ("path", .optional(part.path)), ("name", .optional(part.path.map(PathText.name))),
            ("folder", .optional(part.path.map(PathText.folder))), ("kind", .optional(part.kind)),
            ("size", .optional(part.size)), ("modified", .time(part.modified)),
            ("language", .optional(part.language)),
            (
                "columns",
                .array(
                    columns.map {
                        .object([
                            ("name", .string($0.name)), ("runs", $0.text.json), ("isTruncated", .bool($0.isTruncated)),
                        ])
                    })
            ), ("matches", .integer(matchCount)), ("next", .optional(part.next)), ("line", .optional(part.line)),
            ("page", .optional(part.page)), ("fileURL", .optional(part.path.map(PathText.url))),
            ("related", .array(part.related.map(\.json))),
        ])
    }
}

extension DocumentPart.Related {
    fileprivate var json: JSONText {
        .object([
            ("label", .string(label)), ("table", .string(table)),
            (
                "rows",
                .array(
                    rows.map { row in
                        .object([
                            (
                                "columns",
                                .array(row.map { .object([("name", .string($0.name)), ("text", .string($0.text))]) })
                            )
                        ])
                    })
            ),
        ])
    }
}

/// Parts of a path.
enum PathText {
    static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    static func folder(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func url(_ path: String) -> String { "file://" + PercentEncoding.encode(path, keepingSlashes: true) }
}

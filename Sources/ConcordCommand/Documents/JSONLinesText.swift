import Foundation

/// JSON Lines (https://jsonlines.org): each line is a document.
enum JSONLinesText {
    private static let titleNames = ["title", "name", "subject", "headline", "label"]
    private static let bodyNames = ["body", "text", "content", "description", "message", "summary", "abstract"]
    private static let idNames = ["id", "_id", "key", "url", "uri"]

    static func read(
        _ stream: any ByteStream, fileName: String, limits: ExtractionLimits, emit: (Document) throws -> Void
    ) throws {
        var lines = LineReader(stream, limit: limits.recordBytes)
        while let line = try lines.next() {
            guard line.contains(where: { $0 > 32 }) else { continue }
            let document = document(line, fileName: fileName)
            try PlainText.emit(Array(document.body.utf8), title: document.title, limits: limits) { part in
                try emit(Document(title: part.title, body: part.body, line: lines.line))
            }
        }
    }

    /// The document of one line. A line that is not JSON is indexed as it is: somebody may look for it.
    static func document(_ line: ArraySlice<UInt8>, fileName: String) -> Document {
        guard let value = try? JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed) else {
            return Document(title: fileName, body: String(decoding: line, as: UTF8.self))
        }
        guard let object = value as? [String: Any] else {
            return Document(title: fileName, body: strings(of: value).joined(separator: "\n"))
        }
        var names = [String: String](minimumCapacity: object.count)
        for name in object.keys.sorted(by: >) { names[name.lowercased()] = name }

        let titleName = titleNames.lazy.compactMap { names[$0] }.first { object[$0] is String }
        let idName = idNames.lazy.compactMap { names[$0] }.first
        let title = titleName.flatMap { object[$0] as? String } ?? idName.map { scalar(object[$0]) } ?? fileName

        let first = bodyNames.compactMap { names[$0] }
        let others = object.keys.sorted().filter { !first.contains($0) && $0 != titleName && $0 != idName }
        let body = (first + others).flatMap { object[$0].map(strings) ?? [] }
        return Document(title: clean(title).joiningSpaces(), body: clean(body.joined(separator: "\n")))
    }

    /// The strings inside a value, however deep; JSONSerialization bounds the depth.
    private static func strings(of value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let list as [Any]: list.flatMap(strings)
        case let object as [String: Any]: object.sorted { $0.key < $1.key }.flatMap { strings(of: $0.value) }
        default: []
        }
    }

    private static func scalar(_ value: Any?) -> String {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: ""
        }
    }

    /// Removes control characters, which escapes in JSON can produce.
    private static func clean(_ text: String) -> String {
        String(decoding: TextStream.clean(Array(text.utf8)), as: UTF8.self)
    }
}

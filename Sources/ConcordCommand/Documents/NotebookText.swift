import Foundation

/// Jupyter notebooks (nbformat 3 and 4): texts, code and what the code printed, without pictures.
enum NotebookText {
    private static let longestOutput = 16 << 10

    static func read(_ text: any ByteStream, _ output: Output) throws {
        let bytes = try text.whole(limit: output.limits.wholeBytes)
        guard valueCount(bytes) <= mostValues else { throw ExtractionProblem.damaged("it has too many values") }
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)), let notebook = object as? [String: Any]
        else { throw ExtractionProblem.damaged("it is no JSON object") }
        let sheets = notebook["worksheets"] as? [Any] ?? []
        let cells =
            (notebook["cells"] as? [Any] ?? []) + sheets.flatMap { ($0 as? [String: Any])?["cells"] as? [Any] ?? [] }
        let metadata = notebook["metadata"] as? [String: Any] ?? [:]

        var common = Document(title: "", body: "")
        let authors = (metadata["authors"] as? [Any] ?? []).compactMap { ($0 as? [String: Any])?["name"] as? String }
        common.author = authors.isEmpty ? nil : authors.joined(separator: ", ")
        let writer = output.writer(title: metadata["title"] as? String, common)
        for case let cell as [String: Any] in cells {
            let source = clean(joined(cell["source"] ?? cell["input"]))
            switch cell["cell_type"] as? String {
            case "markdown", "heading":
                let page = MarkdownText(source)
                writer.title = writer.title ?? page.title
                writer.append(page.body)
            default: writer.append(source)
            }
            writer.endLine()
            for case let result as [String: Any] in cell["outputs"] as? [Any] ?? [] { append(result, to: writer) }
            try writer.check()
        }
        writer.title = writer.title ?? output.name
        try writer.finish()
    }

    /// Parsed values take many times the memory of their text.
    private static let mostValues = 1_000_000

    private static func valueCount(_ bytes: [UInt8]) -> Int {
        var count = 0
        var isInsideString = false
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInsideString.toggle()
            } else if !isInsideString,
                byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
            {
                count += 1
            }
        }
        return count
    }

    private static func append(_ result: [String: Any], to writer: DocumentWriter) {
        let data = result["data"] as? [String: Any]
        for value in [result["text"], data?["text/plain"], result["evalue"]] {
            let text = joined(value)
            if text.isEmpty { continue }
            writer.append(clean(String(decoding: text.utf8.prefix(longestOutput), as: UTF8.self)))
            writer.endLine()
        }
    }

    /// A text is a string or a list of lines.
    private static func joined(_ value: Any?) -> String {
        if let text = value as? String { return text }
        return (value as? [Any] ?? []).compactMap { $0 as? String }.joined()
    }

    private static func clean(_ text: String) -> [UInt8] { TextStream.clean(Array(text.utf8)) }
}

/// Subtitles (SubRip and WebVTT): the spoken text, without numbers and times.
struct SubtitleText: LineMarkup {
    let title: String? = nil
    private(set) var metadata = Document(title: "", body: "")
    private var isBehindBlank = true
    private var isInsideNote = false

    mutating func read(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
        let text = MarkupLine.trimmed(line)
        defer { isBehindBlank = text.isEmpty }
        if text.isEmpty {
            isInsideNote = false
            return
        }
        if isBehindBlank {
            if text.allSatisfy({ (48...57).contains($0) }) || text.starts(with: Array("WEBVTT".utf8)) { return }
            isInsideNote = ["NOTE", "STYLE", "REGION"].contains { text.starts(with: Array($0.utf8)) }
        }
        if isInsideNote || text.firstRange(of: Array("-->".utf8)) != nil { return }
        Self.append(text, to: &output)
    }

    /// Drops `<i>`, `<v Ann>` and `{\an8}`.
    private static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var (angles, braces) = (ByteFinder(UInt8(ascii: ">")), ByteFinder(UInt8(ascii: "}")))
        var at = text.startIndex
        while at < text.endIndex {
            let end: Int? =
                switch text[at] {
                case UInt8(ascii: "<"): angles.next(in: text, from: at)
                case UInt8(ascii: "{"): braces.next(in: text, from: at)
                default: nil
                }
            if let end {
                at = end + 1
            } else {
                output.append(text[at])
                at += 1
            }
        }
    }
}

import CConcordanceXML

/// Converts a text from an encoding to UTF-8, piece by piece, with libxml2, which knows the encodings of the system's iconv.
final class CharacterConverter {
    private let handler: xmlCharEncodingHandlerPtr
    private let input: xmlBufferPtr
    private let output: xmlBufferPtr

    private static let startLibrary: Void = xmlInitParser()
    private static let pieceBytes = 64 << 10
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Encodings that stand for others with more characters, as on the web (https://encoding.spec.whatwg.org/#names-and-labels).
    private static let supersets = [
        "iso-8859-1": "windows-1252", "iso8859-1": "windows-1252", "latin1": "windows-1252",
        "iso-8859-9": "windows-1254", "tis-620": "cp874", "iso-8859-11": "cp874", "shift_jis": "cp932",
        "big5": "big5-hkscs", "gb2312": "gb18030", "gbk": "gb18030", "euc-kr": "cp949", "ks_c_5601-1987": "cp949",
        "uhc": "cp949",
        // Ukrainian's letters in place of eight that draw boxes.
        "koi8-r": "koi8-u",
    ]

    /// - Parameter name: In small letters. Nil is returned if the encoding is unknown.
    init?(encoding name: String) {
        Self.startLibrary
        // Otherwise libxml2 would write messages about invalid bytes to standard error.
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        // The length and the characters of a name are limited because iconv also reads options in it.
        guard name.utf8.count <= 40, name.utf8.allSatisfy(Self.isNameByte),
            let handler = Self.supersets[name].flatMap({ xmlFindCharEncodingHandler($0) })
                ?? xmlFindCharEncodingHandler(name)
        else { return nil }
        guard let input = xmlBufferCreate(), let output = xmlBufferCreate() else {
            xmlCharEncCloseFunc(handler)
            return nil
        }
        self.handler = handler
        self.input = input
        self.output = output
    }

    deinit {
        xmlCharEncCloseFunc(handler)
        xmlBufferFree(input)
        xmlBufferFree(output)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte) || "-_.:".utf8.contains(byte)
    }

    /// Appends the text of the next bytes. Invalid ones become U+FFFD; part of a character waits for the rest of it.
    func convert(_ bytes: [UInt8], into text: inout [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
            let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
            _ = piece.withUnsafeBufferPointer { xmlBufferAdd(input, $0.baseAddress, Int32(clamping: $0.count)) }
            drain(into: &text)
        }
    }

    /// Ends the text: a character of which only a part has come becomes U+FFFD.
    func finish(into text: inout [UInt8]) {
        guard xmlBufferLength(input) > 0 else { return }
        xmlBufferEmpty(input)
        text.append(contentsOf: Self.replacement)
    }

    private func drain(into text: inout [UInt8]) {
        while xmlBufferLength(input) > 0 {
            let before = xmlBufferLength(input)
            let code = xmlCharEncInFunc(handler, output, input)
            if let content = xmlBufferContent(output) {
                text.append(contentsOf: UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(output))))
            }
            xmlBufferEmpty(output)
            if code == -2 {
                text.append(contentsOf: Self.replacement)
                guard xmlBufferShrink(input, 1) == 1 else { return }
            } else if xmlBufferLength(input) == before {
                return
            }
        }
    }
}

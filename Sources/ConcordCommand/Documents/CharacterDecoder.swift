import CConcordanceXML

/// Decodes texts whose encoding is declared, as in messages, with libxml2, which knows the encodings of the system's
/// iconv.
enum CharacterDecoder {
    private static let startLibrary: Void = xmlInitParser()
    private static let pieceBytes = 64 << 10

    /// The text of bytes in the encoding of that name, as clean UTF-8. The encoding is guessed from the bytes if it is
    /// unknown or not named.
    static func text(_ bytes: [UInt8], encoding name: String?) -> [UInt8] {
        guard let name = name?.trimmingSpaces().lowercased(), !name.isEmpty, !isUTF8(name),
            let converted = convert(bytes, from: name)
        else { return guess(bytes) }
        return TextStream.clean(converted)
    }

    private static func isUTF8(_ name: String) -> Bool {
        ["utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968", "unknown-8bit", "x-unknown", "default"].contains(name)
    }

    private static func guess(_ bytes: [UInt8]) -> [UInt8] {
        guard let stream = try? TextStream(MemoryStream([bytes]), beginning: bytes),
            let text = try? stream.whole(limit: .max)
        else { return TextStream.clean(bytes) }
        return text
    }

    private static func convert(_ bytes: [UInt8], from name: String) -> [UInt8]? {
        startLibrary
        // Otherwise libxml2 would write messages about invalid bytes to standard error.
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        // In practice Latin-1 means windows-1252. The length and the characters of a name are limited because iconv
        // also reads options in it.
        let name = ["iso-8859-1", "latin1", "iso8859-1"].contains(name) ? "windows-1252" : name
        guard name.utf8.count <= 40, name.utf8.allSatisfy(isNameByte), let handler = xmlFindCharEncodingHandler(name),
            let input = xmlBufferCreate(), let output = xmlBufferCreate()
        else { return nil }
        defer {
            xmlCharEncCloseFunc(handler)
            xmlBufferFree(input)
            xmlBufferFree(output)
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
            let piece = bytes[start..<min(start + pieceBytes, bytes.count)]
            _ = piece.withUnsafeBufferPointer { xmlBufferAdd(input, $0.baseAddress, Int32(clamping: $0.count)) }
            drain(input, through: handler, into: output, &text, atEnd: start + pieceBytes >= bytes.count)
        }
        return text
    }

    /// Converts the bytes in `input`; invalid ones become U+FFFD.
    private static func drain(
        _ input: xmlBufferPtr, through handler: xmlCharEncodingHandlerPtr, into output: xmlBufferPtr,
        _ text: inout [UInt8], atEnd: Bool
    ) {
        while xmlBufferLength(input) > 0 {
            let before = xmlBufferLength(input)
            let code = xmlCharEncInFunc(handler, output, input)
            if let content = xmlBufferContent(output) {
                text.append(contentsOf: UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(output))))
            }
            xmlBufferEmpty(output)
            if code == -2 {
                text.append(contentsOf: [0xEF, 0xBF, 0xBD])
                guard xmlBufferShrink(input, 1) == 1 else { return }
            } else if xmlBufferLength(input) == before {
                // Part of a character, which the next piece completes.
                if atEnd { text.append(contentsOf: [0xEF, 0xBF, 0xBD]) }
                return
            }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte) || "-_.:".utf8.contains(byte)
    }
}

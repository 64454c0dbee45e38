/// Decodes texts whose encoding is declared, as in messages.
enum CharacterDecoder {
    /// The text of bytes in the encoding of that name, as clean UTF-8. The encoding is guessed from the bytes if it is
    /// unknown or not named.
    static func text(_ bytes: [UInt8], encoding name: String?) -> [UInt8] {
        guard let converter = legacyEncoding(named: name ?? "")?.converter else { return guess(bytes) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        converter.convert(bytes, into: &text)
        converter.finish(into: &text)
        return TextStream.clean(text)
    }

    /// An encoding from before Unicode by a name that `CharacterConverter` knows; nil if it is unknown, or UTF-8 is meant.
    static func legacyEncoding(named label: String) -> (name: String, converter: CharacterConverter)? {
        let name = label.trimmingSpaces().lowercased()
        return isUTF8(name) ? nil : CharacterConverter(encoding: name).map { (name, $0) }
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
}

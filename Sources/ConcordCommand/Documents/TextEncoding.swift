/// The encoding of a text's characters.
enum TextEncoding: Equatable, Sendable {
    case utf8, utf16LittleEndian, utf16BigEndian
    /// One from before Unicode, as `EncodingGuess` names it.
    case legacy(String)

    /// Detects the encoding, and the length of a byte order mark, from the first bytes of a file: all of them, or enough
    /// (`PeekedStream.beginningBytes`).
    ///
    /// - Throws: `ExtractionProblem.binary` if they are not text.
    static func detect(_ sample: [UInt8]) throws -> (encoding: TextEncoding, mark: Int) {
        if sample.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if sample.starts(with: [0xFF, 0xFE, 0, 0]) { throw ExtractionProblem.binary("UTF-32") }
        if sample.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if sample.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if let format = BinaryFormat.name(of: sample) { throw ExtractionProblem.binary(format) }

        let counts = ByteCounts(sample)
        // ASCII characters in UTF-16 have every other byte zero.
        if counts.oddZeros * 10 > sample.count * 2, counts.evenZeros * 20 < counts.oddZeros {
            return (.utf16LittleEndian, 0)
        }
        if counts.evenZeros * 10 > sample.count * 2, counts.oddZeros * 20 < counts.evenZeros {
            return (.utf16BigEndian, 0)
        }
        // Logs may have stray NULs and control characters; in compressed or compiled data a tenth of the bytes are
        // such.
        if counts.controls > 2, counts.controls * 200 > sample.count {
            throw ExtractionProblem.binary("control characters")
        }
        let isUTF8 = counts.invalidSequences == 0 || counts.multibyteSequences > 4 * counts.invalidSequences
        if isUTF8, counts.multibyteSequences == 0, let name = EncodingGuess.escapedEncoding(of: sample) {
            return (.legacy(name), 0)
        }
        return (isUTF8 ? .utf8 : .legacy(EncodingGuess.encoding(of: sample)), 0)
    }
}

/// The counts that tell the encodings apart.
private struct ByteCounts {
    var evenZeros = 0
    var oddZeros = 0
    var controls = 0
    var multibyteSequences = 0
    var invalidSequences = 0

    init(_ sample: [UInt8]) {
        sample.withUnsafeBufferPointer { bytes in
            var at = 0
            while at < bytes.count {
                let byte = bytes[at]
                if byte < 0x80 {
                    if byte == 0 {
                        if at & 1 == 0 { evenZeros += 1 } else { oddZeros += 1 }
                    }
                    if byte < 32, !ByteCounts.isTextControl(byte) { controls += 1 }
                    at += 1
                    continue
                }
                switch UTF8Sequence(bytes, at: at) {
                case .valid(let length):
                    multibyteSequences += 1
                    at += length
                case .invalid:
                    invalidSequences += 1
                    at += 1
                case .incomplete:
                    // In a text that is cut off, or in a sample of one. An accent that is not UTF-8 may end a text, too.
                    if multibyteSequences == 0, bytes.count < PeekedStream.beginningBytes { invalidSequences += 1 }
                    return
                }
            }
        }
    }

    /// Backspace, tab, line feed, vertical tab, form feed, carriage return, escape.
    private static func isTextControl(_ byte: UInt8) -> Bool { (8...13).contains(byte) || byte == 27 }
}

/// The sequence of UTF-8 that begins with a byte of 0x80 or more (Unicode, table 3-7).
enum UTF8Sequence: Equatable {
    case valid(length: Int)
    case invalid
    /// The bytes end within the sequence.
    case incomplete

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        let lead = bytes[start]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default:
            self = .invalid
            return
        }
        for offset in 1..<length {
            guard start + offset < bytes.count else {
                self = .incomplete
                return
            }
            let allowed = offset == 1 ? second : 0x80...0xBF
            guard allowed.contains(bytes[start + offset]) else {
                self = .invalid
                return
            }
        }
        self = .valid(length: length)
    }
}

/// Formats that are not text, by their first bytes. The list has the most common ones; others are recognized by their
/// control characters.
enum BinaryFormat {
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0x7F, 0x45, 0x4C, 0x46], "ELF"), ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"),
        (Array("GIF8".utf8), "GIF"), (Array("PK\u{3}\u{4}".utf8), "ZIP"), ([0x1F, 0x8B], "gzip"),
        (Array("BZh".utf8), "bzip2"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
        ([0x37, 0x7A, 0xBC, 0xAF], "7-Zip"), (Array("SQLite format 3\0".utf8), "SQLite"), (Array("RIFF".utf8), "RIFF"),
        ([0xCA, 0xFE, 0xBA, 0xBE], "Java class or Mach-O"), ([0xCF, 0xFA, 0xED, 0xFE], "Mach-O"),
        ([0, 0x61, 0x73, 0x6D], "WebAssembly"), (Array("OggS".utf8), "Ogg"), (Array("fLaC".utf8), "FLAC"),
        (Array("ID3".utf8), "MP3"), ([0x49, 0x49, 0x2A, 0], "TIFF"), ([0x4D, 0x4D, 0, 0x2A], "TIFF"),
        (Array("wOFF".utf8), "WOFF"), (Array("wOF2".utf8), "WOFF2"), (Array("%!PS".utf8), "PostScript"),
        ([0xDE, 0x12, 0x04, 0x95], "gettext catalogue"), ([0x95, 0x04, 0x12, 0xDE], "gettext catalogue"),
        ([0xD0, 0xCF, 0x11, 0xE0], "an older or encrypted Office file"), (Array("{\\rtf".utf8), "RTF"),
        (Array("!<arch>".utf8), "archive"), (Array("%PDF-".utf8), "PDF"),
    ]

    /// Pictures that may have text in them.
    static func isImage(_ beginning: ArraySlice<UInt8>) -> Bool {
        let name = name(of: Array(beginning.prefix(16)))
        if name == "RIFF" { return beginning.dropFirst(8).starts(with: Array("WEBP".utf8)) }
        return ["PNG", "JPEG", "GIF", "TIFF"].contains(name)
    }

    static func name(of beginning: [UInt8]) -> String? {
        signatures.first { beginning.starts(with: $0.bytes) }?.name
    }
}

import CConcordanceCharset

/// Guesses which encoding from before Unicode a text has, with uchardet.
enum EncodingGuess {
    /// What the web calls Latin-1: ISO 8859-1 with printable characters in place of the C1 controls
    /// (https://encoding.spec.whatwg.org/#legacy-single-byte-encodings).
    static let western = "windows-1252"

    /// Enough to tell languages apart.
    private static let sampleBytes = 256 << 10

    /// Encodings of languages in Latin script that uchardet recognizes reliably. It also names others (ISO 8859-13, IBM 852,
    /// VISCII…), mostly for texts in western languages with few accents, such as Italian.
    private static let latin: Set<String> = ["ISO-8859-2", "WINDOWS-1250", "ISO-8859-9", "WINDOWS-1254"]

    /// Encodings in which most characters are not ASCII, or take two bytes.
    private static let others: Set<String> = [
        "WINDOWS-1251", "KOI8-R", "ISO-8859-5", "IBM855", "IBM866", "MAC-CYRILLIC", "WINDOWS-1253", "ISO-8859-7",
        "WINDOWS-1255", "ISO-8859-8", "WINDOWS-1256", "ISO-8859-6", "TIS-620", "ISO-8859-11", "SHIFT_JIS", "EUC-JP",
        "GB18030", "BIG5", "EUC-TW", "EUC-KR", "UHC", "JOHAB",
    ]

    /// The encoding of bytes that are not UTF-8.
    static func encoding(of bytes: [UInt8]) -> String {
        let sample = bytes.prefix(sampleBytes)
        guard let name = name(sample) else { return western }
        if latin.contains(name) { return name }
        return others.contains(name) && hasRuns(sample) ? name : western
    }

    /// The encoding of bytes that are ASCII with escape sequences of ISO 2022; nil if they are not.
    static func escapedEncoding(of bytes: [UInt8]) -> String? {
        let sample = bytes.prefix(sampleBytes)
        guard sample.firstRange(of: [0x1B, UInt8(ascii: "$")]) != nil, let name = name(sample),
            name.hasPrefix("ISO-2022-")
        else { return nil }
        return name
    }

    private static func name(_ sample: ArraySlice<UInt8>) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let code = sample.withUnsafeBytes { bytes in
            uchardet_handle_data(detector, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        guard code == 0 else { return nil }
        uchardet_data_end(detector)
        return uchardet_get_charset(detector).map { String(cString: $0) }
    }

    /// Whether most bytes that are not ASCII are next to others, as in words of scripts other than Latin. An accent is mostly
    /// alone.
    private static func hasRuns(_ sample: ArraySlice<UInt8>) -> Bool {
        var (total, inRuns, run) = (0, 0, 0)
        func endRun() {
            total += run
            if run > 1 { inRuns += run }
            run = 0
        }
        for byte in sample {
            if byte < 0x80 { endRun() } else { run += 1 }
        }
        endRun()
        return inRuns * 2 > total
    }
}

/// Makes text safe for a terminal, and measures it.
enum TerminalText {
    /// The text on one line, without anything that a terminal would obey: control characters become spaces, and marks
    /// that change the direction of writing are removed, since they can disguise a line.
    static func line(_ text: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<32, 0x7F..<0xA0, 0x2028, 0x2029: result.append(" ")
            case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0xFEFF: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The number of columns of a character, by the East Asian widths of its parts (UAX #11). Terminals agree on that
    /// for most characters; see `isCertain`.
    static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        guard scalars.count > 1 else { return width(first) }
        // An emoji sequence, or a character that a selector turns into an emoji.
        if scalars.contains(where: {
            $0.value == 0xFE0F || $0.value == 0x200D || (0x1F1E6...0x1F1FF).contains($0.value)
        }),
            first.properties.isEmoji
        {
            return 2
        }
        return scalars.reduce(0) { $0 + width($1) }
    }

    /// Whether terminals agree on the width of a character: a letter with marks, or a single scalar below U+2E80 or
    /// wide.
    static func isCertain(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard scalars.count > 1 else { return scalars.first.map { $0.value < 0x2E80 || width($0) == 2 } ?? true }
        return scalars.dropFirst().allSatisfy { (0x300..<0x370).contains($0.value) }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 32 || scalar.value == 0xAD ? 0 : 1 }
        switch scalar.value {
        // Vowels and final consonants of Hangul, which join the consonant before them.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

    /// The beginning of `text` that fits into `columns` columns, with an ellipsis if it is cut.
    static func fitting(_ text: String, columns: Int) -> String {
        guard width(text) > columns else { return text }
        var result = ""
        var used = 0
        for character in text {
            let next = width(character)
            if used + next > columns - 1 { break }
            result.append(character)
            used += next
        }
        return result + "…"
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        let ranges = WideCharacterTables.ranges
        // The first range that ends at the character or later.
        var (low, high) = (0, ranges.count / 2)
        while low < high {
            let middle = (low + high) / 2
            if ranges[2 * middle + 1] < scalar.value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count / 2 && ranges[2 * low] <= scalar.value
    }
}

/// `12,345`: digits in groups of three.
func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { result += "," }
        result.append(digit)
    }
    return (number < 0 ? "-" : "") + result
}

/// `1 file`, `2 files`.
func counted(_ number: Int, _ noun: String) -> String { "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")" }

/// `0.42 ms`, `12 ms`, `3.4 s`, `2 min 5 s`.
func duration(_ seconds: Double) -> String {
    if seconds < 0.01 { return "\(rounded(seconds * 1000, digits: 2)) ms" }
    if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
    if seconds < 60 { return "\(rounded(seconds, digits: seconds < 10 ? 1 : 0)) s" }
    let whole = Int(min(seconds, 1e9).rounded())
    return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole % 3600 / 60) min"
}

/// A number with this many digits after the decimal point.
func rounded(_ value: Double, digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let whole = Int((abs(value) * Double(scale)).rounded())
    let fraction = String(whole % scale)
    let sign = value < 0 && whole > 0 ? "-" : ""
    if digits == 0 { return "\(sign)\(whole)" }
    return "\(sign)\(whole / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
}

/// Dates as documents write them, as seconds since 1970.
enum DocumentDate {
    /// ISO 8601 and its relatives: `2024`, `2024-05`, `2024-05-06`, `20240506T101112Z`, `2024-05-06 10:11:12+02:00`. A
    /// time without a zone is taken as UTC.
    static func iso(_ text: String) -> Int64? {
        var scanner = Scanner(text)
        guard let year = scanner.number(digits: 4) else { return nil }
        var fields = Fields(year: year)
        let separator: UInt8 = scanner.skip(UInt8(ascii: "-")) ? UInt8(ascii: "-") : 0
        if let month = scanner.number(digits: 2) {
            fields.month = month
            if separator != 0 { _ = scanner.skip(separator) }
            if let day = scanner.number(digits: 2) { fields.day = day }
        }
        if scanner.skip(UInt8(ascii: "T")) || scanner.skip(UInt8(ascii: " ")) {
            if let hour = scanner.number(digits: 2) { fields.hour = hour }
            _ = scanner.skip(UInt8(ascii: ":"))
            if let minute = scanner.number(digits: 2) { fields.minute = minute }
            _ = scanner.skip(UInt8(ascii: ":"))
            if let second = scanner.number(digits: 2) { fields.second = second }
            if scanner.skip(UInt8(ascii: ".")) { while scanner.number(digits: 1) != nil {} }
            fields.offset = scanner.offset()
        }
        return fields.seconds
    }

    /// The dates in headers of messages (RFC 5322, 3.3), with the obsolete forms: `Tue, 1 Jul 2003 10:52:37 +0200
    /// (CEST)`, and in the lines between the messages of a mailbox: `Tue Jul  1 10:52:37 2003`.
    static func message(_ text: String) -> Int64? {
        var fields: Fields?
        var year: Int?
        var day: Int?
        var month: Int?
        var time: (Int, Int, Int)?
        var offset = 0
        for word in text.prefix(200).split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
            if word.hasPrefix("(") { break }
            if word.contains(":"), time == nil {
                let parts = word.split(separator: ":").map { Int($0) ?? -1 }
                guard parts.count >= 2 else { return nil }
                time = (parts[0], parts[1], parts.count > 2 ? parts[2] : 0)
            } else if let index = months.firstIndex(of: word.prefix(3).lowercased()), month == nil, word.count >= 3 {
                month = index + 1
            } else if word.first == "+" || word.first == "-" {
                var scanner = Scanner(String(word))
                offset = scanner.offset()
            } else if let number = Int(word) {
                if day == nil, (1...31).contains(number) {
                    day = number
                } else if year == nil, number >= 0 {
                    // Two-digit years, as old mail programs wrote them.
                    year = number < 50 ? 2000 + number : number < 1000 ? 1900 + number : number
                }
            }
        }
        if let year, let month, let day {
            fields = Fields(
                year: year, month: month, day: day, hour: time?.0 ?? 0, minute: time?.1 ?? 0, second: time?.2 ?? 0,
                offset: offset)
        }
        return fields?.seconds
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private struct Fields {
        var year: Int
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        /// Minutes that the time is ahead of UTC.
        var offset = 0

        var seconds: Int64? {
            guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...24).contains(hour),
                (0...59).contains(minute), (0...60).contains(second)
            else { return nil }
            // Days since 1970 of a date in the Gregorian calendar; years begin in March so that leap days come last.
            let shifted = month > 2 ? year : year - 1
            let era = shifted / 400
            let yearOfEra = shifted - era * 400
            let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
            let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
            return Int64(days * 86_400 + hour * 3600 + minute * 60 + second - offset * 60)
        }
    }

    private struct Scanner {
        private let bytes: [UInt8]
        private var at = 0

        init(_ text: String) { bytes = Array(text.utf8.prefix(200).drop { $0 <= 32 }) }

        mutating func number(digits: Int) -> Int? {
            var value = 0
            guard at + digits <= bytes.count else { return nil }
            for byte in bytes[at..<at + digits] {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            at += digits
            return value
        }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard at < bytes.count, bytes[at] == byte else { return false }
            at += 1
            return true
        }

        /// `Z`, `+02:00`, `+0200`, `+02` in minutes.
        mutating func offset() -> Int {
            let isAhead = skip(UInt8(ascii: "+"))
            guard isAhead || skip(UInt8(ascii: "-")), let hours = number(digits: 2), hours < 24 else { return 0 }
            _ = skip(UInt8(ascii: ":"))
            let minutes = number(digits: 2).map { min($0, 59) } ?? 0
            return (isAhead ? 1 : -1) * (hours * 60 + minutes)
        }
    }
}

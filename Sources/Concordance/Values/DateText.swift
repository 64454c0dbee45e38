/// Dates in the text form that SQLite's own date functions read and write: `yyyy-MM-dd HH:mm:ss.SSS`, in UTC.
///
/// It needs no `DateFormatter` and no calendar: the proleptic Gregorian day count is arithmetic (the algorithms
/// `days_from_civil` and `civil_from_days` of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"), so a date
/// costs tens of nanoseconds. The texts sort in the order of the dates.
enum DateText {
    /// The instants that the text form covers, in milliseconds since 1970: years 0000 to 9999, as in SQLite.
    static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The text of an instant within `range`; nil outside.
    static func format(millisecondsSince1970 milliseconds: Int64) -> String? {
        guard range.contains(milliseconds) else { return nil }
        let dayLength: Int64 = 86_400_000
        let days = (milliseconds - floorMod(milliseconds, dayLength)) / dayLength
        let time = Int(floorMod(milliseconds, dayLength))
        let (year, month, day) = civil(fromDays: Int(days))
        return String(unsafeUninitializedCapacity: 23) { buffer in
            var writer = DigitWriter(buffer: buffer)
            writer.put(year, digits: 4, then: "-")
            writer.put(month, digits: 2, then: "-")
            writer.put(day, digits: 2, then: " ")
            writer.put(time / 3_600_000, digits: 2, then: ":")
            writer.put(time / 60_000 % 60, digits: 2, then: ":")
            writer.put(time / 1000 % 60, digits: 2, then: ".")
            writer.put(time % 1000, digits: 3, then: nil)
            return writer.count
        }
    }

    /// The instant that a text names, in seconds since 1970; nil if it names none.
    ///
    /// Accepts those of SQLite's time strings that contain a date: `yyyy-MM-dd`, optionally followed by a space or `T`
    /// and `HH:mm`, `:ss`, a fraction of any length (nine digits count), and a zone, `Z` or `±HH:mm`. Without a zone
    /// the text is in UTC.
    static func parse(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = DigitReader(bytes: bytes)
            return reader.instant()
        }
    }

    /// The number of days from 1970-01-01 to a date of the Gregorian calendar.
    static func days(fromYear year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func floorMod(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

/// Writes zero-padded decimal numbers into a buffer that its caller has made large enough.
private struct DigitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func put(_ number: Int, digits: Int, then separator: Unicode.Scalar?) {
        var rest = number
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            buffer[place] = UInt8(truncatingIfNeeded: 48 + rest % 10)
            rest /= 10
        }
        count += digits
        if let separator {
            buffer[count] = UInt8(truncatingIfNeeded: separator.value)
            count += 1
        }
    }
}

/// Reads a time string byte by byte; every read checks the end of the text.
private struct DigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func instant() -> Double? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, in: year)
        else { return nil }
        let midnight = DateText.days(fromYear: year, month: month, day: day) * 86_400
        if isAtEnd { return Double(midnight) }
        guard skip(" ") || skip("T"), let clock = clock() else { return nil }
        guard let offset = zone(), isAtEnd else { return nil }
        let seconds = midnight + clock.seconds - offset
        // Up to milliseconds the sum is an exact integer, so the quotient is the double nearest to the text.
        guard clock.digits > 3 else {
            let scale = [1, 10, 100, 1000][clock.digits]
            return Double(seconds * scale + clock.fraction) / Double(scale)
        }
        var scale = 1.0
        for _ in 0..<clock.digits { scale *= 10 }
        return Double(seconds) + Double(clock.fraction) / scale
    }

    /// `HH:mm[:ss[.fraction]]` as seconds, and the first nine digits of the fraction.
    private mutating func clock() -> (seconds: Int, fraction: Int, digits: Int)? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60
        else { return nil }
        var result = (seconds: hour * 3600 + minute * 60, fraction: 0, digits: 0)
        guard skip(":") else { return result }
        guard let second = number(digits: 2), second < 60 else { return nil }
        result.seconds += second
        guard skip(".") else { return result }
        guard let first = digit() else { return nil }
        (result.fraction, result.digits) = (first, 1)
        while let next = digit() {
            guard result.digits < 9 else { continue }
            result.fraction = result.fraction * 10 + next
            result.digits += 1
        }
        return result
    }

    /// Seconds east of UTC; 0 if the text names no zone, nil if what follows is not a zone.
    private mutating func zone() -> Int? {
        while skip(" ") {}
        if isAtEnd { return 0 }
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hour = number(digits: 2), hour <= 14, skip(":"), let minute = number(digits: 2),
            minute < 60
        else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard position < bytes.count, UInt32(bytes[position]) == scalar.value else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int? {
        guard position < bytes.count, case 48...57 = bytes[position] else { return nil }
        defer { position += 1 }
        return Int(bytes[position]) - 48
    }

    private mutating func number(digits: Int) -> Int? {
        var result = 0
        for _ in 0..<digits {
            guard let next = digit() else { return nil }
            result = result * 10 + next
        }
        return result
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

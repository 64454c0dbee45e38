import Concordance
import Foundation

/// What documents are filtered, counted and ordered by.
struct DocumentValues: Equatable, Sendable {
    var kind: String?
    /// The folder below the root in which the file lies, at whatever depth; the root's own where it lies there.
    var folder: String?
    /// Of `modified`, in Greenwich.
    var year: Int64
    /// Seconds since 1970.
    var modified: Int64
    /// The tag of the language: `en`, `de`; nil where it is not known.
    var language: String?

    init(stamp: FileStamp) {
        modified = Self.seconds(nanoseconds: stamp.modified)
        year = Self.year(of: modified)
    }

    /// Those of one of the documents, which may say itself what it is and when it was written.
    func of(_ document: Document) -> DocumentValues {
        var values = self
        if let kind = document.kind { values.kind = kind.rawValue }
        if let date = document.date {
            values.modified = date
            values.year = Self.year(of: date)
        }
        values.language = hasLanguage(document.kind) ? DocumentLanguage.of(document) : nil
        return values
    }

    /// Whether documents of the file are in a language: not lists, and not what programs read.
    var hasLanguage: Bool { hasLanguage(nil) }

    private func hasLanguage(_ kind: DocumentKind?) -> Bool {
        guard let kind = kind ?? self.kind.flatMap(DocumentKind.init) else { return true }
        switch kind {
        case .code, .csv, .jsonl, .json, .xml, .log, .spreadsheet, .contact, .calendar: return false
        default: return true
        }
    }

    static func seconds(nanoseconds: Int64) -> Int64 { Int64((Double(nanoseconds) / 1e9).rounded(.down)) }

    /// Those of the documents in a parcel. What kind they are is known from the last parcel of a file on.
    init(_ parcel: Parcel) {
        self.init(stamp: parcel.candidate.stamp)
        folder = Self.folder(of: parcel.candidate.path, relativePath: parcel.candidate.relativePath)
        if case .indexed(let summary) = parcel.ending {
            self.init(stamp: summary.stamp, kind: summary.kind.rawValue, folder: folder)
        }
    }

    private init(stamp: FileStamp, kind: String, folder: String?) {
        self.init(stamp: stamp)
        self.kind = kind
        self.folder = folder
    }

    subscript(name: String) -> DatabaseValue {
        switch name {
        case "kind": kind.map { .text($0) } ?? .null
        case "folder": folder.map { .text($0) } ?? .null
        case "year": .int64(year)
        case "modified": .int64(modified)
        case "language": language.map { .text($0) } ?? .null
        default: .null
        }
    }

    /// In the order of `IndexFile.valueNames`.
    var databaseValues: [DatabaseValue] { IndexFile.valueNames.map { self[$0] } }

    static func folder(of path: String, relativePath: String) -> String {
        let base = path.hasSuffix(relativePath) ? path.dropLast(relativePath.count) : path[...]
        if let slash = relativePath.firstIndex(of: "/") { return String(base + relativePath[..<slash]) }
        return base.count > 1 && base.hasSuffix("/") ? String(base.dropLast()) : String(base)
    }

    static func year(of seconds: Int64) -> Int64 {
        CivilDate(days: seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)).year
    }
}

/// A day of the Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013).
struct CivilDate: Equatable, Sendable {
    var year: Int64
    var month: Int
    var day: Int

    /// - Parameter days: Since the first of January 1970.
    init(days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Years of the algorithm begin in March, so that the leap day is their last one.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

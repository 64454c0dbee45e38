import Concordance
import Foundation

/// The values by which documents are filtered, counted and ordered.
struct DocumentValues: Equatable, Sendable {
    var kind: String?
    /// The folder directly below the root that contains the file, at any depth; the root itself if the file is directly
    /// in it.
    var folder: String?
    /// The year of `modified`, in UTC.
    var year: Int64
    /// Seconds since 1970.
    var modified: Int64
    /// The tag of the language, such as `en` or `de`; nil if it is not known.
    var language: String?

    init(stamp: FileStamp) {
        modified = Self.seconds(nanoseconds: stamp.modified)
        year = Self.year(of: modified)
    }

    /// The values of one of the file's documents, which may state its own kind and date.
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

    /// Whether documents of the file have a language. Lists and data for programs do not.
    var hasLanguage: Bool { hasLanguage(nil) }

    private func hasLanguage(_ kind: DocumentKind?) -> Bool {
        guard let kind = kind ?? self.kind.flatMap(DocumentKind.init) else { return true }
        switch kind {
        case .code, .csv, .jsonl, .json, .xml, .log, .spreadsheet, .contact, .calendar: return false
        default: return true
        }
    }

    static func seconds(nanoseconds: Int64) -> Int64 { Int64((Double(nanoseconds) / 1e9).rounded(.down)) }

    /// The values of the documents in a parcel. The kind of a file is known only from its last parcel.
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

    /// The values, in the order of `IndexFile.valueNames`.
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

    /// - Parameter days: Days since 1 January 1970.
    init(days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // In the algorithm, years begin in March, so that the leap day is the last day of a year.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

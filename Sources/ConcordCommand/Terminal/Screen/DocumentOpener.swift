import Concordance
import Foundation

/// Opens documents with the programs of the environment: texts in the editor, and what an editor cannot show, such as PDF or
/// what lies in an archive, as text in the pager.
struct DocumentOpener: Sendable {
    private let service: SearchService
    private let environment: [String: String]

    /// Bytes of a document's text that the pager gets.
    private static let mostPaged = 64 << 20

    init(_ service: SearchService, environment: [String: String]) {
        self.service = service
        self.environment = environment
    }

    /// What a program is run with.
    enum Opening: Equatable, Sendable {
        case file(ExternalProgram, [String])
        case text(ExternalProgram, [String], [UInt8])
    }

    /// - Throws: `ScreenProblem`, `HTTPProblem` or `DatabaseError`.
    func opening(of place: DocumentPlace, with program: OpeningProgram) throws -> Opening {
        let file = try service.file(of: place.id)
        guard program == .editor, place.path == file else { return try paged(place) }
        guard access(file, R_OK) == 0 else {
            throw ScreenProblem(
                text: "\(file) is no longer there, or may not be read; bring the index up to date: concord index")
        }
        guard SourceLines.isText(file) else { return try paged(place) }
        guard let editor = ExternalProgram.editor(environment) else {
            throw ScreenProblem(text: "there is no editor; name one in EDITOR")
        }
        return .file(editor, editor.arguments(path: file, line: Self.line(of: place, in: file)))
    }

    private func paged(_ place: DocumentPlace) throws -> Opening {
        guard let pager = ExternalProgram.pager(environment) else {
            throw ScreenProblem(text: "there is no pager; name one in PAGER")
        }
        var bytes: [UInt8] = []
        var from: String?
        repeat {
            let part = try service.document(place.id, table: nil, text: "", from: from).part
            for column in part.columns { bytes += Self.harmless(column.text) }
            from = part.next
        } while from != nil && bytes.count < Self.mostPaged
        let line = place.lineOffset.map { $0 + 1 }
        let arguments = pager.name == "less" ? line.map { ["+\($0)g"] } ?? [] : []
        return .text(pager, arguments, bytes)
    }

    /// A text without what a terminal would obey, should the pager pass it on.
    private static func harmless(_ text: String) -> [UInt8] {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 9, 10: result.append(scalar)
            case 0..<32, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: continue
            default: result.append(scalar)
            }
        }
        return Array(String(result).utf8)
    }

    /// The line of a file, from 1, on which a place of its document is. What was taken from the file may have lost markup and
    /// lines; so the line is looked for that has most of the place's words, the nearest to where it would be.
    private static func line(of place: DocumentPlace, in file: String) -> Int? {
        guard let offset = place.lineOffset, let context = place.context else { return place.firstLine }
        let estimate = (place.firstLine ?? 1) + offset
        return SourceLines(file: file)?.nearest(to: estimate, with: context) ?? estimate
    }
}

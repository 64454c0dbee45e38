import Concordance
import Foundation

/// Opens documents in the programs that the environment names: texts in the editor; what an editor cannot show, such as
/// a PDF or a file in an archive, as text in the pager.
struct DocumentOpener: Sendable {
    private let service: SearchService
    private let environment: [String: String]

    /// The most bytes of a document's text that the pager gets.
    private static let mostPaged = 64 << 20

    init(_ service: SearchService, environment: [String: String]) {
        self.service = service
        self.environment = environment
    }

    /// How a program is run.
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
                text: "\(file) no longer exists or cannot be read; bring the index up to date: concord index")
        }
        guard SourceLines.isText(file) else { return try paged(place) }
        guard let editor = ExternalProgram.editor(environment) else {
            throw ScreenProblem(text: "no editor found; set EDITOR to one")
        }
        return .file(editor, editor.arguments(path: file, line: Self.line(of: place, in: file)))
    }

    private func paged(_ place: DocumentPlace) throws -> Opening {
        guard let pager = ExternalProgram.pager(environment) else {
            throw ScreenProblem(text: "no pager found; set PAGER to one")
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

    /// A text without anything that a terminal would obey, in case the pager passes it on.
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

    /// The line of the file, from 1, with this place of its document. Extracted text may lack markup and lines of the
    /// file, so this is the line with the most words of the place, and of several the one closest to where it should
    /// be.
    private static func line(of place: DocumentPlace, in file: String) -> Int? {
        guard let offset = place.lineOffset, let context = place.context else { return place.firstLine }
        let estimate = (place.firstLine ?? 1) + offset
        return SourceLines(file: file)?.nearest(to: estimate, with: context) ?? estimate
    }
}

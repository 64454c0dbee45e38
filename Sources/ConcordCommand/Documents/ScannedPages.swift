import Foundation

/// The text of scanned pages: those of a PDF that have none are drawn by poppler's `pdftoppm` and read by `tesseract`.
enum ScannedPages {
    /// Replaces the pages without text, as far as the limits allow; a remark says what was left out.
    static func recognize(_ pages: inout [[UInt8]], of path: String, in extraction: Extraction) {
        guard let tesseract = extraction.converters.tesseract else { return }
        let blank = pages.indices.filter { !pages[$0].contains { $0 > 32 } }
        guard !blank.isEmpty else { return }
        guard let painter = extraction.converters.pdfToImage else {
            return extraction.endEarly(.converterMissing("pdftoppm (poppler)"))
        }
        let limit = extraction.limits.recognizedPages
        if blank.count > limit { extraction.endEarly(.converter("more than \(limit) pages without text")) }
        do {
            for index in blank.prefix(limit) {
                pages[index] = try text(ofPage: index + 1, of: path, painter, tesseract, in: extraction)
            }
        } catch let problem as ExtractionProblem {
            extraction.endEarly(problem)
        } catch {
            extraction.endEarly(.unreadable("\(error)"))
        }
    }

    private static func text(
        ofPage number: Int, of path: String, _ painter: String, _ tesseract: String, in extraction: Extraction
    ) throws -> [UInt8] {
        let base = NSTemporaryDirectory()
        var template = Array("\(base.hasSuffix("/") ? base : base + "/")concord-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ExtractionProblem.unreadable("no temporary folder: \(systemMessage())")
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // However large a page says it is, its picture is not.
        _ = try extraction.convert(
            painter,
            [
                "-q", "-f", "\(number)", "-l", "\(number)", "-singlefile", "-gray", "-png", "-scale-to",
                "\(extraction.limits.recognizedPixels)", path, folder + "/page",
            ])
        return TextStream.clean(try extraction.convert(tesseract, [folder + "/page.png", "-"]))
    }
}

/// The binary formats of Word, Excel and PowerPoint up to 2003, read with the programs of catdoc, or with `antiword`.
enum LegacyOfficeText {
    /// The beginning of compound files ([MS-CFB] 2.2).
    static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    /// What a compound file with this suffix is; nil for other programs' files.
    static func kind(suffix: String) -> DocumentKind? {
        switch suffix {
        case "doc", "dot": .document
        case "xls", "xlt": .spreadsheet
        case "ppt", "pps", "pot": .presentation
        default: nil
        }
    }

    static func read(
        _ content: PeekedStream, kind: DocumentKind, _ input: Input, in extraction: Extraction, _ output: Output
    ) throws {
        let (program, name) =
            switch kind {
            case .spreadsheet: (extraction.converters.spreadsheetToText, "xls2csv (catdoc)")
            case .presentation: (extraction.converters.presentationToText, "catppt (catdoc)")
            default: (extraction.converters.wordToText, "catdoc or antiword")
            }
        guard let program else { throw ExtractionProblem.converterMissing(name) }
        try extraction.withFile(content, input) { path in
            let printed = try extraction.convert(program.path, program.options + [path])
            // They succeed whatever they are given.
            guard printed.contains(where: { $0 > 32 }) else {
                throw ExtractionProblem.converter("\(PathText.name(program.path)): found no text")
            }
            guard kind != .document else { return try output.write(TextStream.clean(printed), title: nil) }
            // Form feeds stand between sheets and between slides.
            try output.write(
                PageText.joined(PageText.pages(of: printed)), title: nil, Document(title: "", body: "", page: 1))
        }
    }
}

/// A program that prints the text of a file.
struct TextProgram: Equatable, Sendable {
    var path: String
    /// Before the file's path.
    var options: [String]

    /// The first of these that is there.
    static func first(of programs: [(name: String, options: [String])], path: String?) -> TextProgram? {
        for (name, options) in programs {
            if let found = Subprocess.find(name, path: path) { return TextProgram(path: found, options: options) }
        }
        return nil
    }
}

/// Pages as programs print them, with form feeds between them or after each.
enum PageText {
    /// The text of each page.
    static func pages(of printed: [UInt8]) -> [[UInt8]] {
        var pages = printed.split(separator: Document.pageBreak, omittingEmptySubsequences: false)
        if pages.last?.isEmpty ?? false { pages.removeLast() }
        return pages.map { TextStream.clean(Array($0)) }
    }

    /// The pages, without empty ones at the end, as the body of a document.
    static func joined(_ pages: [[UInt8]]) -> [UInt8] {
        let last = pages.lastIndex { page in page.contains { $0 > 32 } }
        return Array(pages.prefix(last.map { $0 + 1 } ?? 0).joined(separator: CollectionOfOne(Document.pageBreak)))
    }
}

extension Extraction {
    /// Reads content that is neither compressed nor empty.
    func read(_ content: PeekedStream, kind: DocumentKind, beginning: [UInt8], _ input: Input) throws {
        let output = output(for: kind, input)
        switch kind {
        case .archive: try ArchiveText.read(content, beginning: beginning, input, in: self)
        case .mail:
            if MailText.looksLikeMailbox(beginning[...]) {
                try MailText.readMailbox(content, input, in: self)
            } else {
                try MailText.read(content, input, in: self)
            }
        case .pdf: try PDFText.read(content, input, in: self, output)
        case .image: try ImageText.read(content, beginning: beginning, input, in: self, output)
        case .html:
            let page = try HTMLText(content.whole(limit: limits.wholeBytes))
            if let problem = page.problem { output.endEarly(problem) }
            try output.write(page.body, title: page.title.isEmpty ? input.name : page.title, page.metadata)
        case .book: try OfficeText.read(opened(content, input), kind: kind, output)
        case .document, .spreadsheet, .presentation:
            if beginning.starts(with: RTFText.signature) {
                try RTFText.read(content, output)
            } else if beginning.starts(with: ArchiveText.zipSignature) {
                try OfficeText.read(opened(content, input), kind: kind, output)
            } else if beginning.starts(with: LegacyOfficeText.signature) {
                try LegacyOfficeText.read(content, kind: kind, input, in: self, output)
            } else {
                try OpenDocumentText.read(flat: content, kind: kind, output)
            }
        case .xml: try XMLText.read(content, beginning: beginning, output)
        case .text, .code, .jsonl, .csv, .markdown, .man, .json, .notebook, .log, .rst, .org, .asciidoc, .latex,
            .subtitles, .contact, .calendar:
            try read(TextStream(content, beginning: beginning), kind: kind, output)
        }
    }

    private func opened(_ content: PeekedStream, _ input: Input) throws -> Package {
        try Package(input, content, limits: limits, allowance: allowance)
    }

    private func read(_ text: TextStream, kind: DocumentKind, _ output: Output) throws {
        let (name, emit) = (output.name, output.emit)
        switch kind {
        case .jsonl: try JSONLinesText.read(text, fileName: name, limits: limits, emit: emit)
        case .csv:
            let separator = name.lowercased().hasSuffix(".tsv") ? UInt8(ascii: "\t") : nil
            try CSVText.read(text, separator: separator, fileName: name, limits: limits, emit: emit)
        case .markdown:
            let page = MarkdownText(try text.whole(limit: limits.wholeBytes))
            try output.write(page.body, title: page.title ?? name, page.metadata)
        case .man:
            let page = ManualPage(try text.whole(limit: limits.wholeBytes), fileName: name)
            if let alias = page.alias { throw ExtractionProblem.alias(alias) }
            try output.write(page.body, title: page.title)
        case .code: try SourceCode.read(text, output)
        case .json: try PlainText.read(UnescapedJSON(text), title: name, fileName: name, limits: limits, emit: emit)
        case .notebook: try NotebookText.read(text, output)
        case .log: try PlainText.read(text, title: name, fileName: name, limits: limits, emit: emit)
        case .rst: try MarkupText.read(text, RestructuredText(), output)
        case .org: try MarkupText.read(text, OrgText(), output)
        case .asciidoc: try MarkupText.read(text, AsciiDocText(), output)
        case .latex: try MarkupText.read(text, LaTeXText(), output)
        case .subtitles: try MarkupText.read(text, SubtitleText(), output)
        case .contact: try ContactText.read(text, output)
        case .calendar: try CalendarText.read(text, output)
        default: try PlainText.read(text, title: nil, fileName: name, limits: limits, emit: emit)
        }
    }
}

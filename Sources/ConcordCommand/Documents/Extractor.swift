import Foundation

/// Takes the documents out of files.
struct Extractor: Sendable {
    var limits = ExtractionLimits()
    /// Where `pdftotext` is, if it is.
    var pdfConverter: String?

    /// What is known of a file once it is read.
    struct Summary: Equatable, Sendable {
        var kind: DocumentKind
        /// Of the bytes on disk.
        var hash: UInt64
        var stamp: FileStamp
    }

    /// Reads the file at `path` and emits its documents, in order; a long file's while it is being read.
    ///
    /// - Throws: `ExtractionProblem`, and what `emit` throws.
    func extract(_ path: String, emit: (Document) throws -> Void) throws -> Summary {
        let file = try FileStream(path: path, limit: limits.fileBytes)
        let (stream, name) = try unpack(file, name: Self.lastComponent(of: path))
        let beginning = try stream.next() ?? []
        let kind = DocumentKind(name: name, beginning: beginning[...])
        let content = PeekedStream(first: beginning, rest: stream)
        if !beginning.isEmpty {
            if kind == .pdf, name != Self.lastComponent(of: path) { throw ExtractionProblem.binary("PDF inside gzip") }
            try read(content, kind: kind, beginning: beginning, path: path, name: name, emit: emit)
        }
        // What a reader has left over counts for the hash.
        while try file.next() != nil {}
        guard file.isUnchanged, let hash = file.hash else { throw ExtractionProblem.changedWhileRead }
        return Summary(kind: kind, hash: hash, stamp: file.stamp)
    }

    /// The hash of a file's bytes and its stamp, without a look at what is in it.
    func fingerprint(_ path: String) throws -> (hash: UInt64, stamp: FileStamp) {
        let file = try FileStream(path: path, limit: limits.fileBytes)
        while try file.next() != nil {}
        guard file.isUnchanged, let hash = file.hash else { throw ExtractionProblem.changedWhileRead }
        return (hash, file.stamp)
    }

    private func unpack(_ file: FileStream, name: String) throws -> (any ByteStream, String) {
        guard let first = try file.next() else { return (file, name) }
        let whole = PeekedStream(first: first, rest: file)
        guard GzipStream.recognizes(first) else { return (whole, name) }
        let plain = [".gz", ".tgz", ".z"].first { name.lowercased().hasSuffix($0) }
        return (
            try GzipStream(whole, limit: limits.unpackedBytes), plain.map { String(name.dropLast($0.count)) } ?? name
        )
    }

    private func read(
        _ content: PeekedStream, kind: DocumentKind, beginning: [UInt8], path: String, name: String,
        emit: (Document) throws -> Void
    ) throws {
        switch kind {
        case .pdf: try readPDF(path, name: name, emit: emit)
        case .html:
            let page = try HTMLText(content.whole(limit: limits.wholeBytes))
            try PlainText.emit(page.body, title: page.title.isEmpty ? name : page.title, limits: limits, emit: emit)
        case .text, .code, .jsonl, .csv, .markdown, .man:
            let text = try TextStream(content, beginning: beginning)
            try read(text, kind: kind, name: name, emit: emit)
        }
    }

    private func read(
        _ text: TextStream, kind: DocumentKind, name: String, emit: (Document) throws -> Void
    ) throws {
        switch kind {
        case .jsonl: try JSONLinesText.read(text, fileName: name, limits: limits, emit: emit)
        case .csv:
            let separator = name.lowercased().hasSuffix(".tsv") ? UInt8(ascii: "\t") : nil
            try CSVText.read(text, separator: separator, fileName: name, limits: limits, emit: emit)
        case .markdown:
            let page = MarkdownText(try text.whole(limit: limits.wholeBytes))
            try PlainText.emit(page.body, title: page.title ?? name, limits: limits, emit: emit)
        case .man:
            let page = ManualPage(try text.whole(limit: limits.wholeBytes), fileName: name)
            if let alias = page.alias { throw ExtractionProblem.alias(alias) }
            try PlainText.emit(page.body, title: page.title, limits: limits, emit: emit)
        case .code: try PlainText.read(text, title: name, fileName: name, limits: limits, emit: emit)
        case .text, .html, .pdf: try PlainText.read(text, title: nil, fileName: name, limits: limits, emit: emit)
        }
    }

    private func readPDF(_ path: String, name: String, emit: (Document) throws -> Void) throws {
        guard let pdfConverter else { throw ExtractionProblem.converterMissing("pdftotext (poppler)") }
        // A leading slash, so that no name is taken for an option.
        let path = path.hasPrefix("/") ? path : "./" + path
        let output: [UInt8]
        do {
            output = try Subprocess.output(
                of: pdfConverter, ["-q", "-enc", "UTF-8", path, "-"], limit: limits.wholeBytes,
                seconds: limits.converterSeconds)
        } catch let failure as Subprocess.Failure {
            switch failure {
            case .cannotStart(let message): throw ExtractionProblem.converterMissing("pdftotext: \(message)")
            case .tookTooLong: throw ExtractionProblem.converter("no end after \(Int(limits.converterSeconds)) seconds")
            case .printedTooMuch: throw ExtractionProblem.tooLarge(limit: limits.wholeBytes)
            case .exited(let code): throw ExtractionProblem.converter("failed with \(code)")
            }
        }
        let text = TextStream.clean(output)
        try PlainText.emit(text, title: PlainText.heading(of: text) ?? name, limits: limits, emit: emit)
    }

    private static func lastComponent(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

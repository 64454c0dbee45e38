import Foundation

/// PDF, read with poppler's `pdftotext`, and with `pdfinfo` for the metadata.
enum PDFText {
    static func read(_ content: PeekedStream, _ input: Input, in extraction: Extraction, _ output: Output) throws {
        guard let converter = extraction.converters.pdfToText else {
            throw ExtractionProblem.converterMissing("pdftotext (poppler)")
        }
        try extraction.withFile(content, input) { path in
            let printed = try extraction.convert(converter, ["-q", "-enc", "UTF-8", path, "-"])
            let info = extraction.converters.pdfInfo.flatMap { program in
                try? extraction.convert(program, ["-isodates", "-enc", "UTF-8", path])
            }
            var pages = PageText.pages(of: printed)
            ScannedPages.recognize(&pages, of: path, in: extraction)
            let (title, common) = metadata(info ?? [])
            try output.write(PageText.joined(pages), title: title, common)
        }
    }

    /// The lines `Title:          Some words` of `pdfinfo`.
    static func metadata(_ printed: [UInt8]) -> (title: String?, common: Document) {
        var values: [String: String] = [:]
        for line in String(decoding: TextStream.clean(printed), as: UTF8.self).split(separator: "\n").prefix(100) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = String(line[line.index(after: colon)...]).trimmingSpaces()
            if !value.isEmpty { values[String(line[..<colon])] = values[String(line[..<colon])] ?? value }
        }
        var common = Document(title: "", body: "", page: 1)
        common.author = values["Author"]
        common.date = (values["CreationDate"] ?? values["ModDate"]).flatMap(DocumentDate.iso)
        var title = values["Title"] ?? ""
        // Word adds this; the rest is the name of the printed file.
        if title.hasPrefix("Microsoft Word - ") { title = String(title.dropFirst(17)) }
        let isNone = title.lowercased() == "untitled" || !title.contains(where: \.isLetter)
        return (isNone ? nil : title, common)
    }
}

/// The text in pictures, recognized by `tesseract`, if that is asked for.
enum ImageText {
    static func read(
        _ content: PeekedStream, beginning: [UInt8], _ input: Input, in extraction: Extraction, _ output: Output
    ) throws {
        guard let tesseract = extraction.converters.tesseract else {
            throw ExtractionProblem.binary(BinaryFormat.name(of: beginning) ?? "image")
        }
        try extraction.withFile(content, input) { path in
            let text = TextStream.clean(try extraction.convert(tesseract, [path, "-"]))
            guard text.contains(where: { $0 > 32 }) else { throw ExtractionProblem.binary("an image without text") }
            try output.write(text, title: input.name)
        }
    }
}

extension Extraction {
    /// Calls `body` with the path of a file that has the bytes of `content`.
    func withFile(_ content: PeekedStream, _ input: Input, _ body: (String) throws -> Void) throws {
        // A path that begins with `/` or `./` is never taken for an option.
        if let path = input.path { return try body(path.hasPrefix("/") ? path : "./" + path) }
        let folder = NSTemporaryDirectory()
        var template = Array("\(folder.hasSuffix("/") ? folder : folder + "/")concord-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ExtractionProblem.unreadable("no temporary file: \(systemMessage())") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { unlink(path) }
        var count = 0
        while let piece = try content.next() {
            count += piece.count
            if count > limits.wholeBytes { throw ExtractionProblem.tooLarge(limit: limits.wholeBytes) }
            do {
                try handle.write(contentsOf: piece)
            } catch {
                throw ExtractionProblem.unreadable("no room for a temporary file")
            }
        }
        try body(path)
    }

    /// How many times longer than one run all runs for a file may take.
    private static let mostRuns = 10.0

    /// The output of a program. All runs for one file and its entries share a time limit.
    func convert(_ program: String, _ arguments: [String]) throws -> [UInt8] {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        let used = Double(converterNanoseconds) / 1e9
        let left = limits.converterSeconds * Self.mostRuns - used
        guard left > 0 else { throw ExtractionProblem.converter("\(name): took too long for this file") }
        let start = DispatchTime.now().uptimeNanoseconds
        defer { converterNanoseconds += DispatchTime.now().uptimeNanoseconds - start }
        do {
            return try Subprocess.output(
                of: program, arguments, limit: limits.wholeBytes, seconds: min(limits.converterSeconds, left))
        } catch let failure as Subprocess.Failure {
            switch failure {
            case .cannotStart(let message): throw ExtractionProblem.converterMissing("\(name): \(message)")
            case .tookTooLong:
                throw ExtractionProblem.converter("\(name): no end after \(Int(limits.converterSeconds)) seconds")
            case .printedTooMuch: throw ExtractionProblem.tooLarge(limit: limits.wholeBytes)
            case .exited(let code): throw ExtractionProblem.converter("\(name): failed with \(code)")
            }
        }
    }
}

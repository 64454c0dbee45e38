/// What is being read: a file, or something inside one.
struct Input {
    /// The name of the file or entry, without its folders and without the suffix of a compression that has been undone.
    var name: String
    /// Its path inside the file; nil for the file itself.
    var entry: String?
    /// How many containers it is nested in.
    var depth = 0
    /// The path of a file on disk with exactly these bytes; nil for something inside a container.
    var path: String?

    /// The same input after decompression.
    func unpacked(_ suffixes: [String]) -> Input {
        var input = self
        let suffix = suffixes.first { name.lowercased().hasSuffix($0) }
        if let suffix, name.utf8.count > suffix.utf8.count { input.name = String(name.dropLast(suffix.count)) }
        input.path = nil
        input.depth += 1
        return input
    }

    /// An input inside this one.
    ///
    /// - Parameter path: Its path below this one, of at least one component.
    func inner(_ path: [String]) -> Input {
        Input(
            name: path.last ?? name, entry: ((entry.map { [$0] } ?? []) + path).joined(separator: "/"), depth: depth + 1
        )
    }
}

/// Receives the documents of an input.
struct Output {
    /// The name of a document that has no title of its own.
    let name: String
    let limits: ExtractionLimits
    /// Notes that the input was not read to its end.
    let endEarly: (ExtractionProblem) -> Void
    let emit: (Document) throws -> Void

    func writer(title: String?, countsLines: Bool = false, _ common: Document = Document(title: "", body: ""))
        -> DocumentWriter
    {
        DocumentWriter(
            title: title, fallbackTitle: name, common: common, countsLines: countsLines, limits: limits, emit: emit)
    }

    /// Emits a text that is in memory.
    func write(_ text: [UInt8], title: String?, _ common: Document = Document(title: "", body: "")) throws {
        let writer = writer(title: title, common)
        writer.append(text)
        try writer.finish()
    }
}

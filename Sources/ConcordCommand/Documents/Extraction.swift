/// Reads one file and everything inside it, on one thread.
final class Extraction {
    let limits: ExtractionLimits
    let converters: Converters
    let allowance: Allowance
    private let file: FileStream
    private let receive: (Document) throws -> Void
    private var documents = 0
    private var entries = 0
    private var refusedEntries = 0
    private var firstRefusal: String?
    private var binaryEntries = 0
    /// Why something was read only in part, and which entry; nil for the file itself.
    private var stop: (problem: ExtractionProblem, entry: String?)?
    var converterNanoseconds: UInt64 = 0

    /// The suffixes of compressed files, which their content loses with the compression.
    static let gzipSuffixes = [".gz", ".tgz", ".z"]
    static let otherSuffixes = [".xz", ".bz2", ".zst", ".txz", ".tbz", ".tbz2", ".tzst"]

    private static let longestTitle = 1000
    private static let longestName = 400

    init(_ extractor: Extractor, of file: FileStream, receive: @escaping (Document) throws -> Void) {
        limits = extractor.limits
        converters = extractor.converters
        self.file = file
        self.receive = receive
        allowance = Allowance(extractor.limits)
    }

    /// - Throws: `ExtractionProblem` if nothing of the file should be kept.
    func run(_ path: String) throws -> DocumentKind {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        do {
            let kind = try read(file, Input(name: name, path: path))
            if documents == 0, entries > 0, refusedEntries == 0, binaryEntries > 0 {
                throw ExtractionProblem.binary("nothing in it is text")
            }
            return kind
        } catch let exhausted as Exhausted {
            // What was read before the archive became too large is worth keeping; nothing of a bomb is.
            guard entries > 0, documents > 0, exhausted.problem != .bomb else { throw exhausted.problem }
            stop = (exhausted.problem, nil)
            return .archive
        }
    }

    /// What could not be read of the file, in words for people: `3 entries not read, such as a/b.docx: damaged: …`.
    var remark: String? {
        var parts: [String] = []
        if let stop { parts.append("read in part: \(stop.entry.map { "\($0): " } ?? "")\(stop.problem)") }
        if let firstRefusal {
            parts.append(
                refusedEntries == 1
                    ? "not read: \(firstRefusal)"
                    : "\(grouped(refusedEntries)) entries not read, such as \(firstRefusal)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Notes that a container, or one of its entries, was not read to its end.
    func endEarly(_ problem: ExtractionProblem, entry: String? = nil) { stop = stop ?? (problem, entry) }

    /// Reads the content of `stream`, including that of containers in it.
    func read(_ stream: any ByteStream, _ input: Input) throws -> DocumentKind {
        guard input.depth <= limits.depth else { throw ExtractionProblem.tooDeep(limit: limits.depth) }
        let (beginning, content) = try PeekedStream.beginning(of: stream)
        if GzipStream.recognizes(beginning) {
            let unpacked = CountedStream(try GzipStream(content, limit: limits.unpackedBytes), allowance)
            return try read(unpacked, input.unpacked(Self.gzipSuffixes))
        }
        if let compression = Compression(beginning) {
            let unpacked = try UnpackedStream(content, compression, allowance: allowance)
            return try read(unpacked, input.unpacked(Self.otherSuffixes))
        }
        let kind = DocumentKind(name: input.name, beginning: beginning[...])
        guard !beginning.isEmpty else { return kind }
        allowance.fileBytes = max(file.stamp.summableSize, file.count)
        try read(content, kind: kind, beginning: beginning, input)
        return kind
    }

    /// Reads an entry of a container. A problem with the entry is noted and does not affect the container.
    func readEntry(_ stream: any ByteStream, _ input: Input) throws {
        do {
            _ = try read(stream, input)
        } catch let problem as ExtractionProblem {
            refuse(input, problem)
        }
    }

    /// - Returns: False when the limit of entries is reached.
    func openEntry() -> Bool {
        guard allowance.openEntry() else {
            endEarly(.tooMany(limit: limits.entries))
            return false
        }
        entries += 1
        return true
    }

    func refuse(_ input: Input, _ problem: ExtractionProblem) {
        // Nobody expects pictures and programs to be searched, so these are only counted.
        switch problem {
        case .binary, .alias: binaryEntries += 1
        default:
            refusedEntries += 1
            firstRefusal = firstRefusal ?? "\(input.entry ?? input.name): \(problem)"
        }
    }

    func output(for kind: DocumentKind, _ input: Input) -> Output {
        Output(name: input.name, limits: limits, endEarly: { [self] in endEarly($0, entry: input.entry) }) {
            [self] document in
            var document = document
            document.title = Self.title(document.title)
            if document.title.isEmpty { document.title = input.name }
            document.author = document.author.map { Self.line($0, longest: Self.longestName) }.flatMap {
                $0.isEmpty ? nil : $0
            }
            document.language = document.language.flatMap(LanguageTag.init)?.text
            if document.entry == nil, let entry = input.entry {
                document.entry = entry
                document.kind = kind
            }
            try allowance.emit(document.body.utf8.count + document.title.utf8.count)
            documents += 1
            try receive(document)
        }
    }

    /// A title as it stands in the index.
    static func title(_ text: String) -> String { line(text, longest: longestTitle) }

    private static func line(_ text: String, longest: Int) -> String {
        String(decoding: TextStream.clean(Array(text.utf8.prefix(longest))), as: UTF8.self).joiningSpaces()
            .trimming { $0 == "\u{FFFD}" }
    }
}

/// The language that a document declares, if it is a tag (BCP 47) and not arbitrary text.
struct LanguageTag {
    let text: String

    init?(_ text: String) {
        let parts = text.trimmingSpaces().replacing("_", with: "-").split(
            separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.count), parts.count <= 4,
            parts.allSatisfy({ (1...8).contains($0.count) && $0.utf8.allSatisfy(Self.isAlphanumeric) })
        else { return nil }
        self.text = ([first.lowercased()] + parts.dropFirst().map(String.init)).joined(separator: "-")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 0x20)
    }
}

/// A stream whose bytes count as unpacked.
final class CountedStream: ByteStream {
    private let source: any ByteStream
    private let allowance: Allowance

    init(_ source: any ByteStream, _ allowance: Allowance) {
        self.source = source
        self.allowance = allowance
    }

    func next() throws -> [UInt8]? {
        guard let piece = try source.next() else { return nil }
        try allowance.unpack(piece.count)
        return piece
    }
}

/// How much one file, with nested containers, may still cost.
final class Allowance {
    private let limits: ExtractionLimits
    private var unpacked = 0
    private var entries = 0
    private var text = 0
    /// The size of the file in bytes, to which the amount of text is compared.
    var fileBytes = 0

    init(_ limits: ExtractionLimits) { self.limits = limits }

    /// - Throws: `Exhausted` when more bytes have been unpacked than a file may unpack to.
    func unpack(_ bytes: Int) throws {
        unpacked += bytes
        if unpacked > limits.unpackedBytes { throw Exhausted(.tooLarge(limit: limits.unpackedBytes)) }
    }

    /// - Returns: False when the limit of entries is reached.
    func openEntry() -> Bool {
        entries += 1
        return entries <= limits.entries
    }

    /// Text that a file uses more than once, such as a string that many cells of a spreadsheet share, can be large even
    /// if the file and its unpacked bytes are not.
    ///
    /// - Throws: `Exhausted`.
    func emit(_ bytes: Int) throws {
        text += bytes
        // Letters of other encodings take up to three times the bytes in UTF-8.
        if text / 4 > limits.unpackedBytes { throw Exhausted(.tooLarge(limit: limits.unpackedBytes)) }
        if text > ArchiveReader.bombBytes, text / ArchiveReader.bombRatio > fileBytes { throw Exhausted(.bomb) }
    }
}

/// The file has used up its allowance. Unlike a problem with an entry, this ends reading the whole file.
struct Exhausted: Error {
    var problem: ExtractionProblem

    init(_ problem: ExtractionProblem) { self.problem = problem }
}

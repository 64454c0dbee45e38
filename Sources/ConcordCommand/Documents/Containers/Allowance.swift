/// What one file may still cost, containers in containers included.
final class Allowance {
    private let limits: ExtractionLimits
    private var unpacked = 0
    private var entries = 0
    private var text = 0
    /// Bytes of the file that have been there to make text of.
    var fileBytes = 0

    init(_ limits: ExtractionLimits) { self.limits = limits }

    /// - Throws: `Exhausted` when more bytes have been unpacked than any file may have.
    func unpack(_ bytes: Int) throws {
        unpacked += bytes
        if unpacked > limits.unpackedBytes { throw Exhausted(.tooLarge(limit: limits.unpackedBytes)) }
    }

    /// - Returns: False when there have been as many entries as are looked at.
    func openEntry() -> Bool {
        entries += 1
        return entries <= limits.entries
    }

    /// Text that is found more than once in a file, as the strings of a spreadsheet that many cells share, can be large where
    /// neither the file nor what it unfolds to is.
    ///
    /// - Throws: `Exhausted`.
    func emit(_ bytes: Int) throws {
        text += bytes
        // Letters of other encodings take up to three times the bytes in UTF-8.
        if text / 4 > limits.unpackedBytes { throw Exhausted(.tooLarge(limit: limits.unpackedBytes)) }
        if text > ArchiveReader.bombBytes, text / ArchiveReader.bombRatio > fileBytes { throw Exhausted(.bomb) }
    }
}

/// The file has cost what it may. Unlike a problem with an entry, this ends the reading of all of it.
struct Exhausted: Error {
    var problem: ExtractionProblem

    init(_ problem: ExtractionProblem) { self.problem = problem }
}

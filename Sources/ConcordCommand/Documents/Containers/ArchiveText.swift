/// Reads archives: each entry as if it were a file. Skips hidden files and links, as in folders.
enum ArchiveText {
    static let zipSignature: [UInt8] = [0x50, 0x4B, 3, 4]
    /// What all versions of RAR begin with.
    static let rarSignature: [UInt8] = Array("Rar!\u{1A}\u{7}".utf8)

    /// The magic of POSIX tar, which GNU tar also writes.
    static func isTar(_ beginning: ArraySlice<UInt8>) -> Bool {
        beginning.dropFirst(257).starts(with: Array("ustar".utf8))
    }

    static func read(_ content: any ByteStream, beginning: [UInt8], _ input: Input, in extraction: Extraction) throws {
        let archive = try ArchiveReader(
            content, format: format(of: beginning), allowance: extraction.allowance)
        var number = 0
        while let entry = try next(of: archive, isFirst: number == 0, in: extraction) {
            number += 1
            guard extraction.openEntry() else { return }
            let path = EntryPath.components(entry.path)
            guard entry.isFile, !entry.path.hasSuffix("/"), !path.contains(where: isPassedOver) else { continue }
            let inner = input.inner(path.isEmpty ? ["\(number)"] : path)
            if entry.isEncrypted {
                extraction.refuse(inner, .encrypted)
            } else {
                try extraction.readEntry(archive.content, inner)
            }
        }
    }

    private static func format(of beginning: [UInt8]) -> ArchiveReader.Format {
        if beginning.starts(with: zipSignature) { return .zip }
        return beginning.starts(with: rarSignature) ? .rar : .tar
    }

    /// If a damaged archive ends early, the entries before that are kept.
    private static func next(
        of archive: ArchiveReader, isFirst: Bool, in extraction: Extraction
    ) throws -> ArchiveReader.Entry? {
        do {
            return try archive.next()
        } catch let problem as ExtractionProblem where !isFirst {
            switch problem {
            case .damaged, .compressed, .tooLarge:
                extraction.endEarly(problem)
                return nil
            default: throw problem
            }
        }
    }

    private static func isPassedOver(_ component: String) -> Bool {
        component.hasPrefix(".") || component == "__MACOSX"
    }
}

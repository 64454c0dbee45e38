import CConcordanceArchive
import Foundation

/// Reads the entries of an archive, or the bytes of a compressed file, from a stream with libarchive.
///
/// It does not use the directory at the archive's end, so that memory does not grow with the number of entries, and no
/// entry's bytes count twice.
final class ArchiveReader {
    enum Format {
        /// ZIP.
        case zip
        /// tar in all its variants.
        case tar
        /// RAR, old and new, in one volume. 7-Zip is missing: libarchive reads the whole directory of such an archive at once,
        /// however much it unpacks to.
        case rar
        /// One stream of compressed bytes.
        case compressed(Compression)
    }

    struct Entry: Equatable {
        /// As stored in the archive.
        var path: String
        var isFile: Bool
        var isEncrypted: Bool
    }

    /// Deflate reaches 1032:1; text that people read stays far below this.
    static let bombRatio = 250
    static let bombBytes = 16 << 20

    private let archive: OpaquePointer
    private let input: ArchiveInput
    private let allowance: Allowance
    private var unpacked = 0
    private var isSized = true
    private static let mostRetries = 1000

    init(_ stream: any ByteStream, format: Format, allowance: Allowance) throws {
        guard let archive = archive_read_new() else { throw ExtractionProblem.unreadable("libarchive cannot start") }
        self.archive = archive
        self.allowance = allowance
        input = ArchiveInput(stream)
        switch format {
        case .zip: archive_read_support_format_zip_streamable(archive)
        case .tar: archive_read_support_format_tar(archive)
        case .rar:
            archive_read_support_format_rar(archive)
            archive_read_support_format_rar5(archive)
        case .compressed(let compression):
            // libarchive would run another program for a format that it was built without.
            guard compression.enable(archive) == ARCHIVE_OK else {
                throw ExtractionProblem.converterMissing("a libarchive that reads \(compression.name)")
            }
            archive_read_support_format_raw(archive)
        }
        let read:
            @convention(c) (
                OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?
            ) -> Int = { _, context, buffer in
                guard let context else { return 0 }
                return Unmanaged<ArchiveInput>.fromOpaque(context).takeUnretainedValue().next(into: buffer)
            }
        // The callback borrows `input`, which exists as long as this object.
        try check(archive_read_open(archive, Unmanaged.passUnretained(input).toOpaque(), nil, read, nil))
    }

    deinit { archive_read_free(archive) }

    /// The next entry; nil after the last.
    func next() throws -> Entry? {
        var entry: OpaquePointer?
        // Skipping an entry of unknown size means unpacking it, which counts against the limit.
        while !isSized, try nextBlock() != nil {}
        var code = ARCHIVE_RETRY
        for _ in 0..<Self.mostRetries where code == ARCHIVE_RETRY { code = carchive_read_next_header(archive, &entry) }
        if code == ARCHIVE_RETRY { throw ExtractionProblem.damaged("its entries make no sense") }
        if code == ARCHIVE_EOF { return nil }
        try check(code)
        guard let entry else { return nil }
        isSized = archive_entry_size_is_set(entry) != 0
        let isFile =
            archive_entry_filetype(entry) == 0o100000 && archive_entry_hardlink(entry) == nil
        return Entry(
            path: Self.path(of: entry), isFile: isFile, isEncrypted: archive_entry_is_encrypted(entry) != 0)
    }

    /// The bytes of the entry that `next` returned last.
    var content: any ByteStream { ArchiveContent(self) }

    /// Skips holes of sparse files: their zeros are not text.
    fileprivate func nextBlock() throws -> [UInt8]? {
        var retries = 0
        while true {
            var block: UnsafeRawPointer?
            var count = 0
            var offset: Int64 = 0
            let code = archive_read_data_block(archive, &block, &count, &offset)
            if code == ARCHIVE_EOF { return nil }
            if code == ARCHIVE_RETRY {
                retries += 1
                if retries > Self.mostRetries { throw ExtractionProblem.damaged("its content makes no sense") }
                continue
            }
            try check(code)
            guard count > 0, let block else { continue }
            unpacked += count
            try allowance.unpack(count)
            if unpacked > Self.bombBytes, unpacked / Self.bombRatio > input.count { throw Exhausted(.bomb) }
            return Array(UnsafeRawBufferPointer(start: block, count: count))
        }
    }

    private func check(_ code: Int32) throws {
        if let failure = input.failure { throw failure }
        guard code < ARCHIVE_WARN else { return }
        let message = archive_error_string(archive).map { String(cString: $0) } ?? "error \(code)"
        if message.lowercased().contains("passphrase") || message.lowercased().contains("encrypt") {
            throw ExtractionProblem.encrypted
        }
        throw ExtractionProblem.damaged(message)
    }

    /// Names are UTF-8 if the archive says so or if they are valid UTF-8; older ones are in the encoding of the system
    /// that wrote them, and are read as Latin-1.
    private static func path(of entry: OpaquePointer) -> String {
        if let name = archive_entry_pathname_utf8(entry) { return String(cString: name) }
        guard let name = archive_entry_pathname(entry) else { return "" }
        return String(validatingCString: name)
            ?? String(
                String.UnicodeScalarView(
                    UnsafeBufferPointer(start: name, count: strlen(name)).map {
                        Unicode.Scalar(UInt8(bitPattern: $0))
                    }))
    }
}

/// The stream that libarchive reads from.
private final class ArchiveInput {
    private let stream: any ByteStream
    /// libarchive keeps pointing to the last piece until it asks for the next.
    private var piece: UnsafeMutableRawBufferPointer?
    private(set) var count = 0
    private(set) var failure: (any Error)?

    init(_ stream: any ByteStream) { self.stream = stream }

    deinit { piece?.deallocate() }

    func next(into buffer: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        piece?.deallocate()
        piece = nil
        do {
            guard let bytes = try stream.next() else { return 0 }
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            copy.copyBytes(from: bytes)
            piece = copy
            buffer?.pointee = UnsafeRawPointer(copy.baseAddress)
            count += bytes.count
            return bytes.count
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }
}

private final class ArchiveContent: ByteStream {
    private let reader: ArchiveReader
    private var isAtEnd = false

    init(_ reader: ArchiveReader) { self.reader = reader }

    func next() throws -> [UInt8]? {
        guard !isAtEnd else { return nil }
        if let block = try reader.nextBlock() { return block }
        isAtEnd = true
        return nil
    }
}

/// The compression of a file, recognized by its first bytes. For gzip see `GzipStream`.
enum Compression {
    case xz, bzip2, zstandard

    init?(_ beginning: [UInt8]) {
        switch beginning {
        case _ where beginning.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]): self = .xz
        case _
        where beginning.starts(with: Array("BZh".utf8)) && beginning.dropFirst(4).starts(with: [0x31, 0x41, 0x59]):
            self = .bzip2
        case _ where beginning.starts(with: [0x28, 0xB5, 0x2F, 0xFD]): self = .zstandard
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .xz: "xz"
        case .bzip2: "bzip2"
        case .zstandard: "Zstandard"
        }
    }

    fileprivate func enable(_ archive: OpaquePointer) -> Int32 {
        switch self {
        case .xz: archive_read_support_filter_xz(archive)
        case .bzip2: archive_read_support_filter_bzip2(archive)
        case .zstandard: archive_read_support_filter_zstd(archive)
        }
    }
}

/// The unpacked bytes of a compressed file.
final class UnpackedStream: ByteStream {
    private let reader: ArchiveReader
    private var content: (any ByteStream)?

    init(_ source: any ByteStream, _ compression: Compression, allowance: Allowance) throws {
        reader = try ArchiveReader(source, format: .compressed(compression), allowance: allowance)
    }

    func next() throws -> [UInt8]? {
        do {
            if content == nil, try reader.next() != nil { content = reader.content }
            return try content?.next()
        } catch ExtractionProblem.damaged(let message) {
            throw ExtractionProblem.compressed(message)
        }
    }
}

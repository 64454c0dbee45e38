import CConcordanceArchive
import Foundation

/// Writes the archives of the tests, with libarchive.
enum ArchiveFormat: String, CaseIterable, Sendable {
    case zip, storedZip, tar, tarGzip, tarXz, tarBzip2, tarZstandard

    var suffix: String {
        switch self {
        case .zip, .storedZip: "zip"
        case .tar: "tar"
        case .tarGzip: "tar.gz"
        case .tarXz: "tar.xz"
        case .tarBzip2: "tar.bz2"
        case .tarZstandard: "tar.zst"
        }
    }
}

/// An archive with these files.
func archive(_ entries: [(String, [UInt8])], _ format: ArchiveFormat = .zip) -> [UInt8] {
    write(capacity: entries.reduce(1 << 16) { $0 + $1.1.count + $1.0.utf8.count * 4 + 2048 }) { writer in
        switch format {
        case .zip: archive_write_set_format_zip(writer)
        case .storedZip:
            archive_write_set_format_zip(writer)
            archive_write_set_options(writer, "zip:compression=store")
        default: archive_write_set_format_pax_restricted(writer)
        }
        switch format {
        case .tarGzip: archive_write_add_filter_gzip(writer)
        case .tarXz: archive_write_add_filter_xz(writer)
        case .tarBzip2: archive_write_add_filter_bzip2(writer)
        case .tarZstandard: archive_write_add_filter_zstd(writer)
        default: archive_write_add_filter_none(writer)
        }
    } content: { writer in
        for (path, bytes) in entries {
            let entry = archive_entry_new()
            archive_entry_set_pathname_utf8(entry, path)
            archive_entry_set_size(entry, Int64(bytes.count))
            archive_entry_set_filetype(entry, UInt32(path.hasSuffix("/") ? 0o040000 : 0o100000))
            archive_entry_set_perm(entry, 0o644)
            withUTF8Locale { _ = archive_write_header(writer, entry) }
            _ = bytes.withUnsafeBytes { archive_write_data(writer, $0.baseAddress, $0.count) }
            archive_entry_free(entry)
        }
    }
}

/// libarchive writes no name that the locale's encoding cannot express, and the encoding of tests is ASCII.
private func withUTF8Locale(_ body: () -> Void) {
    let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    let previous = uselocale(utf8)
    body()
    uselocale(previous)
    freelocale(utf8)
}

/// Bytes as `xz`, `bzip2` or `zstd` pack them.
func packed(_ bytes: [UInt8], _ suffix: String) -> [UInt8] {
    write(capacity: bytes.count + 1 << 16) { writer in
        archive_write_set_format_raw(writer)
        switch suffix {
        case "xz": archive_write_add_filter_xz(writer)
        case "bz2": archive_write_add_filter_bzip2(writer)
        case "zst": archive_write_add_filter_zstd(writer)
        default: archive_write_add_filter_gzip(writer)
        }
    } content: { writer in
        let entry = archive_entry_new()
        archive_entry_set_pathname(entry, "data")
        archive_entry_set_filetype(entry, UInt32(0o100000))
        archive_write_header(writer, entry)
        _ = bytes.withUnsafeBytes { archive_write_data(writer, $0.baseAddress, $0.count) }
        archive_entry_free(entry)
    }
}

private func write(
    capacity: Int, _ prepare: (OpaquePointer) -> Void, content: (OpaquePointer) -> Void
) -> [UInt8] {
    guard let writer = archive_write_new() else { return [] }
    defer { archive_write_free(writer) }
    prepare(writer)
    var buffer = [UInt8](repeating: 0, count: capacity)
    // libarchive keeps the pointer and counts on it until the archive is closed.
    let used = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    used.initialize(to: 0)
    defer { used.deallocate() }
    buffer.withUnsafeMutableBytes { bytes in
        _ = archive_write_open_memory(writer, bytes.baseAddress, bytes.count, used)
        content(writer)
        _ = archive_write_close(writer)
    }
    return Array(buffer.prefix(used.pointee))
}

/// A RAR archive, version 5, of files that are not compressed (https://www.rarlab.com/technote.htm).
func storedRAR(_ entries: [(String, [UInt8])]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + number(value >> 7)
    }
    func header(_ content: [UInt8]) -> [UInt8] {
        let sized = number(content.count) + content
        let sum = checksum(sized)
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) } + sized
    }
    var bytes = Array("Rar!\u{1A}\u{7}\u{1}\0".utf8) + header([1, 0, 0])
    for (path, content) in entries {
        // A file with data after the header; without times and checksum, stored, from Unix.
        let name = Array(path.utf8)
        bytes += header(
            [2, 2] + number(content.count) + [0] + number(content.count) + number(0o100644) + [0, 1]
                + number(name.count) + name)
        bytes += content
    }
    return bytes + header([5, 0, 0])
}

/// CRC-32 (ISO 3309).
private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 {
            let half: UInt32 = sum >> 1
            sum = sum & 1 == 1 ? half ^ 0xEDB8_8320 : half
        }
    }
    return ~sum
}

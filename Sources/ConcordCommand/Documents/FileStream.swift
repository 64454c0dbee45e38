import Concordance
import ConcordanceSearch
import Foundation

/// Bytes that come piece by piece.
protocol ByteStream: AnyObject {
    /// The next piece, never empty; nil at the end.
    func next() throws -> [UInt8]?
}

/// Distinguishes one state of a file from another without reading it.
struct FileStamp: Equatable, Sendable {
    var size: Int64
    /// When the content last changed, in nanoseconds since 1970.
    var modified: Int64
    /// When the content or the attributes last changed, in nanoseconds since 1970.
    var changed: Int64

    /// What `changed` is in the index as long as nobody has looked at a file after it was moved, which changes its attributes.
    static let movedHere = Int64.min

    /// What `changed` is in the index if the bytes of a file must be compared, whatever its stamp: no file has this time.
    static let distrusted = Int64(0)

    init(size: Int64, modified: Int64, changed: Int64) {
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    init(_ status: stat) {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        size = Int64(status.st_size)
        self.modified = Self.nanoseconds(modified)
        self.changed = Self.nanoseconds(changed)
    }

    /// The size, limited for use in sums: a sparse file may claim as many bytes as an integer holds.
    var summableSize: Int { Int(clamping: min(max(size, 0), 1 << 40)) }

    /// The stamp to keep in the index: distrusted if the file changed so recently that its next change may get the same
    /// time.
    ///
    /// File systems take their times from a clock that advances every 1 to 10 ms; those that store whole seconds, every
    /// one or two seconds.
    ///
    /// - Parameter now: A time at which the file had this stamp, in nanoseconds since 1970.
    func trusted(at now: Int64) -> FileStamp {
        let tick: Int64 = modified % 1_000_000_000 == 0 ? 2_000_000_000 : 20_000_000
        let isRecent = [modified, changed].contains { $0 > now &- tick && $0 <= now &+ tick }
        return isRecent ? FileStamp(size: size, modified: modified, changed: Self.distrusted) : self
    }

    /// The time of the system's clock, in nanoseconds since 1970.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// Wraps around for dates that no file system has: the result is only compared.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// Reads the bytes of a regular file and hashes them on the way.
///
/// Opening never waits: a FIFO, a socket or a device is refused.
final class FileStream: ByteStream {
    private static let pieceBytes = 256 << 10

    /// The stamp to keep in the index.
    let stamp: FileStamp
    private let path: String
    private let descriptor: Int32
    private let limit: Int
    /// The number of bytes read.
    private(set) var count = 0
    private var hasher = XXHash64()
    private var reachedEnd = false

    init(path: String, limit: Int) throws {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw ExtractionProblem.unreadable(systemMessage()) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let message = systemMessage()
            close(descriptor)
            throw ExtractionProblem.unreadable(message)
        }
        if let refusal = Self.refusal(mode: status.st_mode) {
            close(descriptor)
            throw ExtractionProblem.notAFile(refusal)
        }
        if status.st_size > limit {
            close(descriptor)
            throw ExtractionProblem.tooLarge(limit: limit)
        }
        self.path = path
        self.descriptor = descriptor
        self.limit = limit
        stamp = FileStamp(status).trusted(at: FileStamp.now())
    }

    deinit { close(descriptor) }

    func next() throws -> [UInt8]? {
        guard !reachedEnd else { return nil }
        // Asking for one byte more than the file should have finds its end in the same call.
        let expected = Int(clamping: stamp.size &- Int64(count) &+ 1)
        var failure: ExtractionProblem?
        let piece = [UInt8](unsafeUninitializedCapacity: min(max(expected, 4096), Self.pieceBytes)) { buffer, filled in
            while filled < buffer.count, let base = buffer.baseAddress {
                let got = read(descriptor, base + filled, buffer.count - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    reachedEnd = true
                    return
                } else if errno != EINTR {
                    failure = .unreadable(systemMessage())
                    return
                }
            }
        }
        if let failure { throw failure }
        count += piece.count
        // A file may grow, or hide its size like those in /proc.
        if count > limit { throw ExtractionProblem.tooLarge(limit: limit) }
        hasher.update(piece)
        return piece.isEmpty ? nil : piece
    }

    /// The hash of the whole file, once `next` has returned nil.
    var hash: UInt64? { reachedEnd ? hasher.finish() : nil }

    /// Whether nobody has written to the file since it was opened.
    var isUnchanged: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let now = FileStamp(status)
        return now.size == stamp.size && now.modified == stamp.modified
    }

    /// Why something of this mode cannot be read; nil for a regular file.
    static func refusal(mode: mode_t) -> String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a file"
        }
    }
}

/// The system's message for `errno`, in lower case: `permission denied`.
func systemMessage(_ code: Int32 = errno) -> String {
    let message = String(cString: strerror(code))
    return message.prefix(1).lowercased() + message.dropFirst()
}

/// A stream of pieces in memory, such as content that was already read.
final class MemoryStream: ByteStream {
    private var pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) { self.pieces = pieces.reversed() }

    func next() -> [UInt8]? {
        while let piece = pieces.popLast() {
            if !piece.isEmpty { return piece }
        }
        return nil
    }
}

/// A stream whose beginning has been examined.
final class PeekedStream: ByteStream {
    private var first: [UInt8]?
    private let rest: any ByteStream

    init(first: [UInt8], rest: any ByteStream) {
        self.first = first
        self.rest = rest
    }

    /// How many bytes identify the content of a stream.
    static let beginningBytes = 4096

    /// The first bytes of a stream, enough to identify its content, and the complete stream, those bytes included.
    static func beginning(of stream: any ByteStream) throws -> (bytes: [UInt8], stream: PeekedStream) {
        var bytes = try stream.next() ?? []
        while bytes.count < beginningBytes, let piece = try stream.next() { bytes += piece }
        return (bytes, PeekedStream(first: bytes, rest: stream))
    }

    func next() throws -> [UInt8]? {
        if let first {
            self.first = nil
            if !first.isEmpty { return first }
        }
        return try rest.next()
    }
}

extension ByteStream {
    /// All remaining bytes, if there are no more than `limit`.
    func whole(limit: Int) throws -> [UInt8] {
        guard var bytes = try next() else { return [] }
        while let piece = try next() {
            if bytes.count + piece.count > limit { throw ExtractionProblem.tooLarge(limit: limit) }
            bytes.append(contentsOf: piece)
        }
        if bytes.count > limit { throw ExtractionProblem.tooLarge(limit: limit) }
        return bytes
    }
}

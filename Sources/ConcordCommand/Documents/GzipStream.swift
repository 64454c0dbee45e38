import CConcordanceZlib

/// The unpacked bytes of a gzip stream, concatenated members included (RFC 1952).
final class GzipStream: ByteStream {
    private static let pieceBytes = 256 << 10
    /// Deflate reaches 1032:1; text that people read stays far below this.
    private static let bombRatio = 250
    private static let bombBytes = 16 << 20

    private let source: any ByteStream
    private let limit: Int
    private var stream = z_stream()
    private var input: [UInt8] = []
    private var inputAt = 0
    private var packed = 0
    private var unpacked = 0
    private var isInsideMember = true
    private var isFinished = false

    init(_ source: any ByteStream, limit: Int) throws {
        self.source = source
        self.limit = limit
        // A window of 15 bits; adding 16 asks for the gzip wrapper.
        let code = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw ExtractionProblem.compressed("zlib cannot start (\(code))") }
    }

    deinit { inflateEnd(&stream) }

    static func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: [0x1F, 0x8B, 8]) }

    func next() throws -> [UInt8]? {
        guard !isFinished else { return nil }
        var failure: (any Error)?
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, filled in
            do {
                while filled < buffer.count, !isFinished { filled += try inflateSome(into: buffer, at: filled) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        unpacked += piece.count
        if unpacked > limit { throw ExtractionProblem.tooLarge(limit: limit) }
        if unpacked > Self.bombBytes, unpacked / Self.bombRatio > packed { throw ExtractionProblem.bomb }
        return piece.isEmpty ? nil : piece
    }

    /// Unpacks as much as the available input allows; returns the number of bytes written.
    private func inflateSome(into buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int) throws -> Int {
        if inputAt == input.count {
            guard let more = try source.next() else {
                if isInsideMember { throw ExtractionProblem.compressed("the file ends too early") }
                isFinished = true
                return 0
            }
            input = more
            inputAt = 0
            packed += more.count
        }
        if !isInsideMember {
            // Another member, or padding that gzip itself ignores.
            guard input[inputAt] == 0x1F else {
                isFinished = true
                return 0
            }
            inflateReset(&stream)
            isInsideMember = true
        }
        let room = buffer.count - start
        let code = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress.map { $0 + inputAt }
            stream.avail_in = UInt32(clamping: input.count - inputAt)
            stream.next_out = buffer.baseAddress.map { $0 + start }
            stream.avail_out = UInt32(clamping: room)
            return inflate(&stream, Z_NO_FLUSH)
        }
        inputAt = input.count - Int(stream.avail_in)
        switch code {
        case Z_STREAM_END: isInsideMember = false
        case Z_OK, Z_BUF_ERROR: break
        default: throw ExtractionProblem.compressed(stream.msg.map { String(cString: $0) } ?? "zlib error \(code)")
        }
        return room - Int(stream.avail_out)
    }
}

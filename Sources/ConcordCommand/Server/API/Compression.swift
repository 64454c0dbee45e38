import CConcordanceZlib

/// Packs bytes as gzip does (RFC 1952); nil where zlib cannot, or nothing is gained.
func gzipped(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, and 16 that ask for the gzip wrapper; level 5 takes half the time of the default for most of its gain.
    let code = deflateInit2_(
        &stream, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK, bytes.count <= Int(UInt32.max) else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    var isDone = false
    let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END
        }
        count = isDone ? output.count - Int(stream.avail_out) : 0
    }
    return isDone ? packed : nil
}

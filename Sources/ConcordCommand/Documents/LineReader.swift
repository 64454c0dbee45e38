/// The lines of a stream of text.
struct LineReader {
    private let stream: any ByteStream
    private let limit: Int
    private var buffer: [UInt8] = []
    private var at = 0
    private var isAtEnd = false
    /// The number of the line that `next` returned last, from 1.
    private(set) var line = 0

    /// - Parameter limit: The greatest length of a line in bytes; a longer one is returned in pieces.
    init(_ stream: any ByteStream, limit: Int) {
        self.stream = stream
        self.limit = limit
    }

    /// The next line without its end; nil after the last.
    mutating func next() throws -> ArraySlice<UInt8>? {
        var searched = at
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                defer { at = end + 1 }
                line += 1
                return buffer[at..<end]
            }
            if isAtEnd || buffer.count - at > limit {
                guard at < buffer.count else { return nil }
                defer { at = buffer.count }
                line += 1
                return buffer[at...]
            }
            buffer.removeFirst(at)
            at = 0
            searched = buffer.count
            if let piece = try stream.next() { buffer.append(contentsOf: piece) } else { isAtEnd = true }
        }
    }
}

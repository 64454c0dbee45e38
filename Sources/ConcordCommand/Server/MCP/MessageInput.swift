import Foundation

/// Lines from a descriptor, each of bounded length.
final class MessageInput {
    enum Line: Equatable {
        case text([UInt8])
        /// Longer than any sensible message.
        case tooLong
    }

    private static let limit = 4 << 20

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var isSkipping = false
    private var isAtEnd = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next line that is not empty; nil at the end.
    func next() -> Line? {
        while true {
            if let end = buffer[start...].firstIndex(of: 10) {
                let line = Array(buffer[start..<end])
                start = end + 1
                if isSkipping {
                    isSkipping = false
                    return .tooLong
                }
                if line.contains(where: { $0 > 32 }) { return .text(line) }
                continue
            }
            buffer.removeFirst(start)
            start = 0
            if buffer.count > Self.limit {
                isSkipping = true
                buffer.removeAll()
            }
            if isAtEnd {
                // A last line without a line end counts, too.
                let rest = buffer
                buffer.removeAll()
                return rest.contains(where: { $0 > 32 }) && !isSkipping ? .text(rest) : nil
            }
            fill()
        }
    }

    private func fill() {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let got = read(descriptor, &piece, piece.count)
            if got < 0, errno == EINTR { continue }
            if got > 0 { buffer.append(contentsOf: piece[..<got]) } else { isAtEnd = true }
            return
        }
    }
}

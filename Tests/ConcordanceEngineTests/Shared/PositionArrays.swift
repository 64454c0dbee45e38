@testable import ConcordanceEngine

/// The positions that `read` puts into a buffer.
func positionArray(_ read: (GrowingBuffer<Position>) throws -> Void) rethrows -> [Position] {
    let buffer = GrowingBuffer<Position>()
    try read(buffer)
    return Array(buffer.values)
}

import Testing

@testable import ConcordanceEngine

@Suite struct `Heads of keys` {
    /// Keys that begin alike, of lengths about eight and sixteen, with zeros among their bytes.
    private static let keys: [[UInt8]] = [0, 1, 7, 8, 9, 15, 16, 17, 18].flatMap { length in
        let same = [UInt8](repeating: 7, count: length)
        let others = same.indices.flatMap { place in
            [0, 8].map { byte in same[..<place] + [byte] + same[(place + 1)...] }
        }
        return [same] + others.map { Array($0) }
    }

    @Test
    func `are in the order of the keys, or leave it to the bytes after the sixteenth`() {
        for left in Self.keys {
            let head = left.withUnsafeBufferPointer(KeyHead.init)
            for right in Self.keys {
                let isOpen = left.count > 16 && right.count > 16 && left.prefix(16) == right.prefix(16)
                let order = left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
                let comparison = head.compared(to: right.withUnsafeBufferPointer(KeyHead.init))
                #expect(comparison?.signum() == (isOpen ? nil : order), "\(left) and \(right)")
            }
        }
    }
}

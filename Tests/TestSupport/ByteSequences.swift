/// The sequences of `length` bytes that some data contain: asking for many of them costs little more than for one.
public struct ByteSequences {
    private let length: Int
    private var values: Set<UInt64> = []

    /// - Parameter length: 1 to 8.
    public init(of length: Int, in data: [[UInt8]]) {
        precondition((1...8).contains(length))
        self.length = length
        let mask = UInt64.max >> UInt64(64 - 8 * length)
        for bytes in data {
            var value: UInt64 = 0
            for (place, byte) in bytes.enumerated() {
                value = value << 8 | UInt64(byte)
                if place + 1 >= length { values.insert(value & mask) }
            }
        }
    }

    /// - Parameter text: Of as many bytes as the sequences.
    public func contains(_ text: some StringProtocol) -> Bool {
        precondition(text.utf8.count == length)
        return values.contains(text.utf8.reduce(0) { $0 << 8 | UInt64($1) })
    }
}

import ConcordanceSQLite

/// Values as parts of a hash: each adds its length or kind, so that different lists of values never give the same
/// bytes.
extension XXHash64 {
    /// The hash in a form that SQLite and JSON can store.
    var value: Int64 { Int64(bitPattern: finish()) }

    mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    /// A text by its UTF-8, as a value.
    mutating func combine(text bytes: UnsafeRawBufferPointer) {
        update(byte: 3)
        combine(bytes)
    }

    /// Bytes, preceded by their number.
    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        combine(UInt64(bytes.count))
        update(bytes)
    }

    mutating func combine(_ value: DatabaseValue) {
        switch value {
        case .null: update(byte: 0)
        case .int64(let value): combine(kind: 1, UInt64(bitPattern: value))
        case .double(let value): combine(kind: 2, value.bitPattern)
        case .text(let text):
            update(byte: 3)
            combine(text)
        case .blob(let bytes):
            update(byte: 4)
            bytes.withUnsafeBytes { combine($0) }
        }
    }

    private mutating func combine(kind: UInt8, _ bits: UInt64) {
        update(byte: kind)
        combine(bits)
    }

    private mutating func combine(_ bits: UInt64) { withUnsafeBytes(of: bits.littleEndian) { update($0) } }
}

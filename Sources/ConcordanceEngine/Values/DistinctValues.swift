/// The distinct values of a page that is being written, numbered from 0 on as they come. A value that is there costs no
/// allocation, nor does one that is not, once the memory of earlier pages suffices.
final class DistinctValues {
    /// What is known of a value: an integer or the bits of a real, or where the bytes of a text or blob begin.
    struct Entry {
        var bits: UInt64
        var length: Int
        var hash: UInt32
        var kind: Kind
    }

    enum Kind: UInt8 {
        case integer
        case real
        case text
        case blob
    }

    private let seed = UInt64.random(in: 0 ... .max)
    private let entries = GrowingBuffer<Entry>()
    private let bytes = ByteWriter()
    /// `hash << 32 | number of the value + 1`, 0 if there is none.
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<UInt64>
    @exclusivity(unchecked) private var slotCount = 64
    @exclusivity(unchecked) private(set) var integerCount = 0
    /// Of the integers, if there are any.
    @exclusivity(unchecked) private(set) var least: Int64 = 0
    @exclusivity(unchecked) private(set) var greatest: Int64 = 0

    init() {
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
    }

    deinit { slots.deallocate() }

    @inline(__always) var count: Int { entries.count }

    /// Forgets everything; keeps the memory.
    func removeAll() {
        if !entries.isEmpty { slots.update(repeating: 0, count: slotCount) }
        entries.removeAll()
        bytes.removeAll()
        integerCount = 0
    }

    // MARK: - Adding

    /// The number of a value that is not NULL.
    func number(of value: ValueView) -> UInt32 {
        switch value {
        case .null: 0
        case .integer(let integer): number(of: integer)
        case .real(let real): number(of: real.bitPattern, .real)
        case .text(let text): number(of: text, .text)
        case .blob(let blob): number(of: blob, .blob)
        }
    }

    @inline(__always)
    func number(of integer: Int64) -> UInt32 { number(of: UInt64(bitPattern: integer), .integer) }

    @inline(__always)
    private func number(of bits: UInt64, _ kind: Kind) -> UInt32 {
        let hash = Self.hash(bits, kind)
        return find(hash) { $0.bits == bits && $0.kind == kind }
            ?? insert(Entry(bits: bits, length: 0, hash: hash, kind: kind))
    }

    private func number(of value: UnsafeRawBufferPointer, _ kind: Kind) -> UInt32 {
        let hash = Self.hash(TokenHash.hash(value.bindMemory(to: UInt8.self), seed: seed), kind)
        let found = find(hash) { entry in
            entry.kind == kind && entry.length == value.count && bytes(of: entry).elementsEqual(value)
        }
        if let found { return found }
        let entry = Entry(bits: UInt64(bytes.count), length: value.count, hash: hash, kind: kind)
        bytes.append(value)
        return insert(entry)
    }

    @inline(__always)
    private static func hash(_ bits: UInt64, _ kind: Kind) -> UInt32 {
        let hash = TokenHash.fold(bits ^ 0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F &+ UInt64(kind.rawValue))
        return UInt32(truncatingIfNeeded: hash >> 32)
    }

    @inline(__always)
    private func find(_ hash: UInt32, where isSame: (Entry) -> Bool) -> UInt32? {
        let mask = slotCount &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let value = slots[slot]
            let number = UInt32(truncatingIfNeeded: value) &- 1
            if value >> 32 == UInt64(hash), isSame(self[number]) { return number }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    private func insert(_ entry: Entry) -> UInt32 {
        if (count &+ 1) &* 3 >= slotCount &* 2 { growSlots() }
        if entry.kind == .integer {
            let integer = Int64(bitPattern: entry.bits)
            least = integerCount == 0 ? integer : min(least, integer)
            greatest = integerCount == 0 ? integer : max(greatest, integer)
            integerCount &+= 1
        }
        entries.append(entry)
        place(entry.hash, count)
        return UInt32(truncatingIfNeeded: count &- 1)
    }

    private func place(_ hash: UInt32, _ number: Int) {
        let mask = slotCount &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = UInt64(hash) << 32 | UInt64(truncatingIfNeeded: number)
    }

    private func growSlots() {
        slots.deallocate()
        slotCount *= 2
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        for (index, entry) in entries.values.enumerated() { place(entry.hash, index + 1) }
    }

    // MARK: - Reading

    /// The entry of a number that was given.
    @inline(__always)
    subscript(number: UInt32) -> Entry { entries.values[Int(truncatingIfNeeded: number)] }

    /// The value of a number, until the next change.
    @inline(__always)
    func view(_ number: UInt32) -> ValueView {
        let entry = self[number]
        switch entry.kind {
        case .integer: return .integer(Int64(bitPattern: entry.bits))
        case .real: return .real(Double(bitPattern: entry.bits))
        case .text: return .text(bytes(of: entry))
        case .blob: return .blob(bytes(of: entry))
        }
    }

    private func bytes(of entry: Entry) -> UnsafeRawBufferPointer {
        let start = Int(truncatingIfNeeded: entry.bits)
        return UnsafeRawBufferPointer(rebasing: bytes.bytes[start..<start &+ entry.length])
    }

    /// Writes the numbers of all values in ascending order of the values.
    func sort(into order: GrowingBuffer<UInt32>) {
        order.removeAll()
        var numbers = UnsafeMutableBufferPointer(start: order.room(for: count), count: count)
        for index in numbers.indices { numbers.initializeElement(at: index, to: UInt32(truncatingIfNeeded: index)) }
        if integerCount == count {
            numbers.sort { Int64(bitPattern: self[$0].bits) < Int64(bitPattern: self[$1].bits) }
        } else {
            numbers.sort { view($0).ordered(to: view($1)) < 0 }
        }
    }
}

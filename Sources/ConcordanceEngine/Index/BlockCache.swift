/// Blocks by id, bounded in bytes; the clock algorithm (second chance) chooses which one is evicted.
///
/// An open-addressing table of numbers of entries, linear probing, at most half full; an evicted entry leaves its place
/// to the next. A hit costs one multiplication and, mostly, one comparison. A block bigger than the bound is not kept.
struct BlockCache {
    private struct Entry {
        var id: Int64
        var block: Block
        var isReferenced: Bool
    }

    /// The number of bytes above which blocks are evicted.
    var capacity: Int { didSet { makeRoom(for: 0) } }

    /// The bytes of the blocks kept, and what each entry costs on top.
    private(set) var byteCount = 0

    private var entries: [Entry] = []
    private var slots: [Int32]
    private var shift: UInt64
    private var hand = 0

    private static let empty: Int32 = -1
    private static let overhead = 96

    init(capacity: Int) {
        self.capacity = capacity
        slots = Array(repeating: Self.empty, count: 64)
        shift = 64 - 6
    }

    var count: Int { entries.count }

    /// Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4).
    @inline(__always)
    private func home(of id: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    /// The slot that holds `id`, or the empty one where it would be put.
    @inline(__always)
    private func slot(of id: Int64) -> Int {
        let mask = slots.count &- 1
        var slot = home(of: id)
        while slots[slot] != Self.empty, entries[Int(slots[slot])].id != id { slot = (slot &+ 1) & mask }
        return slot
    }

    /// The block of that id, if it is kept.
    mutating func find(_ id: Int64) -> Block? {
        let entry = Int(slots[slot(of: id)])
        guard entry >= 0 else { return nil }
        entries[entry].isReferenced = true
        return entries[entry].block
    }

    /// Keeps a block that is not here yet.
    mutating func insert(_ block: Block, id: Int64) {
        let cost = block.bytes.count + Self.overhead
        guard cost <= capacity, find(id) == nil else { return }
        makeRoom(for: cost)
        if (entries.count + 1) * 2 > slots.count { grow() }
        slots[slot(of: id)] = Int32(truncatingIfNeeded: entries.count)
        entries.append(Entry(id: id, block: block, isReferenced: false))
        byteCount += cost
    }

    /// Drops the blocks whose id is in `ids`. Visits all ids or all entries, whichever are fewer.
    mutating func remove(_ ids: ClosedRange<Int64>) {
        if UInt64(bitPattern: ids.upperBound &- ids.lowerBound) < UInt64(entries.count) {
            for id in ids {
                let entry = Int(slots[slot(of: id)])
                if entry >= 0 { remove(at: entry) }
            }
            return
        }
        var index = 0
        while index < entries.count {
            if ids.contains(entries[index].id) { remove(at: index) } else { index += 1 }
        }
    }

    private mutating func makeRoom(for cost: Int) {
        while byteCount + cost > capacity, !entries.isEmpty {
            if hand >= entries.count { hand = 0 }
            if entries[hand].isReferenced {
                entries[hand].isReferenced = false
                hand += 1
            } else {
                remove(at: hand)
            }
        }
    }

    /// Removes an entry; the last one takes its place.
    private mutating func remove(at index: Int) {
        byteCount -= entries[index].block.bytes.count + Self.overhead
        vacate(slot(of: entries[index].id))
        if index < entries.count - 1 {
            slots[slot(of: entries[entries.count - 1].id)] = Int32(truncatingIfNeeded: index)
            entries.swapAt(index, entries.count - 1)
        }
        entries.removeLast()
    }

    /// Empties a slot, and moves up later ones that would no longer be found.
    private mutating func vacate(_ slot: Int) {
        let mask = slots.count - 1
        var hole = slot
        var next = (slot + 1) & mask
        while slots[next] != Self.empty {
            let home = home(of: entries[Int(slots[next])].id)
            if (next - home) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = Self.empty
    }

    private mutating func grow() {
        slots = Array(repeating: Self.empty, count: slots.count * 2)
        shift -= 1
        for index in entries.indices { slots[slot(of: entries[index].id)] = Int32(truncatingIfNeeded: index) }
    }
}

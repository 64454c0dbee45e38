/// What the tables of folding say of each character, found once and remembered, 256 characters at a time: to search all
/// of them takes longer than the rest of a fold.
struct ScalarTraits {
    /// That a table has the character, a bit each, above the eight bits of its combining class.
    static let canonical: UInt32 = 1 << 8
    static let compatible: UInt32 = 1 << 9
    static let width: UInt32 = 1 << 10
    static let caseFolding: UInt32 = 1 << 11
    static let latin: UInt32 = 1 << 12
    static let scripts: UInt32 = 1 << 13
    static let simplified: UInt32 = 1 << 14
    static let modern: UInt32 = 1 << 15
    static let mark: UInt32 = 1 << 16
    static let ignorable: UInt32 = 1 << 17
    static let joining: UInt32 = 1 << 18

    private static let combiningClass: UInt32 = 0xFF
    private static let pageCount = 0x11_0000 >> 8

    /// By page, where it begins in `entries`; 0 for a page that has not been asked for.
    private var places = [Int32](repeating: 0, count: pageCount)
    /// The first page is nobody's, the second that of all blocks whose characters no table has.
    private var entries = [UInt32](repeating: 0, count: 512)
    private let mappings: [(trait: UInt32, table: PackedMapping)]
    private let sets: [(trait: UInt32, table: PackedRanges)]
    private let classes = PackedClasses(FoldingTables.combiningClasses)

    init(mappings: [(trait: UInt32, table: PackedMapping)], sets: [(trait: UInt32, table: PackedRanges)]) {
        self.mappings = mappings
        self.sets = sets
    }

    /// The traits of a scalar; none for what is no scalar.
    @inline(__always)
    mutating func of(_ scalar: UInt32) -> UInt32 {
        let page = Int(scalar >> 8)
        guard page < Self.pageCount else { return 0 }
        var place = Int(places[page])
        if place == 0 { place = makePage(page) }
        return entries[place + Int(scalar & 0xFF)]
    }

    @inline(__always)
    mutating func combiningClass(_ scalar: UInt32) -> UInt8 {
        scalar < 0x300 ? 0 : UInt8(truncatingIfNeeded: of(scalar) & Self.combiningClass)
    }

    @inline(never)
    private mutating func makePage(_ page: Int) -> Int {
        let place = entries.count
        let first = UInt32(truncatingIfNeeded: page << 8)
        var all: UInt32 = 0
        for scalar in first...first + 0xFF {
            var traits = UInt32(classes.value(scalar))
            for mapping in mappings where mapping.table.contains(scalar) { traits |= mapping.trait }
            for set in sets where set.table.contains(scalar) { traits |= set.trait }
            all |= traits
            entries.append(traits)
        }
        if all == 0 { entries.removeLast(256) }
        places[page] = Int32(all == 0 ? 256 : place)
        return Int(places[page])
    }
}

/// What the documents of a segment become in the result of a merge: four bytes a document.
struct DocumentMap {
    /// For each document, its number in the result; for one that is left out, the number of those before it, and
    /// `left`.
    private var numbers: [UInt32] = []
    private static let left: UInt32 = 1 << 31
    /// What to add to a document, if that is the same for all. Finding it in `numbers` is a cache miss, and would take longer
    /// than copying most postings.
    private var shift: UInt32? = 0

    var count: Int { numbers.count }

    init(capacity: Int) { numbers.reserveCapacity(capacity) }

    /// The next document becomes that one.
    mutating func append(_ number: UInt32) {
        if numbers.isEmpty { shift = number }
        if let shift, number != shift &+ UInt32(truncatingIfNeeded: numbers.count) { self.shift = nil }
        numbers.append(number)
    }

    /// The next document is left out; so many of the result come before it.
    mutating func appendLeft(_ before: UInt32) {
        shift = nil
        numbers.append(before | Self.left)
    }

    /// What a document becomes; nil if it is left out.
    @inline(__always)
    subscript(document: UInt32) -> UInt32? {
        guard document < numbers.count else { return nil }
        if let shift { return shift &+ document }
        let number = numbers[Int(document)]
        return number < Self.left ? number : nil
    }

    /// Writes what each document of a block becomes; `UInt32.max` for those that are left out.
    func lookUp(_ documents: UnsafeBufferPointer<UInt32>, into result: UnsafeMutablePointer<UInt32>) {
        guard let shift, let last = documents.last, last < numbers.count else {
            for index in 0..<documents.count { result[index] = self[documents[index]] ?? .max }
            return
        }
        for index in 0..<documents.count { result[index] = documents[index] &+ shift }
    }

    /// The first document that becomes one after `number`, or is left out after it.
    func first(behind number: UInt32) -> UInt32 {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] & ~Self.left <= number { low = middle + 1 } else { high = middle }
        }
        return UInt32(truncatingIfNeeded: low)
    }

    /// Documents from `number` on become `run`, each the next, but for those that are `taken`.
    private mutating func append(_ run: Range<Int>, taken: inout [Bool]) {
        for number in run {
            if taken[number] {
                appendLeft(UInt32(truncatingIfNeeded: number))
            } else {
                taken[number] = true
                append(UInt32(truncatingIfNeeded: number))
            }
        }
    }

    /// The maps of segments that have been merged into documents, as far as those go, by their rowids.
    ///
    /// Of several inputs that have a row the one of the highest number has its latest version: a version is written into
    /// segments whose numbers are taken before it is removed, and the next version into ones taken later. Every other
    /// version was removed when the merge read it.
    ///
    /// A connection that goes on with another's merge waits for this, so that rowids without gaps are mapped by the block.
    ///
    /// - Parameter limits: How many documents of each input are to be mapped.
    static func maps(of inputs: [Segment], limits: [Int], into documents: DocumentTable, count: Int) throws -> [Self] {
        var maps = inputs.map { DocumentMap(capacity: $0.documentCount) }
        var isTaken = [Bool](repeating: false, count: count)
        for index in inputs.indices.sorted(by: { inputs[$0].info.id > inputs[$1].info.id }) {
            let input = inputs[index].documents
            var number = 0
            var document = 0
            while document < limits[index] {
                let rows = try input.rowIDRun(from: document, to: limits[index])
                number = try (number..<count).nearPartitionPoint { try documents.rowID(at: $0) < rows.first }
                let written = number < count ? try documents.rowIDRun(from: number, to: count) : nil
                if let written, written.first == rows.first {
                    let size = min(rows.count, written.count)
                    maps[index].append(number..<number + size, taken: &isTaken)
                    document += size
                    number += size
                } else {
                    maps[index].appendLeft(UInt32(truncatingIfNeeded: number))
                    document += 1
                }
            }
        }
        return maps
    }
}

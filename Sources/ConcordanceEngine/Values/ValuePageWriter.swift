/// Writes pages of values (`ValuePage`), each from the values of its documents, which arrive in order.
///
/// Of the forms that a page can have it takes the one with the fewest bytes. The memory is kept from page to page, and a
/// value costs no allocation.
final class ValuePageWriter {
    private let distinct = DistinctValues()
    /// Of all documents: a value's number in `distinct` + 1, or 0 for none.
    private let numbers = GrowingBuffer<UInt32>()
    /// Of each document where in `numbers` its values end.
    private let ends = GrowingBuffer<Int>()
    @exclusivity(unchecked) private var hasNulls = false

    // Used by `encode`.
    private let order = GrowingBuffer<UInt32>()
    /// Of each value of `distinct`.
    private let codes = GrowingBuffer<UInt32>()
    private let packed = GrowingBuffer<UInt32>()

    /// How many documents were added.
    @inline(__always) var count: Int { ends.count }

    /// Forgets all documents; keeps the memory.
    func removeAll() {
        distinct.removeAll()
        numbers.removeAll()
        ends.removeAll()
        hasNulls = false
    }

    // MARK: - Adding documents

    /// Adds a document with one value, or with none if it is NULL.
    func append(view value: ValueView) {
        add(value)
        ends.append(numbers.count)
    }

    /// Adds a document with several values, in any order; or with none.
    func append(list: [StoredValue]) {
        let values = ValueList(list).values
        if values.isEmpty { add(.null) }
        for value in values { value.withView { add($0) } }
        ends.append(numbers.count)
    }

    /// Adds a document of another page with its values.
    func append(documentAt index: Int, of page: ValuePage) {
        page.forEachCode(at: index) { add(page.view($0)) }
        ends.append(numbers.count)
    }

    /// Adds the documents of another page, some of them, by their index there, with other values.
    func append(_ page: ValuePage, replacing replacements: [Int: [StoredValue]] = [:]) {
        var next = 0
        for (index, values) in replacements.sorted(by: { $0.key < $1.key }) where index >= next && index < page.count {
            while next < index {
                append(documentAt: next, of: page)
                next += 1
            }
            append(list: values)
            next += 1
        }
        while next < page.count {
            append(documentAt: next, of: page)
            next += 1
        }
    }

    @inline(__always)
    private func add(_ value: ValueView) {
        switch value {
        case .integer(let integer): numbers.append(distinct.number(of: integer) &+ 1)
        case .real(let real): add(normalized: ValueView(real: real))
        default: add(normalized: value)
        }
    }

    private func add(normalized value: ValueView) {
        if value.isNull {
            hasNulls = true
            numbers.append(0)
        } else {
            numbers.append(distinct.number(of: value) &+ 1)
        }
    }

    // MARK: - Writing the page

    /// Appends the page of the documents to `writer`. They stay: `removeAll()` begins the next page.
    func encode(into writer: ByteWriter) {
        let start = writer.count
        let form = chooseForm()
        let head = ValuePageHead(form: form, hasNulls: hasNulls, hasLists: numbers.count > ends.count)
        writer.append(byte: head.byte)
        guard form != .nulls else { return }
        let greatest = form == .offsets ? greatestOffsetCode ?? 0 : UInt32(truncatingIfNeeded: distinct.count)
        if form == .offsets { writer.append(signed: distinct.least) }
        writer.append(varint: UInt64(greatest))
        if head.hasLists { encodeCounts(into: writer) }
        let width = PackedNumbers.width(of: greatest &- head.leastCode)
        let readableEnd = UInt64(writer.count) + PackedNumbers.readableSize(count: numbers.count, width: width)
        encodeCodes(form, less: head.leastCode, width: width, into: writer)
        if form != .offsets { encodeValues(form, into: writer) }
        assert(writer.count > start, "a page without bytes")
        while writer.count < readableEnd { writer.append(byte: 0) }
    }

    /// The form with the fewest bytes. Where it is a dictionary, `order` is that of its values.
    private func chooseForm() -> ValueForm {
        guard distinct.count > 0 else { return .nulls }
        guard distinct.integerCount == distinct.count else {
            distinct.sort(into: order)
            return .entries
        }
        let leastSize = Self.size(UInt64(bitPattern: distinct.least << 1 ^ distinct.least >> 63))
        let greatest = UInt32(truncatingIfNeeded: distinct.count)
        if let greatestOffset = greatestOffsetCode {
            let offsetSize = leastSize + size(greatestCode: greatestOffset, valueSize: 0)
            // An integer takes a byte at least: often this decides, and nothing need be sorted.
            let leastGapSize = UInt64(distinct.count - 1)
            if offsetSize <= size(greatestCode: greatest, valueSize: leastSize + leastGapSize) { return .offsets }
            distinct.sort(into: order)
            if offsetSize <= size(greatestCode: greatest, valueSize: leastSize + gapSize) { return .offsets }
        } else {
            distinct.sort(into: order)
        }
        return .integers
    }

    /// The bytes of a page after its head, without what is the same in every form.
    private func size(greatestCode: UInt32, valueSize: UInt64) -> UInt64 {
        let width = PackedNumbers.width(of: greatestCode &- (hasNulls ? 0 : 1))
        let codeSize = PackedNumbers.size(count: numbers.count, width: width)
        let readableSize = PackedNumbers.readableSize(count: numbers.count, width: width)
        return Self.size(UInt64(greatestCode)) + max(codeSize + valueSize, readableSize)
    }

    /// The bytes of a varint.
    private static func size(_ value: UInt64) -> UInt64 {
        UInt64((UInt64.bitWidth - (value | 1).leadingZeroBitCount + 6) / 7)
    }

    /// The code of the greatest integer as an offset from the least one; nil if it has too many bits.
    private var greatestOffsetCode: UInt32? {
        let spread = UInt64(bitPattern: distinct.greatest &- distinct.least)
        return spread < UInt64(ValueForm.greatestCode) ? UInt32(truncatingIfNeeded: spread) &+ 1 : nil
    }

    /// The bytes of all integers in `order` but the least.
    private var gapSize: UInt64 {
        var size: UInt64 = 0
        forEachGap { size += Self.size($0) }
        return size
    }

    /// What each integer in `order` but the least is more than the one before and 1.
    private func forEachGap(_ body: (UInt64) -> Void) {
        var last = distinct.least
        for number in order.values.dropFirst() {
            let integer = Int64(bitPattern: distinct[number].bits)
            body(UInt64(bitPattern: integer &- last &- 1))
            last = integer
        }
    }

    /// How many codes each document has, less 1.
    private func encodeCounts(into writer: ByteWriter) {
        packed.removeAll()
        var greatest: UInt32 = 0
        var start = 0
        for end in ends.values {
            let count = UInt32(truncatingIfNeeded: end &- start &- 1)
            packed.append(count)
            greatest = max(greatest, count)
            start = end
        }
        let width = PackedNumbers.width(of: greatest)
        writer.append(byte: UInt8(truncatingIfNeeded: width))
        PackedNumbers.append(packed.values, width: width, to: writer)
    }

    /// The codes of all documents, in this order, each less the least one.
    private func encodeCodes(_ form: ValueForm, less leastCode: UInt32, width: Int, into writer: ByteWriter) {
        findCodes(form)
        packed.removeAll()
        for number in numbers.values {
            let code = number == 0 ? 0 : codes.values[Int(truncatingIfNeeded: number &- 1)]
            packed.append(code &- leastCode)
        }
        PackedNumbers.append(packed.values, width: width, to: writer)
    }

    private func findCodes(_ form: ValueForm) {
        codes.removeAll()
        let all = codes.room(for: distinct.count)
        if form == .offsets {
            for number in 0..<distinct.count {
                let integer = Int64(bitPattern: distinct[UInt32(truncatingIfNeeded: number)].bits)
                (all + number).initialize(to: UInt32(truncatingIfNeeded: integer &- distinct.least) &+ 1)
            }
        } else {
            for (index, number) in order.values.enumerated() {
                (all + Int(truncatingIfNeeded: number)).initialize(to: UInt32(truncatingIfNeeded: index &+ 1))
            }
        }
    }

    /// The values in `order`.
    private func encodeValues(_ form: ValueForm, into writer: ByteWriter) {
        if form == .integers {
            writer.append(signed: distinct.least)
            forEachGap { writer.append(varint: $0) }
        } else {
            for number in order.values { ValueDictionary.append(distinct.view(number), to: writer) }
        }
    }
}

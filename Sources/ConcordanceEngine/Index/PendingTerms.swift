/// Terms in memory, each with a list of postings that grows: an open-addressing hash over an arena.
///
/// The arena is a series of chunks of 64 kB; an address is `chunk << 16 | offset`. It holds the bytes of the terms, and
/// the lists, each a chain of slices that double in size, as in Lucene's and Zobel's in-memory inversion; the last four
/// bytes of a slice are the address of the next. A token costs a hash, mostly one comparison, and one to four bytes; it
/// allocates nothing but a chunk now and then.
///
/// A list is a sequence of numbers, seven bits a byte, low ones first, distinguished by their low bits:
///
///     event delta << 2 | 3     the next event (a document added or removed), by its distance to the last
///     column << 2 | 1          the next column of the event, where it is not column 0
///     offset delta << 1        a place in the column, by its distance to the last
final class PendingTerms {
    /// What is known about a term, 48 bytes.
    struct Term {
        /// Its first eight bytes, so that most comparisons need not read the arena.
        var beginning: UInt64
        /// Where its bytes are.
        var key: UInt32
        var length: UInt32
        /// The first slice of its list.
        var head: UInt32
        /// Where the next byte goes.
        var end: UInt32
        /// Where the slice's link is.
        var limit: UInt32
        /// Which of the slice sizes the last slice has.
        var level: UInt32
        /// The last event in the list, plus one, so that 0 is none.
        var lastEvent: UInt32 = 0
        var lastColumn: UInt32 = 0
        /// The last place, plus one, so that 0 is none.
        var lastOffset: UInt32 = 0
        var hash: UInt32
    }

    static let chunkSize = 1 << 16
    /// Longer tokens are truncated to this length, as in FTS5 (FTS5_MAX_TOKEN_SIZE).
    static let maximumTokenLength = 32_768

    private static let initialSlotCount = 1 << 10
    private static let largestLevel: UInt32 = 7
    private static let firstSliceSize: UInt32 = 8
    private static let linkSize: UInt32 = 4
    /// A few less than the addresses allow, so that the current token still has room.
    private static let maximumChunkCount = (1 << 16) - 64

    private let seed = UInt64.random(in: 0 ... .max)

    /// The terms, in the order of arrival.
    @exclusivity(unchecked) private(set) var terms: UnsafeMutablePointer<Term>
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity = 512

    /// `hash << 32 | number of the term + 1`, 0 if there is none.
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<UInt64>
    @exclusivity(unchecked) private var slotCount = initialSlotCount

    @exclusivity(unchecked) private var chunks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    @exclusivity(unchecked) private var chunkCount = 1
    @exclusivity(unchecked) private var chunkCapacity = 16
    @exclusivity(unchecked) private var free: UInt32 = 0
    @exclusivity(unchecked) private var freeEnd = UInt32(chunkSize)

    private let batch = TokenBatch()
    /// What has been read ahead for each token of the batch.
    private let ahead: UnsafeMutablePointer<UInt64> = .allocate(capacity: TokenBatch.capacity)

    /// The addresses are used up: four gigabytes of postings. Nothing more is added.
    @exclusivity(unchecked) private(set) var isFull = false

    init() {
        terms = .allocate(capacity: 512)
        slots = .allocate(capacity: Self.initialSlotCount)
        slots.initialize(repeating: 0, count: Self.initialSlotCount)
        chunks = .allocate(capacity: 16)
        chunks[0] = .allocate(byteCount: Self.chunkSize, alignment: 16)
    }

    deinit {
        ahead.deallocate()
        for chunk in 0..<chunkCount { chunks[chunk].deallocate() }
        chunks.deallocate()
        slots.deallocate()
        terms.deallocate()
    }

    /// The memory that it uses.
    var byteCount: Int {
        chunkCount &* Self.chunkSize &+ slotCount &* 8 &+ capacity &* MemoryLayout<Term>.stride
    }

    /// Forgets everything; keeps little memory.
    func removeAll() {
        for chunk in 1..<max(chunkCount, 1) { chunks[chunk].deallocate() }
        chunkCount = 1
        free = 0
        freeEnd = UInt32(Self.chunkSize)
        isFull = false
        count = 0
        if slotCount > Self.initialSlotCount {
            slots.deallocate()
            slots = .allocate(capacity: Self.initialSlotCount)
            slotCount = Self.initialSlotCount
        }
        slots.initialize(repeating: 0, count: slotCount)
        if capacity > 4096 {
            terms.deallocate()
            terms = .allocate(capacity: 512)
            capacity = 512
        }
    }

    // MARK: Adding

    /// - Parameter hash: The hash that determines its slot.
    @inline(__always)
    private func add(
        _ token: UnsafeBufferPointer<UInt8>, inSlotOf hash: UInt64, event: UInt32, column: UInt32, offset: UInt32
    ) {
        guard !isFull else { return }
        let term = find(token, hash: hash)
        if term.pointee.lastEvent != event &+ 1 { begin(event, in: term) }
        if term.pointee.lastColumn != column {
            append(UInt64(column) << 2 | 1, to: term)
            term.pointee.lastColumn = column
            term.pointee.lastOffset = 0
        } else if term.pointee.lastOffset == offset &+ 1 {
            return  // A synonym that is the token itself.
        }
        let base = term.pointee.lastOffset == 0 ? 0 : term.pointee.lastOffset &- 1
        append(UInt64(offset &- base) << 1, to: term)
        term.pointee.lastOffset = offset &+ 1
    }

    /// Adds a place of a token to the event's posting in its list.
    ///
    /// - Parameter hash: `TokenHash.hash` of the token.
    @inline(__always)
    func add(_ token: UnsafeBufferPointer<UInt8>, hash: UInt64, event: UInt32, column: UInt32, offset: UInt32) {
        add(token, inSlotOf: slotHash(token, hash), event: event, column: column, offset: offset)
    }

    /// The same, together with other tokens of the event: `addBatch` adds the last ones.
    @inline(__always)
    func addToBatch(
        _ token: UnsafeBufferPointer<UInt8>, hash: UInt64, event: UInt32, column: UInt32, offset: UInt32
    ) {
        batch.append(token, hash: slotHash(token, hash), column: column, offset: offset)
        if batch.isFull { addBatch(event: event) }
    }

    /// Forgets tokens of an event that was given up.
    func forgetBatch() { batch.removeAll() }

    /// Adds the tokens of the batch. Reads their slots, and then their terms, ahead, in loops in which no read waits for
    /// another one.
    @inline(never)
    func addBatch(event: UInt32) {
        defer { batch.removeAll() }
        let count = batch.count
        let mask = slotCount &- 1
        for index in 0..<count { ahead[index] = slots[Int(truncatingIfNeeded: batch[index].hash >> 32) & mask] }
        for index in 0..<count {
            let number = Int(truncatingIfNeeded: ahead[index] & 0xFFFF_FFFF)
            if number > 0 { ahead[index] = UInt64(terms[number &- 1].end) }
        }
        for index in 0..<count {
            let token = batch[index]
            add(batch.bytes(of: token), inSlotOf: token.hash, event: event, column: token.column, offset: token.offset)
        }
    }

    /// Adds an event without places to the list of a token, once.
    @inline(__always)
    func add(_ token: UnsafeBufferPointer<UInt8>, hash: UInt64, event: UInt32) {
        guard !isFull else { return }
        let term = find(token, hash: slotHash(token, hash))
        if term.pointee.lastEvent != event &+ 1 { begin(event, in: term) }
    }

    /// The hash that determines the slot of a token. Many tokens with the same `TokenHash.hash` are easy to find only if they
    /// are longer than eight bytes.
    @inline(__always)
    private func slotHash(_ token: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> UInt64 {
        token.count > 8 ? TokenHash.hash(token, seed: seed) : hash
    }

    @inline(__always)
    private func begin(_ event: UInt32, in term: UnsafeMutablePointer<Term>) {
        let base = term.pointee.lastEvent == 0 ? 0 : term.pointee.lastEvent &- 1
        append(UInt64(event &- base) << 2 | 3, to: term)
        term.pointee.lastEvent = event &+ 1
        term.pointee.lastColumn = 0
        term.pointee.lastOffset = 0
    }

    /// The term with these bytes, which is created if there is none.
    @inline(__always)
    private func find(_ token: UnsafeBufferPointer<UInt8>, hash: UInt64) -> UnsafeMutablePointer<Term> {
        let mask = slotCount &- 1
        let tag = hash >> 32
        let beginning = TokenHash.beginning(of: token)
        var slot = Int(truncatingIfNeeded: tag) & mask
        while true {
            let value = slots[slot]
            if value == 0 { return insert(token, beginning, hash: UInt32(truncatingIfNeeded: tag)) }
            if value >> 32 == tag {
                let term = terms + (Int(truncatingIfNeeded: value & 0xFFFF_FFFF) &- 1)
                if term.pointee.beginning == beginning, Int(term.pointee.length) == token.count,
                    token.count <= 8 || isEqual(token, term.pointee.key)
                {
                    return term
                }
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// Compares the bytes after the first eight; there are some.
    private func isEqual(_ token: UnsafeBufferPointer<UInt8>, _ key: UInt32) -> Bool {
        guard let left = UnsafeRawPointer(token.baseAddress) else { return true }
        let right = UnsafeRawPointer(pointer(key))
        var offset = 8
        while offset &+ 8 <= token.count {
            if left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
            offset &+= 8
        }
        while offset < token.count {
            if left.load(fromByteOffset: offset, as: UInt8.self) != right.load(fromByteOffset: offset, as: UInt8.self) {
                return false
            }
            offset &+= 1
        }
        return true
    }

    @inline(never)
    private func insert(
        _ token: UnsafeBufferPointer<UInt8>, _ beginning: UInt64, hash: UInt32
    ) -> UnsafeMutablePointer<Term> {
        let key = take(UInt32(truncatingIfNeeded: token.count))
        let head = take(Self.firstSliceSize &+ Self.linkSize)
        UnsafeMutableRawBufferPointer(start: pointer(key), count: token.count).copyMemory(
            from: UnsafeRawBufferPointer(token))
        if count == capacity { growTerms() }
        if count &* 3 >= slotCount &* 2 { growSlots() }
        (terms + count).initialize(
            to: Term(
                beginning: beginning, key: key, length: UInt32(truncatingIfNeeded: token.count), head: head, end: head,
                limit: head &+ Self.firstSliceSize, level: 0, hash: hash))
        count &+= 1
        place(hash, count)
        return terms + (count &- 1)
    }

    @inline(__always)
    private func place(_ hash: UInt32, _ number: Int) {
        let mask = slotCount &- 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = UInt64(hash) << 32 | UInt64(truncatingIfNeeded: number)
    }

    private func growTerms() {
        let larger = UnsafeMutablePointer<Term>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: terms, count: count)
        terms.deallocate()
        terms = larger
        capacity *= 2
    }

    private func growSlots() {
        slots.deallocate()
        slotCount *= 2
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        for number in 0..<count { place(terms[number].hash, number + 1) }
    }

    // MARK: The arena

    @inline(__always)
    private func pointer(_ address: UInt32) -> UnsafeMutableRawPointer {
        chunks[Int(address >> 16)] + Int(address & 0xFFFF)
    }

    @inline(__always)
    private func bytes(_ address: UInt32) -> UnsafePointer<UInt8> {
        UnsafePointer(pointer(address).assumingMemoryBound(to: UInt8.self))
    }

    /// `size` bytes, at most a chunk, in one chunk.
    @inline(__always)
    private func take(_ size: UInt32) -> UInt32 {
        if size <= freeEnd &- free {
            defer { free &+= size }
            return free
        }
        return takeFromNewChunk(size)
    }

    @inline(never)
    private func takeFromNewChunk(_ size: UInt32) -> UInt32 {
        isFull = chunkCount >= Self.maximumChunkCount
        if chunkCount == chunkCapacity {
            let larger = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: chunkCapacity * 2)
            larger.moveInitialize(from: chunks, count: chunkCount)
            chunks.deallocate()
            chunks = larger
            chunkCapacity *= 2
        }
        chunks[chunkCount] = .allocate(byteCount: Self.chunkSize, alignment: 16)
        let start = UInt32(chunkCount) << 16
        chunkCount += 1
        free = start &+ size
        freeEnd = start &+ UInt32(Self.chunkSize)
        return start
    }

    @inline(__always)
    private func append(_ value: UInt64, to term: UnsafeMutablePointer<Term>) {
        var rest = value
        while rest >= 0x80 {
            append(byte: UInt8(truncatingIfNeeded: rest) | 0x80, to: term)
            rest >>= 7
        }
        append(byte: UInt8(truncatingIfNeeded: rest), to: term)
    }

    @inline(__always)
    private func append(byte: UInt8, to term: UnsafeMutablePointer<Term>) {
        if term.pointee.end == term.pointee.limit { extend(term) }
        pointer(term.pointee.end).storeBytes(of: byte, as: UInt8.self)
        term.pointee.end &+= 1
    }

    @inline(never)
    private func extend(_ term: UnsafeMutablePointer<Term>) {
        let level = min(term.pointee.level &+ 1, Self.largestLevel)
        let size = Self.firstSliceSize << level
        let slice = take(size &+ Self.linkSize)
        pointer(term.pointee.limit).storeBytes(of: slice, as: UInt32.self)
        term.pointee.level = level
        term.pointee.end = slice
        term.pointee.limit = slice &+ size
    }

    // MARK: Reading

    /// The bytes of a term, until the next `removeAll`.
    @inline(__always)
    func key(_ term: Int) -> UnsafeBufferPointer<UInt8> {
        let start = pointer(terms[term].key).assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: Int(terms[term].length))
    }

    /// Iterates over the list of a term, which must not grow meanwhile.
    @inline(__always)
    func list(_ term: Int) -> List { List(self, terms[term]) }

    /// A place in the list of a term. A copy continues from there independently.
    struct List {
        private unowned(unsafe) let owner: PendingTerms
        /// The next byte, the end of its slice, and the end of the list.
        private var byte: UnsafePointer<UInt8>
        private var sliceEnd: UnsafePointer<UInt8>
        private let end: UnsafePointer<UInt8>
        private var level: UInt32 = 0
        /// The number read ahead; `none` after the last.
        private var number: UInt64 = none
        /// The current event.
        private(set) var event: UInt32 = 0

        /// Has the form of an event's number, but is greater than any.
        private static let none = UInt64.max

        @inline(__always)
        fileprivate init(_ owner: PendingTerms, _ term: Term) {
            self.owner = owner
            byte = owner.bytes(term.head)
            sliceEnd = byte + Int(PendingTerms.firstSliceSize)
            end = owner.bytes(term.end)
            read()
        }

        @inline(__always)
        private var isAtEvent: Bool { number & 3 == 3 }

        /// Moves to the next event, whose places one of the functions below then consumes; false if there is none.
        @inline(__always)
        mutating func next() -> Bool {
            while !isAtEvent { read() }
            guard number != Self.none else { return false }
            event &+= UInt32(truncatingIfNeeded: number >> 2)
            read()
            return true
        }

        /// Appends the places of the current event, ascending.
        @inline(__always)
        mutating func readPlaces(into places: GrowingBuffer<Position>) {
            var column: UInt32 = 0
            var offset: UInt32 = 0
            while !isAtEvent {
                if number & 1 == 0 {
                    offset &+= UInt32(truncatingIfNeeded: number >> 1)
                    places.append(Position(column: column, offset: offset))
                } else {
                    column = UInt32(truncatingIfNeeded: number >> 2)
                    offset = 0
                }
                read()
            }
        }

        /// Appends the columns of the places of the current event, and the differences of the places, as segments have them.
        @inline(__always)
        mutating func copyPosting(
            columns: GrowingBuffer<ColumnFrequency>, differences: GrowingBuffer<UInt32>
        ) {
            var column: UInt32 = 0
            var count: UInt32 = 0
            while !isAtEvent {
                if number & 1 == 0 {
                    // Behind the first place of a column, the difference is the number of tokens between.
                    differences.append(UInt32(truncatingIfNeeded: number >> 1) &- (count > 0 ? 1 : 0))
                    count &+= 1
                } else {
                    if count > 0 { columns.append(ColumnFrequency(column: column, count: count)) }
                    column = UInt32(truncatingIfNeeded: number >> 2)
                    count = 0
                }
                read()
            }
            if count > 0 { columns.append(ColumnFrequency(column: column, count: count)) }
        }

        /// Calls `body` with the columns of the current event that have places, ascending, and how many.
        @inline(__always)
        mutating func forEachColumn(_ body: (_ column: UInt32, _ count: UInt32) -> Void) {
            var column: UInt32 = 0
            var count: UInt32 = 0
            while !isAtEvent {
                if number & 1 == 0 {
                    count &+= 1
                } else {
                    if count > 0 { body(column, count) }
                    column = UInt32(truncatingIfNeeded: number >> 2)
                    count = 0
                }
                read()
            }
            if count > 0 { body(column, count) }
        }

        @inline(__always)
        private mutating func read() {
            guard byte != end else {
                number = Self.none
                return
            }
            var next = readByte()
            number = UInt64(next & 0x7F)
            var shift: UInt64 = 7
            while next >= 0x80 {
                next = readByte()
                number |= UInt64(next & 0x7F) &<< shift
                shift &+= 7
            }
        }

        @inline(__always)
        private mutating func readByte() -> UInt8 {
            if byte == sliceEnd {
                // A mutating function would keep this value in memory instead of registers.
                level = min(level &+ 1, PendingTerms.largestLevel)
                byte = Self.slice(behind: sliceEnd, owner)
                sliceEnd = byte + Int(PendingTerms.firstSliceSize &<< level)
            }
            defer { byte += 1 }
            return byte.pointee
        }

        @inline(never)
        private static func slice(behind end: UnsafePointer<UInt8>, _ owner: PendingTerms) -> UnsafePointer<UInt8> {
            owner.bytes(UnsafeRawPointer(end).loadUnaligned(as: UInt32.self))
        }
    }
}

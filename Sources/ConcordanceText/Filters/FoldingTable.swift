/// What each character folds to, computed by `ScalarFolder` and remembered, 256 characters at a time. So any folding
/// costs one lookup per character.
///
/// An entry is four bytes: the kind in the top two bits, then for `inline` a length (2 bits) and up to three bytes, for
/// `pooled` a length (8 bits) and a place in the pool (22 bits).
struct FoldingTable: ~Copyable {
    typealias Page = UnsafeMutablePointer<UInt32>

    static let identity: UInt32 = 0
    static let inlineKind: UInt32 = 1 << 30
    static let pooledKind: UInt32 = 2 << 30
    static let contextual: UInt32 = 3 << 30

    private static let pageCount = 0x11_0000 >> 8
    private let pages: UnsafeMutablePointer<Page?>
    /// The page of the many blocks where nothing folds.
    private let identityPage: Page
    private(set) var pool = TokenBuffer(capacity: 64)
    private var folder: ScalarFolder

    init(_ folding: Folding) {
        folder = ScalarFolder(folding)
        pages = .allocate(capacity: Self.pageCount)
        pages.initialize(repeating: nil, count: Self.pageCount)
        identityPage = .allocate(capacity: 256)
        identityPage.initialize(repeating: Self.identity, count: 256)
    }

    deinit {
        for index in 0..<Self.pageCount {
            if let page = pages[index], page != identityPage { page.deallocate() }
        }
        pages.deallocate()
        identityPage.deallocate()
    }

    /// The entry of a scalar below 0x110000.
    @inline(__always)
    mutating func entry(_ scalar: UInt32) -> UInt32 {
        let index = Int(scalar >> 8)
        if let page = pages[index] { return page[Int(scalar & 0xFF)] }
        return makePage(index)[Int(scalar & 0xFF)]
    }

    @inline(never)
    private mutating func makePage(_ index: Int) -> Page {
        let first = UInt32(truncatingIfNeeded: index << 8)
        if !folder.mayFold(in: first...first + 0xFF) {
            pages[index] = identityPage
            return identityPage
        }
        let page = Page.allocate(capacity: 256)
        var isIdentity = true
        for offset in 0..<256 {
            let entry = makeEntry(first + UInt32(truncatingIfNeeded: offset))
            (page + offset).initialize(to: entry)
            if entry != Self.identity { isIdentity = false }
        }
        if isIdentity { page.deallocate() }
        pages[index] = isIdentity ? identityPage : page
        return isIdentity ? identityPage : page
    }

    private mutating func makeEntry(_ scalar: UInt32) -> UInt32 {
        if folder.dependsOnContext(scalar) { return Self.contextual }
        folder.scalars.removeAll(keepingCapacity: true)
        folder.scalars.append(scalar)
        folder.fold()
        if folder.scalars.count == 1, folder.scalars[0] == scalar { return Self.identity }
        let place = pool.count
        for scalar in folder.scalars { pool.append(scalar: scalar) }
        let length = pool.count - place
        if length <= 3 {
            var entry = Self.inlineKind | UInt32(truncatingIfNeeded: length) << 24
            for index in 0..<length { entry |= UInt32(pool.base[place + index]) << (8 * UInt32(index)) }
            pool.count = place
            return entry
        }
        // All of Unicode fills less than a megabyte of the pool's four, and no fold is longer than 80 bytes.
        return Self.pooledKind | UInt32(truncatingIfNeeded: length & 0xFF) << 22
            | UInt32(truncatingIfNeeded: place & 0x3F_FFFF)
    }

    /// Folds a whole token with `ScalarFolder`, for characters whose neighbours matter.
    @inline(never)
    mutating func foldInContext(_ token: UnsafeBufferPointer<UInt8>, into output: inout TokenBuffer) {
        folder.scalars.removeAll(keepingCapacity: true)
        var index = 0
        while index < token.count {
            let (scalar, length) = UTF8Scalars.decode(token, at: index)
            folder.scalars.append(scalar)
            index += length
        }
        folder.fold()
        output.count = 0
        for index in folder.scalars.indices { output.append(scalar: folder.scalars[index]) }
    }
}

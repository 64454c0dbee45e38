import ConcordanceSQLite
import CConcordanceSQLite

/// The rows of `<t>_data(id INTEGER PRIMARY KEY, block BLOB)`, which hold the whole index of a table.
///
///     id = 1                                        the manifest
///     id = segment << 32 | stream << 28 | page      a page of a segment: 31 bits, 4 bits, 28 bits
///
/// Every row ends in a checksum (`BlockSeal`), which is checked when a row is read and is not part of the returned
/// bytes.
///
/// The pages of a segment never change, except its tombstones and stored values, so blocks are cached by id. The number
/// of a segment is never reused during the lifetime of the table; `forget` drops what a rollback takes away.
///
/// The pages that a query makes of pending rows are *staged*: kept in memory, and read before the table is, until the next
/// statement that writes stores them.
final class BlockStore {
    /// The connection's handle, open for as long as the table.
    let connection: OpaquePointer
    /// The attached database: `main`, `temp`.
    let schema: String
    /// The name of the virtual table, whose rows are in `<table>_data`.
    let table: String

    private var cache: BlockCache
    /// Compiled at their first use.
    private var statements = Statements()
    /// How many statements may have written or deleted rows. SQLite may report that one was interrupted after it has ended.
    private(set) var writeCount = 0
    /// A row about to be written, with its checksum; reused for the next.
    private var row: [UInt8] = []
    /// Rows that are staged, by id.
    private var staged: [Int64: Block] = [:]
    private(set) var isStaging = false

    /// Blocks found in memory, for which no SQLite statement ran that could have been interrupted.
    private var cachedReads = 0
    /// So many blocks take a few milliseconds at most; a power of two.
    private static let readsBetweenChecks = 64

    /// The bound of the cache unless `cacheCapacity` is set, in bytes.
    static let defaultCacheCapacity = 16 << 20

    init(database: Database, schema: String, table: String) throws {
        connection = try database.sqliteConnection
        self.schema = schema
        self.table = table
        cache = BlockCache(capacity: Self.defaultCacheCapacity)
    }

    private struct Statements {
        var reading: KeptStatement?
        var writing: KeptStatement?
        var deleting: KeptStatement?
        var listing: KeptStatement?
        var interruption: KeptStatement?
    }

    private func kept(
        _ statement: WritableKeyPath<Statements, KeptStatement?>, _ sql: (_ name: String) -> String
    ) throws -> KeptStatement {
        if let kept = statements[keyPath: statement] { return kept }
        let kept = try KeptStatement(connection, sql(Self.name(schema, table)))
        statements[keyPath: statement] = kept
        return kept
    }

    private static func name(_ schema: String, _ table: String) -> String {
        "\(schema.quotedDatabaseIdentifier).\((table + "_data").quotedDatabaseIdentifier)"
    }

    /// The id of a page of a segment.
    @inline(__always)
    static func id(segment: UInt32, stream: UInt8, page: UInt32) -> Int64 {
        Int64(segment & 0x7FFF_FFFF) << 32 | Int64(stream & 0xF) << 28 | Int64(page & 0xFFF_FFFF)
    }

    /// The ids of all pages of a segment.
    static func ids(ofSegment segment: UInt32) -> ClosedRange<Int64> {
        id(segment: segment, stream: 0, page: 0)...id(segment: segment, stream: 0xF, page: 0xFFF_FFFF)
    }

    /// The ids of all pages of one stream of a segment.
    static func ids(ofSegment segment: UInt32, stream: UInt8) -> ClosedRange<Int64> {
        id(segment: segment, stream: stream, page: 0)...id(segment: segment, stream: stream, page: 0xFFF_FFFF)
    }

    // MARK: Reading

    /// How many bytes of blocks are kept in memory at most.
    var cacheCapacity: Int {
        get { cache.capacity }
        set { cache.capacity = max(0, newValue) }
    }

    /// The page with that id; throws SQLITE_CORRUPT_VTAB if there is none.
    ///
    ///     SELECT block FROM t_data WHERE id = ?
    func block(_ id: Int64) throws -> Block {
        if let block = cache.find(id) ?? staged[id] {
            cachedReads &+= 1
            if cachedReads & (Self.readsBetweenChecks - 1) == 0 { try checkInterruption() }
            return block
        }
        guard let block = try uncachedBlock(id) else { throw corrupt("page \(id) of the index is missing") }
        cache.insert(block, id: id)
        return block
    }

    /// The row with that id as it is now, for rows that change; nil if there is none.
    func uncachedBlock(_ id: Int64) throws -> Block? { try withRow(id) { Block(copying: $0) } }

    /// Calls `body`, which must not read another row, with the row of that id as it is now; nil if there is none.
    func withRow<Result>(_ id: Int64, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result? {
        if let block = staged[id] { return try withExtendedLifetime(block) { try body(block.bytes) } }
        let reading = try kept(\.reading) { "SELECT block FROM \($0) WHERE id = ?" }
        try reading.bind(id, at: 1)
        defer { reading.reset() }
        guard try reading.step() else { return nil }
        return try reading.withBlob(at: 0) { try body(BlockSeal.opened($0, id: id)) }
    }

    /// Calls `body` with the id and the bytes of every row as it is now, in no particular order.
    ///
    ///     SELECT id, block FROM t_data
    func forEachRow(_ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
        let statement = try KeptStatement(connection, "SELECT id, block FROM \(Self.name(schema, table))")
        while try statement.step() {
            let id = statement.int64(at: 0)
            guard staged[id] == nil else { continue }
            try statement.withBlob(at: 1) { try body(id, BlockSeal.opened($0, id: id)) }
        }
        for (id, block) in staged { try withExtendedLifetime(block) { try body(id, block.bytes) } }
    }

    /// The ids of all rows in `ids`, ascending, `limit` at most.
    ///
    ///     SELECT id FROM t_data WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?
    func rowIDs(in ids: ClosedRange<Int64>, limit: Int) throws -> [Int64] {
        let listing = try kept(\.listing) { "SELECT id FROM \($0) WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?" }
        try listing.bind(ids.lowerBound, at: 1)
        try listing.bind(ids.upperBound, at: 2)
        try listing.bind(Int64(limit), at: 3)
        defer { listing.reset() }
        var result: [Int64] = []
        while try listing.step() { result.append(listing.int64(at: 0)) }
        return result
    }

    /// The greatest segment that has rows; 0 if none has.
    ///
    ///     SELECT max(id) FROM t_data
    func greatestSegment() throws -> UInt32 {
        let statement = try KeptStatement(connection, "SELECT max(id) FROM \(Self.name(schema, table))")
        let id = try statement.step() ? statement.int64(at: 0) : 0
        return min(UInt32(clamping: id >> 32), Manifest.maximumSegmentID)
    }

    /// Throws `corrupt` if the database is smaller than the blocks that it claims to hold.
    ///
    /// Arrays with an element for each document are allocated by what the manifest says. This keeps a forged one from
    /// asking for more memory than a real index of the file's size would.
    ///
    ///     PRAGMA main.page_count; PRAGMA main.page_size
    func checkSize(_ byteCount: Int) throws {
        func pragma(_ name: String) throws -> Int64 {
            let statement = try KeptStatement(connection, "PRAGMA \(schema.quotedDatabaseIdentifier).\(name)")
            return try statement.step() ? statement.int64(at: 0) : 0
        }
        guard byteCount > Self.believedSize else { return }
        let (size, overflow) = try pragma("page_count").multipliedReportingOverflow(by: pragma("page_size"))
        guard overflow || byteCount <= size else {
            throw corrupt("the index claims \(byteCount) bytes in a database of \(size)")
        }
    }

    /// So many bytes can be claimed without a check: they cost little memory.
    private static let believedSize = 1 << 20

    // MARK: Interruption

    /// Throws SQLITE_INTERRUPT if `sqlite3_interrupt` was called since the user's statement began, which SQLite checks
    /// in every statement that it executes.
    ///
    ///     SELECT 1
    func checkInterruption() throws {
        let statement = try statements.interruption ?? KeptStatement(connection, "SELECT 1")
        statements.interruption = statement
        defer { statement.reset() }
        _ = try statement.step()
    }

    // MARK: Writing

    /// Adds or replaces a row, in memory inside `stage`.
    ///
    ///     REPLACE INTO t_data(id, block) VALUES (?, ?)
    func write(_ id: Int64, _ bytes: UnsafeRawBufferPointer) throws {
        guard !isStaging else {
            staged[id] = Block(copying: bytes)
            return
        }
        let writing = try kept(\.writing) { "REPLACE INTO \($0)(id, block) VALUES (?, ?)" }
        row.removeAll(keepingCapacity: true)
        row.append(contentsOf: bytes)
        row.append(contentsOf: repeatElement(0, count: BlockSeal.byteCount))
        try row.withUnsafeMutableBytes { row in
            BlockSeal.seal(row, id: id)
            try writing.bind(id, at: 1)
            defer { writing.clear() }
            try writing.bind(blob: UnsafeRawBufferPointer(row), at: 2)
            try change(writing)
        }
    }

    /// Deletes the rows in `ids`.
    ///
    ///     DELETE FROM t_data WHERE id BETWEEN ? AND ?
    func delete(_ ids: ClosedRange<Int64>) throws {
        assert(!isStaging && staged.isEmpty, "rows are deleted before others that are staged are written")
        cache.remove(ids)
        let deleting = try kept(\.deleting) { "DELETE FROM \($0) WHERE id BETWEEN ? AND ?" }
        try deleting.bind(ids.lowerBound, at: 1)
        try deleting.bind(ids.upperBound, at: 2)
        try change(deleting)
    }

    private func change(_ statement: KeptStatement) throws {
        writeCount &+= 1
        do { try statement.execute() } catch let error as DatabaseError
            where [.SQLITE_READONLY, .SQLITE_SCHEMA, .SQLITE_AUTH].contains(error.resultCode)
        {
            writeCount &-= 1
            throw error
        }
    }

    // MARK: Staging

    /// Whether rows are staged.
    var hasStaged: Bool { !staged.isEmpty }

    /// Runs `body`, which writes rows, and keeps these in memory; none if it fails.
    func stage(_ body: () throws -> Void) throws {
        assert(staged.isEmpty, "rows are staged where others are")
        isStaging = true
        defer { isStaging = false }
        do { try body() } catch {
            discardStaged()
            throw error
        }
    }

    /// Writes the staged rows to the table.
    ///
    ///     REPLACE INTO t_data(id, block) VALUES (?, ?)
    func writeStaged() throws {
        for (id, block) in staged.sorted(by: { $0.key < $1.key }) { try write(id, block.bytes) }
        staged = [:]
    }

    /// Drops the staged rows, since SQLite has undone what they follow.
    func discardStaged() { staged = [:] }

    /// Drops cached blocks, since their rows are gone or may be replaced.
    func forget(_ ids: ClosedRange<Int64>) { cache.remove(ids) }
}

import ConcordanceEngine
import Testing

@testable import Concordance
@testable import ConcordanceSearch

/// What `FilterSets` keeps and what it evicts, read transaction by read transaction.
@Suite("Sets of rows that pass a filter, as far as there is room")
struct FilterSetEvictionTests {
    private let db: Database

    init() throws {
        db = try Self.makeDatabase(statementCacheCapacity: 64)
    }

    private static func makeDatabase(statementCacheCapacity: Int) throws -> Database {
        var configuration = Configuration()
        configuration.statementCacheCapacity = statementCacheCapacity
        let db = try Database(path: ":memory:", configuration: configuration)
        try db.execute(
            sql: """
                CREATE TABLE t(id INTEGER PRIMARY KEY, x INTEGER);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                INSERT INTO t SELECT i, i % 10 FROM n
                """)
        return db
    }

    /// Selects that many rows.
    private static func filter(_ count: Int, number: Int = 0) -> SQL {
        "SELECT id FROM t WHERE id > \(number) AND id <= \(number + count)"
    }

    private static func reading<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
        try db.execute(sql: "BEGIN")
        defer { try? db.execute(sql: "COMMIT") }
        // A transaction begins to read with its first read.
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        return try body()
    }

    /// Asks for a filter's rows as a search does; returns whether they had to be read.
    private static func use(_ filter: SQL, of sets: FilterSets, in db: Database) throws -> Bool {
        try reading(db) {
            let entry = try sets.entry(for: filter, in: db)
            if entry.rows != nil { return false }
            let rows = try #require(try sets.read(entry, limit: 1_000, in: db))
            #expect(entry.rows === rows)
            return true
        }
    }

    private func use(_ filter: SQL, of sets: FilterSets) throws -> Bool { try Self.use(filter, of: sets, in: db) }

    @Test func `the filter that was used least recently makes room for the next`() throws {
        let sets = FilterSets(entryLimit: 3)
        let filters = (0..<5).map { Self.filter(5, number: $0) }
        for number in 0..<3 { #expect(try use(filters[number], of: sets)) }
        for number in 0..<3 { #expect(try !use(filters[number], of: sets), "\(number)") }
        // 0 is the most recently used one now, and 1 the least.
        #expect(try !use(filters[0], of: sets))
        #expect(try use(filters[3], of: sets))
        #expect(try !use(filters[2], of: sets))
        #expect(try !use(filters[0], of: sets))
        #expect(try !use(filters[3], of: sets))
        #expect(try use(filters[1], of: sets))
        #expect(try use(filters[2], of: sets), "which 1 has driven out")
        #expect(try !use(filters[3], of: sets))
        #expect(try use(filters[4], of: sets))
    }

    @Test func `sets that have too many rows together make room, the oldest first`() throws {
        let sets = FilterSets(rowLimit: 100)
        #expect(try use(Self.filter(40), of: sets))
        #expect(try use(Self.filter(41), of: sets))
        #expect(try !use(Self.filter(40), of: sets))
        #expect(try !use(Self.filter(41), of: sets))
        // 40 + 41 + 19 are just enough.
        #expect(try use(Self.filter(19), of: sets))
        for count in [40, 41, 19] { #expect(try !use(Self.filter(count), of: sets), "\(count)") }
        #expect(try use(Self.filter(1), of: sets))
        for count in [41, 19, 1] { #expect(try !use(Self.filter(count), of: sets), "\(count)") }
        #expect(try use(Self.filter(40), of: sets), "101 rows were too many")
        // One that takes all the room evicts all others.
        #expect(try use(Self.filter(100), of: sets))
        #expect(try !use(Self.filter(100), of: sets))
        for count in [41, 19, 1] { #expect(try use(Self.filter(count), of: sets), "\(count)") }
    }

    @Test func `a set that is too large for all the room serves once and evicts no other`() throws {
        let sets = FilterSets(rowLimit: 100)
        #expect(try use(Self.filter(60), of: sets))
        for _ in 0..<2 { #expect(try use(Self.filter(101), of: sets)) }
        #expect(try !use(Self.filter(60), of: sets))
    }

    @Test func `more rows than the limit are not kept`() throws {
        let sets = FilterSets()
        let filter = Self.filter(50)
        try Self.reading(db) {
            let entry = try sets.entry(for: filter, in: db)
            #expect(try sets.read(entry, limit: 50, in: db) == nil)
            #expect(entry.rows == nil)
            #expect(try sets.read(entry, limit: 51, in: db)?.count == 50)
        }
        #expect(try !use(filter, of: sets))
    }

    @Test func `a commit drops all sets, and those with other arguments stay apart`() throws {
        let sets = FilterSets()
        #expect(try use(Self.filter(5), of: sets))
        #expect(try use(Self.filter(6), of: sets))
        #expect(try !use(Self.filter(5), of: sets))
        try db.execute(sql: "UPDATE t SET x = 1 WHERE id = 200")
        #expect(try use(Self.filter(5), of: sets))
        #expect(try use(Self.filter(6), of: sets))
        #expect(try !use(Self.filter(6), of: sets))
    }

    /// To Swift, `é` in one code point is equal to that in two, to SQL it is not.
    @Test func `those with other code points stay apart`() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let filters: [(SQL, SQL)] = [
            (
                "SELECT id FROM t WHERE \(composed) = 'e' || char(769)",
                "SELECT id FROM t WHERE \(decomposed) = 'e' || char(769)"
            ),
            (
                SQL(raw: "SELECT id FROM t WHERE '\(composed)' = 'e' || char(769)"),
                SQL(raw: "SELECT id FROM t WHERE '\(decomposed)' = 'e' || char(769)")
            ),
        ]
        for (first, second) in filters {
            let sets = FilterSets()
            let counts = try [first, second].map { filter in
                try Self.reading(db) {
                    let entry = try sets.entry(for: filter, in: db)
                    return try (entry.rows ?? sets.read(entry, limit: 1_000, in: db))?.count
                }
            }
            #expect(counts == [0, 200])
        }
    }

    /// A set is valid for the compiled statement that read it, which the connection must have kept.
    @Test(arguments: [0, 1, 2, 3, 64])
    func `a connection that keeps few statements compiled finds the same rows`(capacity: Int) throws {
        let db = try Self.makeDatabase(statementCacheCapacity: capacity)
        let sets = FilterSets()
        var reads = 0
        for _ in 0..<4 {
            for count in [10, 20, 30] {
                try Self.reading(db) {
                    let entry = try sets.entry(for: Self.filter(count), in: db)
                    if entry.rows == nil { reads += 1 }
                    let rows = try entry.rows ?? sets.read(entry, limit: 1_000, in: db)
                    #expect(rows?.count == count)
                }
            }
        }
        #expect(capacity == 64 ? reads == 3 : reads >= 3)
        #expect(capacity > 0 || reads == 12)
    }
}

import ConcordanceSQLite
import Foundation
import TestSupport
import Testing

@testable import ConcordanceEngine

/// Segments of version 1 of the format, whose skip entries are shorter and do not bound scores.
@Suite("A table of format version 1")
struct OldFormatTests {
    /// A table with the rows of the segment below, in the current format.
    private static func newTable() throws -> Database {
        let db = try Database.undefended()
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING concordance(title, body, prefix='1')")
        try db.execute(sql: insert)
        return db
    }

    private static let insert = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO t(rowid, title, body) SELECT i, 'a' || (i % 3) || iif(i % 11 = 0, ' b', ''),
          'b' || substr(' b b b b b b', 1, 2 * (i % 7)) || substr(' c c c c c c c c', 1, 2 * (i % 5)) || ' d' || (i % 2)
        FROM n
        """

    /// The same table as version 1 has written it.
    private static func oldTable() throws -> Database {
        let db = try newTable()
        try db.execute(sql: "DELETE FROM t_data")
        for (id, block) in [(1, manifest), (1 << 32, segment)] {
            let block = try #require(Data(base64Encoded: block, options: .ignoreUnknownCharacters))
            try db.execute(sql: "INSERT INTO t_data VALUES (?, ?)", arguments: [id, [UInt8](block)])
        }
        return try db.copyWithEngine()
    }

    private static func version(_ db: Database) throws -> Int? {
        try Int.fetchOne(
            db, sql: "SELECT unicode(CAST(substr(block, 1, 1) AS TEXT)) FROM t_data WHERE id > 1 ORDER BY id")
    }

    private static let queries = ["b", "c", "title : b", "a1 c", "b NOT c", "c*", "a1 OR d0", "\"b c\""]

    /// Rows and scores, by two rankings.
    private static func answers(_ db: Database) throws -> [String] {
        var answers: [String] = []
        for query in queries {
            for ranking in ["bm25()", "bm25(10.0, 1.0)"] {
                answers += try String.fetchAll(
                    db,
                    sql: """
                        SELECT ?1 || ' ' || ?2 || ' ' || rowid || ' ' || rank FROM t WHERE t MATCH ?1 AND rank MATCH ?2
                        ORDER BY rank, rowid LIMIT 9
                        """, arguments: [query, ranking])
            }
        }
        return answers
    }

    @Test func `is read, written to and rebuilt`() throws {
        let (old, new) = (try Self.oldTable(), try Self.newTable())
        #expect(try (Self.version(old), Self.version(new)) == (1, 2))
        let expected = try Self.answers(new)
        #expect(try Self.answers(old) == expected)
        try old.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
        for db in [old, new] {
            try db.execute(sql: "DELETE FROM t WHERE rowid % 5 = 0; INSERT INTO t(title, body) VALUES ('b', 'c c c')")
        }
        #expect(try Self.answers(old) == Self.answers(new))
        try old.execute(sql: "INSERT INTO t(t) VALUES ('optimize')")
        #expect(try Self.version(old) == 2)
        #expect(try Self.answers(old) == Self.answers(new))
        try old.execute(sql: "INSERT INTO t(t) VALUES ('integrity-check')")
    }

    /// What a merge left in version 1, without groups of skip entries, or without pages for each VALUE column is written again,
    /// also after a rollback of that.
    @Test(
        arguments: [(byte: 0, old: SegmentLayout.oldVersion)]
            + SegmentLayout.oldUnfinishedFlags.map { (byte: 1, old: $0) })
    func `begins a merge again, which may be rolled back`(byte: Int, old: UInt8) throws {
        let folder = try TemporaryFolder()
        var db = try Database.undefended(path: folder["old.db"])
        try db.execute(
            sql: "CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t(t, rank) VALUES ('automerge', 0)")
        for part in 0..<6 {
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                    INSERT INTO t(a) SELECT 'word x' || i || ' y' || (i * 7 + \(part)) FROM n
                    """)
        }
        try db.execute(sql: "INSERT INTO t(t, rank) VALUES ('merge', -20)")
        let sql = "SELECT id FROM t_data WHERE id > 1 AND id % (1 << 32) = 0 AND substr(block, 2, 1) = ?"
        let id = try #require(try Int64.fetchOne(db, sql: sql, arguments: [[SegmentLayout.unfinishedFlag]]))
        guard
            case .blob(var bytes)? = try DatabaseValue.fetchOne(
                db, sql: "SELECT block FROM t_data WHERE id = ?", arguments: [id])
        else { throw corrupt("no header") }
        bytes[byte] = old
        bytes.withUnsafeMutableBytes { BlockSeal.seal($0, id: id) }
        try db.execute(sql: "UPDATE t_data SET block = ? WHERE id = ?", arguments: [bytes, id])
        try db.close()
        db = try Database.undefended(path: folder["old.db"])
        try db.execute(
            sql:
                "BEGIN; INSERT INTO t(t, rank) VALUES ('merge', 4); ROLLBACK; INSERT INTO t(t, rank) VALUES ('merge', 4)"
        )
        try db.execute(
            sql: "INSERT INTO t(t, rank) VALUES ('merge', 1000); INSERT INTO t(t) VALUES ('integrity-check')")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE t MATCH 'word'") == 18000)
    }

    @Test(arguments: ["'rebuild', NULL", "'optimize', NULL", "'merge', -16"])
    func `is converted to the current format`(command: String) throws {
        let old = try Self.oldTable()
        let answers = try Self.answers(old)
        try old.execute(sql: "INSERT INTO t(t, rank) VALUES (\(command))")
        #expect(try Self.version(old) == 2)
        #expect(try Self.answers(old) == answers)
    }

    private static let manifest = "Q0NEAWaqQJQhnzVrAgEBAQKQA7QD7hUBAZADAqAGtikAkC0WXTA+KJoAAAO2KQD23svN"

    private static let segment = """
            AQGQAwEAAQEBAQEBAaIBtAfABN4FNKEGkQPADAMAYTCLAgAAAQMAAAAAAAAhMY0CKAIBAwAAAAAAACEyiwIoBAEDAAAAAAAAEWKhBigGCAoH\
            CAUFAgMRY4EF9AEKBAcDBgIFAQQSZDCRA4cBDQEDAAAAAAAAITGRAyEPAQMAAAAAAAACAWGhBiERAQMAAAAAAAARYqEGCBUICgcIBQUCAxFj\
            gQXuARkEBwMGAgUBBBFkoQaBARwBAwAAAAAAAAEAAqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqAQECqgIBAgKoqqqqqqqqqqqq\
            qqqqqqqqqqqqqqqqqqqqqqqqqqqqqgEDAqoKAQQCqaqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqoBBQKqAhIGAAOpPDCW8kBVHkNT\
            eWBM5YHpB6bywpjKBFOqD0zlPDCVh1QemM55YCwPgao8MKbywFQLCgEKAQoBCgEKAQoBCgEKAQoBCgEKARJLAAMDU3loTOWFqZUJpvIfmMoD\
            Kg9M9TwwnQfAWB6YVXlgKoGpPFCm8tBUygtTeRNM5YEMAwEKAQoBCgEKAQoBCgEKAQoBCgEKAQoBEpABAAOVB6YyHpjqA2A6D0yxPDCVwVQe\
            GFN5oCrloak8F6bywMsDU3kPTGWCMNUHpnQemMoLBwEKAQoBCgEKAQoBCgEKAQoBCgEKARLVAQADicYa0VojAgABCgEQ3gEB/v///wAAAAAA\
            AAAAAAAAAAIAAAAAVVVVVaqqqqr/////AAAAAFVVVVWqqqqq/////xDZAgH/////AAAAAAAAAAAAAAAAAgAAAABVVVVVqqqqqv////8AAAAA\
            VVVVVaqqqqr/////ENQDARERERERERERAuTk5OTk5OTk5OTk5OTk5OQRkgQB/////////////////////xHTBAH///////////8R+AQB/v//\
            /////////////////xG5BQH///////////8BAAEAAQABABIAA6k8MJbyQFUeQ1N5YEzlgekHpvLCmMoEU6oPTOU8MJWHVB6YznlgLA+Bqjww\
            pvLAVAsKAQoBCgEKAQoBCgEKAQoBCgEKAQoBEgADA1N5aEzlhamVCabyH5jKAyoPTPU8MJ0HwFgemFV5YCqBqTxQpvLQVMoLU3kTTOWBDAMB\
            CgEKAQoBCgEKAQoBCgEKAQoBCgEKARIAA5UHpjIemOoDYDoPTLE8MJXBVB4YU3mgKuWhqTwXpvLAywNTeQ9MZYIw1QemdB6YygsHAQoBCgEK\
            AQoBCgEKAQoBCgEKAQoBEgADicYa0VojAgABCgEQAf7///8AAAAAAAAAAAAAAAACAAAAAFVVVVWqqqqq/////wAAAABVVVVVqqqqqv////8Q\
            Af////8AAAAAAAAAAAAAAAACAAAAAFVVVVWqqqqq/////wAAAABVVVVVqqqqqv////8QARERERERERERAuTk5OTk5OTk5OTk5OTk5OQRABEA\
            EQARAH8BAAAAAAAAAQMAAAAAAAABAI4BAAAjAAAAAQcAAAAAAAABAH0BAAAoAAAAAQMAAAAAAAABAI8BAABLAAAAAQQAAAAAAAABAH4BAABQ\
            AAAAAQMAAAAAAAABAI0BAABzAAAAAQUAAAAAAAABAH8AAAB4AAAACAoHCAUFAgMDAP8AAADDAAAACAwHCAUFAgMDAH8BAAAQAQAACAsHCAUF\
            AgMDAI8BAABcAQAABwoGCAQGAgQDAJ4AAABsAQAABAcDBgIFAQQCAD4BAAChAQAABAcDBgIFAQQCAI4BAADWAQAABAcDBgIFAQQCAP8AAADz\
            AQAAAQMAAAAAAAACAI8BAAAHAgAAAQMAAAAAAAACAP4AAAAUAgAAAQMAAAAAAAACAI4BAAAoAgAAAQMAAAAAAAACAH8AAAA1AgAAAQMAAAAA\
            AAABAP8AAAA3AgAAAQMAAAAAAAABAH8BAAA5AgAAAQMAAAAAAAABAI8BAAA7AgAAAQQAAAAAAAABAH8AAAA9AgAACAoHCAUFAgMDAP8AAACH\
            AgAACAwHCAUFAgMDAH8BAADTAgAACAsHCAUFAgMDAI8BAAAdAwAABwoGCAQGAgQDAJ4AAAArAwAABAcDBgIFAQQCAD4BAABeAwAABAcDBgIF\
            AQQCAI4BAACRAwAABAcDBgIFAQQCAH8AAACsAwAAAQMAAAAAAAACAP8AAACuAwAAAQMAAAAAAAACAH8BAACwAwAAAQMAAAAAAAACAI8BAACy\
            AwAAAQQAAAAAAAACAAAAAAAAAAEAAAAAAAIgAAAAAAAAAAAAAQEAgAAACAAAAAAAAAAAAAABAAAAAQBAAAACAAAAAAAAAAEQAAAEAAAAAAAA\
            AAAAQAAAAAEAAAAIAEAAAAAAAAAIAAAAAQAAAAAAAAAAAAAACBAAAQABAAAAIAAAAAAAAAQAQAAAAAEAAAAAAAAAAAAACIAAAgAAAAGAAABA\
            AAAEAAAAAAAAAAAAAQAAAIAAACAAAAEAAAAAAAABAAgAAAAAAAAAAAAAAAAgAAECAAAAAACAAAAAAAAAEAAAAAEBAAAAgAAAAAMCsAJwAwQD\
            hegBZABEgIPAAIgAeoCgABFoABeAcMAYIAAZABrgIDAcFYADQBgoBAQDwAVgBTAGCAYE0APIBYgAB+AAEAEKAUEBANAALoHhgDH0ADIAIsBB\
            YAArAAdAMFAIAwTgI4AAsDBwABoIFMADAQNQ40AAjChgAAMBIALoAoICRKABXADDAWOAAWQAaICDwHBWAA4AYKAQEAAXgBXAGCAYEUAPIBQg\
            AhwDgANABCgEBAUDQAO4BIYDxtADyACIAAeBAKwAHADBQCHQAC4A4YAxQAAigB4gKEAEAwNQ40AAjChgABEGEICPAALAwsABaCBQAAMHkAGg\
            AQ4Cw1gBOACCgUJAAVwAVgFjgGBEAD2AUIAIcAAOABGgEBAUDAAN4BAYDhgDgAYCBfBAwADUOBAABEV4O2KJR3NWWDRnmkV4pmKVeDRniUVz\
            plGEZypFeDtilVg0ZxlFeKZWhLcjlXg0Z5pRhGdiRXg7VolHc5VYNGcEKqZilVYZlViERXiER3M7Z3OmYipWaZVRiUVYhEd4NLdzNmcqBHNW\
            iUVnmlGEpmJFeCNWiUdzphlFZypWhDtilXhzVolFeKZiRbcjVok0Z5VYc6YZRXg7YpVHc1aJNGeaUXimYkUEWIRHeDS3czZnKqZilVYZlViE\
            RXiER3M7Z3OmYipWaZVRiUVYAQAAAAAAAAAANAAAAIEAAAAAAAAAADQAAAABAQAAAAAAAAA0AAAAgQEAAAAAAAAANAAAAAIFAAcACQALAAgA\
            CgAFAAcACQAGAAkACgAMAAcABAAGAAgACgAMAAkABAAHAAgACgAHAAkACwAGAAgABQAHAAkADAANAAMABQAHAAkACwAIAAoABQAHAAoABgAI\
            AAoADAAHAAQABgAIAAoADAAKAAQABgAIAAoABwAJAAsABgAIAAUACAAJAAsADQADAAUABwAJAAsACAAKAAYABwAJAAYACAAKAAwABwAEAAYA\
            CAALAAwACQAEAAYACAAKAAcACQALAAYACQAFAAcACQALAA0AAwAFAAcACQALAAkACgAFAAcACQAGAAgACgAMAAcABAAHAAgACgAMAAkABAAG\
            AAgACgAHAAkADAAGAAgABQAHAAkACwANAAMABQAHAAoACwAIAAoABQAHAAkABgAIAAoADAAIAAQABgAIAAoADAAJAAQABgAIAAoACAAJAAsA\
            BgAIAAUABwAJAAsADQADAAYABwAJAAsACAAKAAUABwAJAAYACAALAAwABwAEAAYACAAKAAwACQAEAAYACQAKAAcACQALAAYACAAFAAcACQAL\
            AA4AAwAFAAcACQALAAgACgAFAAcACQAHAAgACgAMAAcABAAGAAgACgAMAAkABQAGAAgACgAHAAkACwAGAAgABQAHAAoACwANAAMABQAHAAkA\
            CwAIAAoABQAIAAkABgAIAAoADAAHAAQABgAIAAoADQAJAAQABgAIAAoABwAJAAsABgAIAAYABwAJAAsADQADAAUABwAJAAsACAALAAUABwAJ\
            AAYACAAKAAwABwAEAAYACQAKAAwACQAEAAYACAAKAAcACQALAAcACAAFAAcACQALAA0AAwAFAAcACQAMAAgACgAFAAcACQAGAAgACgAMAAcA\
            BQAGAAgACgAMAAkABAAGAAgACgAHAAoACwAGAAgABQAHAAkACwANAAMABQAIAAkACwAIAAoABQAHAAkABgAIAAoADQAHAAQABgAIAAoADAAJ\
            AAQABgAIAAsABwAJAAsABgAIAAUABwAJAAsADQAEAAUABwAJAAsACAAKAAUABwAJAAYACQAKAAwABwAEAAEBAQEBAQEBAQEBAgEBAQEBAQEB\
            AQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEBAQIB\
            AQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEBAQEB\
            AQEBAQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEB\
            AQIBAQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEB\
            AQEBAQEBAQECAQEBAQEBAQEBAQIBAQEBAQEBAQEBAgEBAQEBAQEBAQECAQEBAQEBAQEBAQIBAQEBOdoeio03pU9dFD18vDjSBx8Lt/fvcix4\
            cYYIzOTDVHl3FMM4MhbzpFmjmceYxFf0BHqxR/E3PGORbBGXHaNMW0o3CdW92nD+J3TiV3CEtp1J0T5mDs86qmZ51YUQzolAelAzakvCPHzF\
            2ICDMlRM7dhNSS6UbXlVE5gkZuaAI5mx3luoi9mymUnt5uk88vVxnxF98DbeOS54d35k0csFC46LnCAWmtAngETlXNoPvbTyaQJUtKgOriQl\
            V+metvuRWx5qrlNTEUnOUsOMN90fFY58XOIh3xfVDn8JrkJMQ97q02X2McQuPZ+7KEF6Za7vtMgZq26m1y8pRihOnRzHUtQDup1ht5Y+dM4k\
            kYoX33lXyiKC/OJwqbDe9cTIuNIEusQzI4MJiSNDK40Stb3w1OdCzDdKnnjwUcfPo5rqCmi64rPFcXtpc+B2DLum1IF7G1xfoDNueubh90rg\
            TMfXsfoMer/WBUUtj8usPt5FGWfYnmqap4U6MNaZvICvLA4NWVDdzazK34rmJ503W0vKB8p6D8bFwgUnKHZEiuU5YDOOBmWvC+RyXFyHxvkU\
            49OByMxMO8cMjcuIXJO9iOJwH8BLDbaZOWnvQMv5H/McIVTX1eRHwYMgjz0VdyapQ0qLwRzbBpKOVP8f7nBo7CeLCKWkTmzlqqeW1O6zzpPP\
            I1ZIoGltnCmVoCuCXj2OoqO+KqHNBWHb/XZWnd5rP7tSfurxhOtDtsNcmfQhhG+R7RzGuFYb54jLP4TFUPrtjfc7BMPI9/QHe3JkyL0dz4Qj\
            4+roILIjSGCmnx4FjGW7ASLFsiVYPttFUCcwFcaJEN7RhgbOOIkh0IX9GNf+mdrwAwxWkQLhYtGUBtkysfmqMx9E33GbSWXgB6i8udeEbFAp\
            MV7hxTh3rlu4d4j+ekASdmjI5pKK+TopzSTZQmemFNQn3l5sIj8/CRrMjDBT4qyP1ZAvfXDZt248wN6cvzp1KlRmALTbADm21YxHJLhvOTbj\
            KN9CNrVZcuvhSNAjsQlI2Q5pxNTTdWeDzFcnNubbZgBopAqTYkWOt3kgtP4swecg0w73/e3OyGjy/OAECIf3Qi4FjO4O/CU71f5c+Qs+pdQk\
            bad9HC0sOdoeio03pU9dFD18vDjSBx8Lt/fvcix4cYYIzOTDVHl3FMM4eYEsukifnASYxFf0BHqxR/E3PGORbBGXHaNMW0o3CdW92nD+J3Ti\
            V3CEtp1ogLS/GjvemWZ51YUQzolAelAzakvCPHzF2ICDMlRM7dhNSS6UbXlVE5gkZr6bxtU3gn3Mi9mymUnt5uk88vVxnxF98DbeOS54d35k\
            0csFC46LnCAWmtAnDzw2k60yXH/yaQJUtKgOriQlV+metvuRWx5qrlNTEUnOUsOMN90fFY58XOK44XwJEtOA/kJMQ97q02X2McQuPZ+7KEF6\
            Za7vtMgZq26m1y8pRihOnRzHUlXaoFfr4jpLdM4kkYoX33lXyiKC/OJwqbDe9cTIuNIEusQzI4MJiSNDK40SrSBMWifFn9VKnnjwUcfPo5rq\
            Cmi64rPFcXtpc+B2DLum1IF7G1xfoDNueua08EMgfTDXRfoMer/WBUUtj8usPt5FGWfYnmqap4U6MNaZvICvLA4NWVDdze+VZp/nYe2nW0vK\
            B8p6D8bFwgUnKHZEiuU5YDOOBmWvC+RyXFyHxvkU49OB93+ZcivH3F2IXJO9iOJwH8BLDbaZOWnvQMv5H/McIVTX1eRHwYMgjz0VdyYm0XjI\
            Mf1JfJKOVP8f7nBo7CeLCKWkTmzlqqeW1O6zzpPPI1ZIoGltnCmVoNu5mXgXutm7KqHNBWHb/XZWnd5rP7tSfurxhOtDtsNcmfQhhG+R7RzG\
            uFYbjx4epSqtDtjtjfc7BMPI9/QHe3JkyL0dz4Qj4+roILIjSGCmnx4FjGW7ASIoxHYmZE7xjCcwFcaJEN7RhgbOOIkh0IX9GNf+mdrwAwxW\
            kQLhYtGUBtkysTOCfjskpk+2SWXgB6i8udeEbFApMV7hxTh3rlu4d4j+ekASdmjI5pKK+TopsgZRccNxI6Mn3l5sIj8/CRrMjDBT4qyP1ZAv\
            fXDZt248wN6cvzp1KlRmALRTpW/rKMitqrhvOTbjKN9CNrVZchTSCBA=
        """
}

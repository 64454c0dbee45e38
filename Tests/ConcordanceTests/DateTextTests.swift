import Foundation
import TestSupport
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("Dates are text as in SQLite")
struct DateTextTests {
    @Test(arguments: [
        (0.0, "1970-01-01 00:00:00.000"), (-0.001, "1969-12-31 23:59:59.999"), (951_782_400, "2000-02-29 00:00:00.000"),
        (253_402_300_799.999, "9999-12-31 23:59:59.999"), (-62_167_219_200, "0000-01-01 00:00:00.000"),
        (1_234_567_890.1234, "2009-02-13 23:31:30.123"),
    ])
    func format(_ seconds: Double, _ text: String) {
        #expect(Date(timeIntervalSince1970: seconds).databaseValue == .text(text))
    }

    @Test(arguments: [253_402_300_800, -62_167_219_200.001, 1e18, -1e300, .infinity])
    func whatTextCannotHoldIsANumber(_ seconds: Double) {
        #expect(
            Date(timeIntervalSince1970: seconds).databaseValue
                == .double(Date(timeIntervalSince1970: seconds).timeIntervalSince1970))
    }

    @Test(arguments: [
        ("1970-01-02", 86_400.0), ("1970-01-01 00:01", 60), ("1970-01-01T00:00:07", 7), ("1970-01-01 00:00:00.5", 0.5),
        ("1970-01-01 00:00:00.123456789123", 0.123456789), ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01 00:00:00 -00:30", 1800), ("1970-01-01T00:00:00Z", 0), ("2000-02-29", 951_782_400),
    ])
    func parse(_ text: String, _ seconds: Double) {
        #expect(
            Date.fromDatabaseValue(.text(text))?.timeIntervalSince1970
                == Date(timeIntervalSince1970: seconds).timeIntervalSince1970)
    }

    @Test(arguments: [
        "", "1970", "1970-13-01", "1970-00-01", "1970-01-32", "1900-02-29", "1970-01-01 24:00", "1970-01-01 00:60",
        "1970-01-01 00:00:60", "1970-01-01 00:00:00.", "1970-01-01x", "1970-01-01 00:00:00+1", "1970-01-01 00:00:00Zz",
        "１９７０-01-01", "-970-01-01", "1970-01-01 ", "99999999999999999999-01-01", "1970-01-01 00:00:00\0",
    ])
    func reject(_ text: String) {
        #expect(Date.fromDatabaseValue(.text(text)) == nil)
    }

    @Test func agreesWithSQLite() throws {
        let db = try Database(path: ":memory:")
        var random = SeededGenerator(seed: 42)
        for _ in 0..<500 {
            let milliseconds = Int64.random(in: DateText.range, using: &random)
            let text = try #require(DateText.format(millisecondsSince1970: milliseconds))
            let seconds = (milliseconds - ((milliseconds % 1000) + 1000) % 1000) / 1000
            let expected = try String.fetchOne(db, sql: "SELECT datetime(?, 'unixepoch')", arguments: [seconds])
            #expect(String(text.prefix(19)) == expected, "\(milliseconds)")
            #expect(DateText.parse(text) == Double(milliseconds) / 1000, "\(text)")
        }
    }

    @Test(arguments: [
        ("1.50", "1.5"), ("-0.001", "-0.001"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ])
    func decimals(_ text: String, _ expected: String) {
        #expect(Decimal.fromDatabaseValue(.text(text)).map(\.databaseValue) == .text(expected))
    }

    @Test(arguments: ["", "1,5", "abc", "1.5x", " 1", "--1"])
    func noDecimals(_ text: String) { #expect(Decimal.fromDatabaseValue(.text(text)) == nil) }
}

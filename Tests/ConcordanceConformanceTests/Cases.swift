import DifferentialFuzzing
import Foundation
import TestSupport

/// A case of SQLite's own FTS5 tests: SQL to run after a setup, and its result there.
struct ConformanceCase: Decodable {
    let id: String
    let setup: String?
    let sql: String
    let rows: [[RecordedValue]]?
    let error: String?
}

/// Statements that several cases begin with.
struct ConformanceSetup: Decodable {
    let id: String
    let sql: [String]
}

/// An expression for MATCH: its canonical form, or the error that it gives.
struct ExpressionCase: Decodable {
    let expr: String
    let columns: [String]
    let options: [String]?
    let canonical: String?
    let error: String?

    /// Whether the canonical form means the same; false if it omits something, as it does `^`.
    let canonicalEquiv: Bool?

    /// The matching rows of the corpus.
    let matchRowids: [Int64]?

    /// The canonical form, if it means the same and is an expression: the canonical form of nothing is empty.
    var equivalent: String? { canonicalEquiv ?? true ? canonical.flatMap { $0.isEmpty ? nil : $0 } : nil }
}

/// A value in the recorded rows.
enum RecordedValue: Decodable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    var value: SQLValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .text(value)
        }
    }
}

/// The files of `fts5-cases`.
enum ConformanceData {
    /// The lines of a file, each a JSON value; nil if the data is absent.
    static func lines<T: Decodable>(_ name: String, as type: T.Type = T.self) throws -> [T]? {
        guard let url = SharedData.url("fts5-cases/\(name)") else { return nil }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(T.self, from: Data($0))
        }
    }

    static func setups() throws -> [String: [String]]? {
        try lines("setups.jsonl", as: ConformanceSetup.self).map {
            Dictionary($0.map { ($0.id, $0.sql) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

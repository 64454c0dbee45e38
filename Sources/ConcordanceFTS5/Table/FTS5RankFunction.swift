import ConcordanceSQLite

/// The function that computes the hidden column `rank`
/// (https://www.sqlite.org/fts5.html#sorting_by_auxiliary_function_results).
public enum FTS5RankFunction: Hashable, Sendable {
    /// SQLite's `bm25`, with the weight of a match by column; 1 for columns that are not mentioned.
    case bm25([String: Double] = [:])
    /// Any auxiliary function, with its arguments.
    case auxiliary(String, [DatabaseValue] = [])

    /// The function in FTS5's syntax: `bm25(10.0, 1.0)`.
    ///
    /// - Throws: `FTS5Error.noSuchColumn`; `invalidOption` for a name or an argument that FTS5's syntax cannot express.
    func text(for table: FTS5Table) throws -> String {
        switch self {
        case .bm25(let weights):
            return try Self.text("bm25", try table.weights(weights).map { .double($0) })
        case .auxiliary(let name, let arguments):
            return try Self.text(name, arguments)
        }
    }

    private static func text(_ name: String, _ arguments: [DatabaseValue]) throws(FTS5Error) -> String {
        guard name.isFTS5Bareword else {
            throw .invalidOption("rank", reason: "takes a function whose name is one word, unlike \(name)")
        }
        var literals: [String] = []
        for argument in arguments {
            guard let literal = literal(argument) else {
                throw .invalidOption("rank", reason: "cannot hold the argument \(argument)")
            }
            literals.append(literal)
        }
        return "\(name)(\(literals.joined(separator: ", ")))"
    }

    private static func literal(_ value: DatabaseValue) -> String? {
        switch value {
        case .null: "NULL"
        case .int64(let number): String(number)
        case .double(let number): number.isFinite ? self.literal(number) : nil
        case .text(let text): text.utf8.contains(0) ? nil : text.quotedDatabaseString
        case .blob: value.description.hasSuffix("…") ? nil : value.description
        }
    }

    /// A finite number without an exponent, which FTS5 cannot read.
    package static func literal(_ number: Double) -> String {
        let description = number.description
        guard let mark = description.firstIndex(where: { $0 == "e" || $0 == "E" }),
            let exponent = Int(description[description.index(after: mark)...])
        else { return description }
        let mantissa = description[..<mark]
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        let parts = mantissa.drop { $0 == "-" }.split(separator: ".")
        var digits = parts.joined()
        // The place of the point among the digits.
        let point = (parts.first?.count ?? 0) + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count {
            return sign + digits + String(repeating: "0", count: point - digits.count) + ".0"
        }
        digits.insert(".", at: digits.index(digits.startIndex, offsetBy: point))
        return sign + digits
    }
}

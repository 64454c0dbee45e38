import ConcordanceEngine
import ConcordanceSQLite

/// Reads an SQL condition that the engine can answer from stored values: comparisons of these with constants, joined by
/// AND.
///
///     condition   comparison { AND comparison } | ( condition )
///     comparison  name ( = | == | IS | < | <= | > | >= ) value | name BETWEEN value AND value | name IN ( value, … )
///                 | name IS [NOT] NULL
///     name        [table .] column
///     value       ? | number | text
///
/// Anything else is left to SQLite.
struct StoredConditionParser {
    private enum Token: Equatable {
        case name(String)
        case word(String)
        case value(DatabaseValue)
        case symbol(String)
        case end
        case other
    }

    private let fields: StoredFields
    private var arguments: ArraySlice<DatabaseValue>
    private var rest: Substring.UTF8View
    private var token = Token.end
    private var conditions: [StoredCondition] = []

    /// The conditions in the SQL; nil if it contains anything else.
    static func conditions(in sql: SQL, _ fields: StoredFields) -> [StoredCondition]? {
        guard sql.arguments.named.isEmpty, !fields.fields.isEmpty else { return nil }
        var parser = StoredConditionParser(sql, fields)
        guard parser.readConditions(), parser.token == .end else { return nil }
        return parser.conditions
    }

    /// The value that the SQL names; nil if it is anything else.
    static func field(in sql: SQL, _ fields: StoredFields) -> StoredField? {
        guard sql.arguments.isEmpty, !fields.fields.isEmpty else { return nil }
        var parser = StoredConditionParser(sql, fields)
        guard let field = parser.readField(), parser.token == .end else { return nil }
        return field
    }

    private init(_ sql: SQL, _ fields: StoredFields) {
        self.fields = fields
        arguments = sql.arguments.positional[...]
        rest = sql.sql[...].utf8
        advance()
    }

    // MARK: - Conditions

    private mutating func readConditions() -> Bool {
        repeat {
            if take(.symbol("(")) {
                guard readConditions(), take(.symbol(")")) else { return false }
            } else {
                guard let field = readField(), let test = readTest(field) else { return false }
                conditions.append(StoredCondition(field.name, test))
            }
        } while takeWord("and")
        return true
    }

    private mutating func readField() -> StoredField? {
        guard var name = readName() else { return nil }
        var qualifier: String?
        if take(.symbol(".")) {
            qualifier = name
            guard let column = readName() else { return nil }
            name = column
        }
        return fields.field(name, of: qualifier)
    }

    private mutating func readName() -> String? {
        switch token {
        case .name(let name), .word(let name):
            advance()
            return name
        default: return nil
        }
    }

    private mutating func readTest(_ field: StoredField) -> StoredCondition.Test? {
        if takeWord("is") {
            if takeWord("null") { return .isNull }
            if takeWord("not") { return takeWord("null") ? .isNotNull : nil }
            return readValue(field).map { .equal($0) }
        }
        if takeWord("between") {
            // Of several values, one may be above the lower bound and another below the upper.
            guard let lower = readValue(field), takeWord("and"), let upper = readValue(field) else { return nil }
            return .between(lower, upper)
        }
        if takeWord("in") { return readList(field) }
        guard case .symbol(let symbol) = token else { return nil }
        advance()
        guard let value = readValue(field) else { return nil }
        switch symbol {
        case "=", "==": return .equal(value)
        case "<": return .less(value)
        case "<=": return .lessOrEqual(value)
        case ">": return .greater(value)
        case ">=": return .greaterOrEqual(value)
        default: return nil
        }
    }

    private mutating func readList(_ field: StoredField) -> StoredCondition.Test? {
        guard take(.symbol("(")) else { return nil }
        var values: [DatabaseValue] = []
        if take(.symbol(")")) { return .oneOf(values) }
        repeat {
            guard let value = readValue(field) else { return nil }
            values.append(value)
        } while take(.symbol(","))
        return take(.symbol(")")) ? .oneOf(values) : nil
    }

    private mutating func readValue(_ field: StoredField) -> DatabaseValue? {
        guard case .value(let value) = token, field.takes(value) else { return nil }
        advance()
        return value
    }

    // MARK: - Tokens

    private mutating func take(_ expected: Token) -> Bool {
        guard token == expected else { return false }
        advance()
        return true
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard case .word(let found) = token, found.equalsIgnoringASCIICase(word) else { return false }
        advance()
        return true
    }

    private mutating func advance() { token = nextToken() }

    private mutating func nextToken() -> Token {
        while let byte = rest.first, byte == 0x20 || (0x09...0x0D).contains(byte) { rest.removeFirst() }
        guard let byte = rest.first else { return .end }
        switch byte {
        case UInt8(ascii: "?"):
            rest.removeFirst()
            // `?1` is not the next argument.
            if let next = rest.first, Self.isDigit(next) { return .other }
            return arguments.popFirst().map { .value($0) } ?? .other
        case UInt8(ascii: "'"): return readQuoted(by: byte).map { .value(.text($0)) } ?? .other
        case UInt8(ascii: "\""), UInt8(ascii: "`"): return readQuoted(by: byte).map { .name($0) } ?? .other
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "."):
            rest.removeFirst()
            return .symbol(String(Unicode.Scalar(byte)))
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="):
            return .symbol(read { [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "=")].contains($0) })
        case let byte where Self.isDigit(byte) || byte == UInt8(ascii: "-"): return readNumber()
        case let byte where Self.isLetter(byte): return .word(read { Self.isLetter($0) || Self.isDigit($0) })
        default: return .other
        }
    }

    private mutating func readNumber() -> Token {
        let text = read { Self.isDigit($0) || Self.isLetter($0) || [0x2B, 0x2D, 0x2E].contains($0) }
        let isInteger = text.utf8.dropFirst(text.hasPrefix("-") ? 1 : 0).allSatisfy(Self.isDigit)
        if isInteger { return Int64(text).map { .value(.int64($0)) } ?? .other }
        let isDecimal = text.utf8.allSatisfy { Self.isDigit($0) || [0x2D, 0x2E].contains($0) }
        return isDecimal ? Double(text).map { .value(.double($0)) } ?? .other : .other
    }

    /// A text or name between quotation marks, which are doubled inside it; nil if it does not end.
    private mutating func readQuoted(by mark: UInt8) -> String? {
        var bytes: [UInt8] = []
        rest.removeFirst()
        while let byte = rest.popFirst() {
            if byte != mark {
                bytes.append(byte)
            } else if rest.first == mark {
                bytes.append(byte)
                rest.removeFirst()
            } else {
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        return nil
    }

    private mutating func read(while isPart: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest.removeFirst(part.count)
        return String(decoding: part, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}

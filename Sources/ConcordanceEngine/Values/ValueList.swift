/// The values of a document that has several in one column: distinct, in ascending order, none of them NULL. A text that
/// is a JSON array of scalars is such a list.
struct ValueList: Hashable, Sendable {
    let values: [StoredValue]

    /// The list of these values, in any order.
    init(_ values: [StoredValue]) {
        if Self.isList(values) {
            self.values = values
            return
        }
        var distinct: [StoredValue] = []
        distinct.reserveCapacity(values.count)
        for value in values.sorted() where value != distinct.last ?? .null { distinct.append(value) }
        self.values = distinct
    }

    /// The list in a text: `["a", 2, 3.5, true]`, where true is 1 and null is left out, as SQLite's `json_each` has
    /// them. Nil if the text is anything else, such as an array that contains an array: that is a plain text.
    init?(json text: UnsafeBufferPointer<UInt8>) {
        guard let values = Self.elements(json: text) else { return nil }
        self.init(values.filter { $0 != .null })
    }

    /// The elements of a text that is a JSON array of scalars, in its order, nulls included; nil for anything else.
    static func elements(json text: UnsafeBufferPointer<UInt8>) -> [StoredValue]? {
        var parser = ValueListParser(text)
        return parser.parse()
    }

    /// Whether values ascend and none is NULL.
    private static func isList(_ values: [StoredValue]) -> Bool {
        guard let first = values.first, first != .null else { return values.isEmpty }
        return zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
    }

    // MARK: - JSON

    /// The list as a JSON array. JSON has no blobs, and no list made of it holds one: a blob would be null.
    var json: [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            switch value {
            case .null, .blob: text += "null".utf8
            case .integer(let number): text += String(number).utf8
            case .real(let number): text += Self.json(number).utf8
            case .text(let bytes): Self.append(string: bytes, to: &text)
            }
        }
        text.append(UInt8(ascii: "]"))
        return text
    }

    /// The shortest number that reads as the same real; one too large for any represents infinity, as in SQLite.
    private static func json(_ number: Double) -> String {
        if number.isFinite { return number.description }
        return number.isNaN ? "null" : number > 0 ? "9e999" : "-9e999"
    }

    private static func append(string bytes: [UInt8], to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0x08: text += "\\b".utf8
            case 0x09: text += "\\t".utf8
            case 0x0A: text += "\\n".utf8
            case 0x0C: text += "\\f".utf8
            case 0x0D: text += "\\r".utf8
            case 0..<0x20: text += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}

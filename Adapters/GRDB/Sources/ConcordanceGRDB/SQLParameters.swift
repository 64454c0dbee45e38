/// Finds the parameters of a piece of SQL: `?`, `?5`, `:name`, `@name` and `$name`, but not those in strings, quoted names and
/// comments (https://sqlite.org/lang_expr.html#parameters).
enum SQLParameters {
    /// Returns the SQL with `?` for every parameter, and the parameters in order.
    static func find(in sql: String) -> (sql: String, parameters: [String]) {
        let bytes = Array(sql.utf8)
        var result: [UInt8] = []
        var parameters: [String] = []
        var index = 0
        while index < bytes.count {
            let end = endOfToken(bytes, from: index)
            switch bytes[index] {
            case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"):
                parameters.append(String(decoding: bytes[index..<end], as: UTF8.self))
                result.append(UInt8(ascii: "?"))
            default:
                result += bytes[index..<end]
            }
            index = end
        }
        return (String(decoding: result, as: UTF8.self), parameters)
    }

    /// Where the parameter, name, string, comment or other character ends that begins at `start`.
    private static func endOfToken(_ bytes: [UInt8], from start: Int) -> Int {
        func end(after closing: String, from start: Int) -> Int {
            let closing = Array(closing.utf8)
            var index = start
            while index + closing.count <= bytes.count {
                if bytes[index..<index + closing.count].elementsEqual(closing) { return index + closing.count }
                index += 1
            }
            return bytes.count
        }
        let next = start + 1 < bytes.count ? bytes[start + 1] : 0
        switch bytes[start] {
        // A doubled quotation mark ends one string and begins another.
        case UInt8(ascii: "'"): return end(after: "'", from: start + 1)
        case UInt8(ascii: "\""): return end(after: "\"", from: start + 1)
        case UInt8(ascii: "`"): return end(after: "`", from: start + 1)
        case UInt8(ascii: "["): return end(after: "]", from: start + 1)
        case UInt8(ascii: "-") where next == UInt8(ascii: "-"): return end(after: "\n", from: start + 2)
        case UInt8(ascii: "/") where next == UInt8(ascii: "*"): return end(after: "*/", from: start + 2)
        default: break
        }
        var index = start + 1
        if isInName(bytes[start]) || ["?", ":", "@", "$"].contains(Unicode.Scalar(bytes[start])) {
            while index < bytes.count, isInName(bytes[index]) { index += 1 }
        }
        return index
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...0xFF: true
        default: false
        }
    }
}

/// How a column converts the values stored in it, as far as comparisons are concerned
/// (https://www.sqlite.org/datatype3.html, sections 3.1 and 4.2).
package enum Affinity: Sendable {
    /// INTEGER, REAL, NUMERIC.
    case numeric
    case text
    /// None: values stay as they are.
    case blob

    /// - Parameter type: The declared type of a column.
    package init(declaredType type: String) {
        let type = type.uppercased()
        func has(_ words: String...) -> Bool {
            words.contains { word in type.indices.contains { type[$0...].hasPrefix(word) } }
        }
        if has("INT") {
            self = .numeric
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if has("BLOB") || type.isEmpty {
            self = .blob
        } else {
            self = .numeric
        }
    }
}

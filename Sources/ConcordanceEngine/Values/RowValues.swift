import CConcordanceSQLite
import ConcordanceSQLite

/// The values of a row while they wait to be written. For each VALUE column:
///
///     0                                   NULL
///     1, 8 bytes; 2, 8 bytes              an integer; a real
///     3 or 4, length varint, bytes        a text; a blob
///     5, count varint, the values         several
enum RowValues {
    /// The longest text or blob, in bytes. Values are for short things: names, tags, dates.
    static let byteLimit = 4096
    /// The most values of a row in a column.
    static let listLimit = 4096

    private enum Kind: UInt8 {
        case null, integer, real, text, blob, list
    }

    /// Appends a value; a text that is a JSON array of scalars represents its elements.
    ///
    /// - Throws: SQLITE_TOOBIG for a value that is too long, or too many.
    static func append(_ value: BorrowedValue, named column: String, to writer: ByteWriter) throws {
        switch value.type {
        case SQLITE_INTEGER: append(.integer(value.int64), to: writer)
        case SQLITE_FLOAT: append(ValueView(real: value.double), to: writer)
        case SQLITE_NULL: append(.null, to: writer)
        case SQLITE_TEXT:
            try value.withUTF8 { text in
                if text.first == UInt8(ascii: "["), let list = ValueList(json: text) {
                    try append(list, named: column, to: writer)
                } else {
                    try checkLength(text.count, column)
                    append(.text(UnsafeRawBufferPointer(text)), to: writer)
                }
            }
        default:
            try value.withBytes {
                try checkLength($0.count, column)
                append(.blob($0), to: writer)
            }
        }
    }

    /// Appends the values of a document, ascending, of a page.
    static func append(_ values: [StoredValue], to writer: ByteWriter) {
        if values.count < 2 { return (values.first ?? .null).withView { append($0, to: writer) } }
        writer.append(byte: Kind.list.rawValue)
        writer.append(varint: values.count)
        for value in values { value.withView { append($0, to: writer) } }
    }

    private static func append(_ list: ValueList, named column: String, to writer: ByteWriter) throws {
        guard list.values.count <= listLimit else {
            throw tooBig("column \(column) takes \(listLimit) values a row at most")
        }
        writer.append(byte: Kind.list.rawValue)
        writer.append(varint: list.values.count)
        for value in list.values {
            try value.withView {
                if case .text(let text) = $0 { try checkLength(text.count, column) }
                append($0, to: writer)
            }
        }
    }

    private static func checkLength(_ count: Int, _ column: String) throws {
        guard count <= byteLimit else { throw tooBig("values of column \(column) have \(byteLimit) bytes at most") }
    }

    private static func tooBig(_ message: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_TOOBIG, message: message)
    }

    private static func append(_ value: ValueView, to writer: ByteWriter) {
        switch value {
        case .null: writer.append(byte: Kind.null.rawValue)
        case .integer(let integer):
            writer.append(byte: Kind.integer.rawValue)
            writer.append(fixed: integer)
        case .real(let real):
            writer.append(byte: Kind.real.rawValue)
            writer.append(fixed: real.bitPattern)
        case .text(let bytes), .blob(let bytes):
            if case .text = value {
                writer.append(byte: Kind.text.rawValue)
            } else {
                writer.append(byte: Kind.blob.rawValue)
            }
            writer.append(varint: bytes.count)
            writer.append(bytes)
        }
    }

    /// Adds the next value to a page.
    static func read(_ reader: inout ByteReader, into page: ValuePageWriter) throws {
        guard reader.remaining > 0, reader.peekByte() == Kind.list.rawValue else {
            return page.append(view: try readValue(&reader))
        }
        _ = try reader.byte()
        let count = try reader.varint(atMost: listLimit)
        page.append(list: try (0..<count).map { _ in StoredValue(try readValue(&reader)) })
    }

    /// The values of a row, which may be followed by others, by column.
    static func values(of row: UnsafeRawBufferPointer, columnCount: Int) throws -> [[StoredValue]] {
        var reader = ByteReader(row)
        return try (0..<columnCount).map { _ in
            guard reader.remaining > 0, reader.peekByte() == Kind.list.rawValue else {
                let value = StoredValue(try readValue(&reader))
                return value == .null ? [] : [value]
            }
            _ = try reader.byte()
            let count = try reader.varint(atMost: listLimit)
            return ValueList(try (0..<count).map { _ in StoredValue(try readValue(&reader)) }).values
        }
    }

    private static func readValue(_ reader: inout ByteReader) throws -> ValueView {
        switch Kind(rawValue: try reader.byte()) {
        case .null: return .null
        case .integer: return .integer(try reader.fixed(Int64.self))
        case .real: return ValueView(real: Double(bitPattern: try reader.fixed(UInt64.self)))
        case .text: return .text(try reader.bytes(reader.varint(atMost: byteLimit)))
        case .blob: return .blob(try reader.bytes(reader.varint(atMost: byteLimit)))
        case .list, nil: throw corrupt("a pending value has an unknown form")
        }
    }
}

import CConcordanceSQLite
import ConcordanceSQLite

/// The texts in values of `fts5_locale(locale, text)`, which FTS5 has from SQLite 3.47 on
/// (https://www.sqlite.org/fts5.html#the_locale_option). Such a value is a blob:
///
///     [ 16 bytes, random for each connection | locale | NUL | text ]
///
/// The tokenizers here are told no locale, so the text is all that is kept of it.
final class LocaleValues {
    private let connection: OpaquePointer
    private let header: [UInt8]
    private var statement: KeptStatement?

    private static let headerCount = 16

    /// Nil if SQLite has no such function.
    init?(_ connection: OpaquePointer) {
        guard let statement = try? KeptStatement(connection, "SELECT fts5_locale('l', '')"),
            (try? statement.step()) == true
        else { return nil }
        let header = statement.withBytes(at: 0) { Array($0.prefix(Self.headerCount)) }
        statement.reset()
        guard header.count == Self.headerCount else { return nil }
        self.connection = connection
        self.header = header
    }

    /// The text of a value of `fts5_locale()`, in the value; nil for any other value.
    func text(in value: BorrowedValue) -> UnsafeBufferPointer<UInt8>? {
        guard value.type == SQLITE_BLOB else { return nil }
        return value.withBytes { bytes -> UnsafeBufferPointer<UInt8>? in
            guard bytes.count > header.count, bytes.prefix(header.count).elementsEqual(header),
                let end = bytes[header.count...].firstIndex(of: 0)
            else { return nil }
            return UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]).bindMemory(to: UInt8.self)
        }
    }

    /// Calls `body` with the row in which texts replace values of `fts5_locale()`.
    func replace<Result>(in row: VirtualTableRow, _ body: (VirtualTableRow) throws -> Result) throws -> Result {
        let texts = row.values.map(text)
        guard texts.contains(where: { $0 != nil }) else { return try body(row) }
        // SQLite creates values from what is bound to a statement.
        let parameters = Array(repeating: "?", count: texts.count).joined(separator: ", ")
        let statement = try statement ?? KeptStatement(connection, "SELECT \(parameters)")
        self.statement = statement
        defer { statement.clear() }
        for (index, text) in texts.enumerated() {
            if let text { try statement.bind(String(decoding: text, as: UTF8.self), at: Int32(clamping: index + 1)) }
        }
        guard try statement.step() else { return try body(row) }
        let values = texts.enumerated().map { index, text in
            text == nil ? row.values[index].pointer : statement.value(at: Int32(clamping: index)).pointer
        }
        return try values.withUnsafeBufferPointer { try body(row.replacing(BorrowedValues($0))) }
    }
}

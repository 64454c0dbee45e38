import ConcordanceSQLite

/// A type that represents the rows of a table, or of a view.
///
/// ```swift
/// struct Book: Codable, TableRecord {             // table "book"
///     var title: String
/// }
/// struct Document: Codable, TableRecord {
///     static let databaseTableName = "documents"
///     var content: String
/// }
/// ```
public protocol TableRecord: RecordCoding {
    /// The name of the table. By default, the type's name with its first word in lower case: `Book` is stored in
    /// `book`, `HTTPRequest` in `httpRequest`.
    static var databaseTableName: String { get }

    /// What requests select: by default `*`, all columns except hidden ones. To fetch the rowid too: `static var
    /// databaseSelection: [any SQLSelectable] { [SQLSelection.allColumns, Column.rowID] }`
    static var databaseSelection: [any SQLSelectable] { get }
}

extension TableRecord {
    public static var databaseTableName: String { TableNames.name(for: Self.self) }

    public static var databaseSelection: [any SQLSelectable] { [SQLSelection.allColumns] }
}

/// Table names derived from type names, each computed once.
private enum TableNames {
    private static let names = Locked<[ObjectIdentifier: String]>([:])

    static func name(for type: any TableRecord.Type) -> String {
        names.withLock { names in
            if let name = names[ObjectIdentifier(type)] { return name }
            let name = lowercasingFirstWord(String(describing: type).prefix { $0 != "<" })
            names[ObjectIdentifier(type)] = name
            return name
        }
    }

    /// `Book` → `book`, `HTTPRequest` → `httpRequest`, `URL` → `url`.
    private static func lowercasingFirstWord(_ name: Substring) -> String {
        let capitals = name.prefix(while: \.isUppercase)
        let isOneWord = capitals.count == name.count || capitals.count <= 1
        let head = isOneWord ? capitals : capitals.dropLast()
        return head.lowercased() + name.dropFirst(head.count)
    }
}

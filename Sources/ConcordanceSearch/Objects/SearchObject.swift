import ConcordanceSQLite

/// What an `ObjectIndex` stores of an object that lives elsewhere: its id, its texts by field name, and its version.
///
/// ```swift
/// let note = SearchObject(id: url.path, texts: ["title": "Shells", "body": "She sells sea shells by the sea shore."])
/// ```
public struct SearchObject: Hashable, Identifiable, Sendable {
    /// The id of the object in its store: any string, compared byte by byte.
    public var id: String
    /// The texts, by the names of the index's fields; a field without a text is empty.
    public var texts: [String: String] {
        didSet { if version == ObjectVersion(of: oldValue) { version = ObjectVersion(of: texts) } }
    }
    /// The version of this state: the store's own, or a hash of the texts, which follows changes of `texts`.
    public var version: ObjectVersion

    /// Creates an object with its texts.
    ///
    /// - Parameters:
    ///   - id: The id of the object in its store.
    ///   - texts: Its texts by the names of the index's fields.
    ///   - version: The store's own version of this state; nil for a hash of the texts.
    public init(id: String, texts: [String: String], version: ObjectVersion? = nil) {
        self.id = id
        self.texts = texts
        self.version = version ?? ObjectVersion(of: texts)
    }

    /// The text of a field; empty if there is none.
    public subscript(field: String) -> String { texts[field] ?? "" }
}

extension SearchObject {
    /// Creates the object in a row of the table `objects`; all columns except reserved ones become its texts.
    public init(row: Row) throws {
        id = try row.decode(at: ObjectTable.idColumn)
        version = ObjectVersion(rawValue: try row.decode(at: ObjectTable.versionColumn))
        var texts: [String: String] = [:]
        for (name, value) in zip(row.columnNames, row.databaseValues) where !ObjectTable.isReserved(name) {
            if let text = String.fromDatabaseValue(value) { texts[name] = text }
        }
        self.texts = texts
    }
}

/// Why a file is not the expected index, or an object cannot be indexed.
public enum ObjectIndexError: Error, Hashable, Sendable {
    /// There is no file to open for reading.
    case noFile(path: String)
    /// The file is not an SQLite database, or its content is damaged.
    case damaged(path: String, reason: String)
    /// The file is a database of another kind.
    case otherDatabase(path: String)
    /// A later version of this package has written the file in a format that this version does not know.
    case newerFormat(path: String, format: Int64, supported: Int64)
    /// The file would have to be written to, but cannot be.
    case readOnly(path: String)
    /// A field has the name of a column that the index reserves.
    case reservedField(String, reserved: [String])
    /// A field is to be joined from other tables, but the file has none.
    case relatedField(String)
    /// There are no fields.
    case noFields(path: String)
    /// An object that was to be indexed has no id after its save.
    case noID(type: String)
}

extension ObjectIndexError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noFile(let path):
            "there is no index at \(path). Open it once for writing to create it."
        case .damaged(let path, let reason):
            "\(path) is not a database, or is damaged (\(reason)). If it is the index's own file, remove it with "
                + "ObjectIndex.removeFile(at:), open it again, and index the objects again with reconcile(with:)."
        case .otherDatabase(let path):
            "\(path) is a database of another kind, and was left as it is. Give the index a file of its own."
        case .newerFormat(let path, let format, let supported):
            "the index at \(path) has format \(format), and this version of Concordance knows formats up to "
                + "\(supported). Update the package, or remove the file and index the objects again."
        case .readOnly(let path):
            "the index at \(path) must be created or updated, but cannot be written to. Open it once for "
                + "writing, with the same fields."
        case .reservedField(let name, let reserved):
            "no field can be called \(name): the index itself has the columns \(reserved.joined(separator: ", "))"
        case .relatedField(let name):
            "field \(name) is to be joined from another table, but the file has no other tables. Put the text of "
                + "related objects in the texts of the object."
        case .noFields(let path):
            "the index at \(path) has no fields. Give it at least one: Field(\"text\")."
        case .noID(let type):
            "an object of type \(type) has texts but, after its save, no searchID. Store it in assignSearchID(_:), or "
                + "return the id that the object has."
        }
    }
}

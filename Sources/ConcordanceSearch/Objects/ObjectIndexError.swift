/// Why a file is not the index that was to be opened, or an object cannot be indexed.
public enum ObjectIndexError: Error, Hashable, Sendable {
    /// There is no file to be opened for reading only.
    case noFile(path: String)
    /// The file is no SQLite database, or one whose content is damaged.
    case damaged(path: String, reason: String)
    /// The file is a database of something else.
    case otherDatabase(path: String)
    /// A later version of this package has written the file in a format that this one does not know.
    case newerFormat(path: String, format: Int64, supported: Int64)
    /// The file would have to be written to, and cannot be.
    case readOnly(path: String)
    /// A field has the name of a column that the index keeps for itself.
    case reservedField(String, reserved: [String])
    /// A field is to come from other tables, of which the file has none.
    case relatedField(String)
    /// There are no fields.
    case noFields(path: String)
    /// An object was to be indexed that has no id after its save.
    case noID(type: String)
}

extension ObjectIndexError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noFile(let path):
            "there is no index at \(path). Open it for writing once, which creates it."
        case .damaged(let path, let reason):
            "\(path) is no database, or a damaged one (\(reason)). If it is the index's own file, remove it with "
                + "ObjectIndex.removeFile(at:), open it again, and index the objects anew with reconcile(with:)."
        case .otherDatabase(let path):
            "\(path) is a database of something else, which is left as it is. Give the index a file of its own."
        case .newerFormat(let path, let format, let supported):
            "the index at \(path) has format \(format), and this version of Concordance knows formats up to "
                + "\(supported). Update the package, or remove the file and index the objects anew."
        case .readOnly(let path):
            "the index at \(path) has to be created or brought up to date, and cannot be written to. Open it once for "
                + "writing, with the same fields."
        case .reservedField(let name, let reserved):
            "no field can be called \(name): the index itself has the columns \(reserved.joined(separator: ", "))"
        case .relatedField(let name):
            "field \(name) is to be joined from another table, of which an object index has none. Put the text of "
                + "related objects into the texts of the object."
        case .noFields(let path):
            "the index at \(path) has no fields. Give it at least one: Field(\"text\")."
        case .noID(let type):
            "an object of type \(type) has texts and, after its save, no searchID. Let assignSearchID(_:) store the id, or "
                + "return the one that the object has."
        }
    }
}

import ConcordanceText

/// The columns that a record writes, and their values, in order.
///
/// ```swift
/// struct Book: PersistableRecord {
///     var id: Int64
///     var title: String
///
///     func encode(to container: inout PersistenceContainer) throws {
///         container["id"] = id
///         container["title"] = title
///     }
/// }
/// ```
public struct PersistenceContainer: Sendable {
    /// The names of the columns.
    package private(set) var columns: [String] = []
    /// The values, one for each column.
    package private(set) var values: [DatabaseValue] = []
    /// The first value that the database cannot hold; thrown when the record is written.
    private(set) var failure: (any Error & Sendable)?

    /// An empty container.
    package init() {}

    /// The value of a column; assigning nil writes NULL.
    public subscript(_ column: String) -> (any DatabaseValueConvertible)? {
        get { value(of: column) }
        set {
            do {
                set(try newValue?.databaseValueToBind() ?? .null, for: column)
            } catch {
                failure = failure ?? error
            }
        }
    }

    /// The value of a column; assigning nil writes NULL.
    public subscript(_ column: Column) -> (any DatabaseValueConvertible)? {
        get { self[column.name] }
        set { self[column.name] = newValue }
    }

    /// The value of a column; nil if the record does not write it. Column names are compared as in SQLite, ignoring the
    /// case of ASCII letters.
    func value(of column: String) -> DatabaseValue? { index(of: column).map { values[$0] } }

    mutating func set(_ value: DatabaseValue, for column: String) {
        if let index = index(of: column) {
            values[index] = value
        } else {
            append(value, for: column)
        }
    }

    /// Adds a column that the container does not yet hold.
    mutating func append(_ value: DatabaseValue, for column: String) {
        columns.append(column)
        values.append(value)
    }

    mutating func reserveCapacity(_ count: Int) {
        columns.reserveCapacity(count)
        values.reserveCapacity(count)
    }

    private func index(of column: String) -> Int? {
        columns.firstIndex(of: column) ?? columns.firstIndex { $0.equalsIgnoringASCIICase(column) }
    }
}

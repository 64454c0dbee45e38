import CConcordanceSQLite

/// An order of texts, for `COLLATE name`.
///
/// ```swift
/// try db.add(collation: DatabaseCollation("by_length") { left, right in
///     left.count < right.count ? .ascending : left.count > right.count ? .descending : .same
/// })
/// ```
/// It must order any two texts, and always in the same way: an index written with another order is corrupt.
public struct DatabaseCollation: Sendable {
    /// The result of comparing two texts.
    public enum Order: Int32, Sendable {
        /// The first text comes before the second.
        case ascending = -1
        /// The texts are equal in this order, and in comparisons with it.
        case same = 0
        /// The first text comes after the second.
        case descending = 1
    }

    /// Its name in SQL.
    public let name: String

    let compare: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Order

    /// Creates an order of strings; invalid UTF-8 is repaired.
    public init(_ name: String, _ compare: @escaping @Sendable (String, String) -> Order) {
        self.init(name: name) { compare(String(decoding: $0, as: UTF8.self), String(decoding: $1, as: UTF8.self)) }
    }

    /// Creates an order of UTF-8 bytes, which are valid during the call.
    public static func bytes(
        _ name: String, _ compare: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Order
    ) -> DatabaseCollation {
        DatabaseCollation(name: name, compare: compare)
    }

    private init(
        name: String, compare: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Order
    ) {
        self.name = name
        self.compare = compare
    }
}

extension Database {
    private final class CollationContext {
        let collation: DatabaseCollation
        init(_ collation: DatabaseCollation) { self.collation = collation }
    }

    /// Adds a collation to this connection, replacing one with the same name.
    public func add(collation: DatabaseCollation) throws {
        try collation.name.validateForSQLite("collation")
        let connection = try sqliteConnection
        let context = Unmanaged.passRetained(CollationContext(collation))
        let code = csqlite_create_collation_v2(
            connection, collation.name, SQLITE_UTF8, context.toOpaque(),
            { context, leftCount, left, rightCount, right in
                guard let context else { return 0 }
                return Unmanaged<CollationContext>.fromOpaque(context).takeUnretainedValue().collation.compare(
                    UnsafeRawBufferPointer(start: left, count: left == nil ? 0 : Int(leftCount)),
                    UnsafeRawBufferPointer(start: right, count: right == nil ? 0 : Int(rightCount))
                ).rawValue
            },
            { if let context = $0 { Unmanaged<CollationContext>.fromOpaque(context).release() } })
        // Unlike that of a function, the destructor is not called on failure.
        if code != SQLITE_OK { context.release() }
        try check(code)
    }

    /// Removes the collation with that name.
    public func remove(collation: DatabaseCollation) throws {
        try collation.name.validateForSQLite("collation")
        try check(csqlite_create_collation_v2(try sqliteConnection, collation.name, SQLITE_UTF8, nil, nil, nil))
    }
}

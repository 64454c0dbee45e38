import ConcordanceSearch

extension TableRecord where Self: Decodable {
    /// The column that stores a property.
    ///
    /// ```swift
    /// let column = try Book.column(for: \.title)  // Column("title"), or what Book.CodingKeys says
    /// ```
    ///
    /// - Throws: `KeyPathError.notStored` for a property that is not stored; `KeyPathError.unavailable` for a type that
    ///   rejects trial values in its `init(from:)`, such as one with an enumeration that is not `CaseIterable`.
    public static func column<Value>(for keyPath: KeyPath<Self, Value>) throws(KeyPathError) -> Column {
        Column(try KeyPathColumns.name(of: keyPath))
    }
}

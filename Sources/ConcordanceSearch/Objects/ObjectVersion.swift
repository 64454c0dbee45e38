/// A version of one object: two states with different versions differ.
///
/// The version of an object's texts is the 64-bit xxHash of their names and contents, in the order of the names; an
/// empty text counts as missing. A store with a version of its own (a modification date, an ETag, a revision) can use
/// that instead, and then need not read the texts to find out what has changed.
///
/// Two states of one object have the same hash by accident once in 2⁶⁴ changes. `ObjectIndex` does not rely on it when
/// it has the texts: it compares those as well.
public struct ObjectVersion: Hashable, Sendable {
    /// The version as it is stored.
    public let rawValue: Int64

    /// Creates a version from its stored form.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the version of texts, given by field name.
    public init(of texts: [String: String]) {
        var hash = XXHash64()
        for (name, text) in texts.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        where !text.isEmpty {
            hash.combine(name)
            hash.combine(text)
        }
        rawValue = hash.value
    }

    /// Creates a version from the store's own, in any form: `ObjectVersion("W/\"0815\"")`.
    public init(_ mark: String) {
        var hash = XXHash64()
        hash.combine(mark)
        rawValue = hash.value
    }
}

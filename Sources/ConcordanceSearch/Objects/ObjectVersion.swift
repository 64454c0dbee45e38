/// A mark of one state of an object: two states with different marks differ.
///
/// The mark of an object's texts is the 64-bit xxHash of their names and contents, in the order of the names; an empty
/// text is as good as none. A store that has a mark of its own (a modification date, an ETag, a revision) can use that
/// one instead, and need not read the texts to find out what has changed.
///
/// That two states of one object have the same mark by accident happens once in 2⁶⁴ changes. `ObjectIndex` does not
/// rely on it when it is given the texts: it compares them as well.
public struct ObjectVersion: Hashable, Sendable {
    /// The mark as it is stored.
    public let rawValue: Int64

    /// A mark as it was stored.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The mark of texts by field name.
    public init(of texts: [String: String]) {
        var hash = XXHash64()
        for (name, text) in texts.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        where !text.isEmpty {
            hash.combine(name)
            hash.combine(text)
        }
        rawValue = hash.value
    }

    /// The store's own mark, whatever its form: `ObjectVersion("W/\"0815\"")`.
    public init(_ mark: String) {
        var hash = XXHash64()
        hash.combine(mark)
        rawValue = hash.value
    }
}

/// An object of the app's own store that an `ObjectIndexer` keeps in an `ObjectIndex`.
///
/// ```swift
/// extension Post: IndexedObject {
///     var searchID: String? { indexID }
///     func assignSearchID(_ id: String) { indexID = id }
///     var searchTexts: [String: String]? { ["title": title, "body": ([body] + comments.map(\.text)).joined(separator: "\n")] }
/// }
/// extension Comment: IndexedObject {
///     var searchTexts: [String: String]? { nil }          // no row of its own:
///     var searchParents: [any IndexedObject] { [post] }   // its text is in the row of its post
/// }
/// ```
public protocol IndexedObject: AnyObject, SendableMetatype {
    /// The object's id in the index; nil as long as it has none.
    ///
    /// If the store has a permanent id for the object, return that; it may become available only with the save.
    /// Default: nil.
    var searchID: String? { get }

    /// Stores the id permanently in the object, and is saved with it: `indexID = id`.
    ///
    /// Called once, in the first `willSave` of an object without an id. Default: does nothing.
    func assignSearchID(_ id: String)

    /// Whether the save will delete, or has deleted, the object.
    var isDeleted: Bool { get }

    /// The texts by field name, including those of children; nil for an object without a row of its own.
    ///
    /// Read once per save, after it has succeeded.
    var searchTexts: [String: String]? { get }

    /// The objects whose texts include this one's: their rows are rewritten when this object is saved or deleted.
    /// Default: none.
    var searchParents: [any IndexedObject] { get }
}

extension IndexedObject {
    public var searchID: String? { nil }
    public func assignSearchID(_ id: String) {}
    public var searchParents: [any IndexedObject] { [] }
}

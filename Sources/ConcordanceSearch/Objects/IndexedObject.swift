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
    /// What the object is called in the index; nil as long as it has no id.
    ///
    /// An object whose store has a lasting id for it returns that one, which may come only with the save. Default: nil.
    var searchID: String? { get }

    /// Keeps the id, once and for all, in the object, with which it is saved: `indexID = id`.
    ///
    /// Called once, in the first `willSave` of an object without an id. Default: does nothing.
    func assignSearchID(_ id: String)

    /// Whether the save will delete, or has deleted, the object.
    var isDeleted: Bool { get }

    /// The texts by field name, those of children included; nil for an object that has no row of its own.
    ///
    /// Asked for once a save, when the save is done.
    var searchTexts: [String: String]? { get }

    /// The objects whose texts include this one's: their rows are written when this object is saved or deleted.
    /// Default: none.
    var searchParents: [any IndexedObject] { get }
}

extension IndexedObject {
    public var searchID: String? { nil }
    public func assignSearchID(_ id: String) {}
    public var searchParents: [any IndexedObject] { [] }
}

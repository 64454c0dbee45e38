import CConcordanceSQLite

/// The name under which SQLite passes objects of one class from an argument to the code that reads them.
///
/// SQLite compares the names as texts and checks nothing else, and a process can contain several copies of this code,
/// an app's and a loaded extension's, whose classes differ. So each name ends in an address that no other copy has: an
/// object of another copy is not found, instead of being misread.
@usableFromInline
package struct PointerType<Object: AnyObject & Sendable>: Sendable {
    /// The address of the name, a C string.
    private let address: UInt

    /// Creates a new name. It is never freed, since SQLite keeps a pointer to it: create one for each class, in a
    /// `static let`.
    @usableFromInline
    package init(_ name: String) {
        let prefix = Array((name + " ").utf8)
        let capacity = prefix.count + 2 * MemoryLayout<UInt>.size + 1
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
        buffer.initialize(repeating: 0, count: capacity)
        address = UInt(bitPattern: buffer)
        for (index, byte) in (prefix + String(address, radix: 16).utf8).enumerated() {
            buffer[index] = CChar(bitPattern: byte)
        }
    }

    var name: UnsafePointer<CChar>? { UnsafePointer(bitPattern: address) }
}

/// An object as an argument of a statement: a function or virtual table of this process reads it with
/// `BorrowedValue.object(_:)`. Everything else sees NULL; SQL can neither store nor change it.
///
/// The statement keeps the object alive while it is bound (`sqlite3_bind_pointer`).
@usableFromInline
package struct PointerArgument: Sendable {
    private let object: any (AnyObject & Hashable & Sendable)
    private let type: @Sendable () -> UnsafePointer<CChar>?

    /// Creates an argument from an object and the name under which it is read.
    @usableFromInline
    package init<Object: AnyObject & Hashable & Sendable>(_ object: Object, type: PointerType<Object>) {
        self.object = object
        self.type = { type.name }
    }

    /// Binds the object; SQLite calls the last function when the binding is replaced or the statement is freed, and
    /// when binding fails.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        csqlite_bind_pointer(statement, index, Unmanaged<AnyObject>.passRetained(object).toOpaque(), type()) {
            if let pointer = $0 { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        }
    }
}

extension PointerArgument: Hashable {
    /// Whether the objects are equal.
    @usableFromInline
    package static func == (left: PointerArgument, right: PointerArgument) -> Bool {
        func isEqual<Object: Hashable>(_ object: Object) -> Bool { object == right.object as? Object }
        return isEqual(left.object)
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) { object.hash(into: &hasher) }
}

extension BorrowedValue {
    /// The object that a `PointerArgument` of this type passed; nil for any other value.
    @usableFromInline
    package func object<Object>(_ type: PointerType<Object>) -> Object? {
        guard let pointer, let object = csqlite_value_pointer(pointer, type.name) else { return nil }
        return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }

    /// Whether this is a pointer, of whatever type: SQL sees NULL.
    @usableFromInline
    package var isPointer: Bool {
        // The mark that `sqlite3_bind_pointer` and `sqlite3_result_pointer` put on their values.
        isNull && csqlite_value_subtype(pointer) == UInt32(UInt8(ascii: "p"))
    }
}

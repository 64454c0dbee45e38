import CConcordanceSQLite

/// How SQLite reaches the methods of one virtual-table type: functions on untyped memory.
///
/// SQLite calls C functions, which Swift cannot create from generic code. So one set of C functions serves all modules
/// (`VirtualTableModule.swift`), and calls the closures here. These are created where the type is known, in inlinable
/// code, so that the compiler specializes them in the module that declares the table. They capture nothing: a call
/// costs one more indirection than in C, and no allocation, existential or reference counting.
///
///     memory of a cursor   [ csqlite_cursor: SQLite's part, CursorOperations *, run, is_at_end | padding | Cursor ]
///     memory of a table    [ csqlite_table: SQLite's part, connection, VirtualTableHost, HostedTable ]
@usableFromInline
package struct VirtualTableOperations {
    let cursor: CursorOperations
    let table: TableOperations
    let writing: WriteOperations?

    /// The operations of a table that is only read.
    @inlinable
    package init<Table: VirtualTable>(reading type: Table.Type) {
        self.init(
            cursor: CursorOperations(Table.Cursor.self), table: TableOperations(type), writing: nil)
    }

    /// The operations of a table that is also written to.
    @inlinable
    package init<Table: WritableVirtualTable>(writing type: Table.Type) {
        self.init(
            cursor: CursorOperations(Table.Cursor.self), table: TableOperations(type), writing: WriteOperations(type))
    }

    @usableFromInline
    init(cursor: CursorOperations, table: TableOperations, writing: WriteOperations?) {
        self.cursor = cursor
        self.table = table
        self.writing = writing
    }
}

/// Where the Swift value is in the memory of a cursor.
@usableFromInline
enum CursorMemory<Cursor: VirtualTableCursor> {
    @inlinable static var alignment: Int {
        max(MemoryLayout<Cursor>.alignment, MemoryLayout<csqlite_cursor>.alignment)
    }

    @inlinable static var offset: Int { (MemoryLayout<csqlite_cursor>.size + alignment - 1) & ~(alignment - 1) }

    @inlinable @inline(__always)
    static func cursor(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Cursor> {
        (memory + offset).assumingMemoryBound(to: Cursor.self)
    }

    @inlinable
    static func allocate(_ cursor: Cursor) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<Cursor>.size, alignment: alignment)
        var head = csqlite_cursor()
        head.run = UnsafeMutableRawPointer(cursor.run)
        memory.initializeMemory(as: csqlite_cursor.self, repeating: head, count: 1)
        (memory + offset).initializeMemory(as: Cursor.self, repeating: cursor, count: 1)
        return memory
    }

    @inlinable
    static func deallocate(_ memory: UnsafeMutableRawPointer) {
        cursor(in: memory).deinitialize(count: 1)
        memory.deallocate()
    }
}

/// What SQLite does with a cursor; `memory` is the result of `CursorMemory.allocate`.
///
/// A class with constants, since calling a function read from a structure in memory would count a reference to it.
@usableFromInline
final class CursorOperations {
    /// `filter` and `next` return whether they have reached the end.
    let filter: (_ memory: UnsafeMutableRawPointer, VirtualTablePlan, BorrowedValues) throws -> Bool
    let next: (_ memory: UnsafeMutableRawPointer) throws -> Bool
    let column: (_ memory: UnsafeMutableRawPointer, Int, ResultContext) throws -> Void
    let rowID: (_ memory: UnsafeMutableRawPointer) throws -> Int64
    let deallocate: (_ memory: UnsafeMutableRawPointer) -> Void

    @inlinable
    convenience init<Cursor: VirtualTableCursor>(_ type: Cursor.Type) {
        self.init(
            filter: {
                let cursor = CursorMemory<Cursor>.cursor(in: $0)
                try cursor.pointee.filter($1, arguments: $2)
                return cursor.pointee.isAtEnd
            },
            next: {
                let cursor = CursorMemory<Cursor>.cursor(in: $0)
                try cursor.pointee.next()
                return cursor.pointee.isAtEnd
            },
            column: { try CursorMemory<Cursor>.cursor(in: $0).pointee.column($1, into: $2) },
            rowID: { try CursorMemory<Cursor>.cursor(in: $0).pointee.rowID() },
            deallocate: { CursorMemory<Cursor>.deallocate($0) })
    }

    @usableFromInline
    init(
        filter: @escaping (UnsafeMutableRawPointer, VirtualTablePlan, BorrowedValues) throws -> Bool,
        next: @escaping (UnsafeMutableRawPointer) throws -> Bool,
        column: @escaping (UnsafeMutableRawPointer, Int, ResultContext) throws -> Void,
        rowID: @escaping (UnsafeMutableRawPointer) throws -> Int64,
        deallocate: @escaping (UnsafeMutableRawPointer) -> Void
    ) {
        self.filter = filter
        self.next = next
        self.column = column
        self.rowID = rowID
        self.deallocate = deallocate
    }
}

/// What SQLite does with a table besides writing; the object has the type that the closures were created for.
@usableFromInline
struct TableOperations {
    let bestIndex: (AnyObject, inout VirtualTableIndex) throws -> Void
    let makeCursor: (AnyObject) throws -> UnsafeMutableRawPointer
    let function: (AnyObject, _ name: String, _ argumentCount: Int) -> VirtualTableFunction?
    let rename: (AnyObject, String) throws -> Void
    let destroy: (AnyObject) throws -> Void
    let integrityProblem: (AnyObject, _ isQuick: Bool) throws -> String?

    @inlinable
    init<Table: VirtualTable>(_ type: Table.Type) {
        self.init(
            bestIndex: { try unsafeDowncast($0, to: Table.self).bestIndex(&$1) },
            makeCursor: { CursorMemory.allocate(try unsafeDowncast($0, to: Table.self).makeCursor()) },
            function: { unsafeDowncast($0, to: Table.self).function(named: $1, argumentCount: $2) },
            rename: { try unsafeDowncast($0, to: Table.self).rename(to: $1) },
            destroy: { try unsafeDowncast($0, to: Table.self).destroy() },
            integrityProblem: { try unsafeDowncast($0, to: Table.self).integrityProblem(isQuick: $1) })
    }

    @usableFromInline
    init(
        bestIndex: @escaping (AnyObject, inout VirtualTableIndex) throws -> Void,
        makeCursor: @escaping (AnyObject) throws -> UnsafeMutableRawPointer,
        function: @escaping (AnyObject, String, Int) -> VirtualTableFunction?,
        rename: @escaping (AnyObject, String) throws -> Void,
        destroy: @escaping (AnyObject) throws -> Void,
        integrityProblem: @escaping (AnyObject, Bool) throws -> String?
    ) {
        self.bestIndex = bestIndex
        self.makeCursor = makeCursor
        self.function = function
        self.rename = rename
        self.destroy = destroy
        self.integrityProblem = integrityProblem
    }
}

/// How SQLite writes to a table; the object has the type that the closures were created for.
@usableFromInline
struct WriteOperations {
    /// A moment in a transaction that tables are told about.
    @usableFromInline
    enum TransactionEvent {
        case begin
        case sync
        case commit
        case rollback
        case savepoint(Int)
        case release(Int)
        case rollbackTo(Int)
    }

    let insert: (AnyObject, VirtualTableRow) throws -> Int64
    let update: (AnyObject, BorrowedValue, VirtualTableRow) throws -> Void
    let delete: (AnyObject, BorrowedValue) throws -> Void
    let transaction: (AnyObject, TransactionEvent) throws -> Void

    @inlinable
    init<Table: WritableVirtualTable>(_ type: Table.Type) {
        self.init(
            insert: { try unsafeDowncast($0, to: Table.self).insert($1) },
            update: { try unsafeDowncast($0, to: Table.self).update($1, to: $2) },
            delete: { try unsafeDowncast($0, to: Table.self).delete($1) },
            transaction: { object, event in
                let table = unsafeDowncast(object, to: Table.self)
                switch event {
                case .begin: try table.begin()
                case .sync: try table.sync()
                case .commit: try table.commit()
                case .rollback: try table.rollback()
                case .savepoint(let number): try table.savepoint(number)
                case .release(let number): try table.release(number)
                case .rollbackTo(let number): try table.rollback(to: number)
                }
            })
    }

    @usableFromInline
    init(
        insert: @escaping (AnyObject, VirtualTableRow) throws -> Int64,
        update: @escaping (AnyObject, BorrowedValue, VirtualTableRow) throws -> Void,
        delete: @escaping (AnyObject, BorrowedValue) throws -> Void,
        transaction: @escaping (AnyObject, TransactionEvent) throws -> Void
    ) {
        self.insert = insert
        self.update = update
        self.delete = delete
        self.transaction = transaction
    }
}

/// The rows of a result, read one at a time, on demand.
///
/// ```swift
/// let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
/// while let name = try names.next() { print(name) }
/// ```
/// Use a cursor only where its database may be used. Once its statement is executed again, `next()` throws
/// SQLITE_MISUSE.
public final class DatabaseCursor<Element> {
    /// The statement being executed.
    public let statement: Statement

    private let decode: (Statement) throws -> Element
    private var execution: Int?
    private var isDone = false

    /// Creates the cursor; the first `next` starts the execution.
    public init(
        _ statement: Statement, arguments: StatementArguments? = nil, decode: @escaping (Statement) throws -> Element
    ) throws {
        if let arguments { try statement.setArguments(arguments) }
        statement.reset()
        self.statement = statement
        self.decode = decode
    }

    deinit {
        if statement.database.isHeld, statement.execution == execution { statement.reset() }
    }

    /// Returns the next element; nil at the end, and from then on.
    public func next() throws -> Element? {
        guard !isDone else { return nil }
        // No longer running: the connection was returned meanwhile.
        if let execution, execution != statement.execution || !statement.isRunning {
            isDone = true
            throw statement.reusedError()
        }
        isDone = true  // unless this succeeds
        guard try statement.step() else { return nil }
        execution = statement.execution
        let element = try decode(statement)
        isDone = false
        return element
    }

    /// Calls `body` with each remaining element.
    public func forEach(_ body: (Element) throws -> Void) throws {
        while let element = try next() { try body(element) }
    }
}

/// The rows of a result, read one at a time.
public typealias RowCursor = DatabaseCursor<Row>

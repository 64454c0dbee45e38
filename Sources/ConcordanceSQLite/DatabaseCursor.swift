/// The rows of a result, read one at a time as they are asked for.
///
/// ```swift
/// let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
/// while let name = try names.next() { print(name) }
/// ```
/// It is used where its database is, and ends, with SQLITE_MISUSE, when its statement is executed again.
public final class DatabaseCursor<Element> {
    /// What is being executed.
    public let statement: Statement

    private let decode: (Statement) throws -> Element
    private var execution: Int?
    private var isDone = false

    /// Makes the cursor; the first `next` begins the execution.
    public init(
        _ statement: Statement, arguments: StatementArguments? = nil, decode: @escaping (Statement) throws -> Element
    ) throws {
        if let arguments { try statement.setArguments(arguments) }
        statement.reset()
        self.statement = statement
        self.decode = decode
    }

    deinit {
        if statement.execution == execution { statement.reset() }
    }

    /// The next element; nil at the end, and ever after.
    public func next() throws -> Element? {
        guard !isDone else { return nil }
        // Not running any more: the connection was given back meanwhile.
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

    /// Calls `body` with each element that is left.
    public func forEach(_ body: (Element) throws -> Void) throws {
        while let element = try next() { try body(element) }
    }
}

/// The rows of a result, read one at a time.
public typealias RowCursor = DatabaseCursor<Row>

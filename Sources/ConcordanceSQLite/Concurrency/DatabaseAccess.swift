/// The connections of a `DatabaseReader`. Its methods are those of the protocol.
public struct DatabaseAccess: Sendable {
    let reading: any ReadAccess

    init(_ reading: any ReadAccess) { self.reading = reading }
}

/// The connection of a `DatabaseWriter` that writes. Its methods are those of the protocol.
public struct DatabaseWriteAccess: Sendable {
    let writing: any WriteAccess

    init(_ writing: any WriteAccess) { self.writing = writing }
}

/// What the methods of `DatabaseReader` call, where they are explained.
package protocol ReadAccess: Sendable {
    var configuration: Configuration { get }
    var path: String { get }
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    func unsafeRead<Value>(_ body: (Database) throws -> Value) throws -> Value
    func unsafeRead<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    func unsafeReentrantRead<Value>(_ body: (Database) throws -> Value) throws -> Value
    func configureEachConnection(_ setup: @escaping @Sendable (Database) throws -> Void)
    func interrupt()
    func close() throws
}

/// What the methods of `DatabaseWriter` call, where they are explained.
package protocol WriteAccess: ReadAccess {
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value
    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value
    func barrierWriteWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value
    func barrierWriteWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value
    func unsafeReentrantWrite<Value>(_ body: (Database) throws -> Value) throws -> Value
    func spawnConcurrentRead(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void)
}

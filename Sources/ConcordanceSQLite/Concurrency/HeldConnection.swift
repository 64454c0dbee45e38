#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A connection that the current thread is using, and those that it was already using: a list on the thread's own
/// stack.
///
/// It answers the one question that decides between waiting and a deadlock: does this thread itself hold what it is
/// about to wait for?
///
/// A barrier holds all readers of a pool without using them: it is in the list as one of them, and marked.
struct HeldConnection {
    private let connection: Unmanaged<PooledConnection>
    private let isBarrier: Bool
    private let outer: UnsafeMutablePointer<HeldConnection>?

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static var innermost: UnsafeMutablePointer<HeldConnection>? {
        pthread_getspecific(key)?.assumingMemoryBound(to: HeldConnection.self)
    }

    /// Runs `body`, during which this thread is known to hold `connection`.
    static func holding<Result>(
        _ connection: PooledConnection, isBarrier: Bool = false, _ body: () throws -> Result
    ) rethrows -> Result {
        let outer = innermost
        var entry = HeldConnection(connection: .passUnretained(connection), isBarrier: isBarrier, outer: outer)
        return try withUnsafeMutablePointer(to: &entry) { entry in
            pthread_setspecific(key, entry)
            defer { pthread_setspecific(key, outer) }
            return try body()
        }
    }

    /// The innermost connection that this thread uses, or holds for a barrier, and that satisfies `condition`.
    static func first(
        includingBarriers: Bool = false, where condition: (PooledConnection) -> Bool
    ) -> PooledConnection? {
        var entry = innermost
        while let held = entry?.pointee {
            let connection = held.connection.takeUnretainedValue()
            if includingBarriers || !held.isBarrier, condition(connection) { return connection }
            entry = held.outer
        }
        return nil
    }
}

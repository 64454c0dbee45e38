/// The accesses that wait for connections, in order of arrival; any of them may leave.
///
/// `order` holds the tickets from `head` on, including those that have left; `waiters` holds those still waiting. Those
/// that have left are dropped when the front reaches them, or when they are more than half, so that memory follows the
/// number of waiters.
struct WaitingLine: Sendable {
    struct Waiter: Sendable {
        let count: Int
        let turn: ConnectionPool.Turn
    }

    private var order: [UInt64] = []
    private var head = 0
    private var waiters: [UInt64: Waiter] = [:]

    var isEmpty: Bool { waiters.isEmpty }
    var count: Int { waiters.count }

    var first: Waiter? {
        mutating get {
            while head < order.count {
                if let waiter = waiters[order[head]] { return waiter }
                head += 1
            }
            order.removeAll(keepingCapacity: true)
            head = 0
            return nil
        }
    }

    mutating func append(_ waiter: Waiter, ticket: UInt64) {
        order.append(ticket)
        waiters[ticket] = waiter
    }

    mutating func popFirst() -> Waiter? {
        guard let waiter = first else { return nil }
        waiters[order[head]] = nil
        head += 1
        compact()
        return waiter
    }

    mutating func remove(_ ticket: UInt64) -> Waiter? {
        defer { compact() }
        return waiters.removeValue(forKey: ticket)
    }

    mutating func removeAll() -> [Waiter] {
        var all: [Waiter] = []
        while let waiter = popFirst() { all.append(waiter) }
        return all
    }

    private mutating func compact() {
        guard order.count > 2 * waiters.count + 16 else { return }
        order = order[head...].filter { waiters[$0] != nil }
        head = 0
    }
}

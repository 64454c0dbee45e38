import Foundation

/// A bounded queue between threads: a sender waits while it is full.
///
/// `@unchecked Sendable` because every access to the stored properties happens while `condition` is locked.
final class Channel<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var elements: [(element: Element, cost: Int)] = []
    private var head = 0
    private var cost = 0
    private var isClosed = false
    private var senders: Int

    /// - Parameters:
    ///   - capacity: The greatest sum of the costs of elements in the queue; a single element always fits.
    ///   - senders: How many threads send; the queue ends when each has called `finish`.
    init(capacity: Int, senders: Int) {
        self.capacity = capacity
        self.senders = senders
    }

    /// Waits for room and adds `element`; false if the channel has been closed, so that nobody will receive it.
    func send(_ element: Element, cost: Int = 1) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed, self.cost > 0, self.cost + cost > capacity { condition.wait() }
        guard !isClosed else { return false }
        elements.append((element, cost))
        self.cost += cost
        condition.broadcast()
        return true
    }

    /// Adds `element` if there is room for it now and the channel is open; false otherwise.
    func offer(_ element: Element, cost: Int = 1) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed, senders > 0, self.cost == 0 || self.cost + cost <= capacity else { return false }
        elements.append((element, cost))
        self.cost += cost
        condition.broadcast()
        return true
    }

    /// Waits for the oldest element; nil if no more can come.
    func receive() -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while head == elements.count, senders > 0, !isClosed { condition.wait() }
        return isClosed ? nil : takeFirst()
    }

    /// Waits at most `seconds` for the oldest element.
    func receive(within seconds: Double) -> Reception<Element> {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while head == elements.count, senders > 0, !isClosed {
            if !condition.wait(until: deadline) { return .nothingYet }
        }
        guard !isClosed, let element = takeFirst() else { return .ended }
        return .element(element)
    }

    /// Tells that one sender has no more elements.
    func finish() {
        condition.lock()
        senders -= 1
        condition.broadcast()
        condition.unlock()
    }

    /// Drops all elements, and wakes all waiting threads.
    func close() {
        condition.lock()
        isClosed = true
        elements.removeAll()
        head = 0
        cost = 0
        condition.broadcast()
        condition.unlock()
    }

    private func takeFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head]
        head += 1
        cost -= first.cost
        if head > 64, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        condition.broadcast()
        return first.element
    }
}

enum Reception<Element: Sendable>: Sendable {
    case element(Element)
    case nothingYet
    case ended
}

/// A flag that one thread raises and others see.
///
/// `@unchecked Sendable` because the stored property is only touched while `lock` is held.
final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isUp = false

    func raise() { lock.withLock { isUp = true } }
    var isRaised: Bool { lock.withLock { isUp } }
}

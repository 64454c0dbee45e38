import Concordance
import ConcordanceSQLite
import Foundation

/// Reads what the screen asks for, on threads of its own, so that keys never wait. Of each kind of work, only the
/// newest request is kept.
final class ScreenWorker {
    private let service: SearchService
    private let deliver: @Sendable (ScreenEvent) -> Void
    /// One lane for searches, one for everything else.
    private let searching = WorkLane()
    private let reading = WorkLane()
    private let watch: any DispatchSourceTimer

    /// Seconds between checks for changes of the index.
    private static let watchInterval = 0.5
    private static let suggestionCount = 6

    /// - Parameter deliver: Called on any thread.
    init(_ service: SearchService, deliver: @escaping @Sendable (ScreenEvent) -> Void) {
        self.service = service
        self.deliver = deliver
        watch = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        let seen = Locked((version: try? service.source.connections.version(), hasWords: false))
        watch.schedule(deadline: .now(), repeating: Self.watchInterval, leeway: .milliseconds(100))
        watch.setEventHandler { [service] in
            // Asking makes the service read the words. Once it has them, completions and corrections are asked for
            // again.
            let hasWords = service.hasWords(table: nil)
            guard let version = try? service.source.connections.version() else { return }
            let isChanged = seen.withLock { seen in
                defer { seen = (version, seen.hasWords || hasWords) }
                return seen.version != version || hasWords && !seen.hasWords
            }
            if isChanged { deliver(.changed) }
        }
        watch.resume()
    }

    func stop() {
        watch.cancel()
        searching.close()
        reading.close()
    }

    func search(_ wish: SearchWish, generation: Int) {
        searching.run(.search) { [service, deliver] in
            deliver(.answer(generation: generation, Self.result { try service.search(wish) }))
        }
    }

    func more(_ wish: SearchWish, generation: Int) {
        searching.run(.more) { [service, deliver] in
            deliver(.more(generation: generation, Self.result { try service.search(wish) }))
        }
    }

    func document(_ id: Int64, text: String, generation: Int) {
        reading.run(.document) { [service, deliver] in
            let result = Self.result { try service.document(id, table: nil, text: text, from: nil) }
            deliver(.document(generation: generation, result))
        }
    }

    func continuation(_ id: Int64, from: String, text: String, generation: Int) {
        reading.run(.more) { [service, deliver] in
            let result = Self.result { try service.document(id, table: nil, text: text, from: from) }
            deliver(.continuation(generation: generation, result))
        }
    }

    func suggest(_ text: String) {
        reading.run(.suggestions) { [service, deliver] in
            guard let found = try? service.suggestions(for: text, table: nil, limit: Self.suggestionCount) else {
                return
            }
            deliver(.suggestions(text: text, found))
        }
    }

    private static func result<Value>(_ body: () throws -> Value) -> Result<Value, ScreenProblem> {
        do {
            return .success(try body())
        } catch let problem as HTTPProblem {
            return .failure(ScreenProblem(text: problem.detail))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return .failure(ScreenProblem(text: "the index is in use by another process; try again in a moment"))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            return .failure(ScreenProblem(text: "the search took too long; try other words"))
        } catch {
            return .failure(ScreenProblem(text: "\(error)"))
        }
    }
}

/// A thread that works off requests, of each kind only the newest.
///
/// `@unchecked Sendable` because the mutable properties are only touched while `condition` is locked.
private final class WorkLane: @unchecked Sendable {
    /// In the order in which requests are handled.
    enum Kind: Int {
        case search, document, more, suggestions
    }

    private let condition = NSCondition()
    private var waiting: [Kind: @Sendable () -> Void] = [:]
    private var isClosed = false

    init() {
        let thread = Thread { [self] in
            while let work = next() { work() }
        }
        // Finding matches in long documents needs a deep stack.
        thread.stackSize = 8 << 20
        thread.start()
    }

    func run(_ kind: Kind, _ work: @escaping @Sendable () -> Void) {
        condition.lock()
        if kind == .search { waiting[.more] = nil }
        waiting[kind] = work
        condition.signal()
        condition.unlock()
    }

    func close() {
        condition.lock()
        isClosed = true
        waiting = [:]
        condition.broadcast()
        condition.unlock()
    }

    private func next() -> (@Sendable () -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty, !isClosed { condition.wait() }
        guard !isClosed, let kind = waiting.keys.min(by: { $0.rawValue < $1.rawValue }) else { return nil }
        return waiting.removeValue(forKey: kind)
    }
}

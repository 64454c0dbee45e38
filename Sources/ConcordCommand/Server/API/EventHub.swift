import Foundation

/// Tells those who listen of changes: looks for them on a queue of its own, and only while somebody listens.
///
/// `@unchecked Sendable` because the mutable properties are only touched on `queue`.
final class EventHub: @unchecked Sendable {
    private static let interval = 0.25
    /// Looks between two heartbeats, which find out who has left.
    private static let heartbeat = 60
    /// Each listener holds a connection.
    static let listenerLimit = 128

    private let queue = DispatchQueue(label: "concord events")
    private let version: @Sendable () -> Int64?
    private let activity: @Sendable () -> IndexActivity?
    private let status: @Sendable () -> JSONText?
    private var listeners: [EventStream] = []
    private var timer: (any DispatchSourceTimer)?
    private var seen: Int64?
    private var seenActivity: IndexActivity?
    private var looks = 0
    private var isEnded = false

    init(
        version: @escaping @Sendable () -> Int64?, activity: @escaping @Sendable () -> IndexActivity?,
        status: @escaping @Sendable () -> JSONText?
    ) {
        self.version = version
        self.activity = activity
        self.status = status
    }

    /// A stream that begins with the status; nil where too many listen already.
    func listen() -> EventStream? {
        queue.sync {
            listeners.removeAll(where: \.isGone)
            guard !isEnded, listeners.count < Self.listenerLimit else { return nil }
            let stream = EventStream()
            if let status = status() { stream.send(event: "status", data: status) }
            listeners.append(stream)
            if timer == nil { start() }
            return stream
        }
    }

    /// Ends all streams.
    func end() {
        queue.sync {
            isEnded = true
            timer?.cancel()
            timer = nil
            for stream in listeners { stream.end() }
            listeners = []
        }
    }

    private func start() {
        seen = version()
        seenActivity = activity()
        looks = 0
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.setEventHandler { [weak self] in self?.look() }
        timer.resume()
        self.timer = timer
    }

    private func look() {
        listeners.removeAll(where: \.isGone)
        if listeners.isEmpty {
            timer?.cancel()
            timer = nil
            return
        }
        looks += 1
        if looks.isMultiple(of: Self.heartbeat) { for stream in listeners { stream.sendHeartbeat() } }
        let (version, activity) = (version(), activity())
        let before = seenActivity
        seenActivity = activity
        if let version, version != seen {
            seen = version
            send("status", status())
            send("change", .object([("version", .integer(Int(clamping: version)))]))
        } else if activity?.isBusy != before?.isBusy || activity?.work != before?.work {
            send("status", status())
        } else if let activity, activity.isBusy, activity != before {
            send("progress", activity.progress)
        }
    }

    private func send(_ event: String, _ data: JSONText?) {
        guard let data else { return }
        for stream in listeners { stream.send(event: event, data: data) }
    }
}

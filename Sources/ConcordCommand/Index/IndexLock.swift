import Foundation

/// What the process that writes to an index is doing.
struct IndexActivity: Codable, Equatable, Sendable {
    enum Work: String, Codable, Sendable {
        /// Ends when it has indexed everything.
        case index
        /// Goes on until it is stopped.
        case watch
    }

    var work: Work
    var process = getpid()
    /// Whether files are being read now; a watcher mostly waits.
    var isBusy = false
    /// The number of files examined, of how many in total (nil until they have been counted).
    var read = 0
    var total: Int?
    var path = ""

    init(_ work: Work) {
        self.work = work
        isBusy = work == .index
    }
}

/// The right to write documents to an index, which one process has at a time: a lock on a file beside the database.
/// When a process ends in whatever way, the system releases its lock. The file says what the process is doing.
///
/// `@unchecked Sendable` because the mutable property is only touched while `lock` is held, and the descriptor never changes.
final class IndexLock: @unchecked Sendable {
    enum Refusal: Error, Equatable {
        /// Another process holds the lock; nil if its activity cannot be read yet.
        case held(IndexActivity?)
    }

    static func path(of database: String) -> String { database + "-lock" }

    /// Attempts before a lock counts as held, since a process that only examines it holds it for a moment.
    private static let attempts = 20
    private static let noteInterval = 0.2
    private static let recordBytes = 16 << 10

    private let descriptor: Int32
    private let lock = NSLock()
    private var notedAt = DispatchTime(uptimeNanoseconds: 0)

    /// - Throws: `Refusal`, `IndexError`.
    init(_ database: String, _ activity: IndexActivity) throws {
        let path = Self.path(of: database)
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw IndexError.cannotCreate(path, systemMessage()) }
        for attempt in 1... {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR else {
                close(descriptor)
                throw IndexError.cannotCreate(path, systemMessage(code))
            }
            if attempt >= Self.attempts {
                let holder = Self.read(descriptor)
                close(descriptor)
                throw Refusal.held(holder)
            }
            usleep(5000)
        }
        write(activity)
    }

    deinit { close(descriptor) }

    /// Records what is being done, but not too often.
    func note(_ activity: IndexActivity, isUrgent: Bool = false) {
        let isDue = lock.withLock {
            guard isUrgent || Indexer.seconds(since: notedAt) >= Self.noteInterval else { return false }
            notedAt = .now()
            return true
        }
        if isDue { write(activity) }
    }

    /// A reader that sees half of the old and half of the new text cannot decode it, and tries again.
    private func write(_ activity: IndexActivity) {
        guard let data = try? JSONEncoder().encode(activity) else { return }
        data.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        ftruncate(descriptor, off_t(data.count))
    }

    /// What the process that holds the lock is doing; nil if no process holds it.
    static func holder(of database: String) -> IndexActivity? {
        let descriptor = open(path(of: database), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
        return read(descriptor) ?? IndexActivity(.index)
    }

    private static func read(_ descriptor: Int32) -> IndexActivity? {
        var bytes = [UInt8](repeating: 0, count: recordBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return try? JSONDecoder().decode(IndexActivity.self, from: Data(bytes[..<count]))
    }
}

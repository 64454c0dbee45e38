import CConcordanceTerminal
import Foundation

/// The terminal of the process while it shows the screen: modes, signals, input and output.
///
/// Used on one thread, except for `post`.
final class TerminalDriver {
    /// Input that does not come from the keyboard.
    enum Notice: Sendable {
        case resized
        case continued
        /// Another process asks this one to stop, as Control-Z would.
        case stop
        /// To end, by this signal.
        case end(Int32)
        case event(ScreenEvent)
    }

    enum Arrival {
        case bytes([UInt8])
        case notice(Notice)
        /// Nothing arrived in time.
        case nothing
        /// The terminal is gone.
        case closed
    }

    let capabilities: TerminalCapabilities
    private let inbox = Inbox()
    private var saved = termios()
    private var isRaw = false
    private var sources: [any DispatchSourceSignal] = []

    private static let ending = [SIGINT, SIGTERM, SIGHUP]

    /// Nil unless standard input and output are a terminal.
    init?(_ capabilities: TerminalCapabilities) {
        guard isatty(0) == 1, isatty(1) == 1, tcgetattr(0, &saved) == 0, inbox.isOpen else { return nil }
        self.capabilities = capabilities
    }

    /// May be called on any thread.
    var post: @Sendable (ScreenEvent) -> Void {
        { [inbox] event in inbox.post(.event(event)) }
    }

    // MARK: Modes

    /// Takes over the terminal.
    func enter() {
        let leaving = leavingBytes
        _ = leaving.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cterminal_guard($0.baseAddress, $0.count) }
        }
        setRaw()
        write(capabilities.enter + TerminalCapabilities.enableInput)
    }

    /// Restores the terminal.
    func leave() {
        write(String(decoding: leavingBytes, as: UTF8.self))
        if isRaw { tcsetattr(0, TCSADRAIN, &saved) }
        isRaw = false
        cterminal_unguard()
    }

    private var leavingBytes: [UInt8] {
        Array(
            (TerminalCapabilities.disableInput + capabilities.resetLook + capabilities.showCursor + capabilities.leave)
                .utf8)
    }

    private func setRaw() {
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        isRaw = tcsetattr(0, TCSADRAIN, &raw) == 0
    }

    /// Runs `body` with the terminal restored.
    func lend<Value>(_ body: () -> Value) -> Value {
        leave()
        defer { enter() }
        return body()
    }

    /// Stops the process until it is continued.
    func suspend() {
        leave()
        kill(getpid(), SIGSTOP)
        enter()
    }

    // MARK: Signals

    func watchSignals() {
        for number in Self.ending { watch(number, ignored: true) { .end(number) } }
        watch(SIGTSTP, ignored: true) { .stop }
        watch(SIGWINCH, ignored: false) { .resized }
        watch(SIGCONT, ignored: false) { .continued }
        // A pager that exits early must not end this process.
        signal(SIGPIPE, SIG_IGN)
    }

    private func watch(_ number: Int32, ignored: Bool, _ notice: @escaping @Sendable () -> Notice) {
        if ignored { signal(number, SIG_IGN) }
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [inbox] in inbox.post(notice()) }
        source.resume()
        sources.append(source)
    }

    func unwatchSignals() {
        for source in sources { source.cancel() }
        sources = []
        for number in Self.ending + [SIGTSTP] { signal(number, SIG_DFL) }
    }

    // MARK: Input and output

    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (min(Int(size.ws_col), 1000), min(Int(size.ws_row), 500))
    }

    /// Waits for input.
    ///
    /// - Parameter milliseconds: How long to wait at most; -1 to wait without limit.
    func next(within milliseconds: Int32) -> Arrival {
        if let notice = inbox.take() { return .notice(notice) }
        var waiting = [
            pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&waiting, nfds_t(waiting.count), milliseconds)
        if count < 0 { return errno == EINTR ? .nothing : .closed }
        if waiting[1].revents != 0, let notice = inbox.take() { return .notice(notice) }
        guard waiting[0].revents != 0 else { return .nothing }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let got = read(0, &bytes, bytes.count)
        if got > 0 { return .bytes(Array(bytes[..<got])) }
        return got < 0 && (errno == EINTR || errno == EAGAIN) ? .nothing : .closed
    }

    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if written < 0, errno == EINTR {
                continue
            } else if written < 0, errno == EAGAIN {
                var room = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, 1000)
            } else {
                return
            }
        }
    }
}

/// Notices from other threads, and a pipe that wakes the thread that waits for them.
///
/// `@unchecked Sendable` because the mutable property is only touched while `lock` is held; the pipe is never changed.
private final class Inbox: @unchecked Sendable {
    private let lock = NSLock()
    private var notices: [TerminalDriver.Notice] = []
    private let ends: (read: Int32, write: Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            self.ends = (-1, -1)
            return
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        if isOpen {
            close(ends.read)
            close(ends.write)
        }
    }

    var isOpen: Bool { ends.read >= 0 }
    var descriptor: Int32 { ends.read }

    func post(_ notice: TerminalDriver.Notice) {
        lock.withLock { notices.append(notice) }
        var byte: UInt8 = 0
        // A full pipe wakes the thread as well.
        _ = write(ends.write, &byte, 1)
    }

    func take() -> TerminalDriver.Notice? {
        lock.withLock {
            if notices.count <= 1 {
                var bytes = [UInt8](repeating: 0, count: 256)
                while read(ends.read, &bytes, bytes.count) == bytes.count {}
            }
            return notices.isEmpty ? nil : notices.removeFirst()
        }
    }
}

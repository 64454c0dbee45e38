import Foundation

/// Where a command writes, and what it knows about the terminal.
final class Console {
    private let output: Sink
    private let messages: Sink
    /// Whether the output, or the messages, go to a terminal that is not dumb.
    let isOutputTerminal: Bool
    let isMessageTerminal: Bool
    let environment: [String: String]

    /// Writes to the process's standard output and standard error.
    init(environment: [String: String]) {
        output = Sink(descriptor: 1)
        messages = Sink(descriptor: 2)
        let isDumb = environment["TERM"] == "dumb"
        isOutputTerminal = isatty(1) == 1 && !isDumb
        isMessageTerminal = isatty(2) == 1 && !isDumb
        self.environment = environment
    }

    deinit { flush() }

    /// The width of the terminal in columns; without a terminal, that of `COLUMNS`, or 80.
    var width: Int {
        for descriptor: Int32 in [1, 2] {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        }
        return environment["COLUMNS"].flatMap(Int.init).map { min(max($0, 20), 1000) } ?? 80
    }

    /// The height of the terminal in rows; 24 without a terminal.
    var height: Int {
        var size = winsize()
        return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
    }

    func print(_ text: String, terminator: String = "\n") { output.write(text + terminator) }

    /// Writes an error or a warning to standard error: `concord: …`.
    func complain(_ text: String) {
        output.flush()
        messages.write("concord: \(text)\n")
        messages.flush()
    }

    /// Writes text to standard error unchanged.
    func message(_ text: String, terminator: String = "\n") {
        messages.write(text + terminator)
        messages.flush()
    }

    func flush() {
        output.flush()
        messages.flush()
    }

    /// Why output was lost, such as "no space left on device"; nil if none was, or if nobody reads it any more.
    var outputProblem: String? { output.problem }

    /// The style of the output, by the option --color and the environment (https://no-color.org,
    /// https://bixense.com/clicolors).
    func style(color wish: String?) throws -> Style {
        switch wish {
        case "always": return Style(isColored: true)
        case "never": return Style(isColored: false)
        case nil, "auto":
            let isForbidden = !(environment["NO_COLOR"] ?? "").isEmpty
            return Style(isColored: isOutputTerminal && !isForbidden)
        case let other?: throw UsageError("--color takes always, never or auto, not '\(other)'")
        }
    }
}

/// Buffered output to a descriptor.
private final class Sink {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private(set) var problem: String?

    init(descriptor: Int32) { self.descriptor = descriptor }

    func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count > 16 << 10 { flush() }
    }

    /// Drops what cannot be written: a reader that has exited, as `head` does, wants no more.
    func flush() {
        var rest = buffer[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR || errno == EAGAIN { continue }
            guard written > 0 else {
                if written < 0, errno != EPIPE, errno != EBADF { problem = systemMessage() }
                break
            }
            rest = rest.dropFirst(written)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Colours and weights by the escape sequences of ECMA-48, or plain text.
struct Style: Equatable, Sendable {
    var isColored: Bool

    func title(_ text: String) -> String { dressed(text, "1") }
    func match(_ text: String) -> String { dressed(text, "1;33") }
    func path(_ text: String) -> String { dressed(text, "36") }
    func faint(_ text: String) -> String { dressed(text, "2") }

    private func dressed(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

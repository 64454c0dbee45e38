/// Shows the progress of an indexing run, on a terminal only, in one line that is overwritten.
struct ProgressLine {
    private let console: Console
    private let isQuiet: Bool
    private var shownAt = 0.0
    private var isLineShown = false

    private static let interval = 0.1

    init(_ console: Console, isQuiet: Bool) {
        self.console = console
        self.isQuiet = isQuiet
    }

    mutating func show(_ progress: IndexProgress) {
        guard !isQuiet, console.isMessageTerminal, progress.seconds - shownAt >= Self.interval else { return }
        shownAt = progress.seconds
        let text = Self.text(progress)
        let columns = console.width - 1
        let room = columns - TerminalText.width(text) - 3
        let path =
            room > 8 ? " · " + TerminalText.fitting(TerminalText.line(Self.name(progress.path)), columns: room) : ""
        // Returns to the first column, and clears the rest of a longer earlier line.
        console.message("\r" + TerminalText.fitting(text + path, columns: columns) + "\u{1B}[K", terminator: "")
        isLineShown = true
    }

    /// Clears the line for what follows.
    mutating func finish() {
        if isLineShown { console.message("\r\u{1B}[K", terminator: "") }
        isLineShown = false
    }

    static func text(_ progress: IndexProgress) -> String {
        var parts: [String] = []
        if let total = progress.total {
            parts.append("\(grouped(progress.files)) of \(counted(max(total.files, progress.files), "file"))")
        } else {
            parts.append(counted(progress.files, "file"))
        }
        if progress.textBytes > 0 {
            parts.append("\(byteCount(progress.textBytes)) of text")
            let perSecond = Double(progress.textBytes) / max(progress.seconds, 0.001)
            parts.append("\(byteCount(Int(min(perSecond, 1e15))))/s")
        }
        if let left = remaining(progress) { parts.append("\(duration(left)) left") }
        return parts.joined(separator: " · ")
    }

    /// Seconds left at the speed so far; nil while that says little.
    private static func remaining(_ progress: IndexProgress) -> Double? {
        guard let total = progress.total, total.bytes > progress.bytes, progress.bytes > total.bytes / 50,
            progress.seconds > 1
        else { return nil }
        let seconds = progress.seconds * Double(total.bytes - progress.bytes) / Double(progress.bytes)
        return max(1, seconds.rounded())
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

import CConcordanceTerminal

/// What a terminal understands, by its description in terminfo(5). Create it once per process: the library keeps one
/// description.
struct TerminalCapabilities: Sendable {
    /// Enters and leaves the alternate screen, which preserves what was on the terminal.
    var enter: String
    var leave: String
    var clear: String
    var clearToEndOfLine: String
    var hideCursor: String
    var showCursor: String
    var resetLook: String
    var bold: String
    var dim: String
    var reverse: String
    var underline: String
    /// The number of colours, and the string that sets one; 0 with NO_COLOR.
    var colors: Int
    private var setForeground: String
    private var moveCursor: String
    /// What keys send, beyond the sequences on which all terminals agree.
    var keys: [[UInt8]: Key] = [:]

    /// Enables mouse reports in the form SGR 1006, and bracketed paste. Terminals ignore what they do not know.
    static let enableInput = "\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h"
    static let disableInput = "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l"

    /// Begin and end synchronized output: between them the terminal shows what it showed before, so no screen is seen
    /// half painted. Terminals without it ignore both.
    static let beginFrame = "\u{1B}[?2026h"
    static let endFrame = "\u{1B}[?2026l"

    /// Reads the description of the terminal `name` or, if the machine does not have it, one with the most common
    /// sequences; nil if the cursor of the terminal cannot be moved.
    init?(name: String?, isColored: Bool) {
        guard let name, !name.isEmpty, name != "dumb" else { return nil }
        guard cterminal_load(name) == 1 || cterminal_load("xterm-256color") == 1 || cterminal_load("xterm") == 1,
            let moveCursor = Self.string("cup"), let clear = Self.string("clear")
        else { return nil }
        self.moveCursor = moveCursor
        self.clear = Self.expanded(clear)
        func plain(_ name: String) -> String { Self.string(name).map { Self.expanded($0) } ?? "" }
        // The keypad's mode decides what the arrow keys send.
        enter = plain("smcup") + plain("smkx")
        leave = plain("rmkx") + plain("rmcup")
        clearToEndOfLine = plain("el")
        hideCursor = plain("civis")
        showCursor = plain("cnorm")
        resetLook = plain("sgr0")
        bold = plain("bold")
        dim = plain("dim")
        reverse = plain("rev")
        underline = plain("smul")
        setForeground = Self.string("setaf") ?? ""
        colors = isColored && !setForeground.isEmpty ? max(Int(cterminal_number("colors")), 0) : 0
        let names: [(String, Key)] = [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
            ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kf1", .function(1)), ("kcbt", .backTab),
            ("kri", .shiftUp), ("kind", .shiftDown),
        ]
        for (name, key) in names {
            if let bytes = Self.string(name).map({ Array($0.utf8) }), bytes.count > 1, bytes[0] == 27 {
                keys[bytes] = key
            }
        }
    }

    func moved(x: Int, y: Int) -> String { Self.expanded(moveCursor, y, x) }

    func foreground(_ color: Int) -> String { color < colors ? Self.expanded(setForeground, color) : "" }

    private static func string(_ name: String) -> String? {
        cterminal_string(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func expanded(_ string: String, _ first: Int = 0, _ second: Int = 0) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress,
                cterminal_expand(string, Int32(clamping: first), Int32(clamping: second), start, buffer.count) > 0
            else { return "" }
            return String(cString: start)
        }
    }
}

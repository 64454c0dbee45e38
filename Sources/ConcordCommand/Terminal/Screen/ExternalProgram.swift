import Foundation

/// A program that shows or edits a document in the terminal: `$VISUAL` or `$EDITOR`, `$PAGER`.
struct ExternalProgram: Equatable, Sendable {
    /// A shell command, possibly with arguments.
    var command: String

    /// The first one that the environment names, or else the first of `programs` that is installed.
    private init?(named names: [String], else programs: [String], _ environment: [String: String]) {
        let named = names.compactMap { environment[$0] }.first { !$0.allSatisfy(\.isWhitespace) }
        guard let command = named ?? programs.first(where: { Subprocess.find($0, path: environment["PATH"]) != nil })
        else { return nil }
        self.command = command
    }

    init(command: String) { self.command = command }

    static func editor(_ environment: [String: String]) -> ExternalProgram? {
        ExternalProgram(named: ["VISUAL", "EDITOR"], else: ["sensible-editor", "nano", "vim", "vi"], environment)
    }

    static func pager(_ environment: [String: String]) -> ExternalProgram? {
        ExternalProgram(named: ["PAGER"], else: ["less", "more"], environment)
    }

    /// The name of the program, without its folder and arguments.
    var name: String {
        let word = command.split(whereSeparator: \.isWhitespace).first ?? ""
        return word.split(separator: "/").last.map(String.init) ?? ""
    }

    /// The arguments that open a file at a line, in each editor's own syntax.
    func arguments(path: String, line: Int?) -> [String] {
        guard let line, line > 0 else { return [path] }
        switch name {
        case "vi", "vim", "nvim", "view", "vim.basic", "vim.tiny", "gvim", "mvim", "nvi", "elvis", "emacs",
            "emacsclient",
            "nano", "pico", "rnano", "joe", "jed", "jmacs", "mg", "ne", "micro", "kak", "mcedit", "gedit",
            "sensible-editor",
            "editor", "less", "more", "most", "bat":
            return ["+\(line)", path]
        case "code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "positron":
            return ["--goto", "\(path):\(line)"]
        case "hx", "helix", "subl", "zed", "zeditor", "lapce", "dte", "amp": return ["\(path):\(line)"]
        case "kate", "kwrite", "mate": return ["--line", "\(line)", path]
        default: return [path]
        }
    }

    /// Runs the program on the terminal; returns what went wrong, as a sentence.
    ///
    /// - Parameter input: What the program reads from its standard input; the terminal if nil.
    func run(_ arguments: [String], input: [UInt8]? = nil) -> String? {
        var ends: [Int32] = [-1, -1]
        if input != nil {
            guard pipe(&ends) == 0 else { return systemMessage() }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        // The words after the script are $0, $1 and so on.
        let words = ["sh", "-c", command + " \"$@\"", name] + arguments
        let started = Result { try Subprocess.startInTerminal("/bin/sh", words, input: input == nil ? nil : ends[0]) }
        if ends[0] >= 0 { close(ends[0]) }
        guard case .success(let child) = started else {
            if ends[1] >= 0 { close(ends[1]) }
            return "cannot start \(name)"
        }
        if let input {
            Self.write(input, to: ends[1])
            close(ends[1])
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // The shell's exit code for a program that does not exist.
        return status >> 8 & 0xFF == 127 ? "\(name) is not installed" : nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

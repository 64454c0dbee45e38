import Foundation

/// `concord service`
enum ServiceCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let service = try BackgroundService(arguments, console: console)
        #if os(macOS)
            let isLaunchd = !arguments.has("systemd")
        #else
            let isLaunchd = arguments.has("launchd")
        #endif
        if arguments.has("systemd"), arguments.has("launchd") {
            throw UsageError("use --systemd or --launchd, not both")
        }
        console.print(isLaunchd ? service.launchdPropertyList : try service.systemdUnit(), terminator: "")
        // The advice on installing is for people, not part of the file.
        if console.isMessageTerminal { console.message(isLaunchd ? Self.launchdAdvice : Self.systemdAdvice) }
        return .success
    }

    private static let systemdAdvice = """

        To install it: concord service > ~/.config/systemd/user/concord.service
                       systemctl --user enable --now concord
        """
    private static let launchdAdvice = """

        To install it: concord service > ~/Library/LaunchAgents/concord.plist
                       launchctl bootstrap gui/$UID ~/Library/LaunchAgents/concord.plist
        """
}

/// A program that the system starts at login, and restarts if it fails.
struct BackgroundService: Equatable {
    /// The program and its arguments.
    var command: [String]

    init(command: [String]) { self.command = command }

    init(_ arguments: ParsedArguments, console: Console) throws {
        let program = Self.program(console.environment)
        var command = [program, arguments.has("no-serve") ? "watch" : "serve"]
        if !arguments.has("no-serve") { command.append("--watch") }
        command += ["--db", IndexLocation.path(option: arguments.value("db"), environment: console.environment)]
        for name in ["port", "host", "token"] {
            guard let value = arguments.value(name) else { continue }
            if arguments.has("no-serve") { throw UsageError("--\(name) configures a server; leave out --no-serve") }
            command += ["--\(name)", value]
        }
        if let seconds = try arguments.count("rescan", in: 1...1_000_000) { command += ["--rescan", "\(seconds)"] }
        _ = try arguments.count("port", in: 0...65_535)
        self.command = command
    }

    /// The absolute path of this program.
    private static func program(_ environment: [String: String]) -> String {
        let name = CommandLine.arguments.first ?? "concord"
        if name.contains("/") { return DirectoryWalk.absolute(name) }
        return Subprocess.find(name, path: environment["PATH"]) ?? "/usr/local/bin/concord"
    }

    /// A user unit of systemd (man 5 systemd.service).
    ///
    /// - Throws: `UsageError` if a word has a control character, which no unit can hold.
    func systemdUnit() throws -> String {
        guard command.allSatisfy({ word in word.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } })
        else {
            throw UsageError("a systemd unit cannot hold a path or option with a control character")
        }
        return """
            [Unit]
            Description=Concord: follows folders and searches documents
            Documentation=man:concord(1)

            [Service]
            ExecStart=\(command.map(Self.systemdWord).joined(separator: " "))
            Restart=on-failure
            RestartSec=5
            Nice=10
            IOSchedulingClass=idle

            [Install]
            WantedBy=default.target

            """
    }

    /// A word, quoted as man 5 systemd.service says: `%` begins a specifier and `$` a variable, even within quotation
    /// marks.
    static func systemdWord(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "/._-:+=@,".utf8.contains(byte)
        }
        if isPlain, !word.isEmpty { return word }
        var text = ""
        for character in word {
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "%": text += "%%"
            case "$": text += "$$"
            default: text.append(character)
            }
        }
        return "\"\(text)\""
    }

    /// An agent of launchd (man 5 launchd.plist).
    var launchdPropertyList: String {
        let words = command.map { "        <string>\(Self.xml($0))</string>\n" }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>Label</key>
                <string>concord</string>
                <key>ProgramArguments</key>
                <array>
            \(words)    </array>
                <key>RunAtLoad</key>
                <true/>
                <key>KeepAlive</key>
                <dict>
                    <key>SuccessfulExit</key>
                    <false/>
                </dict>
                <key>ProcessType</key>
                <string>Background</string>
            </dict>
            </plist>

            """
    }

    /// Text escaped for XML 1.0; characters that XML cannot hold are replaced.
    static func xml(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case _ where scalar.value < 32 && ![9, 10, 13].contains(scalar.value): result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// `concord man`
enum ManualCommand {
    static func run(console: Console) -> ExitCode {
        console.print(ManualPageWriter.page, terminator: "")
        return .success
    }
}

/// The manual page in mdoc(7), generated from the same specifications as the help.
enum ManualPageWriter {
    /// When the page's facts last changed.
    private static let date = "November 24, 2026"

    private static let lineLength = 72

    private static let environment: [(name: String, meaning: String)] = [
        ("CONCORD_DB", "The index, if --db is not given."),
        ("CONCORD_TOKEN", "The secret that clients of concord serve must send, if --token is not given."),
        ("XDG_DATA_HOME", "On Linux, the folder for application data, which holds the index by default."),
        ("VISUAL, EDITOR", "The editor in which the full-screen search opens files; it may have arguments."),
        ("PAGER", "The program that shows the text of other documents."),
        ("NO_COLOR", "If not empty, output has no colour."),
        ("TERM", "The terminal. On a dumb one, the interactive search reads a query per line."),
    ]

    private static let exitCodes: [(code: String, meaning: String)] = [
        ("0", "Done; for search, something was found."), ("1", "Nothing found, or the index is damaged."),
        ("2", "A wrong command line; for search, any error."), ("3", "A problem with the index or a file."),
        ("130", "Interrupted."),
    ]

    static var page: String {
        var lines = [
            ".Dd \(date)", ".Dt CONCORD 1", ".Os", ".Sh NAME", ".Nm concord", ".Nd find documents by their words",
            ".Sh SYNOPSIS", ".Nm",
        ]
        for command in Specifications.all { lines += synopsis(command) }
        lines += [".Sh DESCRIPTION"]
        lines += sentences(
            """
            Finds documents: texts, office documents, mail, books, PDF and source code, also inside archives. An index \
            holds their words; the command index brings it up to date.
            """)
        lines += [
            ".Pp", "Without a command, at a terminal,", ".Nm", "searches as you type.", "F1 shows the keys.",
            ".Sh COMMANDS",
        ]
        for command in Specifications.all { lines += section(command) }
        lines += [".Sh ENVIRONMENT", ".Bl -tag -width Ds"]
        for variable in environment {
            let names = variable.name.split(separator: " ").map {
                $0.hasSuffix(",") ? "\($0.dropLast()) ," : String($0)
            }
            lines += [".It Ev " + names.joined(separator: " Ev ")] + sentences(variable.meaning)
        }
        lines += [".El", ".Sh EXIT STATUS", ".Bl -tag -width Ds"]
        for exit in exitCodes { lines += [".It \(exit.code)"] + sentences(exit.meaning) }
        lines += [".El", ".Sh EXAMPLES"]
        for command in Specifications.all {
            for example in command.examples {
                lines += sentences(example.meaning) + [".Pp", ".Dl \(argument(example.line))", ".Pp"]
            }
        }
        if lines.last == ".Pp" { lines.removeLast() }
        lines += [".Sh SEE ALSO", ".Xr grep 1 ,", ".Xr sqlite3 1"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func synopsis(_ command: CommandSpecification) -> [String] {
        var lines = [".Nm", ".Cm \(command.name)", ".Op Ar options"]
        if !command.operands.isEmpty { lines.append(".Ar \(argument(command.operands))") }
        return lines
    }

    private static func section(_ command: CommandSpecification) -> [String] {
        var lines = [".Ss \(command.name)"] + sentences(command.summary)
        for paragraph in command.discussion.split(separator: "\n\n", omittingEmptySubsequences: true) {
            lines += [".Pp"] + sentences(String(paragraph))
        }
        lines += [".Bl -tag -width Ds"]
        for option in command.allOptions {
            let value = option.value.map { " Ar \(argument($0))" } ?? ""
            let short = option.short.map { "Fl \($0)\(value) , " } ?? ""
            lines += [".It \(short)Fl -\(option.name)\(value)"] + sentences(option.help)
        }
        return lines + [".El"]
    }

    /// Text with each sentence on a line of its own, as mdoc expects.
    private static func sentences(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.count + word.count > Self.lineLength {
                if !line.isEmpty { lines.append(line) }
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
            if word.hasSuffix("."), !word.hasSuffix("..") {
                lines.append(line)
                line = ""
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map(textLine)
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            // Keeps hyphens, quotes and accents as typed, so that they can be copied into a command line.
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            default: result.append(character)
            }
        }
        return result
    }

    /// A line of text, which must not look like a macro.
    private static func textLine(_ text: String) -> String {
        let line = escaped(text)
        return line.hasPrefix(".") || line.hasPrefix("\\(aq") ? "\\&" + line : line
    }

    /// The arguments of a macro, none of which may be taken for a macro or for punctuation.
    private static func argument(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let isSpecial = word.count <= 3 && word.allSatisfy { $0.isLetter || $0.isPunctuation || $0.isSymbol }
            let escaped = escaped(word).replacing("\"", with: "\\(dq")
            return (isSpecial ? "\\&" : "") + escaped
        }.joined(separator: " ")
    }
}

import Foundation

/// `concord completions`
enum CompletionsCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let shell = arguments.operands.first ?? ""
        guard let script = CompletionScripts.script(for: shell) else {
            let known = Specifications.completions.operandChoices
            let hint = nearest(shell, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("completions knows \(known.joined(separator: ", ")), not '\(shell)'\(hint)")
        }
        console.print(script, terminator: "")
        return .success
    }
}

/// What can complete a word of the command line.
enum WordCompletion: Equatable, Sendable {
    case nothing, files, folders
    case choices([String])

    /// - Parameter placeholder: The word's placeholder in the help, such as `FILE` or `[PATH...]`.
    init(placeholder: String, choices: [String]) {
        if !choices.isEmpty {
            self = .choices(choices)
        } else if placeholder.contains("FOLDER") {
            self = .folders
        } else if placeholder.contains("FILE") || placeholder.contains("PATH") {
            self = .files
        } else {
            self = .nothing
        }
    }
}

extension OptionSpecification {
    /// nil for a switch.
    var completion: WordCompletion? { value.map { WordCompletion(placeholder: $0, choices: choices) } }

    /// Its spellings: `-k`, `--kind`.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

    /// The first sentence of the help, on one line.
    var brief: String {
        let line = help.split(separator: "\n").joined(separator: " ")
        let end =
            line.range(of: ". ")?.lowerBound
            ?? (line.hasSuffix(".") ? line.index(before: line.endIndex) : line.endIndex)
        return String(line[..<end])
    }
}

extension CommandSpecification {
    var operandCompletion: WordCompletion {
        // A query comes before any other operand.
        operands.hasPrefix("QUERY") || operands.hasPrefix("TEXT")
            ? .nothing : WordCompletion(placeholder: operands, choices: operandChoices)
    }
}

/// Scripts that make shells complete commands, options and their values, generated from the same specifications as the
/// help.
enum CompletionScripts {
    static func script(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    /// Commands without a specification.
    private static let plainCommands = [("help", "Print the help of a command"), ("version", "Print the version")]
    private static var names: [String] { Specifications.all.map(\.name) }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    // MARK: bash

    /// For bash 3.2 and newer, without other packages.
    private static var bash: String {
        let commands = (names + plainCommands.map(\.0)).joined(separator: " ")
        return """
            # Completion of concord for bash; made by: concord completions bash

            _concord_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
            _concord_files() {
                local name
                COMPREPLY=()
                while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$1" -- "$cur")
                compopt -o filenames 2>/dev/null
            }
            _concord() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command= i
                COMPREPLY=()
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                    -*) ;;
                    *)
                        command=${COMP_WORDS[i]}
                        break
                        ;;
                    esac
                done
                # --option=value comes as three words.
                if [[ $cur == '=' ]]; then
                    cur=
                elif [[ $prev == '=' ]]; then
                    prev=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                case $command in
                '') _concord_words "\(commands) --help --version" ;;
                help) _concord_words "\(names.joined(separator: " "))" ;;

            """ + Specifications.all.map(bash).joined() + """
                    esac
                }
                complete -F _concord concord

                """
    }

    private static func bash(_ command: CommandSpecification) -> String {
        var text = "    \(command.name))\n        case $prev in\n"
        for option in command.allOptions {
            guard let completion = option.completion else { continue }
            text += "        \(option.spellings.joined(separator: " | "))) \(bash(completion)) return ;;\n"
        }
        let options = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
        return text + """
                    esac
                    case $cur in
                    -*) _concord_words "\(options)" ;;
                    *) \(bash(command.operandCompletion)) ;;
                    esac
                    ;;

            """
    }

    private static func bash(_ completion: WordCompletion) -> String {
        switch completion {
        case .nothing: "COMPREPLY=();"
        case .files: "_concord_files -f;"
        case .folders: "_concord_files -d;"
        case .choices(let words): "_concord_words \"\(words.joined(separator: " "))\";"
        }
    }

    // MARK: zsh

    private static var zsh: String {
        let commands = Specifications.all.map { ($0.name, $0.summary) } + plainCommands
        let described = commands.map { "            " + quoted("\($0.0):" + withoutColons(withoutStop($0.1))) + "\n" }
            .joined()
        return """
            #compdef concord
            # Completion of concord for zsh; made by: concord completions zsh

            _concord() {
                local context state state_descr line
                local -a commands
                typeset -A opt_args
                _arguments -C \\
                    '(- *)'{-h,--help}'[Print the help]' \\
                    '(- *)'{-V,--version}'[Print the version]' \\
                    '1:command:->command' \\
                    '*::argument:->argument'
                case $state in
                command)
                    commands=(

            """ + described + """
                        )
                        _describe command commands
                        ;;
                    argument)
                        case $words[1] in
                        help) _values command \(names.map(quoted).joined(separator: " ")) ;;

                """ + Specifications.all.map(zsh).joined() + """
                            esac
                            ;;
                        esac
                    }

                    if [ "$funcstack[1]" = _concord ]; then
                        _concord "$@"
                    else
                        compdef _concord concord
                    fi

                    """
    }

    private static func zsh(_ command: CommandSpecification) -> String {
        var lines: [String] = []
        for option in command.allOptions {
            let description = "[" + bracketed(option.brief) + "]"
            let value = option.value.map { ":\($0):" + zsh(option.completion ?? .nothing) } ?? ""
            let mark = option.value == nil ? "" : "="
            if let short = option.short {
                let shortMark = option.value == nil ? "" : "+"
                lines.append(
                    "'(-\(short) --\(option.name))'{-\(short)\(shortMark),--\(option.name)\(mark)}"
                        + quoted(description + value))
            } else {
                lines.append(quoted("--\(option.name)\(mark)" + description + value))
            }
        }
        if command.operandCount.upperBound > 0 {
            let place = command.operandCount.upperBound == 1 ? "1" : "*"
            lines.append(
                quoted("\(place):\(withoutColons(command.operands.lowercased())):" + zsh(command.operandCompletion)))
        }
        let arguments = lines.map { " \\\n                \($0)" }.joined()
        return "        \(command.name))\n            _arguments -s" + arguments + "\n            ;;\n"
    }

    private static func zsh(_ completion: WordCompletion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .choices(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private static func withoutStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
    private static func withoutColons(_ text: String) -> String { text.replacingOccurrences(of: ":", with: "\\:") }
    private static func bracketed(_ text: String) -> String {
        withoutColons(text).replacingOccurrences(of: "[", with: "\\[").replacingOccurrences(of: "]", with: "\\]")
    }

    // MARK: fish

    private static var fish: String {
        var lines = [
            "# Completion of concord for fish; made by: concord completions fish", "",
            "complete -c concord -f",
            "complete -c concord -n __fish_use_subcommand -s h -l help -d 'Print the help'",
            "complete -c concord -n __fish_use_subcommand -s V -l version -d 'Print the version'",
        ]
        for (name, summary) in Specifications.all.map({ ($0.name, $0.summary) }) + plainCommands {
            lines.append(
                "complete -c concord -n __fish_use_subcommand -a \(name) -d \(fishQuoted(withoutStop(summary)))")
        }
        lines.append("complete -c concord -n '__fish_seen_subcommand_from help' -a '\(names.joined(separator: " "))'")
        for command in Specifications.all {
            let condition = "complete -c concord -n '__fish_seen_subcommand_from \(command.name)'"
            for option in command.allOptions {
                let short = option.short.map { " -s \($0)" } ?? ""
                let value = option.completion.map { " " + fish($0) } ?? ""
                lines.append("\(condition)\(short) -l \(option.name)\(value) -d \(fishQuoted(option.brief))")
            }
            switch command.operandCompletion {
            case .nothing: break
            case .files: lines.append("\(condition) -F")
            case .folders: lines.append("\(condition) -a '(__fish_complete_directories)'")
            case .choices(let words): lines.append("\(condition) -a '\(words.joined(separator: " "))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fish(_ completion: WordCompletion) -> String {
        switch completion {
        case .nothing: "-x"
        case .files: "-r -F"
        case .folders: "-x -a '(__fish_complete_directories)'"
        case .choices(let words): "-x -a '\(words.joined(separator: " "))'"
        }
    }

    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'") + "'"
    }
}

import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Documents are opened at the line of the match")
struct OpeningTests {
    @Test(arguments: [
        ("vim", ["+7", "/a b.txt"]), ("/usr/bin/nvim -R", ["+7", "/a b.txt"]), ("nano", ["+7", "/a b.txt"]),
        ("emacsclient -t", ["+7", "/a b.txt"]), ("hx", ["/a b.txt:7"]), ("code --wait", ["--goto", "/a b.txt:7"]),
        ("kate", ["--line", "7", "/a b.txt"]), ("some-other", ["/a b.txt"]),
    ])
    func editors(_ command: String, arguments: [String]) {
        let editor = ExternalProgram(command: command)
        #expect(editor.arguments(path: "/a b.txt", line: 7) == arguments)
        #expect(editor.arguments(path: "/a b.txt", line: nil) == ["/a b.txt"])
    }

    @Test func theEnvironmentNamesThem() {
        #expect(ExternalProgram.editor(["EDITOR": "ed", "VISUAL": "vis"])?.command == "vis")
        #expect(ExternalProgram.editor(["EDITOR": "ed", "VISUAL": " "])?.command == "ed")
        #expect(ExternalProgram.pager(["PAGER": "less -R"])?.name == "less")
        #expect(ExternalProgram.editor([:]) == nil)
    }

    @Test func programsGetTheirArgumentsAsTheyAre() throws {
        let folder = try TemporaryFolder()
        let output = folder["out"]
        let path = "/tmp/it's \"$HOME\" `x` *.txt"
        #expect(ExternalProgram(command: "printf '%s\\n' > '\(output)'").run(["+3", path]) == nil)
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "+3\n\(path)\n")
        #expect(ExternalProgram(command: "cat > '\(output)'; true").run([], input: Array("text".utf8)) == nil)
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "text")
        #expect(ExternalProgram(command: "no-such-program-here").run([]) == "no-such-program-here is not installed")
    }

    private static let lines = SourceLines(
        Array("# Title\n\nSome *marked* words here.\nother\n\nsome words again, marked\nlast".utf8))

    @Test(arguments: [
        (1, "Some marked words here.", 3), (6, "some marked words", 6), (1, "some marked words", 3), (1, "LAST", 7),
        (500, "other", 4), (1, "nowhere", nil), (1, "", nil), (-5, "title", 1),
    ])
    func lines(near estimate: Int, context: String, expected: Int?) {
        #expect(Self.lines.nearest(to: estimate, with: context) == expected)
    }

    @Test func linesOfAFileThatIsNoText() throws {
        let folder = try TemporaryFolder()
        try folder.write("zero", [65, 0, 66])
        try folder.write("packed", [0x1F, 0x8B, 8, 65])
        try folder.write("text", "one\r\ntwo")
        #expect(!SourceLines.isText(folder["zero"]) && !SourceLines.isText(folder["packed"]))
        #expect(SourceLines(file: folder["text"])?.text(line: 1) == "one")
        #expect(SourceLines(file: folder["text"])?.text(line: 9) == "")
    }
}

@Suite("Search in pipes, as ripgrep has it")
struct PipeTests {
    private let command: BuiltCommand
    private let folder: TemporaryFolder

    init() throws {
        command = try #require(BuiltCommand())
        folder = try TemporaryFolder()
        try folder.write("docs/one.txt", "first line\nan apple and an apple\n")
        try folder.write("docs/two.md", "# Fruit\n\nSome *words*.\n\nAn **apple** a day.\n")
        try folder.write("docs/rows.jsonl", "{\"text\":\"pear\"}\n{\"text\":\"apple one\"}\n{\"text\":\"apple two\"}\n")
        try folder.write("docs/new\nline.txt", "cherry\n")
        for name in ["plums", "copy"] { try folder.write("docs/\(name).txt", "a damson is a small plum\n") }
        #expect(try run("index", folder["docs"]).code == 0)
    }

    private func run(_ arguments: String...) throws -> BuiltCommand.Output {
        try command.run(arguments, environment: ["CONCORD_DB": folder["index.db"]])
    }

    @Test func paths() throws {
        let lines = try run("search", "-l", "apple")
        #expect(lines.code == 0 && lines.messages == "")
        let names = lines.output.split(separator: "\n").map { $0.split(separator: "/").last.map(String.init) ?? "" }
        #expect(names.sorted() == ["one.txt", "rows.jsonl", "two.md"])
        let zero = try run("search", "-0", "apple").output
        #expect(zero.split(separator: "\0").count == 3 && zero.hasSuffix("\0") && !zero.contains("\n"))
        #expect(try run("search", "-0", "cherry").output.hasSuffix("/docs/new\nline.txt\0"))
        #expect(try run("search", "-l", "-0", "apple").output == zero)
    }

    @Test(arguments: ["-l", "-0", "--vimgrep"])
    func copiesAreListedToo(option: String) throws {
        let found = try run("search", option, "damson").output.split { $0 == "\n" || $0 == "\0" }
        #expect(found.count == 2)
        for name in ["plums.txt", "copy.txt"] { #expect(found.contains { $0.contains(name) }) }
    }

    @Test func placesInFiles() throws {
        let places = try run("search", "--vimgrep", "apple")
        let root = try #require(DirectoryWalk.resolve(folder["docs"]))
        let expected: [String] = [
            "one.txt:2:4:an apple and an apple", "one.txt:2:17:an apple and an apple", "two.md:5:6:An **apple** a day.",
            "rows.jsonl:2:10:{\"text\":\"apple one\"}", "rows.jsonl:3:10:{\"text\":\"apple two\"}",
        ]
        let found = places.output.split(separator: "\n").map(String.init)
        #expect(found.sorted() == expected.map { "\(root)/\($0)" }.sorted())
    }

    @Test(
        arguments: [
            (["-l", "zzz"], 1), (["--vimgrep", "zzz"], 1), (["-l", "--json", "x"], 2), (["-0", "--vimgrep", "x"], 2),
            (["--db", "/nowhere/index.db", "x"], 2), (["apple"], 0),
        ] as [([String], Int32)])
    func exitCodes(_ arguments: [String], code: Int32) throws {
        #expect(try command.run(["search"] + arguments, environment: ["CONCORD_DB": folder["index.db"]]).code == code)
    }

    @Test func nothingIsSaidOfProgressWhereNobodyWatches() throws {
        for arguments in [["index"], ["check"], ["info", "--sizes"], ["remove", folder["docs"]]] {
            #expect(try command.run(arguments, environment: ["CONCORD_DB": folder["index.db"]]).messages == "")
        }
    }
}

@Suite("Completions and the manual page are made of what the help is made of")
struct CommandDescriptionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func everyOptionIsCompleted(_ shell: String) throws {
        let script = try #require(CompletionScripts.script(for: shell))
        for command in Specifications.all {
            #expect(script.contains(command.name))
            for option in command.allOptions {
                #expect(
                    script.contains(shell == "fish" ? "-l \(option.name)" : "--\(option.name)"),
                    "\(command.name) \(option.name)")
                for choice in option.choices { #expect(script.contains(choice)) }
            }
        }
        #expect(CompletionScripts.script(for: "tcsh") == nil)
    }

    @Test func theManualPageNamesEverything() {
        let page = ManualPageWriter.page
        for command in Specifications.all {
            #expect(page.contains(".Ss \(command.name)\n"))
            for option in command.allOptions {
                #expect(page.contains("Fl -\(option.name)"))
                if let short = option.short { #expect(page.contains("Fl \(short)")) }
            }
            for example in command.examples {
                #expect(page.contains(example.meaning.split(separator: " ").first.map(String.init) ?? ""))
            }
        }
        // A line that begins with a dot is a macro.
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            #expect(line.dropFirst().first?.isUppercase == true, "\(line)")
        }
    }
}

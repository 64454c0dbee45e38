import Testing

@testable import ConcordCommand

@Suite("The command line is understood, or explained")
struct ArgumentTests {
    private func parse(_ words: [String], for command: CommandSpecification = Specifications.search) throws
        -> ParsedArguments
    {
        try ParsedArguments(words, for: command)
    }

    @Test func optionsInEverySpelling() throws {
        for words in [["-n", "5", "word"], ["-n5", "word"], ["--limit", "5", "word"], ["word", "--limit=5"]] {
            let parsed = try parse(words)
            #expect(try parsed.count("limit", in: 1...10) == 5)
            #expect(parsed.operands == ["word"])
        }
        let parsed = try parse(["-aL", "x", "--", "-v", "--db"], for: Specifications.index)
        #expect(parsed.has("all") && parsed.has("follow") && !parsed.has("verbose"))
        #expect(parsed.operands == ["x", "-v", "--db"])
    }

    @Test func exclusionsInAQueryAreNoOptions() throws {
        #expect(try parse(["cats", "-dogs", "-"]).operands == ["cats", "-dogs", "-"])
        #expect(try parse(["cats", "-here", "-index", "-khaki"]).operands == ["cats", "-here", "-index", "-khaki"])
        #expect(try parse(["cats", "-n", "3", "-n4", "-i"]).operands == ["cats"])
    }

    @Test(arguments: [
        (["--limt", "3", "x"], "search has no option --limt; did you mean --limit?"),
        (["--zzz", "x"], "search has no option --zzz"),
        (["-dogs"], "search has no option -dogs; write -- before words that begin with a dash"),
        (["--limit"], "--limit needs COUNT"), (["--json=yes", "x"], "--json takes no value"),
        (["--limit", "many", "x"], "--limit takes a number from 1 to 10, not 'many'"),
        (["--limit", "99999999999999999999", "x"], "--limit takes a number from 1 to 10, not '99999999999999999999'"),
    ])
    func mistakes(_ words: [String], message: String) {
        #expect(throws: UsageError(message)) { _ = try parse(words).count("limit", in: 1...10) }
    }

    @Test func everyCommandHasHelpWithExamples() {
        for command in Specifications.all {
            let help = command.help
            #expect(help.contains("Usage: concord \(command.name)"))
            #expect(help.contains("Examples:\n  concord \(command.name)"))
            for option in command.allOptions { #expect(help.contains("--\(option.name)")) }
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(help)")
        }
    }

    @Test func noTwoOptionsOfACommandHaveOneLetter() {
        for command in Specifications.all {
            let letters = command.allOptions.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(command.name): \(letters)")
            #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
        }
    }

    @Test(arguments: [("serch", "search"), ("indx", "index"), ("in", "index"), ("xyzzy", nil), ("", nil)])
    func theNearestCommand(_ word: String, expected: String?) {
        #expect(nearest(word, among: Specifications.all.map(\.name)) == expected)
    }

    @Test(arguments: [
        (JSONText.string("a\"b\\c\n\u{1B}\u{9B}é"), #""a\"b\\c\n\u001b\u009bé""#),
        (
            .object([("b", .integer(1)), ("a", .array([.bool(true), .null, .number(.infinity), .number(0.5)]))]),
            #"{"b":1,"a":[true,null,null,0.5]}"#
        ),
    ])
    func json(_ value: JSONText, expected: String) { #expect(value.text == expected) }
}

// Whether `concord search` finds the document that a person means: questions with a known answer about the documentation of
// a Debian machine, `questions.tsv`, written down before anything was tuned to them.
//
// Indexes /usr/share/man, /usr/share/doc and PostgreSQL's manual pages with the built command, asks each question, and
// prints how often a right document comes first, and how often among the first five. Questions whose documents are not on
// this machine are left out.
//
// usage: KnownItemsBenchmark CONCORD [missed]     missed: lists the questions that do not find theirs first

import BenchmarkSupport
import Foundation

struct Question {
    var text: String
    /// Ends of paths, without `.gz`.
    var documents: [String]

    static func all() throws -> [Question] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("questions.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
            let parts = line.split(separator: "\t").map(String.init)
            guard parts.count == 2 else { return nil }
            return Question(text: parts[0], documents: parts[1].split(separator: " ").map { "/" + $0 })
        }
    }

    func isAnswered(by path: String) -> Bool {
        let path = path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
        return documents.contains { path.hasSuffix($0) }
    }
}

func run(_ command: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
}

struct Found: Decodable { var path: String }

guard CommandLine.arguments.count > 1 else {
    print("usage: KnownItemsBenchmark CONCORD [missed]")
    exit(2)
}
let concord = CommandLine.arguments[1]
let folders = ["/usr/share/man", "/usr/share/doc"] + ["/usr/share/postgresql"].filter(FileManager.default.fileExists)
let database = FileManager.default.temporaryDirectory.appendingPathComponent("known-items-\(getpid()).db").path
defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + suffix) } }
_ = try run(concord, ["index", "--quiet", "--db", database] + folders)

var paths: [String] = []
for folder in folders {
    guard let files = FileManager.default.enumerator(atPath: folder) else { continue }
    for case let file as String in files { paths.append("\(folder)/\(file)") }
}
let questions = try Question.all().filter { question in paths.contains { question.isAnswered(by: $0) } }
print("\n# Known items: \(questions.count) questions over \(folders.joined(separator: ", "))\n")
var first = 0
var five = 0
for question in questions {
    let words = question.text.split(separator: " ").map(String.init)
    let lines = try run(concord, ["search", "--db", database, "--json", "-n", "10", "--"] + words).split(
        separator: "\n")
    let found = lines.compactMap { try? JSONDecoder().decode(Found.self, from: Data($0.utf8)).path }
    let place = found.firstIndex(where: question.isAnswered)
    if place == 0 { first += 1 }
    if let place, place < 5 { five += 1 }
    if place != 0, CommandLine.arguments.contains("missed") {
        print(
            "\(place.map { "number \($0 + 1)" } ?? "not found"): \(question.text); first is \(found.first ?? "nothing")"
        )
    }
}
report("the right document first, wanted 85%", percent(first, questions.count))
report("the right document among five, wanted 95%", percent(five, questions.count))

func percent(_ part: Int, _ whole: Int) -> String {
    whole == 0 ? "no question" : "\(short(100 * Double(part) / Double(whole)))%"
}

import DifferentialFuzzing
import Foundation

// concord-fuzz [--seconds N] [--seed S] [--script]: runs random scripts on FTS5 and the engine from seed S on, and prints
// those that show a difference, made short. Exit status 1 where there was one. --script only prints the script of seed S.

func option(_ name: String) -> UInt64? {
    let arguments = CommandLine.arguments
    return arguments.firstIndex(of: name).flatMap {
        arguments.indices.contains($0 + 1) ? UInt64(arguments[$0 + 1]) : nil
    }
}

let first = option("--seed") ?? UInt64.random(in: 0...UInt64(UInt32.max))
if CommandLine.arguments.contains("--script") {
    print(FuzzScript(seed: first))
    exit(0)
}

let fuzzer = Fuzzer(FuzzRun(.fts5))
let end = Date().addingTimeInterval(Double(option("--seconds") ?? 60))
var seed = first
var found = 0
print("scripts from seed \(first) on")
while Date() < end {
    // A crash leaves the seed on the terminal.
    FileHandle.standardError.write(Data("\r\(seed) ".utf8))
    if let finding = try fuzzer.finding(seed: seed) {
        found += 1
        print("\n\(finding)")
    }
    seed &+= 1
}
print("\n\(seed &- first) scripts, \(found) with a difference")
exit(found == 0 ? 0 : 1)

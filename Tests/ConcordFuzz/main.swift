import DifferentialFuzzing
import Foundation

// concord-fuzz [--seconds N] [--seed S]: runs random scripts on FTS5 and the engine, from seed S on, and prints those
// that show a difference, a crash or a hang, shortened. The exit status is 1 if there was one.
//   --script: only prints the script of seed S. --fts5: FTS5 on both sides. --values: the engine with stored values.
//   --rankings: the engine's rankings with bonuses against an exhaustive run of the same.
//   --sql FILE: runs a script of statements that end with `;` at the end of a line, and prints both results.
//   --worker, --replay FILE: how it starts itself again, so that it survives a crash.

let options = FuzzOptions(CommandLine.arguments)
let run = options.run
if options.isScript {
    print(FuzzScript(seed: options.seed))
} else if let file = options.sql {
    try FuzzWorker(run).show(file)
} else if let replay = options.replay {
    exit(try FuzzWorker(run).replay(replay))
} else if options.isWorker {
    try FuzzWorker(run).work(seed: options.seed, seconds: options.seconds)
} else {
    exit(try FuzzSupervisor(options).work() == 0 ? 0 : 1)
}

import BenchmarkSupport
import Concordance
import Foundation

/// Lucene and tantivy beside FTS5 and the engine: the same documents, the same queries, the best ten of each.
/// `Scripts/make-peers` prepares what they need; a missing peer is left out.
struct Peers {
    let data: DocumentationTexts
    let databases: Databases
    let documents: Documents
    /// Leaves FTS5 out, which takes longer than all others together.
    let withoutFTS5: Bool

    /// The times of one engine.
    private struct Result {
        var name: String
        var buildSeconds = 0.0
        var byteCount = 0
        /// Seconds of each query.
        var times: [Double] = []
    }

    private var classes: [QueryClass] { QueryClass.all(data) }

    func run() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appendingPathComponent("peers-\(UUID().uuidString)")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }
        let texts = folder.appendingPathComponent("documents").path
        let queries = folder.appendingPathComponent("queries").path
        try write(to: texts, queries: queries)
        var results = try Module.allCases.filter { $0 != .fts5 || !withoutFTS5 }.map(measure)
        for (name, command) in Self.commands {
            guard files.fileExists(atPath: command[0]),
                command.dropFirst().allSatisfy({ !$0.hasPrefix("/") || files.fileExists(atPath: $0) })
            else {
                report(name, "left out, since Scripts/make-peers has not made it")
                continue
            }
            results.append(try run(command + [texts, queries, folder.appendingPathComponent(name).path], name: name))
        }
        show(results)
    }

    /// How the peers are run, before the paths of documents, queries and index.
    private static let commands: [(String, [String])] = {
        let benchmarks = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let peers = benchmarks.deletingLastPathComponent().appendingPathComponent(".build/peers")
        let sources = benchmarks.appendingPathComponent("Peers")
        return [
            (
                "Lucene",
                [
                    "/usr/bin/env", "java", "-cp", peers.appendingPathComponent("lucene.jar").path,
                    sources.appendingPathComponent("LuceneBenchmark.java").path,
                ]
            ),
            (
                "tantivy",
                [
                    peers.appendingPathComponent("python/bin/python3").path,
                    sources.appendingPathComponent("tantivy_benchmark.py").path,
                ]
            ),
        ]
    }()

    /// Writes what the peers read: documents and queries, one a line, with tabs between their parts.
    private func write(to texts: String, queries: String) throws {
        guard FileManager.default.createFile(atPath: texts, contents: nil),
            let file = FileHandle(forWritingAtPath: texts)
        else { throw CocoaError(.fileWriteUnknown) }
        var lines = Data()
        for index in 0..<documents.count {
            let text = documents[index]
            lines.append(contentsOf: "\(text.id)\t\(Self.line(text.title))\t\(Self.line(text.body))\n".utf8)
            if lines.count > 1 << 20 {
                try file.write(contentsOf: lines)
                lines.removeAll(keepingCapacity: true)
            }
        }
        try file.write(contentsOf: lines)
        try file.close()
        let all = classes.flatMap(\.queries).map { ([$0.op] + $0.terms).joined(separator: "\t") + "\n" }
        try Data(all.joined().utf8).write(to: URL(fileURLWithPath: queries))
    }

    /// The text without the characters that end a line or part of one.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// Builds the module's indexes, and queries them; classes of prefixes use an index with prefix lists.
    private func measure(_ module: Module) throws -> Result {
        var result = Result(name: module == .fts5 ? "FTS5" : "Concordance")
        let clock = ContinuousClock()
        var open: [Database] = []
        for prefix in [false, true] {
            let db = try module.open(databases.newPath("peers-\(module.rawValue)\(prefix ? "-prefix" : "")"))
            try db.execute(sql: "PRAGMA cache_size = -131072")
            try Databases.createTable(module, prefix: prefix, db)
            var time = Duration.zero
            var start = clock.now
            try db.inTransaction {
                let insert = try db.makeStatement(sql: Databases.insertSQL)
                for index in 0..<documents.count {
                    let text = documents[index]
                    start = clock.now
                    try insert.execute(arguments: [text.id, text.title, text.body])
                    time += clock.now - start
                }
                start = clock.now
                return .commit
            }
            time += clock.now - start
            if !prefix {
                result.buildSeconds = time.seconds
                result.byteCount = try byteCount(db)
            }
            open.append(db)
        }
        for group in classes {
            let way = try PreparedQuery(open[QueryClasses.usesPrefixIndex(group.name) ? 1 : 0], QueryClasses.rankSQL)
            result.times += try group.times([way]).map { $0[0] }
        }
        return result
    }

    /// Runs a peer, and reads what it prints.
    private func run(_ command: [String], name: String) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var result = Result(name: name)
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "\t")
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "name": result.name = String(parts[1])
            case "build": result.buildSeconds = Double(parts[1]) ?? 0
            case "bytes": result.byteCount = Int(parts[1]) ?? 0
            case "query": result.times.append(Double(parts[1]) ?? 0)
            default: break
            }
        }
        guard process.terminationStatus == 0, result.times.count == classes.reduce(0, { $0 + $1.queries.count })
        else {
            throw UsageError("\(name) failed: \(command.joined(separator: " "))")
        }
        return result
    }

    private func show(_ results: [Result]) {
        var rows = [["class"] + results.map(\.name)]
        var first = 0
        for group in classes {
            let range = first..<first + group.queries.count
            first = range.upperBound
            rows.append(
                [group.name]
                    + results.map { result in
                        let times = Array(result.times[range])
                        return "\(milliseconds(median(times))) / \(milliseconds(quantile(0.95, of: times)))"
                    })
        }
        rows.append(["documents a second"] + results.map { short(Double(documents.count) / $0.buildSeconds) })
        rows.append(["index, MB"] + results.map { short(Double($0.byteCount) / 1e6) })
        print(
            "\n## The best ten of a query, ms, median / 95th percentile of a class; \(documents.count) documents\n\n"
                + markdown(rows))
    }
}

import Foundation

/// The texts that a benchmark works on: real ones if they are beside the checkout, otherwise generated ones.
public struct Corpus {
    /// What the texts are, for the heading of a report.
    public let description: String
    public let texts: [String]

    public var bytes: Int { texts.reduce(0) { $0 + $1.utf8.count } }

    /// English text in `count` documents of about the same size, `bytes` in all; deterministic.
    public static func english(count: Int, bytes: Int) throws -> Corpus {
        for (name, file, field) in [
            ("documentation text", "perf/medium.jsonl.gz", "body"), ("a book", "corpora/progit2-en.jsonl", "text"),
        ] {
            let url = SharedFiles.folder.appendingPathComponent(file)
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            let pool = try readLines(of: url, field: field, atLeast: bytes)
            if let texts = divide(pool, count: count, bytes: bytes) {
                return Corpus(description: "\(name), \(count) texts, \(bytes) bytes", texts: texts)
            }
        }
        var sample = SampleText()
        let pool = sample.text(bytes: bytes + 4096)
        guard let texts = divide(Array(pool.utf8), count: count, bytes: bytes) else {
            throw CocoaError(.featureUnsupported)
        }
        return Corpus(description: "made text, \(count) texts, \(bytes) bytes", texts: texts)
    }

    /// Cuts `pool` into `count` texts, `bytes` long in total, each of whole characters.
    private static func divide(_ pool: [UInt8], count: Int, bytes: Int) -> [String]? {
        guard pool.count > bytes, count > 0 else { return nil }
        var texts: [String] = []
        var start = 0
        for number in 1...count {
            var end = bytes * number / count
            // Ends at the next beginning of a word; the last text ends when the total is reached.
            while number < count, end < bytes, pool[end - 1] != UInt8(ascii: " ") { end += 1 }
            // A character that the end would cut is replaced by as many spaces.
            var slice = Array(pool[start..<end])
            if number == count {
                while let last = slice.last, last >= 0x80 { slice.removeLast() }
                slice += Array(repeating: UInt8(ascii: " "), count: end - start - slice.count)
            }
            texts.append(String(decoding: slice, as: UTF8.self))
            start = end
        }
        return texts
    }

    /// The bytes of a string field in each line of a JSON Lines file, gzip-compressed or not.
    private static func readLines(of url: URL, field: String, atLeast bytes: Int) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [url.pathExtension == "gz" ? "zcat" : "cat", url.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        defer { process.terminate() }
        var pool: [UInt8] = []
        var line = Data()
        while pool.count <= bytes + 4096, let chunk = try pipe.fileHandleForReading.read(upToCount: 1 << 20),
            !chunk.isEmpty
        {
            line.append(chunk)
            while pool.count <= bytes + 4096, let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                let object = try JSONSerialization.jsonObject(with: line[..<end]) as? [String: Any]
                if let text = object?[field] as? String {
                    pool += text.utf8
                    pool.append(UInt8(ascii: " "))
                }
                line = line[line.index(after: end)...]
            }
            line = Data(line)
        }
        return pool
    }
}

/// Files that are beside the checkout on some machines.
public enum SharedFiles {
    /// `../shared/data`, which may not exist.
    public static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/data")
}

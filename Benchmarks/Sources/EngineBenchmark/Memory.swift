import BenchmarkSupport
import Concordance
import Foundation

/// The memory that building and reading take, each measured in a process of its own: its peak, minus what it uses once the
/// database is open. The texts come from a database, row by row, so that they hardly count.
struct Memory {
    let databases: Databases
    let documents: Documents
    let queries: [DocumentationTexts.Query]

    func run() throws {
        let texts = try databases.newPath("texts")
        let db = try Database(path: texts)
        try db.execute(
            sql: """
                CREATE TABLE texts(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
                CREATE TABLE queries(match TEXT)
                """)
        try db.inTransaction {
            for index in 0..<documents.count {
                let text = documents[index]
                try db.execute("INSERT INTO texts VALUES (\(text.id), \(text.title), \(text.body))")
            }
            for query in queries { try db.execute("INSERT INTO queries VALUES (\(query.match))") }
            return .commit
        }
        try db.close()
        var rows = [["", "FTS5 MB", "engine MB"]]
        for action in MemoryTask.Action.allCases {
            let peaks = try Module.allCases.map { module in
                let index =
                    try action == .build
                    ? databases.newPath("memory-\(module.rawValue)") : databases.index(module, documents)
                return try MemoryTask(action: action, module: module, texts: texts, index: index).runInOwnProcess()
            }
            rows.append([action.rawValue] + peaks.map { short(Double($0) / 1e6) })
        }
        print("\n## Memory at its peak, above that of the open database; page cache of 2 MB\n\n" + markdown(rows))
        report("target", "building at most 64 MB, reading a cache of 16 MB")
    }
}

/// What runs in a process of its own.
struct MemoryTask {
    enum Action: String, CaseIterable {
        /// Indexes all texts in one transaction.
        case build
        /// Runs each query for its best ten.
        case read
    }

    static let option = "--memory-task"

    let action: Action
    let module: Module
    let texts: String
    let index: String

    init(action: Action, module: Module, texts: String, index: String) {
        self.action = action
        self.module = module
        self.texts = texts
        self.index = index
    }

    init(_ argument: String) throws {
        let parts = argument.components(separatedBy: "|")
        guard parts.count == 4, let action = Action(rawValue: parts[0]), let module = Module(rawValue: parts[1]) else {
            throw UsageError("\(Self.option) is for the benchmark itself")
        }
        self.init(action: action, module: module, texts: parts[2], index: parts[3])
    }

    /// - Returns: Bytes.
    func runInOwnProcess() throws -> Int {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Self.option, [action.rawValue, module.rawValue, texts, index].joined(separator: "|")]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    /// Runs it, and prints the peak in bytes.
    func run() throws {
        let source = try Database(path: texts)
        let db = try module.open(index)
        if action == .build { try Databases.createTable(module, db) }
        let before = peak
        switch action {
        case .build:
            let insert = try db.makeStatement(sql: Databases.insertSQL)
            let select = try source.makeStatement(sql: "SELECT id, title, body FROM texts")
            try db.inTransaction {
                try select.forEachRow { row in
                    try insert.execute(arguments: [row.int64(at: 0), row.string(at: 1), row.string(at: 2)])
                }
                return .commit
            }
        case .read:
            let query = try PreparedQuery(db, QueryClasses.rankSQL)
            for match in try String.fetchAll(source, sql: "SELECT match FROM queries") { try query.run(match) }
        }
        print(peak - before)
    }

    /// The peak memory of this process, in bytes.
    private var peak: Int {
        #if os(Linux)
            // The peak that getrusage reports starts with that of the parent process.
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
            return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Int(usage.ru_maxrss)
        #endif
    }
}

import DifferentialFuzzing

/// The command's options.
struct FuzzOptions {
    var seconds = 60
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var isScript = false
    var isWorker = false
    var isReferenceOnly = false
    var comparesRankings = false
    var storesValues = false
    var replay: String?
    var sql: String?

    init(_ arguments: [String]) {
        func value(_ name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        seconds = value("--seconds").flatMap(Int.init) ?? seconds
        seed = value("--seed").flatMap(UInt64.init) ?? seed
        isScript = arguments.contains("--script")
        isWorker = arguments.contains("--worker")
        isReferenceOnly = arguments.contains("--fts5")
        comparesRankings = arguments.contains("--rankings")
        storesValues = arguments.contains("--values")
        sql = value("--sql")
        replay = value("--replay")
    }

    /// What is compared.
    var run: FuzzRun {
        if comparesRankings { return FuzzRun(isReferenceOnly ? .exhaustive : .ranked, against: .exhaustive) }
        return FuzzRun(isReferenceOnly ? .fts5 : storesValues ? .valued : .engine)
    }

    /// The options that say what is compared, except `--fts5`.
    var comparison: [String] {
        (comparesRankings ? ["--rankings"] : []) + (storesValues ? ["--values"] : [])
    }
}

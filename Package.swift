// swift-tools-version: 6.2
import PackageDescription

// On Apple platforms SQLite comes with the SDK: what pkg-config says there is of the Mac that builds, not of the platform
// that it builds for.
#if os(Linux)
    let sqliteLibrary = Target.systemLibrary(
        name: "CConcordanceSQLiteLibrary", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])])
#else
    let sqliteLibrary = Target.systemLibrary(name: "CConcordanceSQLiteLibrary")
#endif

let package = Package(
    name: "concordance",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        // With the modules below it, which an app can import for what `import Concordance` does not show.
        .library(
            name: "Concordance",
            targets: [
                "Concordance", "ConcordanceSearch", "ConcordanceEngine", "ConcordanceFTS5", "ConcordanceSQLite",
                "ConcordanceText",
            ]),
        .library(name: "ConcordanceSearch", targets: ["ConcordanceSearch"]),
        .library(name: "ConcordanceSQLite", targets: ["ConcordanceSQLite", "CConcordanceSQLiteLink"]),
        .library(name: "ConcordanceText", targets: ["ConcordanceText"]),
        .library(name: "ConcordanceFTS5", targets: ["ConcordanceFTS5", "CConcordanceSQLiteLink"]),
        .library(name: "ConcordanceEngine", targets: ["ConcordanceEngine", "CConcordanceSQLiteLink"]),
        .library(name: "ConcordanceExtension", type: .dynamic, targets: ["ConcordanceExtension"]),
        .executable(name: "concord", targets: ["concord"]),
    ],
    traits: [
        .trait(
            name: "MeCab",
            description: "Readings of Japanese words from the dictionary of MeCab, a library that must be installed.")
    ],
    targets: [
        // SQLite: the calls (CConcordanceSQLite), the linked library's table of them (CConcordanceSQLiteLink), the library itself.
        .target(name: "CConcordanceSQLite"),
        .target(
            name: "CConcordanceSQLiteLink", dependencies: ["CConcordanceSQLite", "CConcordanceSQLiteLibrary"],
            // Keeps sqlite3ext.h from turning names of the library into calls through a table. Defined here, since a header
            // that is compiled as a module, as those of Apple's SDKs are, does not see what a source file defines.
            cSettings: [.define("SQLITE_CORE", to: "1")], linkerSettings: [.linkedLibrary("sqlite3")]),
        sqliteLibrary,

        // MeCab, with the trait of this name only.
        .systemLibrary(
            name: "CMeCab", providers: [.apt(["libmecab-dev", "mecab-ipadic-utf8"]), .brew(["mecab-ipadic"])]),
        .target(
            name: "ConcordanceMeCab",
            dependencies: [.target(name: "CMeCab", condition: .when(traits: ["MeCab"]))]),

        // The library, from the bottom up. Only ConcordanceSearch and Concordance may import Foundation.
        .target(
            name: "ConcordanceText",
            dependencies: [.target(name: "ConcordanceMeCab", condition: .when(traits: ["MeCab"]))]),
        .target(name: "ConcordanceSQLite", dependencies: ["CConcordanceSQLite"]),
        .target(name: "ConcordanceFTS5", dependencies: ["ConcordanceText", "ConcordanceSQLite"]),
        .target(name: "CConcordanceThread"),
        .target(name: "ConcordanceEngine", dependencies: ["ConcordanceFTS5", "CConcordanceThread"]),
        .target(name: "CConcordance", dependencies: ["CConcordanceSQLite"]),
        .target(
            name: "ConcordanceSearch", dependencies: ["ConcordanceEngine", "CConcordance", "CConcordanceSQLiteLink"]),
        .target(name: "Concordance", dependencies: ["ConcordanceSearch"]),

        // The loadable extension: calls the SQLite of its host, so it leaves CConcordanceSQLiteLink out.
        .target(name: "ConcordanceExtension", dependencies: ["ConcordanceEngine"]),

        // The command, and what only it needs.
        .systemLibrary(
            name: "CConcordanceZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CConcordanceXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(
            name: "CConcordanceArchive", pkgConfig: "libarchive",
            providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
        .systemLibrary(
            name: "CConcordanceCharset", pkgConfig: "uchardet",
            providers: [.apt(["libuchardet-dev"]), .brew(["uchardet"])]),
        .systemLibrary(
            name: "CConcordanceHTTP", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        // terminfo, for which Linux has a library of its own. pkg-config says no more of it, and macros that would concern
        // every module.
        .target(
            name: "CConcordanceTerminal",
            linkerSettings: [
                .linkedLibrary("tinfo", .when(platforms: [.linux])),
                .linkedLibrary("ncurses", .when(platforms: [.macOS])),
            ]),
        .target(name: "CConcordancePage"),
        .target(
            name: "ConcordCommand",
            dependencies: [
                "Concordance", "CConcordanceArchive", "CConcordanceCharset", "CConcordanceHTTP", "CConcordancePage",
                "CConcordanceTerminal", "CConcordanceXML", "CConcordanceZlib",
            ], exclude: ["Server/Page", "Server/openapi.json"],
            // Where it is not in the C library.
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
        .executableTarget(name: "concord", dependencies: ["ConcordCommand"]),

        .target(name: "TestSupport", dependencies: ["CConcordanceSQLite"], path: "Tests/TestSupport"),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        // Faults under a table, and a process that can be killed.
        .target(name: "CFaultySQLite", dependencies: ["CConcordanceSQLiteLibrary"], path: "Tests/CFaultySQLite"),
        .target(
            name: "ReliabilitySupport", dependencies: ["ConcordanceEngine", "CFaultySQLite", "TestSupport"],
            path: "Tests/ReliabilitySupport"),
        .executableTarget(
            name: "ReliabilityChild", dependencies: ["ReliabilitySupport", "CConcordanceSQLiteLink"],
            path: "Tests/ReliabilityChild"),
        .testTarget(
            name: "ConcordanceReliabilityTests",
            dependencies: [
                "CFaultySQLite", "ReliabilitySupport", "ReliabilityChild", "CConcordanceSQLiteLink", "TestSupport",
            ]),
        .testTarget(
            name: "AllocationTests",
            dependencies: [
                "ConcordanceText", "ConcordanceSQLite", "ConcordanceEngine", "CConcordanceSQLiteLink",
                "CAllocationCounter",
            ]),
        .testTarget(
            name: "ConcordanceTextTests", dependencies: ["ConcordanceText", "CConcordanceSQLiteLink", "TestSupport"],
            exclude: ["Stemming/libstemmer.tsv"]),
        .testTarget(
            name: "ConcordanceSQLiteTests",
            dependencies: ["ConcordanceSQLite", "CConcordanceSQLiteLink", "TestSupport"]),
        .testTarget(
            name: "ConcordanceFTS5Tests", dependencies: ["ConcordanceFTS5", "CConcordanceSQLiteLink", "TestSupport"]),
        .testTarget(
            name: "ConcordanceEngineTests",
            dependencies: ["ConcordanceEngine", "CConcordanceSQLiteLink", "TestSupport"]),
        .testTarget(
            name: "ConcordanceConformanceTests",
            dependencies: ["DifferentialFuzzing", "CConcordanceSQLite", "TestSupport"]),
        .target(
            name: "DifferentialFuzzing", dependencies: ["ConcordanceEngine", "CConcordanceSQLiteLink", "TestSupport"],
            path: "Tests/DifferentialFuzzing"),
        .testTarget(name: "DifferentialFuzzingTests", dependencies: ["DifferentialFuzzing", "TestSupport"]),
        .executableTarget(name: "concord-fuzz", dependencies: ["DifferentialFuzzing"], path: "Tests/ConcordFuzz"),
        .testTarget(name: "ConcordanceTests", dependencies: ["Concordance", "TestSupport"]),
        .testTarget(
            name: "ConcordanceSearchTests", dependencies: ["Concordance", "ConcordanceEngine", "TestSupport"],
            exclude: ["Languages/held-out.tsv", "Languages/pairs.tsv", "Languages/readings.tsv"]),
        .testTarget(
            name: "ConcordCommandTests",
            dependencies: ["ConcordCommand", "concord", "CConcordanceZlib", "CConcordanceArchive", "TestSupport"]),
        .testTarget(
            name: "ConcordanceExtensionTests",
            dependencies: ["ConcordanceExtension", "CConcordanceSQLite", "CConcordanceSQLiteLink"],
            exclude: ["Hosts"]),
    ],
    swiftLanguageModes: [.v6]
)

// `./test` has the libraries optimized, so that its tests take a third of the time, and their assertions kept.
if Context.environment["CONCORDANCE_TEST_BUILD"] != nil {
    for target in package.targets where target.type == .regular {
        target.swiftSettings = [.unsafeFlags(["-O", "-wmo", "-num-threads", "2", "-assert-config", "Debug"])]
    }
}

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "concordance",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "Concordance", targets: ["Concordance"]),
        .library(name: "ConcordanceSQLite", targets: ["ConcordanceSQLite", "CSQLiteLink"]),
        .library(name: "ConcordanceText", targets: ["ConcordanceText"]),
        .library(name: "ConcordanceFTS5", targets: ["ConcordanceFTS5", "CSQLiteLink"]),
        .library(name: "ConcordanceEngine", targets: ["ConcordanceEngine", "CSQLiteLink"]),
        .library(name: "ConcordanceExtension", type: .dynamic, targets: ["ConcordanceExtension"]),
        .executable(name: "concord", targets: ["concord"]),
    ],
    targets: [
        // SQLite: the calls (CSQLite), the linked library's table of them (CSQLiteLink), the library itself.
        .target(name: "CSQLite"),
        .target(
            name: "CSQLiteLink", dependencies: ["CSQLite", "CSQLiteLibrary"],
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(
            name: "CSQLiteLibrary", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

        // The library, from the bottom up. Only Concordance may import Foundation.
        .target(name: "ConcordanceText"),
        .target(name: "ConcordanceSQLite", dependencies: ["CSQLite"]),
        .target(name: "ConcordanceFTS5", dependencies: ["ConcordanceText", "ConcordanceSQLite"]),
        .target(name: "ConcordanceEngine", dependencies: ["ConcordanceFTS5"]),
        .target(name: "CConcordance", dependencies: ["CSQLite"]),
        .target(name: "Concordance", dependencies: ["ConcordanceEngine", "CConcordance", "CSQLiteLink"]),

        // The loadable extension: calls the SQLite of its host, so it leaves CSQLiteLink out.
        .target(name: "ConcordanceExtension", dependencies: ["ConcordanceEngine"]),

        // The command, and what only it needs.
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .target(name: "ConcordCommand", dependencies: ["Concordance", "CZlib", "CLibXML2"]),
        .executableTarget(name: "concord", dependencies: ["ConcordCommand"]),

        .target(name: "TestSupport", dependencies: ["CSQLite"], path: "Tests/TestSupport"),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        // Faults under a table, and a process that can be killed.
        .target(name: "CFaultySQLite", dependencies: ["CSQLiteLibrary"], path: "Tests/CFaultySQLite"),
        .target(
            name: "ReliabilitySupport", dependencies: ["ConcordanceEngine", "CFaultySQLite", "TestSupport"],
            path: "Tests/ReliabilitySupport"),
        .executableTarget(
            name: "ReliabilityChild", dependencies: ["ReliabilitySupport", "CSQLiteLink"],
            path: "Tests/ReliabilityChild"),
        .testTarget(
            name: "ConcordanceReliabilityTests",
            dependencies: ["CFaultySQLite", "ReliabilitySupport", "ReliabilityChild", "CSQLiteLink", "TestSupport"]),
        .testTarget(
            name: "AllocationTests",
            dependencies: [
                "ConcordanceText", "ConcordanceSQLite", "ConcordanceEngine", "CSQLiteLink", "CAllocationCounter",
            ]),
        .testTarget(name: "ConcordanceTextTests", dependencies: ["ConcordanceText", "CSQLiteLink", "TestSupport"]),
        .testTarget(name: "ConcordanceSQLiteTests", dependencies: ["ConcordanceSQLite", "CSQLiteLink", "TestSupport"]),
        .testTarget(name: "ConcordanceFTS5Tests", dependencies: ["ConcordanceFTS5", "CSQLiteLink", "TestSupport"]),
        .testTarget(name: "ConcordanceEngineTests", dependencies: ["ConcordanceEngine", "CSQLiteLink", "TestSupport"]),
        .testTarget(
            name: "ConcordanceConformanceTests", dependencies: ["DifferentialFuzzing", "CSQLite", "TestSupport"]),
        .target(
            name: "DifferentialFuzzing", dependencies: ["ConcordanceEngine", "CSQLiteLink", "TestSupport"],
            path: "Tests/DifferentialFuzzing"),
        .testTarget(name: "DifferentialFuzzingTests", dependencies: ["DifferentialFuzzing", "TestSupport"]),
        .executableTarget(name: "concord-fuzz", dependencies: ["DifferentialFuzzing"], path: "Tests/ConcordFuzz"),
        .testTarget(name: "ConcordanceTests", dependencies: ["Concordance", "TestSupport"]),
        .testTarget(
            name: "ConcordanceSearchTests", dependencies: ["Concordance", "ConcordanceEngine", "TestSupport"]),
        .testTarget(
            name: "ConcordCommandTests", dependencies: ["ConcordCommand", "concord", "CZlib", "TestSupport"]),
        .testTarget(
            name: "ConcordanceExtensionTests", dependencies: ["ConcordanceExtension", "CSQLite", "CSQLiteLink"],
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

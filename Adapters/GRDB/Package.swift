// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "concordance-grdb",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [.library(name: "ConcordanceGRDB", targets: ["ConcordanceGRDB"])],
    dependencies: [
        .package(name: "concordance", path: "../.."),
        // A checkout of GRDB instead, for builds without a network.
        Context.environment["GRDB_PATH"].map { .package(name: "GRDB.swift", path: $0) }
            ?? .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.5.0"),
    ],
    targets: [
        .target(
            name: "ConcordanceGRDB",
            dependencies: [
                .product(name: "ConcordanceSearch", package: "concordance"),
                .product(name: "ConcordanceSQLite", package: "concordance"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(name: "ConcordanceGRDBTests", dependencies: ["ConcordanceGRDB"]),
    ],
    swiftLanguageModes: [.v6]
)

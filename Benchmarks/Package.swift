// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "concordance-benchmarks",
    platforms: [.macOS(.v13)],
    traits: [.trait(name: "MeCab", description: "The package's trait of this name.")],
    dependencies: [
        .package(
            name: "concordance", path: "..",
            traits: [.defaults, .trait(name: "MeCab", condition: .when(traits: ["MeCab"]))])
    ],
    targets: [
        .target(name: "BenchmarkSupport"),
        .executableTarget(
            name: "TokenizationBenchmark",
            dependencies: [
                "BenchmarkSupport", "CLanguageLibraries",
                .product(name: "Concordance", package: "concordance"),
            ]),
        .target(name: "CLanguageLibraries", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "CBaseline", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "RowBenchmark",
            dependencies: [
                "BenchmarkSupport", "CBaseline",
                .product(name: "Concordance", package: "concordance"),
            ]),
        .executableTarget(
            name: "KeywordBenchmark",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "Concordance", package: "concordance"),
            ]),
        .executableTarget(
            name: "RelevanceBenchmark",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "Concordance", package: "concordance"),
            ]),
        .executableTarget(
            name: "HighlightBenchmark",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "Concordance", package: "concordance"),
            ]),
        .executableTarget(
            name: "ScanBenchmark",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "Concordance", package: "concordance"),
            ]),
        .executableTarget(
            name: "SearchBenchmark",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "Concordance", package: "concordance"),
            ]),
        .executableTarget(
            name: "EngineBenchmark",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "Concordance", package: "concordance"),
                .product(name: "ConcordanceEngine", package: "concordance"),
            ]),
        .executableTarget(
            name: "KnownItemsBenchmark", dependencies: ["BenchmarkSupport"], exclude: ["questions.tsv"]),
        .executableTarget(
            name: "SpellingBenchmark",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "Concordance", package: "concordance"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library is built with the trait, as an app builds it.
let package = Package(
    name: "concordance-mecab-tests",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "concordance", path: "../..", traits: ["MeCab"])],
    targets: [
        .testTarget(
            name: "MeCabTests", dependencies: [.product(name: "Concordance", package: "concordance")])
    ],
    swiftLanguageModes: [.v6]
)

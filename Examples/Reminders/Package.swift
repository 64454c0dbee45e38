// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "reminders",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "concordance", path: "../..")],
    targets: [
        .target(name: "RemindersKit", dependencies: [.product(name: "Concordance", package: "concordance")]),
        .executableTarget(name: "reminders", dependencies: ["RemindersKit"]),
        .testTarget(name: "RemindersKitTests", dependencies: ["RemindersKit"]),
    ],
    swiftLanguageModes: [.v6]
)

import Foundation
import Testing

/// A build of the extension that the tests load into hosts.
struct ExtensionBuild: Sendable, CustomTestStringConvertible {
    /// What the build is: "distributable", with the standard library in it, or "plain", which needs a toolchain.
    let name: String
    let path: String

    var testDescription: String { name }
    var isDistributable: Bool { name == "distributable" }

    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The builds that exist. `Scripts/build-extension` makes both; `./test` calls it, and sets `CONCORDANCE_EXTENSION`
    /// so that neither may be missing.
    static let all: [ExtensionBuild] = [
        ("distributable", "dist/concordance."), ("plain", "dist/libConcordanceExtension."),
    ].compactMap { name, file in
        let path = package.appendingPathComponent(".build/\(file)\(libraryExtension)").path
        if isRequired || FileManager.default.fileExists(atPath: path) {
            return ExtensionBuild(name: name, path: path)
        }
        print("SKIPPED the \(name) extension: no \(path)")
        return nil
    }

    static let distributable = all.filter(\.isDistributable)

    static var isRequired: Bool { ProcessInfo.processInfo.environment["CONCORDANCE_EXTENSION"] == "required" }

    #if canImport(Darwin)
        static let libraryExtension = "dylib"
    #else
        static let libraryExtension = "so"
    #endif
}

/// What a program said and how it ended.
struct ProgramResult {
    let status: Int32
    let output: String
}

/// Runs a program of `PATH` with nothing in its environment but `environment`; its error stream is part of its output.
func run(_ program: [String], environment: [String: String] = [:]) throws -> ProgramResult {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let settings = environment.map { "\($0.key)=\($0.value)" }
    process.arguments = ["-i", "PATH=/usr/bin:/bin:/usr/sbin:/sbin"] + settings + program
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return ProgramResult(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
}

/// Calls `body` with the path of a new empty folder, and removes it afterwards.
func withTemporaryFolder<T>(_ body: (URL) throws -> T) throws -> T {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

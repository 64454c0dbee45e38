import Foundation
import Testing

@Suite("The extension's file needs nothing that a host may lack")
struct FileTests {
    @Test("No SQLite of its own: no symbol to link, no library to load", arguments: ExtensionBuild.all)
    func linksNoSQLite(build: ExtensionBuild) throws {
        let symbols = try undefinedSymbols(of: build)
        #expect(!symbols.isEmpty)
        #expect(symbols.filter { $0.contains("sqlite3_") } == [])
        #expect(try neededLibraries(of: build).filter { $0.contains("sqlite") } == [])
    }

    @Test(arguments: ExtensionBuild.all)
    func exportsItsEntryPoints(build: ExtensionBuild) throws {
        let exported = try symbols(of: build, undefined: false)
        let entryPoints = ["sqlite3_concordance_init", "sqlite3_concordanceasfts5_init", "sqlite3_extension_init"]
        #expect(exported.filter { $0.hasPrefix("sqlite3_") }.sorted() == entryPoints)
        if build.isDistributable { #expect(exported.sorted() == entryPoints) }
    }

    #if os(Linux)
        /// What every Linux machine with a C++ runtime has.
        static let everywhere = [
            "libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "libdl.so", "libpthread.so", "ld-linux",
        ]

        @Test(arguments: ExtensionBuild.distributable)
        func needsOnlyTheCRuntime(build: ExtensionBuild) throws {
            let libraries = try neededLibraries(of: build)
            #expect(!libraries.isEmpty)
            #expect(libraries.filter { library in !Self.everywhere.contains(where: library.hasPrefix) } == [])
            let size = try FileManager.default.attributesOfItem(atPath: build.path)[.size] as? Int
            #expect(try #require(size) < 13_000_000)
        }

        @Test(
            "It works in a root that holds a SQLite shell, the C runtime, and no Swift",
            arguments: ExtensionBuild.distributable)
        func worksWithoutAToolchain(build: ExtensionBuild) throws {
            guard geteuid() == 0 else {
                print("SKIPPED \(#function): chroot needs root")
                return
            }
            try withTemporaryFolder { root in
                let shell = try run(["sh", "-c", "command -v sqlite3"]).output.trimmingCharacters(in: .newlines)
                try install(shell, as: "/sqlite3", in: root)
                try install(build.path, as: "/concordance.so", in: root)
                for library in try loadedFiles(of: shell) + loadedFiles(of: build.path) {
                    try install(library, as: library, in: root)
                }
                let result = try run(
                    [
                        "chroot", root.path, "/sqlite3", "-batch", ":memory:", ".load /concordance.so",
                        "CREATE VIRTUAL TABLE doc USING fts5(body, tokenize='concordance words fold latin')",
                        "INSERT INTO doc VALUES ('Großmann')", "SELECT body FROM doc WHERE doc MATCH 'grossmann'",
                    ], environment: ["HOME": "/"])
                #expect(result.status == 0 && result.output == "Großmann\n", "\(result.output)")
            }
        }

        /// Copies the file at `path`, with its links resolved, to `destination` under `root`.
        private func install(_ path: String, as destination: String, in root: URL) throws {
            let target = root.appendingPathComponent(destination)
            if FileManager.default.fileExists(atPath: target.path) { return }
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: URL(fileURLWithPath: path).resolvingSymlinksInPath(), to: target)
        }

        /// The absolute paths of everything that the loader loads for a file.
        private func loadedFiles(of path: String) throws -> [String] {
            let result = try run(["ldd", path])
            try #require(result.status == 0, "\(result.output)")
            return result.output.split(whereSeparator: \.isWhitespace).map(String.init).filter { $0.hasPrefix("/") }
        }
    #endif

    /// The names of the libraries that the file itself asks for.
    private func neededLibraries(of build: ExtensionBuild) throws -> [String] {
        #if os(Linux)
            let result = try run(["objdump", "-p", build.path])
            try #require(result.status == 0, "\(result.output)")
            return result.output.split(separator: "\n").compactMap { line -> String? in
                let words = line.split(separator: " ")
                return words.first == "NEEDED" ? words.last.map(String.init) : nil
            }
        #else
            let result = try run(["otool", "-L", build.path])
            try #require(result.status == 0, "\(result.output)")
            return result.output.split(separator: "\n").dropFirst(2).compactMap { line -> String? in
                line.split(whereSeparator: \.isWhitespace).first.map(String.init)
            }
        #endif
    }

    private func undefinedSymbols(of build: ExtensionBuild) throws -> [String] {
        try symbols(of: build, undefined: true)
    }

    private func symbols(of build: ExtensionBuild, undefined: Bool) throws -> [String] {
        #if os(Linux)
            let command = ["nm", "-D", "--extern-only", undefined ? "--undefined-only" : "--defined-only", build.path]
        #else
            let command = ["nm", undefined ? "-u" : "-gU", build.path]
        #endif
        let result = try run(command)
        try #require(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").compactMap { line -> String? in
            guard let name = line.split(separator: " ").last else { return nil }
            return name.hasPrefix("_sqlite3") ? String(name.dropFirst()) : String(name)
        }
    }
}

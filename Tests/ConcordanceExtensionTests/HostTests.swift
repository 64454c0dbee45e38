import Foundation
import Testing

/// A Python interpreter and the module through which it opens SQLite.
struct Driver: Sendable, CustomTestStringConvertible {
    let module: String
    let python: String

    var testDescription: String { module }

    /// The drivers of this machine: the interpreter of the environment that `./test` makes, else the system's.
    static let all: [Driver] = {
        let environment = ExtensionBuild.package.appendingPathComponent(".build/python/bin/python3").path
        let python = [environment, "/usr/bin/python3", "/opt/homebrew/bin/python3", "/usr/local/bin/python3"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let python else {
            print("SKIPPED every Python host: no python3")
            return []
        }
        return ["sqlite3", "apsw"].compactMap { module in
            let probe = "import \(module); getattr(\(module).Connection, 'enable_load_extension')"
            if let result = try? run([python, "-c", probe]), result.status == 0 {
                return Driver(module: module, python: python)
            }
            print("SKIPPED the Python host \(module): \(python) has none that loads extensions")
            return nil
        }
    }()
}

@Suite("The extension serves a host through the host's own SQLite")
struct HostTests {
    static let scenarios = [
        "plain", "full_text_tables", "entry_points", "needs_loading", "twice", "another_process", "closing_order",
        "threads",
        "bad_arguments", "hostile_text",
    ]

    @Test(arguments: ExtensionBuild.all, Driver.all)
    func scenariosOfOneLibrary(build: ExtensionBuild, driver: Driver) throws {
        for scenario in Self.scenarios { try play(scenario, build: build, driver: driver) }
    }

    @Test(
        "Two copies of SQLite in one process: told apart, and served by two copies of the file",
        arguments: ExtensionBuild.distributable, Driver.all.count == 2 ? Driver.all : [])
    func twoLibraries(build: ExtensionBuild, driver: Driver) throws {
        try play("two_libraries", build: build, driver: driver)
    }

    @Test(
        "As fts5: a shell's SQL, unchanged, makes tables of the engine and reads those of FTS5, and its connection closes",
        arguments: ExtensionBuild.all)
    func theShellLoadsItAsFTS5(build: ExtensionBuild) throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("books.db").path
            let make = ["CREATE VIRTUAL TABLE old USING fts5(a)", "INSERT INTO old VALUES ('one'), ('one two')"]
            #expect(try run(["sqlite3", "-batch", path] + make).status == 0)
            let result = try run([
                "sqlite3", "-batch", path, ".load \(build.path) sqlite3_concordanceasfts5_init",
                "CREATE VIRTUAL TABLE new USING fts5(a)", "INSERT INTO new SELECT a || ' three' FROM old",
                "SELECT old.rowid, highlight(old, 0, '[', ']'), new.a FROM old('two') JOIN new('two') ON old.rowid = new.rowid",
                "SELECT group_concat(name) FROM sqlite_schema WHERE name GLOB 'new*'",
                "INSERT INTO old(old) VALUES ('integrity-check')", "SELECT count(*) FROM temp.sqlite_schema",
            ])
            // `sqlite3_close` fails if statements are left; the shell would report that.
            #expect(
                result.status == 0
                    && result.output == "2|one [two]|one two three\nnew,new_data,new_content,new_config\n0\n",
                "\(build.name) build:\n\(result.output)")
        }
    }

    private func play(_ scenario: String, build: ExtensionBuild, driver: Driver) throws {
        let script = ExtensionBuild.package.appendingPathComponent("Tests/ConcordanceExtensionTests/Hosts/host.py")
        let result = try withTemporaryFolder { folder in
            try run([driver.python, script.path, driver.module, scenario, build.path, folder.path])
        }
        #expect(result.status == 0, "\(scenario) in \(driver.module), \(build.name) build:\n\(result.output)")
    }

    @Test(arguments: ExtensionBuild.all)
    func theShellLoadsIt(build: ExtensionBuild) throws {
        let result = try run([
            "sqlite3", "-batch", ":memory:", ".load \(build.path)",
            "CREATE VIRTUAL TABLE doc USING fts5(body, tokenize='concordance words fold latin')",
            "INSERT INTO doc VALUES ('Großmann')", "SELECT body FROM doc WHERE doc MATCH 'grossmann'",
        ])
        #expect(result.status == 0 && result.output == "Großmann\n", "\(build.name) build:\n\(result.output)")
    }
}

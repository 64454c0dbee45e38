import Foundation

/// Opens files with the programs that the desktop has for them.
struct DesktopOpener: Sendable {
    private let program: String

    private static let seconds = 10.0

    /// nil where the desktop's own opener is not installed.
    init?(path: String?) {
        #if canImport(Darwin)
            let name = "open"
        #else
            let name = "xdg-open"
        #endif
        guard let program = Subprocess.find(name, path: path) else { return nil }
        self.program = program
    }

    init(program: String) { self.program = program }

    /// - Parameter path: An absolute path, so that it is no option.
    func open(_ path: String) throws {
        guard path.hasPrefix("/"), access(path, R_OK) == 0 else {
            throw HTTPProblem(404, "the file is no longer there, or may not be read; bring the index up to date")
        }
        do {
            _ = try Subprocess.output(of: program, [path], limit: 1 << 20, seconds: Self.seconds)
        } catch {
            throw HTTPProblem(500, "the desktop has no program that opens this file")
        }
    }

    /// Shows an address in the browser, if there is one.
    func show(_ address: String) {
        _ = try? Subprocess.output(of: program, [address], limit: 1 << 20, seconds: Self.seconds)
    }
}

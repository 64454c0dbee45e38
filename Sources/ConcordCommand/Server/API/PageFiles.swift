import CConcordancePage
import Concordance
import ConcordanceSearch

/// The files of the search page, which the command has in it.
enum PageFiles {
    struct File: Sendable {
        var bytes: [UInt8]
        var type: String
        /// Another one for other bytes.
        var tag: String
    }

    static let all: [String: File] = {
        var files: [String: File] = [:]
        for index in 0..<concordance_page_file_count() {
            let file = concordance_page_files()[index]
            let name = String(cString: file.name)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            var hash = XXHash64()
            hash.update(bytes)
            files[name] = File(bytes: bytes, type: type(of: name), tag: String(hash.finish(), radix: 36))
        }
        return files
    }()

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        case "woff2": "font/woff2"
        default: "application/octet-stream"
        }
    }
}

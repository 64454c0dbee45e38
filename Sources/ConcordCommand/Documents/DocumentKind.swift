/// What a file is, which decides how its text is taken out.
enum DocumentKind: String, CaseIterable, Sendable {
    case text, markdown, html, man, code, jsonl, csv, pdf

    /// Guesses from the name, and from the first bytes where the name does not tell. The name is without `.gz`.
    init(name: String, beginning: ArraySlice<UInt8>) {
        if beginning.starts(with: Array("%PDF-".utf8)) {
            self = .pdf
            return
        }
        let name = name.lowercased()
        let suffix = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
        if let kind = Self.bySuffix[suffix] {
            self = kind
        } else if Self.isManualSection(suffix), Self.looksLikeRoff(beginning) {
            self = .man
        } else if Self.codeSuffixes.contains(suffix) || Self.codeNames.contains(name)
            || beginning.starts(with: [35, 33])
        {
            self = .code
        } else if Self.looksLikeHTML(beginning) {
            self = .html
        } else {
            self = .text
        }
    }

    private static let bySuffix: [String: DocumentKind] = [
        "md": .markdown, "markdown": .markdown, "mdown": .markdown, "mkd": .markdown, "mdx": .markdown,
        "html": .html, "htm": .html, "xhtml": .html, "shtml": .html,
        "jsonl": .jsonl, "ndjson": .jsonl, "csv": .csv, "tsv": .csv, "txt": .text, "text": .text, "rst": .text,
        "log": .text, "org": .text, "adoc": .text, "pdf": .pdf, "man": .man, "mdoc": .man,
    ]

    private static let codeSuffixes: Set<String> = [
        "ada", "asm", "awk", "bash", "bat", "c", "cc", "cfg", "clj", "cmake", "coffee", "conf", "cpp", "cs", "css",
        "cxx",
        "d", "dart", "diff", "el", "elm", "erl", "ex", "exs", "f", "f90", "fish", "fs", "go", "gradle", "groovy", "h",
        "hh", "hpp", "hrl", "hs", "ini", "ipynb", "java", "jl", "js", "json", "jsx", "kt", "kts", "less", "lisp", "lua",
        "m", "m4", "mak", "mk", "ml", "mli", "mm", "mts", "nim", "nix", "pas", "patch", "php", "pl", "plist", "pm",
        "properties", "proto", "ps1", "py", "pyi", "r", "rake", "rb", "rkt", "rs", "s", "sass", "scala", "scm", "scss",
        "service", "sh", "sql", "svelte", "svg", "swift", "tcl", "tex", "tf", "toml", "ts", "tsx", "v", "vb", "vhd",
        "vim", "vue", "wat", "xml", "xsd", "xsl", "xslt", "y", "yaml", "yml", "zig", "zsh",
    ]

    private static let codeNames: Set<String> = [
        "brewfile", "cmakelists.txt", "dockerfile", "gemfile", "gnumakefile", "jenkinsfile", "justfile", "makefile",
        "podfile", "rakefile", "vagrantfile",
    ]

    /// `1`, `3pm`, `8`, `n`: what follows the last dot in the name of a manual page.
    private static func isManualSection(_ suffix: String) -> Bool {
        guard let first = suffix.utf8.first, suffix.utf8.count <= 10 else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) || suffix == "n" || suffix == "l"
    }

    private static func looksLikeRoff(_ bytes: ArraySlice<UInt8>) -> Bool {
        for line in bytes.prefix(4096).split(separator: 10) {
            guard let first = line.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "'") else { continue }
            return true
        }
        return false
    }

    private static func looksLikeHTML(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = bytes.drop { $0 <= 32 }.prefix(15).map { $0 | 0x20 }
        return head.starts(with: Array("<!doctype html".utf8).map { $0 | 0x20 })
            || head.starts(with: Array("<html".utf8))
    }
}

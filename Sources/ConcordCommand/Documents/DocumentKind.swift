/// What a file is, which decides how its text is extracted.
enum DocumentKind: String, CaseIterable, Sendable {
    case text, markdown, html, man, code, jsonl, csv, pdf
    /// Text documents of office programs: OpenDocument, Word's docx, RTF.
    case document
    case spreadsheet, presentation
    /// EPUB.
    case book
    /// A message, or a mailbox of them.
    case mail
    case archive, notebook, subtitles, latex, org, rst, asciidoc, contact, calendar, json, xml, log, image

    /// Guesses the kind from the first bytes and the name, without a compression suffix.
    init(name: String, beginning: ArraySlice<UInt8>) {
        let name = name.lowercased()
        let suffix = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
        if let kind = Self.bySignature(beginning, suffix: suffix) {
            self = kind
        } else if let kind = Self.bySuffix[suffix] {
            self = kind
        } else if Self.isManualSection(suffix), Self.looksLikeRoff(beginning) {
            self = .man
        } else if Self.codeSuffixes.contains(suffix) || Self.codeNames.contains(name)
            || beginning.starts(with: [35, 33])
        {
            self = .code
        } else {
            self = Self.byText(beginning, name: name)
        }
    }

    /// What people call a page of documents of a kind: `slide 3`.
    static func page(_ number: Int, ofKind kind: String?) -> String {
        let name =
            switch kind.flatMap(DocumentKind.init) {
            case .presentation: "slide"
            case .spreadsheet: "sheet"
            case .book: "chapter"
            default: "page"
            }
        return "\(name) \(grouped(number))"
    }

    /// The name of a file without the suffixes of compressions.
    static func unpacked(_ name: String) -> String {
        var input = Input(name: name)
        while true {
            let inner = input.unpacked(Extraction.gzipSuffixes).unpacked(Extraction.otherSuffixes)
            if inner.name == input.name { return inner.name }
            input = inner
        }
    }

    /// Whether a file with one name is taken for the same kind as with another one, whatever it holds.
    static func isSame(_ first: String, _ second: String) -> Bool {
        func traits(_ name: String) -> (suffix: Substring, isCode: Bool, isLog: Bool) {
            let name = unpacked(name).lowercased()
            return (
                name.lastIndex(of: ".").map { name[$0...] } ?? "", codeNames.contains(name),
                logNames.contains(name) || name.contains(".log.") || name.contains(".log-")
            )
        }
        func packing(_ name: String) -> Substring { name.dropFirst(unpacked(name).count) }
        return traits(first) == traits(second) && packing(first).lowercased() == packing(second).lowercased()
    }

    /// By bytes that say what follows, whatever the name is.
    private static func bySignature(_ beginning: ArraySlice<UInt8>, suffix: String) -> DocumentKind? {
        if beginning.starts(with: Array("%PDF-".utf8)) { return .pdf }
        if beginning.starts(with: RTFText.signature) { return .document }
        if beginning.starts(with: ArchiveText.zipSignature) {
            if let kind = packages[suffix] { return kind }
            // The first entry of an OpenDocument or EPUB file names its type.
            let type = mediaType(beginning)
            if type.starts(with: Array("application/epub+zip".utf8)) { return .book }
            let openDocument = Array("application/vnd.oasis.opendocument.".utf8)
            guard type.starts(with: openDocument) else { return .archive }
            let rest = type.dropFirst(openDocument.count)
            if rest.starts(with: Array("spreadsheet".utf8)) { return .spreadsheet }
            return rest.starts(with: Array("text".utf8)) ? .document : .presentation
        }
        if beginning.starts(with: LegacyOfficeText.signature), let kind = LegacyOfficeText.kind(suffix: suffix) {
            return kind
        }
        if ArchiveText.isTar(beginning) || beginning.starts(with: ArchiveText.rarSignature) { return .archive }
        return BinaryFormat.isImage(beginning) ? .image : nil
    }

    /// The content of a ZIP archive's first entry if its name is `mimetype`: after the header, the name and extra
    /// fields.
    private static func mediaType(_ beginning: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let header = beginning.dropFirst(26).prefix(4).map { Int($0) }
        let name = beginning.dropFirst(30)
        guard header.count == 4, name.starts(with: Array("mimetype".utf8)) else { return [] }
        return name.dropFirst((header[0] | header[1] << 8) + (header[2] | header[3] << 8))
    }

    private static func byText(_ beginning: ArraySlice<UInt8>, name: String) -> DocumentKind {
        if looksLikeHTML(beginning) { return .html }
        if MailText.looksLikeMailbox(beginning) || MailText.looksLikeMessage(beginning) { return .mail }
        if beginning.starts(with: Array("<?xml".utf8)) { return .xml }
        if beginning.starts(with: Array("BEGIN:VCARD".utf8)) { return .contact }
        if beginning.starts(with: Array("BEGIN:VCALENDAR".utf8)) { return .calendar }
        // `app.log.1`, `messages.2`
        return name.contains(".log.") || name.contains(".log-") || logNames.contains(name) ? .log : .text
    }

    private static let packages: [String: DocumentKind] = [
        "docx": .document, "docm": .document, "dotx": .document, "dotm": .document, "odt": .document, "ott": .document,
        "xlsx": .spreadsheet, "xlsm": .spreadsheet, "xltx": .spreadsheet, "ods": .spreadsheet, "ots": .spreadsheet,
        "pptx": .presentation, "pptm": .presentation, "ppsx": .presentation, "potx": .presentation,
        "odp": .presentation, "otp": .presentation, "odg": .presentation, "epub": .book,
    ]

    private static let bySuffix: [String: DocumentKind] = [
        "md": .markdown, "markdown": .markdown, "mdown": .markdown, "mkd": .markdown, "mdx": .markdown,
        "html": .html, "htm": .html, "xhtml": .html, "shtml": .html,
        "jsonl": .jsonl, "ndjson": .jsonl, "csv": .csv, "tsv": .csv, "txt": .text, "text": .text, "rst": .rst,
        "rest": .rst, "log": .log, "org": .org, "adoc": .asciidoc, "asciidoc": .asciidoc, "man": .man, "mdoc": .man,
        "fodt": .document, "fods": .spreadsheet, "fodp": .presentation, "eml": .mail, "emlx": .mail, "mbox": .mail,
        "ipynb": .notebook, "srt": .subtitles, "vtt": .subtitles, "tex": .latex, "ltx": .latex, "vcf": .contact,
        "vcard": .contact, "ics": .calendar, "ical": .calendar, "json": .json, "geojson": .json, "xml": .xml,
        "svg": .xml, "rss": .xml, "atom": .xml, "opml": .xml, "fb2": .xml, "dbk": .xml, "docbook": .xml, "dita": .xml,
        "kml": .xml, "gpx": .xml, "tei": .xml,
    ]

    private static let codeSuffixes: Set<String> = [
        "ada", "asm", "awk", "bash", "bat", "c", "cc", "cfg", "clj", "cls", "cmake", "coffee", "conf", "cpp", "cs",
        "css", "cxx", "d", "dart", "diff", "el", "elm", "erl", "ex", "exs", "f", "f90", "fish", "fs", "go", "gradle",
        "groovy", "h", "hh", "hpp", "hrl", "hs", "ini", "java", "jl", "js", "jsx", "kt", "kts", "less", "lisp", "lua",
        "m", "m4", "mak", "mk", "ml", "mli", "mm", "mts", "nim", "nix", "pas", "patch", "php", "pl", "plist", "pm",
        "properties", "proto", "ps1", "py", "pyi", "r", "rake", "rb", "rkt", "rs", "s", "sass", "scala", "scm", "scss",
        "service", "sh", "sql", "sty", "svelte", "swift", "tcl", "tf", "toml", "ts", "tsx", "v", "vb", "vhd", "vim",
        "vue", "wat", "xsd", "xsl", "xslt", "y", "yaml", "yml", "zig", "zsh",
    ]

    private static let codeNames: Set<String> = [
        "brewfile", "cmakelists.txt", "dockerfile", "gemfile", "gnumakefile", "jenkinsfile", "justfile", "makefile",
        "podfile", "rakefile", "vagrantfile",
    ]

    private static let logNames: Set<String> = ["syslog", "messages", "dmesg"]

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

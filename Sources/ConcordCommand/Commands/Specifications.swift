import Concordance

/// All commands, as the help shows them.
enum Specifications {
    static let all = [
        index, watch, search, explain, serve, service, mcp, tokenize, info, check, remove, completions, man,
    ]

    private static let database = OptionSpecification(
        "db", value: "FILE", "The index. Without it CONCORD_DB, else the folder for application data.")
    private static let json = OptionSpecification("json", "Print JSON.")
    private static let color = OptionSpecification(
        "color", value: "WHEN", choices: ["always", "never", "auto"],
        "always, never, or auto: for a terminal, unless NO_COLOR is set.\nWithout, [brackets] mark matches.")

    static let index = CommandSpecification(
        name: "index", summary: "Index the documents in files and folders, or bring the index up to date.",
        operands: "[PATH...]",
        discussion: """
            Reads plain text, Markdown, reStructuredText, AsciiDoc, Org, LaTeX, HTML, XML, manual pages, source code, JSON,
            JSON Lines, CSV, Jupyter notebooks, subtitles and logs; the documents, spreadsheets and presentations of
            LibreOffice and Microsoft Office (odt, ods, odp, docx, xlsx, pptx), RTF and EPUB; messages and mailboxes (eml,
            mbox, Maildir) with what is attached, contacts (vcf) and calendars (ics); PDF where pdftotext is installed.

            Archives (zip, tar) are looked into, and files that gzip, bzip2, xz or zstd have compressed. What lies in an
            archive or is attached to a message has a path of its own, as in report.zip/inner/a.txt; it is read again when
            the archive has changed. Hidden files in archives are passed over, and what unfolds to an absurd size.

            Only what is new or has changed is read. Files that are gone leave the index. Folders are remembered: without
            PATH all of them are brought up to date. What was moved or renamed keeps its documents. Interrupted at any moment,
            the next run goes on where this one was.
            """,
        options: [
            database,
            OptionSpecification("all", short: "a", "Hidden files, and folders of dependencies and builds, too."),
            OptionSpecification("follow", short: "L", "Follow symbolic links below the given paths."),
            OptionSpecification(
                "analyzer", value: "NAME",
                "How text becomes words, for a new index: a name such as english, or a\ndescription such as 'words fold latin'."
            ),
            OptionSpecification(
                "engine", value: "NAME", choices: SearchEngine.all.map(\.moduleName),
                "What keeps the words, for a new index: concordance, or SQLite's fts5."),
            OptionSpecification("ocr", "Read the text in images as well, which takes long; needs tesseract."),
            OptionSpecification("rebuild", "Forget all documents and read all files again."),
            OptionSpecification("max-size", value: "MB", "Skip files larger than this; 1000 if not given."),
            OptionSpecification("quiet", short: "q", "Print nothing but errors."),
            OptionSpecification("verbose", short: "v", "Say which files are skipped and why."),
            json,
        ],
        examples: [
            ("concord index ~/Documents", "Index a folder, or bring it up to date."),
            ("concord index", "Bring everything up to date that was indexed before."),
            ("concord index --analyzer english --db notes.db notes/", "An index of its own, with English stemming."),
        ], operandCount: 0...10_000)

    static let search = CommandSpecification(
        name: "search", summary: "Find documents, the best first.", operands: "QUERY...",
        discussion: """
            All words have to be in a document. "Several words" in quotation marks have to follow each other, -word must
            not be there, OR stands between alternatives, word* is the beginning of a word, title:word, author:word and path:word
            look only there. When nothing has all the words, the last one is taken for the beginning of a word, then words are taken
            for misspelt ones, and then any of the words will do. No query is an error.

            Exit code, as grep's: 0 if something was found, 1 if not, 2 for an error.
            """,
        options: [
            database,
            OptionSpecification("limit", short: "n", value: "COUNT", "How many documents to show; 10 if not given."),
            OptionSpecification("offset", value: "COUNT", "How many of the best to leave out."),
            OptionSpecification(
                "kind", short: "k", value: "KIND", choices: DocumentKind.allCases.map(\.rawValue),
                "Only files of this kind: text, markdown, html, man, code, jsonl, csv, pdf,\ndocument, spreadsheet, presentation, book, mail, archive, notebook, subtitles,\nlatex, org, rst, asciidoc, contact, calendar, json, xml, log or image."
            ),
            OptionSpecification("path", short: "p", value: "PART", "Only files with this in their path."),
            OptionSpecification("folder", short: "f", value: "FOLDER", "Only files in this folder, at whatever depth."),
            OptionSpecification("year", short: "y", value: "YEAR", "Only files that changed last in this year."),
            OptionSpecification("language", value: "LANG", "Only documents in this language: de, or german."),
            OptionSpecification(
                "sort", short: "s", value: "ORDER", choices: DocumentOrder.allCases.map(\.rawValue),
                "relevance, newest or oldest; relevance if not given."),
            OptionSpecification(
                "interactive", short: "i", "Search on the whole terminal as you type; without one, a query a line."),
            OptionSpecification("prefix", "Take the last word for the beginning of one from the start."),
            color,
            OptionSpecification("json", "Print a JSON object a line for each document."),
            OptionSpecification("files-with-matches", short: "l", "Print paths only, each once."),
            OptionSpecification("null", short: "0", "Print paths only, with a zero byte after each."),
            OptionSpecification(
                "vimgrep",
                "Print path:line:column:text for each match. Of a file that is no text, the line is\nthat of the text taken from it."
            ),
        ],
        examples: [
            ("concord search regular expression", "Documents with both words."),
            ("concord search '\"hash table\" -perl'", "A phrase, and a word that must not occur."),
            ("concord search -0 -n 100 socket | xargs -0 wc -l", "Do something with the hundred best."),
            ("vim -q <(concord search --vimgrep socket)", "Go from match to match."),
        ], operandCount: 0...10_000, takesDashedWords: true)

    static let serve = CommandSpecification(
        name: "serve", summary: "Search in a web browser, or by a JSON API.", operands: "[FILE]",
        discussion: """
            Serves a search page for the index, or for FILE: any SQLite database with full-text tables of FTS5 or Concordance.
            The database is only read, and may be in use by other programs; results follow its changes. The API is described at
            /openapi.json.

            Only programs on this machine can connect. To search from others, name an address of this one with --host and a
            secret with --token, which browsers then have to give. The connection is not encrypted: beyond a network that you
            trust, put a server that does TLS in front.

            Control-C ends it.
            """,
        options: [
            database,
            OptionSpecification(
                "port", short: "p", value: "PORT", "Where to listen; 7700 if not given, 0 for any that is free."),
            OptionSpecification(
                "host", value: "ADDRESS", "An address of this machine; 127.0.0.1 if not given. Others need --token."),
            OptionSpecification(
                "token", value: "TOKEN",
                "Answer only who knows it: letters, digits and - . _ ~, 8 at least.\nCONCORD_TOKEN does the same, and is not seen in lists of processes."
            ),
            OptionSpecification("open", short: "o", "Show the page in the browser."),
            OptionSpecification("no-open-files", "Do not open files with the desktop's programs from the page."),
            OptionSpecification("watch", short: "w", "Follow the indexed folders as well, as 'concord watch' does."),
        ] + follow,
        examples: [
            ("concord serve --open", "Search the index in the browser."),
            ("concord serve --watch", "The same, and keep the index in step with its folders."),
            ("concord serve app.db", "Search the full-text tables of a database."),
            ("curl 'localhost:7700/api/search?q=regular+expression'", "The same search as JSON."),
        ], operandCount: 0...1)

    private static let rescan = OptionSpecification(
        "rescan", value: "SECONDS",
        "Walk all folders each so many seconds as well: for network drives, of whose\nchanges by other machines the system does not tell."
    )
    private static let follow = [
        OptionSpecification("ocr", "Read the text in images as well, which takes long; needs tesseract."),
        OptionSpecification("max-size", value: "MB", "Skip files larger than this; 1000 if not given."), rescan,
    ]

    static let watch = CommandSpecification(
        name: "watch", summary: "Follow folders: changes are in the index within a second.", operands: "[FOLDER...]",
        discussion: """
            Brings the index up to date, as 'concord index' does, and keeps it so: what is written, moved and removed below the
            indexed folders reaches the index within a second, or a little later where much changes at once. FOLDERs are
            added to those that are indexed. What was moved or renamed is not read again.

            A folder that is not there, such as a disk that is not mounted, keeps its documents until it is back. Of a file with
            several names (hard links), the one that it is written by is seen to change. While it
            runs, no other process writes documents into the index; 'concord index FOLDER' has it follow one more folder.
            Killed at any moment, the next run misses nothing.

            Control-C ends it. 'concord service' prints what lets the system start it.
            """,
        options: [
            database,
            OptionSpecification("all", short: "a", "Hidden files, and folders of dependencies and builds, too."),
            OptionSpecification("follow", short: "L", "Follow symbolic links below the given folders."),
        ] + follow + [
            OptionSpecification("quiet", short: "q", "Print nothing but errors."),
            OptionSpecification("verbose", short: "v", "Say what changes, and which files are skipped and why."),
        ],
        examples: [
            ("concord watch ~/Documents", "Index a folder, and follow it."),
            ("concord watch", "Follow everything that was indexed before."),
        ], operandCount: 0...10_000)

    static let service = CommandSpecification(
        name: "service", summary: "Print what has the system start the server and follow the folders.", operands: "",
        discussion: """
            Prints a user unit for systemd, or an agent for launchd on macOS, which runs 'concord serve --watch' with the
            options given whenever you are logged in. The file says how it is started; nothing is installed.

            A token on the command line is seen in lists of processes; in a unit, CONCORD_TOKEN hides it.
            """,
        options: [
            database,
            OptionSpecification("port", short: "p", value: "PORT", "Where the server listens."),
            OptionSpecification("host", value: "ADDRESS", "An address of this machine; others need --token."),
            OptionSpecification("token", value: "TOKEN", "Answer only who knows it."),
            OptionSpecification("no-serve", "Follow the folders without a server: 'concord watch'."), rescan,
            OptionSpecification("systemd", "Print a unit for systemd, on whatever system."),
            OptionSpecification("launchd", "Print an agent for launchd, on whatever system."),
        ],
        examples: [
            (
                "concord service > ~/.config/systemd/user/concord.service",
                "For systemd; then: systemctl --user enable --now concord"
            ),
            (
                "concord service --launchd > ~/Library/LaunchAgents/concord.plist",
                "For launchd, where it begins with the next login."
            ),
        ], operandCount: 0...0)

    static let mcp = CommandSpecification(
        name: "mcp", summary: "Let an assistant search, by the Model Context Protocol.", operands: "[FILE]",
        discussion: """
            Speaks the Model Context Protocol over standard input and output, for programs that start it themselves. It offers
            two tools, which only read: 'search' finds documents in the index, or rows in the full-text tables of FILE, and
            'read_document' reads what was found.

            In the configuration of the assistant's program, the command is 'concord' and its arguments are 'mcp' and,
            perhaps, --db FILE.
            """,
        options: [database],
        examples: [
            ("concord mcp", "Serve the index."),
            ("concord mcp notes.db", "Serve the full-text tables of a database."),
        ], operandCount: 0...1)

    static let explain = CommandSpecification(
        name: "explain", summary: "Say why a document stands where it does.", operands: "QUERY... PATH",
        discussion: """
            Prints the place of a document among those that 'concord search QUERY' finds, what each word adds to its score,
            and what its name, title and place multiply it by.

            Exit code: 0 if the search finds the document, 1 if not, 2 for a wrong command line, 3 for trouble with the index.
            """,
        options: [database],
        examples: [
            ("concord explain printf /usr/share/man/man3/printf.3.gz", "Why this page is where it is.")
        ], operandCount: 2...10_000)

    static let tokenize = CommandSpecification(
        name: "tokenize", summary: "Show the words that an analyzer makes of a text.", operands: "TEXT...|-",
        discussion: """
            Prints for each token its position, where it stands in the text in bytes, and the token itself. With - the text
            is read from standard input.
            """,
        options: [
            OptionSpecification(
                "analyzer", value: "NAME",
                "A name such as english, or a description such as 'words fold latin'.\nWithout it that of the index, if there is one."
            ),
            OptionSpecification("query", "Tokenize as a query, not as a document."),
            database, OptionSpecification("json", "Print a JSON object a line for each token."),
        ],
        examples: [
            ("concord tokenize 'Großmann & Müller'", "By the analyzer of the index."),
            ("concord tokenize --analyzer 'words fold porter' running", "By another one."),
        ], operandCount: 1...10_000, takesDashedWords: true)

    static let info = CommandSpecification(
        name: "info", summary: "Show what an index holds.", operands: "",
        discussion: "",
        options: [
            database, OptionSpecification("skipped", "List the files that are not in the index, and why."),
            OptionSpecification("sizes", "Say what the structures of the index take, and the texts in it."), json,
        ],
        examples: [
            ("concord info", "Size, folders, documents by kind, analyzer."),
            ("concord info --skipped", "Which files could not be read."),
        ], operandCount: 0...0)

    static let check = CommandSpecification(
        name: "check", summary: "See whether an index is whole.", operands: "",
        discussion: """
            Checks the database, that the full-text index agrees with its documents, and the documents with their files.

            Exit code: 0 if all is well, 1 if not (with --repair: if something is left), 3 for trouble with the index.
            """,
        options: [database, OptionSpecification("repair", "Mend what is wrong."), json],
        examples: [("concord check", "Check the index."), ("concord check --repair", "Mend it as well.")],
        operandCount: 0...0)

    static let remove = CommandSpecification(
        name: "remove", summary: "Take files and folders out of the index, and forget them.", operands: "PATH...",
        discussion: "The files themselves stay where they are.",
        options: [database],
        examples: [("concord remove ~/Documents/old", "Take a folder out of the index.")], operandCount: 1...10_000)

    static let completions = CommandSpecification(
        name: "completions", summary: "Print what makes a shell complete commands and options.", operands: "SHELL",
        discussion: """
            SHELL is bash, zsh or fish. What is printed belongs into a file that the shell reads when it begins.
            """,
        options: [],
        examples: [
            (
                "concord completions bash > ~/.local/share/bash-completion/completions/concord",
                "For bash with the package bash-completion; without it, have ~/.bashrc read the file."
            ),
            ("concord completions zsh > ~/.zfunc/_concord", "For zsh, with ~/.zfunc in its fpath."),
            ("concord completions fish > ~/.config/fish/completions/concord.fish", "For fish."),
        ], operandCount: 1...1, operandChoices: ["bash", "zsh", "fish"])

    static let man = CommandSpecification(
        name: "man", summary: "Print the manual page.", operands: "",
        discussion: "The page is in the language mdoc, which every program for manual pages reads.",
        options: [],
        examples: [
            ("concord man | man -l -", "Read it."),
            ("concord man > ~/.local/share/man/man1/concord.1", "Install it."),
        ], operandCount: 0...0)

    static func overview() -> String {
        var text = """
            Concord finds documents: texts, office documents, mail, books, PDF, source code, what lies in archives.

            Usage: concord COMMAND ...


            """
        let width = (all.map(\.name.count).max() ?? 0) + 2
        for command in all {
            text +=
                "  \(command.name)" + String(repeating: " ", count: width - command.name.count) + command.summary + "\n"
        }
        text += """

            Start:
              concord index ~/Documents
              concord search something you remember
              concord                                  (searches as you type)

            'concord help COMMAND' or 'concord COMMAND --help' says more. Exit codes: 0 done or found, 1 nothing found,
            2 wrong command line, 3 trouble with the index or a file, 130 interrupted.

            """
        return text
    }
}

import Concordance
import ConcordanceSearch

/// All commands, in the order in which the help shows them.
enum Specifications {
    static let all = [
        index, watch, search, explain, serve, service, mcp, tokenize, info, check, remove, completions, man,
    ]

    private static let database = OptionSpecification(
        "db", value: "FILE", "The index; by default CONCORD_DB, or one in the folder for application data.")
    private static let json = OptionSpecification("json", "Print JSON.")
    private static let color = OptionSpecification(
        "color", value: "WHEN", choices: ["always", "never", "auto"],
        "always, never, or auto: on a terminal, unless NO_COLOR is set. Without colour,\n[brackets] mark matches."
    )

    static let index = CommandSpecification(
        name: "index", summary: "Index the documents in files and folders, or bring the index up to date.",
        operands: "[PATH...]",
        discussion: """
            Reads plain text, Markdown, reStructuredText, AsciiDoc, Org, LaTeX, HTML, XML, manual pages, source code, JSON,
            JSON Lines, CSV, Jupyter notebooks, subtitles and logs; the documents, spreadsheets and presentations of
            LibreOffice and Microsoft Office (odt, ods, odp, docx, xlsx, pptx), RTF and EPUB; messages and mailboxes (eml,
            mbox, Maildir) with their attachments, contacts (vcf) and calendars (ics); and PDF, if pdftotext is installed.

            Also reads what is inside archives (zip, tar) and files compressed by gzip, bzip2, xz or zstd. A file in an
            archive or attached to a message has a path of its own, such as report.zip/inner/a.txt, and is read again when
            the archive changes. Skips hidden files in archives, and anything that decompresses to an absurd size.

            Only new and changed files are read. Deleted files leave the index; moved and renamed ones keep their
            documents. The paths are remembered: without PATH, all of them are brought up to date. A path that
            you name stays in the index even if the walk of a folder around it skips it, as it skips hidden folders. You can
            interrupt a run at any time; the next one continues where it stopped.
            """,
        options: [
            database,
            OptionSpecification("all", short: "a", "Include hidden files, and folders of dependencies and builds."),
            OptionSpecification("follow", short: "L", "Follow symbolic links below the given paths."),
            OptionSpecification(
                "analyzer", value: "NAME",
                "How a new index splits text into words: a name such as english, or a\ndescription such as 'words fold latin'."
            ),
            OptionSpecification(
                "engine", value: "NAME", choices: SearchEngine.all.map(\.moduleName),
                "What keeps the words, for a new index: concordance, or SQLite's fts5."),
            OptionSpecification(
                "ocr", "Read the text in images and on scanned pages of PDF as well, which takes long; needs tesseract."
            ),
            OptionSpecification("rebuild", "Forget all documents and read all files again."),
            OptionSpecification("max-size", value: "MB", "Skip files larger than this; 1000 if not given."),
            OptionSpecification("quiet", short: "q", "Print nothing but errors."),
            OptionSpecification("verbose", short: "v", "Say which files are skipped, and why."),
            json,
        ],
        examples: [
            ("concord index ~/Documents", "Index a folder, or bring it up to date."),
            ("concord index", "Bring every indexed folder up to date."),
            ("concord index --analyzer english --db notes.db notes/", "Create another index, with English stemming."),
        ], operandCount: 0...10_000)

    static let search = CommandSpecification(
        name: "search", summary: "Find documents, the best first.", operands: "QUERY...",
        discussion: """
            Finds documents that contain all the words. "Words in quotation marks" must follow one another, -word must not
            occur, OR separates alternatives, word* is the beginning of a word, and title:word, author:word and path:word
            search only there. If no document has all the words, the last one is taken for the beginning of a word, then
            words for misspelled ones, and finally any of the words is enough. Any text is a valid query.

            Options come before the query. After its first word, -n 5, -n5 and --limit 5 are still options, but -kman is a
            word that must not occur. After --, everything is the query.

            Exit codes are grep's: 0 if something was found, 1 if not, 2 for an error.
            """,
        options: [
            database,
            OptionSpecification("limit", short: "n", value: "COUNT", "How many documents to show; 10 if not given."),
            OptionSpecification("offset", value: "COUNT", "How many of the best documents to skip."),
            OptionSpecification(
                "kind", short: "k", value: "KIND", choices: DocumentKind.allCases.map(\.rawValue),
                "Only documents of this kind: text, markdown, html, man, code, jsonl, csv, pdf,\ndocument, spreadsheet, presentation, book, mail, archive, notebook, subtitles,\nlatex, org, rst, asciidoc, contact, calendar, json, xml, log or image. With archive,\nwhatever is in archives."
            ),
            OptionSpecification("path", short: "p", value: "PART", "Only documents whose path contains this."),
            OptionSpecification(
                "folder", short: "f", value: "FOLDER", "Only documents in this folder or archive, at any depth."),
            OptionSpecification("year", short: "y", value: "YEAR", "Only documents last changed in this year."),
            OptionSpecification("language", value: "LANG", "Only documents in this language, such as de or german."),
            OptionSpecification(
                "sort", short: "s", value: "ORDER", choices: DocumentOrder.allCases.map(\.rawValue),
                "The order: relevance, newest or oldest; relevance if not given."),
            OptionSpecification(
                "interactive", short: "i", "Search full-screen as you type; without a terminal, read a query per line."
            ),
            OptionSpecification("prefix", "Treat the last word as half typed, even if whole words find something."),
            color,
            OptionSpecification("json", "Print a JSON object per document, each on a line of its own."),
            OptionSpecification("files-with-matches", short: "l", "Print only paths, each once, those of copies too."),
            OptionSpecification("null", short: "0", "Print only paths, each followed by a zero byte."),
            OptionSpecification(
                "vimgrep",
                "Print path:line:column:text for each match; of a long line, the text around it. In\nfiles that are not text, lines are those of the extracted text."
            ),
        ],
        examples: [
            ("concord search regular expression", "Documents with both words."),
            ("concord search '\"hash table\" -perl'", "A phrase, and a word that must not occur."),
            ("concord search -0 -n 100 socket | xargs -0 wc -l", "Pass the hundred best files to a program."),
            ("vim -q <(concord search --vimgrep socket)", "Step through the matches in Vim."),
        ], operandCount: 0...10_000, takesDashedWords: true)

    static let serve = CommandSpecification(
        name: "serve", summary: "Search in a web browser, or through a JSON API.", operands: "[FILE]",
        discussion: """
            Serves a search page for the index, or for FILE: any SQLite database with full-text tables of FTS5 or Concordance.
            The database is only read, and other programs may use it meanwhile; results follow its changes. The API is
            described at /openapi.json.

            Only programs on this machine can connect. To search from other machines, give an address of this one with --host
            and a secret with --token, which clients must then send. The connection is not encrypted: outside a network that
            you trust, put a TLS server in front.

            Press Control-C to stop it.
            """,
        options: [
            database,
            OptionSpecification(
                "port", short: "p", value: "PORT", "The port to listen on; 7700 if not given, 0 for any free one."),
            OptionSpecification(
                "host", value: "ADDRESS", "An address of this machine; 127.0.0.1 if not given. Others need --token."),
            OptionSpecification(
                "token", value: "TOKEN",
                "Answer only clients that send it: at least 8 letters, digits or - . _ ~.\nCONCORD_TOKEN does the same, and does not show in process lists."
            ),
            OptionSpecification("open", short: "o", "Open the page in the browser."),
            OptionSpecification("no-open-files", "Do not let the page open files in the desktop's programs."),
            OptionSpecification("watch", short: "w", "Also follow the indexed folders, as 'concord watch' does."),
        ] + follow,
        examples: [
            ("concord serve --open", "Search the index in the browser."),
            ("concord serve --watch", "The same, and keep the index up to date with its folders."),
            ("concord serve app.db", "Search the full-text tables of a database."),
            ("curl 'localhost:7700/api/search?q=regular+expression'", "The same search as JSON."),
        ], operandCount: 0...1)

    private static let rescan = OptionSpecification(
        "rescan", value: "SECONDS",
        "Also walk all folders at this interval: for network drives, since the system does not\nreport changes made by other machines."
    )
    private static let follow = [
        OptionSpecification(
            "ocr", "Read the text in images and on scanned pages of PDF as well, which takes long; needs tesseract."),
        OptionSpecification("max-size", value: "MB", "Skip files larger than this; 1000 if not given."), rescan,
    ]

    static let watch = CommandSpecification(
        name: "watch", summary: "Follow folders: changes reach the index within a second.", operands: "[FOLDER...]",
        discussion: """
            Brings the index up to date, as 'concord index' does, and keeps it so: whatever is written, moved or removed below
            the indexed folders reaches the index within a second, or a little later if much changes at once. FOLDERs are
            added to the indexed ones. Moved and renamed files are not read again.

            A missing folder, such as a disk that is not mounted, keeps its documents until it returns. Of a file with several
            names (hard links), only the name through which it is written is seen to change. While 'concord watch' runs, no
            other process writes documents to the index; 'concord index FOLDER' makes it follow one more folder. If it is
            killed, the next run misses nothing.

            Press Control-C to stop it. 'concord service' prints a file that lets the system start it.
            """,
        options: [
            database,
            OptionSpecification("all", short: "a", "Include hidden files, and folders of dependencies and builds."),
            OptionSpecification("follow", short: "L", "Follow symbolic links below the given folders."),
        ] + follow + [
            OptionSpecification("quiet", short: "q", "Print nothing but errors."),
            OptionSpecification("verbose", short: "v", "Say what changes, and which files are skipped, and why."),
        ],
        examples: [
            ("concord watch ~/Documents", "Index a folder, and follow it."),
            ("concord watch", "Follow every indexed folder."),
        ], operandCount: 0...10_000)

    static let service = CommandSpecification(
        name: "service", summary: "Print a file that lets the system start 'serve --watch'.", operands: "",
        discussion: """
            Prints a systemd user unit or, on macOS, a launchd agent, which runs 'concord serve --watch' with the given options
            whenever you are logged in. Nothing is installed; on a terminal, a note says how to do so.

            A token on the command line shows in process lists; set CONCORD_TOKEN in the unit instead.
            """,
        options: [
            database,
            OptionSpecification("port", short: "p", value: "PORT", "The port that the server listens on."),
            OptionSpecification(
                "host", value: "ADDRESS", "An address of this machine; any but a loopback address needs --token."),
            OptionSpecification("token", value: "TOKEN", "Answer only clients that send it."),
            OptionSpecification("no-serve", "Follow the folders without a server: 'concord watch'."), rescan,
            OptionSpecification("systemd", "Print a systemd unit, on any system."),
            OptionSpecification("launchd", "Print a launchd agent, on any system."),
        ],
        examples: [
            (
                "concord service > ~/.config/systemd/user/concord.service",
                "For systemd; then: systemctl --user enable --now concord"
            ),
            (
                "concord service --launchd > ~/Library/LaunchAgents/concord.plist",
                "For launchd, which starts it at the next login."
            ),
        ], operandCount: 0...0)

    static let mcp = CommandSpecification(
        name: "mcp", summary: "Let an assistant search, through the Model Context Protocol.", operands: "[FILE]",
        discussion: """
            Speaks the Model Context Protocol over standard input and output, for programs that start it themselves. It offers
            two read-only tools: 'search' finds documents in the index, or rows in the full-text tables of FILE, and
            'read_document' reads what was found.

            In the configuration of the assistant's program, set the command to 'concord' and the arguments to 'mcp' and,
            if needed, --db FILE.
            """,
        options: [database],
        examples: [
            ("concord mcp", "Serve the index."),
            ("concord mcp notes.db", "Serve the full-text tables of a database."),
        ], operandCount: 0...1)

    static let explain = CommandSpecification(
        name: "explain", summary: "Say why a document ranks where it does.", operands: "QUERY... PATH",
        discussion: """
            Prints the position of a document among those that 'concord search QUERY' finds, what each word adds to its score,
            and the factors by which its name, title and folder multiply it.

            Exit code: 0 if the search finds the document, 1 if not, 2 for a wrong command line, 3 for a problem with the index.
            """,
        options: [database],
        examples: [
            ("concord explain printf /usr/share/man/man3/printf.3.gz", "Say why this page ranks where it does.")
        ], operandCount: 2...10_000)

    static let tokenize = CommandSpecification(
        name: "tokenize", summary: "Show the tokens into which an analyzer splits a text.", operands: "TEXT...|-",
        discussion: """
            Prints each token with its position and its byte range in the text. A - reads the text from standard input.
            """,
        options: [
            OptionSpecification(
                "analyzer", value: "NAME",
                "A name such as english, or a description such as 'words fold latin'; by default\nthe analyzer of the index, if there is one."
            ),
            OptionSpecification("query", "Tokenize as a query, not as a document."),
            database, OptionSpecification("json", "Print a JSON object per token, each on a line of its own."),
        ],
        examples: [
            ("concord tokenize 'Großmann & Müller'", "Use the analyzer of the index."),
            ("concord tokenize --analyzer 'words fold porter' running", "Use another one."),
        ], operandCount: 1...10_000, takesDashedWords: true)

    static let info = CommandSpecification(
        name: "info", summary: "Show what an index holds.", operands: "",
        discussion: "",
        options: [
            database,
            OptionSpecification("skipped", "List the files that are not in the index, or only in part, and why."),
            OptionSpecification("sizes", "Show how much space each structure of the index takes, and its texts."), json,
        ],
        examples: [
            ("concord info", "Show the index's size, folders, documents by kind, and analyzer."),
            ("concord info --skipped", "List the files that could not be read, or only in part."),
        ], operandCount: 0...0)

    static let check = CommandSpecification(
        name: "check", summary: "Check an index for damage.", operands: "",
        discussion: """
            Checks the database, that the full-text index agrees with its documents, and that the documents agree with the
            list of files. A repaired index may lack documents, or be empty if SQLite could not read it: 'concord index' then
            reads all files again.

            Exit code: 0 if the index is intact, 1 if not (with --repair: if damage remains), 3 if it cannot be opened.
            """,
        options: [database, OptionSpecification("repair", "Repair what is damaged."), json],
        examples: [("concord check", "Check the index."), ("concord check --repair", "Check it, and repair it.")],
        operandCount: 0...0)

    static let remove = CommandSpecification(
        name: "remove", summary: "Remove files and folders from the index, and forget them.", operands: "PATH...",
        discussion: """
            The files themselves stay where they are. If they are in a folder that 'concord index' has been told of, its next
            run adds them again.
            """,
        options: [database],
        examples: [("concord remove ~/Documents/old", "Remove a folder from the index.")], operandCount: 1...10_000)

    static let completions = CommandSpecification(
        name: "completions", summary: "Print a script that makes a shell complete commands.", operands: "SHELL",
        discussion: """
            SHELL is bash, zsh or fish. Save the script to a file that the shell reads when it starts.
            """,
        options: [],
        examples: [
            (
                "concord completions bash > ~/.local/share/bash-completion/completions/concord",
                "For bash with the package bash-completion; without it, source the file in ~/.bashrc."
            ),
            ("concord completions zsh > ~/.zfunc/_concord", "For zsh, with ~/.zfunc in its fpath."),
            ("concord completions fish > ~/.config/fish/completions/concord.fish", "For fish."),
        ], operandCount: 1...1, operandChoices: ["bash", "zsh", "fish"])

    static let man = CommandSpecification(
        name: "man", summary: "Print the manual page.", operands: "",
        discussion: "The page is written in mdoc, which every reader of manual pages understands.",
        options: [],
        examples: [
            ("concord man | man -l -", "Read it."),
            ("concord man > ~/.local/share/man/man1/concord.1", "Install it."),
        ], operandCount: 0...0)

    static func overview() -> String {
        var text = """
            Concord finds documents: texts, office documents, mail, books, PDF and source code, also inside archives.

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

            For more, run 'concord help COMMAND' or 'concord COMMAND --help'. Exit codes: 0 done or found, 1 nothing found,
            2 wrong command line, 3 problem with the index or a file, 130 interrupted.

            """
        return text
    }
}

import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Markup, records and notebooks give what a reader sees")
struct MarkupTests {
    struct Case: CustomStringConvertible, Sendable {
        var name: String
        var text: String
        var kind: DocumentKind
        var title: String
        var contains: [String]
        var lacks: [String] = []
        var author: String?
        var date: Int64?
        var language: String?
        var description: String { name }
    }

    static let cases = [
        Case(
            name: "a.rst",
            text: """
                .. _label:

                ==============
                The *main* one
                ==============

                :Author: Ann Example
                :Date: 2024-05-06
                :Abstract: Some words

                Use :func:`print <builtins.print>` or ``code [x]`` and `a link <http://a.b>`_, **bold** 2 * 3.

                .. note:: Take care.
                .. code-block:: python
                   :linenos:

                   def f(x): pass
                .. [1] A footnote.
                .. just a comment
                .. toctree::
                   :maxdepth: 2
                """, kind: .rst, title: "The main one",
            contains: [
                "Use print or code [x] and a link, bold 2 * 3.", "Take care.", "def f(x): pass", "A footnote.",
                "Some words",
            ], lacks: ["====", "http", "builtins", "comment", "maxdepth", "`", "label", "python"],
            author: "Ann Example",
            date: 1_714_953_600),
        Case(
            name: "a.org",
            text: """
                #+TITLE: On frogs
                #+AUTHOR: Ann
                #+DATE: <2024-05-06 Mon>
                #+LANGUAGE: en
                # a comment
                * TODO First head :tag:
                :PROPERTIES:
                :ID: secret-id
                :END:
                See [[https://a.b][the page]] and [[file:x.org]].
                |---+---|
                #+BEGIN_SRC c
                int x[2];
                #+END_SRC
                """, kind: .org, title: "On frogs",
            contains: ["TODO First head :tag:", "See the page and file:x.org.", "int x[2];"],
            lacks: ["secret", "https", "#+", "---", "* TODO"], author: "Ann", date: 1_714_953_600, language: "en"),
        Case(
            name: "b.org", text: "* Only a headline\ntext\n", kind: .org, title: "Only a headline", contains: ["text"]),
        Case(
            name: "a.adoc",
            text: """
                // comment
                = The guide
                Ann Example <ann@example.org>
                v1.0, 2024-05-06
                :toc:
                :lang: en

                == Part one
                See link:page.html[the page], https://a.b[that], <<anchor,there>> and image::x.png[a picture].

                .A block's title
                [source,c]
                ----
                int x[] = {1};
                ----
                ////
                hidden
                ////
                """, kind: .asciidoc, title: "The guide",
            contains: ["Part one", "See the page, that, there and a picture.", "A block's title", "int x[] = {1};"],
            lacks: ["hidden", "comment", "page.html", "----", "==", "source", "toc"], author: "Ann Example",
            date: 1_714_953_600, language: "en"),
        Case(
            name: "a.tex",
            text: #"""
                \documentclass[11pt]{article} % comment
                \usepackage[utf8]{inputenc}
                \title{On \emph{frogs}
                  and toads}
                \author{Ann \"Ahn}
                \date{2024-05-06}
                \begin{document}
                \maketitle
                \section*{The caf\'e} Gro\ss e \^{o} na\"\i ve 50\% \& more~here \cite{knuth84}.
                \label{sec:secret}\includegraphics[width=1cm]{drawing.png}
                \href{http://a.b}{a link} $x^2$
                \begin{verbatim}
                \raw{x} % kept
                \end{verbatim}
                \end{document}
                """#, kind: .latex, title: "On frogs and toads",
            contains: ["The café Große ô naïve 50% & more here knuth84.", "a link x^2", #"\raw{x} % kept"#],
            lacks: ["documentclass", "article", "comment", "secret", "drawing", "maketitle", "http", "verbatim"],
            author: "Ann Ähn", date: 1_714_953_600),
        Case(
            name: "a.srt",
            text:
                "1\n00:00:01,000 --> 00:00:02,500\n<i>Where</i> are\n{\\an8}you?\n\n2\n00:00:03,000 --> 00:00:04,000\n1999 < 2000\n",
            kind: .subtitles, title: "a.srt", contains: ["Where are\nyou?", "1999 < 2000"],
            lacks: ["-->", "00:", "an8", "<i>"]),
        Case(
            name: "a.vtt",
            text: "WEBVTT - x\n\nNOTE\nhidden\n\n00:01.000 --> 00:02.000 align:start\n<v Ann>Hello there\n",
            kind: .subtitles,
            title: "a.vtt", contains: ["Hello there"], lacks: ["WEBVTT", "hidden", "align", "Ann"]),
        Case(
            name: "a.xml",
            text:
                #"<?xml version="1.0" encoding="ISO-8859-1"?><book xml:lang="en" id="x7"><title>A <em>good</em> book</title><p role="note">One <b>bold</b> word</p><g d="M0 0"/><?pi x?></book>"#,
            kind: .xml, title: "A good book", contains: ["One", "bold", "note"], lacks: ["x7", "M0", "<"],
            language: "en"),
        Case(name: "b.xml", text: "just text & so\n", kind: .xml, title: "b.xml", contains: ["just text & so"]),
        Case(
            name: "a.json", text: "{\"name\": \"caf\\u00e9 \\ud83d\\ude00 \\\"q\\\"\\nx\",\n \"n\": [1, 2.5]}\n",
            kind: .json,
            title: "a.json", contains: ["café 😀 \"q\" x\",\n \"n\": [1, 2.5]"]),
        Case(
            name: "a.ipynb", text: Samples.notebook, kind: .notebook, title: "Rainfall",
            contains: ["Some text.", "plot(rain)", "drawn", "<Figure>"], lacks: ["iVBOR", "cell_type"], author: "Ann"),
        Case(name: "app.log", text: "a line\n\nanother\n", kind: .log, title: "app.log", contains: ["another"]),
        Case(name: "app.log.1", text: "a line\n\nanother\n", kind: .log, title: "app.log.1", contains: ["another"]),
        Case(
            name: "front.md", text: "---\ntitle: T\nauthor: \"Ann\"\ndate: 2024-05-06\nlang: pt_BR\n---\nx\n",
            kind: .markdown,
            title: "T", contains: ["x"], author: "Ann", date: 1_714_953_600, language: "pt-BR"),
        Case(
            name: "page.html",
            text:
                "<html lang=de><head><meta name=Author content='Ann &amp; Bob'><meta name=date content=2024-05-06></head><body>x",
            kind: .html, title: "page.html", contains: ["x"], author: "Ann & Bob", date: 1_714_953_600, language: "de"),
        Case(
            name: "t.swift",
            text: "import A\n\npublic struct Point {\n    func move() {}\n        func hidden() {}\n}\n", kind: .code,
            title: "t.swift: Point, move", contains: ["func hidden"]),
        Case(
            name: "t.py",
            text: "class Frog(Animal):\n    def jump(self):\n        pass\n    def __init__(self): pass\n", kind: .code,
            title: "t.py: Frog, jump", contains: ["pass"]),
        Case(
            name: "t.c",
            text: "#include <x.h>\nint declared(void);\nstatic char *\nlook_up (int x)\n{\n  if (x) return 0;\n}\n",
            kind: .code, title: "t.c: look_up", contains: ["declared"]),
        Case(
            name: "t.go", text: "func (s *Server) Serve() error {\ntype Conn struct {\n", kind: .code,
            title: "t.go: Serve, Conn",
            contains: ["error"]),
        Case(
            name: "t.rs", text: "pub(crate) async fn run() {}\nimpl Frog for X {}\n", kind: .code,
            title: "t.rs: run, Frog",
            contains: ["async"]),
    ]

    @Test(arguments: cases)
    func kindTitleAndText(_ example: Case) throws {
        let (documents, kind, remark) = try extracted(example.name, Array(example.text.utf8))
        #expect(kind == example.kind && remark == nil)
        let document = try #require(documents.first)
        #expect(documents.count == 1)
        #expect(document.title == example.title)
        #expect(document.author == example.author)
        #expect(document.date == example.date)
        #expect(document.language == example.language)
        for part in example.contains { #expect(document.body.contains(part), "\(part) in:\n\(document.body)") }
        for part in example.lacks { #expect(!document.body.contains(part), "\(part) in:\n\(document.body)") }
    }

    /// Words are separate if the reader of the document sees them apart, and whole if a command only changes how a part
    /// of them looks.
    @Test(arguments: [
        (#"gadolinium\footnote{see the handbook}"#, "gadolinium see the handbook"),
        (#"gadolinium.\footnote{See it.}Next \footnote[3]{x}, y"#, "gadolinium. See it. Next x, y"),
        (#"\textbf{word\footnote{see}}next"#, "word see next"),
        (#"(\foo{x}) non-\foo{linear} \gls{api}'s"#, "(x) non-linear api's"),
        (#"\unknown{x}{y}z \unknown[o][p]{x}z"#, "x y z x z"),
        (#"a&b\\c & d\\[2pt]e\\*f\tabularnewline g\hline\cline{1-2}h"#, "a b c d e f g h"),
        (#"\item A\item B\item[C]D"#, "A B [C]D"),
        (#"\section{X}text \subsection*{Y}\label{sec:y}more"#, "X text Y more"),
        (#"\title{A\\B}\author{Ann\and Bob}\date{today}"#, "A B Ann Bob today"),
        (#"two\par three\par{}four"#, "two three four"),
        (#"\caption{A cat}\centering text\label{x}next Fig.~\ref{a}shows"#, "A cat text next Fig. a shows"),
        (#"a\hspace{1cm}b\vspace*{2mm}c\quad d\newline e\linebreak f"#, "a b c d e f"),
        (#"text\[x\]more a$$x$$b $\alpha$-helix H$_2$O"#, "text x more a x b -helix H_2O"),
        (#"x\begin{tabular}{ll}a&b\\c&d\end{tabular}after"#, "x a b c d after"),
        (#"\begin{tabular*}{\textwidth}[t]{@{}l@{\extracolsep{\fill}}p{3cm}}a&b"#, "a b"),
        ("\\begin{tabularx}{\\textwidth}%\n  {lX}\none&two", "one two"),
        (#"\begin{longtable}[c]{|l|r|}one \begin{array}[t]{cc}x&y\end{array}"#, "one x y"),
        (#"\multicolumn{2}{c}{Text}&\textbf{B}old"#, "Text Bold"),
        (#"\begin{frame}{Title}{Part}text\end{frame}text"#, "Title Part text text"),
        ("\\begin{tabular}[\ntext", "[ text"), ("\\label\n\n{text}", "text"),
        (#"\textbf{W}ord \emph{un}known un{\em known} {\bf W}ord"#, "Word unknown unknown Word"),
        (#"na\"{\i}ve na\"\i ve caf\'e \c{c}a Bra\textcommabelow{s}ov"#, "naïve naïve café ça Brașov"),
        (#"a{}b inter\mbox{}face hy\-phen wait\ldots and e.g.\@ x"#, "ab interface hyphen wait…and e.g. x"),
        (#"\textcolor{red}{W}ord {\color[rgb]{1,0,0}W}ord \href{http://a.b}{Swift}s"#, "Word Word Swifts"),
        (#"a\begin{verbatim}x $y\end{verbatim}b \iffalse hid \fi c"#, "a x $y b hid c"),
        ("\\begin{verbatim}x\n$y\\end{verbatim}b\\emph{c}\n\\textbf{d}", "x $y bc d"),
        (
            #"x\begin{lstlisting}[caption={A cap},language=C]int i;\end{lstlisting}y\begin{comment}no\end{comment}z"#,
            "x A cap int i; y z"
        ),
        (#"\begin{lstlisting}[caption={Foo [bar] baz}, label=x]y\end{lstlisting}"#, "Foo [bar] baz y"),
        (#"\begin{minted}[linenos]{c}int i;\end{minted}"#, "int i;"),
        (#"snake\textunderscore case don\textquoteright t ma\dh ur"#, "snake_case don’t maður"),
    ])
    func wordsOfLaTeX(_ text: String, visible: String) throws {
        let document = try #require(try extracted("a.tex", Array(text.utf8)).documents.first)
        #expect(document.body.joiningSpaces() == visible)
    }

    @Test func titlesOfLaTeXHaveSeparateWords() throws {
        let text = #"\title{On frogs\\and\thanks{N.N.}toads}\author{Ann\and Bob}"#
        let document = try #require(try extracted("a.tex", Array(text.utf8)).documents.first)
        #expect(document.title == "On frogs and N.N. toads")
        #expect(document.author == "Ann Bob")
    }

    @Test(arguments: [
        ("turnip<br>carrot a<BR/>b c<br />d", "turnip carrot a b c d"),
        ("| a<br>b | c<Br>d |", "a b c d"),
        ("<ul><li>one</li><li>two</li></ul>x<hr>y<div class=\"a\">z</div>w<p>v", "one two x y z w v"),
        ("<tr><td>a</td><td>b</td></tr>", "a b"),
        (
            "<b>W</b>ord H<sub>2</sub>O <span class=\"x\">un</span>known <code>x</code>y <I>a</I>b",
            "Word H2O unknown xy ab"
        ),
        ("`a<br>b` <http://a.b>, c<!-- <br> -->d <a", "a<br>b http://a.b, cd <a"),
    ])
    func wordsOfMarkdown(_ text: String, visible: String) throws {
        let document = try #require(try extracted("a.md", Array(text.utf8)).documents.first)
        #expect(document.body.joiningSpaces() == visible)
    }

    @Test(arguments: [
        ("a.md", "[^1]: Footnote words", "Footnote words"),
        ("a.md", "[WARNING]: never delete this", "never delete this"),
        ("a.md", "[vm]: PS /home/TestUser> uname -a", "TestUser"),
        ("a.adoc", "The clamsfootnote:[In shells.] and fish", "The clams In shells. and fish"),
        ("a.adoc", "see link:a.html[the page], (https://a.b/c[site]) and xref:x[y]", "see the page, (site) and y"),
        ("a.adoc", "`adconfig:adopt[adidx]`", "adconfig:adopt"),
        ("a.adoc", "std::vector[int] foo->x::y[0]z", "vector int foo->x::y 0 z"),
        (
            "a.adoc", ".Usage\n----\nlink:foo[bar]\n////\n----\n== Part\nSee link:foo[words] here",
            "Usage link:foo[bar] //// Part See words here"
        ),
        ("a.adoc", "* Run:\n+\n----\n:x: y\n// z\n----\n", ":x: y // z"),
        ("a.adoc", "----\nint r = a?b:c[3];\n== no title\n----\nafter", "int r = a?b:c[3]; == no title after"),
        ("a.html", "<p>text <img src=x alt='a red fox'>jumps", "text a red fox jumps"),
        ("a.html", "<p>a <svg><title>icon</title><text>label</text></svg> b", "label"),
        ("a.html", "<p>a<math><mi>x</mi><p>para one</p><p>two</p>three", "para one two three"),
        ("a.html", "<math><mtable><mtr><mtd>1</mtd><mtd>0</mtd></mtr></mtable><mtext>else</mtext></math>", "1 0 else"),
        ("a.html", "<p>so <math><mi>x</mi><mo>=</mo><mn>1</mn></math> holds", "so x=1 holds"),
    ])
    func nothingIsLost(_ name: String, _ text: String, _ part: String) throws {
        let document = try #require(try extracted(name, Array(text.utf8)).documents.first)
        #expect(document.body.joiningSpaces().contains(part), "\(document.body)")
    }

    @Test(arguments: [
        "[x]: http://a.b/target", "[x]: <http://a.b/target> 'Title'", "[x]: target \"A title\"",
        "[x]: target (A title)",
    ])
    func addressesAreNoText(_ text: String) throws {
        let document = try #require(try extracted("a.md", Array("word\n\(text)\n".utf8)).documents.first)
        #expect(!document.body.contains("target"))
    }

    /// A line of the text is a line of the file, so that a hit knows where it stands.
    @Test(arguments: ["a.rst", "a.org", "a.adoc", "a.tex", "a.srt", "a.json"])
    func linesStayLines(_ name: String) throws {
        let example = try #require(Self.cases.first { $0.name == name })
        let body = try #require(try extracted(name, Array(example.text.utf8)).documents.first).body
        let written = example.text.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        for word in ["print", "frogs", "guide", "knuth84", "1999", "2.5"] {
            guard let line = lines.firstIndex(where: { $0.contains(word) }) else { continue }
            #expect(written[line].contains(word))
        }
        #expect(abs(written.count - lines.count) <= 1)
    }

    @Test func contacts() throws {
        let (cards, kind, _) = try extracted("a.vcf", Array(Samples.vcard.utf8))
        #expect(kind == .contact)
        #expect(cards.map(\.title) == ["Ann Example", "Müller Jürgen"])
        #expect(cards.map(\.line) == [1, 10])
        #expect(cards.first?.body == "ann@example.org\nlikes tea, and\nbooks")
    }

    @Test func calendars() throws {
        let (events, kind, _) = try extracted("a", Array(Samples.calendar.utf8))
        #expect(kind == .calendar)
        #expect(events.map(\.title) == ["Dentist", "Taxes"])
        #expect(events.map(\.line) == [2, 8])
        #expect(events.map(\.date) == [1_714_990_272, 1_717_113_600])
        #expect(events.first?.author == "Ann E. <ann@example.org>")
        #expect(events.map(\.body) == ["Main street\nAnn E. <ann@example.org>", "find the papers"])
    }

    @Test(
        arguments: [
            ("2024-05-06T10:11:12+02:00", 1_714_983_072), ("2024-05-06", 1_714_953_600),
            ("2024", 1_704_067_200),
            ("20240506T101112Z", 1_714_990_272), ("2024-05-06 10:11:12.5Z", 1_714_990_272),
            ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29", 951_782_400), ("2024-13-01", nil), ("2024-05-40", nil), ("0000", nil), ("", nil),
            ("May 2024", nil),
            ("2024-05-06T99", nil),
        ] as [(String, Int64?)])
    func dates(_ text: String, seconds: Int64?) { #expect(DocumentDate.iso(text) == seconds) }

    @Test(
        arguments: [
            ("Tue, 1 Jul 2003 10:52:37 +0200 (CEST)", 1_057_049_557),
            ("1 Jul 2003 08:52:37 GMT", 1_057_049_557),
            ("Tue Jul  1 08:52:37 2003", 1_057_049_557), ("Tue, 01 Jul 03 08:52 GMT", 1_057_049_520),
            ("yesterday", nil),
            ("1 Jul", nil), ("Tue, 99 Jul 2003 10:52:37", nil), ("1 Jul 2003 1:2:3:4 -9999", 1_057_021_323),
            ("1 Jul 99999999999999999999 10:00", nil), ("1 Jul 2003 x:y", nil),
        ] as [(String, Int64?)])
    func datesOfMessages(_ text: String, seconds: Int64?) {
        let found = DocumentDate.message(text)
        // Impossible zones are ignored.
        #expect(text.contains("-9999") ? found != nil : found == seconds)
    }
}

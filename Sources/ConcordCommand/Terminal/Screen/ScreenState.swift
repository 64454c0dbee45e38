import Concordance
import ConcordanceSearch

/// What happens to the screen.
enum ScreenEvent: Sendable {
    case input(TerminalInput)
    case resize(width: Int, height: Int)
    case answer(generation: Int, Result<SearchAnswer, ScreenProblem>)
    /// Further documents of the same search.
    case more(generation: Int, Result<SearchAnswer, ScreenProblem>)
    case document(generation: Int, Result<DocumentAnswer, ScreenProblem>)
    /// The same document, further on.
    case continuation(generation: Int, Result<DocumentAnswer, ScreenProblem>)
    case suggestions(text: String, [Suggestion])
    /// The index has changed.
    case changed
    /// A message to show, such as why a file cannot be opened.
    case note(String)
}

/// Why something could not be read, as the user sees it.
struct ScreenProblem: Error, Equatable, Sendable {
    var text: String
}

/// What the screen wants done.
enum ScreenEffect: Sendable {
    case search(SearchWish, generation: Int)
    case more(SearchWish, generation: Int)
    case document(Int64, text: String, generation: Int)
    case continuation(Int64, from: String, text: String, generation: Int)
    case suggest(String)
    case open(DocumentPlace, OpeningProgram)
    /// Paint everything: other output may have damaged the screen.
    case repaint
    case suspend
    case quit
}

/// The kind of program that opens a document.
enum OpeningProgram: Sendable {
    case editor, pager
}

/// A place in a document.
struct DocumentPlace: Equatable, Sendable {
    var id: Int64
    /// The path as shown, possibly within an archive.
    var path: String?
    /// Where the part of the document begins in its file, from 1.
    var firstLine: Int?
    /// How many lines into the part the place is, if the part's text is loaded.
    var lineOffset: Int?
    /// The text around the place.
    var context: String?
}

/// Everything that the full-screen search shows, and its reactions to events. It does no input or output, so tests
/// drive it without a terminal.
struct ScreenState: Sendable {
    typealias Focus = ScreenLayout.Focus

    /// The document in the preview.
    struct Preview: Sendable {
        var document: DocumentAnswer
        var text: WrappedText
        var top = 0
        var match: Int?

        /// The page of the match that stands out, or else of the first line in view; nil if there are no pages.
        var page: Int? {
            guard let first = document.part.page else { return nil }
            let byte =
                match.flatMap { text.matches.indices.contains($0) ? text.matches[$0].lowerBound : nil }
                ?? (text.lines.indices.contains(top) ? text.lines[top].lowerBound : 0)
            return first + text.pageBreaks(before: byte)
        }
    }

    static let sorts = DocumentOrder.allCases.map(\.rawValue)

    private(set) var width: Int
    private(set) var height: Int
    var focus = Focus.query {
        didSet { if focus == .query || focus == .list { home = focus } }
    }
    /// Where Escape leads from the preview and the filters.
    private(set) var home = Focus.query
    var isHelpShown = false
    var line: LineEditor
    /// The chosen values, by facet.
    var values: [String: [String]]
    var sort: String?
    private let conditions: [SQL]
    /// The user's home folder, shown as `~` in paths.
    private let userFolder: String?

    private(set) var answer: SearchAnswer?
    /// The text that the answer is for.
    private(set) var answeredText = ""
    private(set) var isWaiting = false
    private(set) var suggestions: [Suggestion] = []
    var note: String?
    var problem: String?

    var selection = 0
    var listTop = 0
    private(set) var preview: Preview?
    var filterCursor = 0
    var filterTop = 0

    private var generation = 0
    private var documentGeneration = 0
    private var isMoreWanted = false
    private var isContinuationWanted = false
    /// Whether the last search repeats what the screen already shows, because the index has changed.
    private var isRefreshing = false

    /// How many documents are fetched at once.
    static let pageSize = 30
    private static let mostRefreshed = 300
    /// The most bytes of a document's text that the preview reads.
    private static let longestPreview = 4 << 20

    init(
        width: Int, height: Int, text: String, values: [String: [String]] = [:], sort: String? = nil,
        conditions: [SQL] = [], userFolder: String? = nil
    ) {
        self.width = width
        self.height = height
        line = LineEditor(text)
        self.values = values
        self.sort = sort
        self.conditions = conditions
        self.userFolder = userFolder.flatMap { $0.hasPrefix("/") && $0.count > 1 ? $0 : nil }
    }

    var layout: ScreenLayout { ScreenLayout(width: width, height: height, focus: focus) }
    var hits: [FoundDocument] { answer?.hits ?? [] }
    var selected: FoundDocument? { hits.indices.contains(selection) ? hits[selection] : nil }
    var correction: QueryCorrection? { answeredText == line.text ? answer?.correction : nil }

    /// A path as people write it: `~/notes.txt`.
    func shown(path: String) -> String {
        guard let userFolder, path.hasPrefix(userFolder + "/") else { return path }
        return "~" + path.dropFirst(userFolder.count)
    }

    /// The first effects.
    mutating func start() -> [ScreenEffect] { searched() }

    mutating func handle(_ event: ScreenEvent) -> [ScreenEffect] {
        switch event {
        case .input(let input): return handle(input)
        case .resize(let width, let height):
            (self.width, self.height) = (max(width, 1), max(height, 1))
            rewrap()
            keepSelectionInView()
            return [.repaint]
        case .answer(let generation, let result): return answered(generation, result)
        case .more(let generation, let result):
            guard generation == self.generation else { return [] }
            isMoreWanted = false
            guard case .success(let more) = result else { return [] }
            answer?.hits += more.hits
            answer?.cursor = more.cursor
            return []
        case .document(let generation, let result): return shown(generation, result)
        case .continuation(let generation, let result): return continued(generation, result)
        case .suggestions(let text, let found):
            guard text == line.text else { return [] }
            suggestions = found.filter { $0.text != text }
            return []
        case .changed: return searched(isRefresh: true)
        case .note(let text):
            note = text
            return []
        }
    }

    // MARK: Searching

    /// The current request.
    private var wish: SearchWish {
        var wish = SearchWish(line.text)
        // Keeps the position of a user who has scrolled far down the list.
        wish.limit = isRefreshing ? min(max(Self.pageSize, hits.count), Self.mostRefreshed) : Self.pageSize
        wish.values = values.filter { !$0.value.isEmpty }
        wish.sort = sort
        wish.conditions = conditions
        return wish
    }

    /// Searches. The screen keeps what it shows until the answer arrives.
    mutating func searched(isRefresh: Bool = false) -> [ScreenEffect] {
        generation += 1
        // An answer that is still awaited is not on the screen yet.
        isRefreshing = isRefresh && (isRefreshing || !isWaiting)
        isWaiting = true
        isMoreWanted = false
        note = nil
        if suggestions.first?.text.hasPrefix(line.text) != true { suggestions = [] }
        var effects: [ScreenEffect] = [.search(wish, generation: generation)]
        if !line.text.allSatisfy(\.isWhitespace), line.isAtEnd { effects.append(.suggest(line.text)) }
        return effects
    }

    private mutating func answered(_ generation: Int, _ result: Result<SearchAnswer, ScreenProblem>) -> [ScreenEffect] {
        guard generation == self.generation else { return [] }
        isWaiting = false
        let selected = selected?.id
        switch result {
        case .success(let found):
            answer = found
            problem = nil
        case .failure(let failure):
            problem = failure.text
            return []
        }
        answeredText = line.text
        if isRefreshing {
            selection = hits.firstIndex { $0.id == selected } ?? min(selection, max(hits.count - 1, 0))
        } else {
            selection = 0
            listTop = 0
        }
        keepSelectionInView()
        filterCursor = min(filterCursor, max(filterRows.count - 1, 0))
        return previewed()
    }

    /// Asks for more documents when the end of the loaded ones is near.
    mutating func wantMore() -> [ScreenEffect] {
        guard !isWaiting, !isMoreWanted, let cursor = answer?.cursor, selection + 2 * layout.itemCount >= hits.count
        else { return [] }
        isMoreWanted = true
        var more = wish
        more.cursor = cursor
        more.countsFacets = false
        return [.more(more, generation: generation)]
    }

    // MARK: The preview

    /// Asks for the text of the selected document.
    mutating func previewed() -> [ScreenEffect] {
        documentGeneration += 1
        isContinuationWanted = false
        guard let selected else {
            preview = nil
            return []
        }
        return [.document(selected.id, text: answeredText, generation: documentGeneration)] + wantMore()
    }

    private mutating func shown(_ generation: Int, _ result: Result<DocumentAnswer, ScreenProblem>) -> [ScreenEffect] {
        guard generation == documentGeneration else { return [] }
        switch result {
        case .success(let document):
            let old = preview
            preview = Preview(document: document, text: wrapped(document))
            if isRefreshing, let old, old.document.part.id == document.part.id {
                preview?.top = old.top
                let count = preview?.text.matches.count ?? 0
                preview?.match = old.match.flatMap { $0 < count ? $0 : nil }
                clampPreview()
            } else if preview?.text.matches.isEmpty == false {
                show(match: 0)
            }
        case .failure(let failure):
            preview = nil
            problem = failure.text
        }
        return []
    }

    private func wrapped(_ document: DocumentAnswer) -> WrappedText {
        WrappedText(document.columns.first?.text ?? HighlightedText(""), columns: layout.previewColumns)
    }

    private mutating func rewrap() {
        guard let old = preview, old.text.columns != layout.previewColumns else { return }
        let text = wrapped(old.document)
        // Keeps the same text at the top.
        let byte = old.text.lines.indices.contains(old.top) ? old.text.lines[old.top].lowerBound : 0
        preview?.text = text
        preview?.top = text.line(of: byte)
        clampPreview()
    }

    /// Reads on when the end of the loaded text comes into view.
    private mutating func continuePreview() -> [ScreenEffect] {
        guard !isContinuationWanted, let preview, let next = preview.document.part.next,
            preview.top + 2 * layout.previewRows >= preview.text.lines.count,
            preview.text.text.utf8.count < Self.longestPreview
        else { return [] }
        isContinuationWanted = true
        return [
            .continuation(preview.document.part.id, from: next, text: answeredText, generation: documentGeneration)
        ]
    }

    private mutating func continued(_ generation: Int, _ result: Result<DocumentAnswer, ScreenProblem>)
        -> [ScreenEffect]
    {
        guard generation == documentGeneration, let old = preview else { return [] }
        isContinuationWanted = false
        guard case .success(let more) = result, let added = more.columns.first?.text else {
            preview?.document.part.next = nil
            return []
        }
        let text = old.document.columns.first?.text ?? HighlightedText("")
        let separator = text.text.utf8.last == 10 ? "" : "\n"
        let joined = text.text + separator + added.text
        let offset = text.text.utf8.count + separator.utf8.count
        let bytes = text.utf8Ranges + added.utf8Ranges.map { $0.lowerBound + offset..<$0.upperBound + offset }
        let ranges = bytes.map { range in
            joined.utf8.index(
                joined.startIndex, offsetBy: range.lowerBound)..<joined.utf8.index(
                    joined.startIndex, offsetBy: range.upperBound)
        }
        var document = old.document
        document.columns = [("body", HighlightedText(joined, ranges: ranges), more.columns[0].isTruncated)]
        document.part.next = more.part.next
        preview = Preview(document: document, text: wrapped(document), top: old.top, match: old.match)
        return []
    }

    private mutating func clampPreview() {
        guard let preview else { return }
        let last = max(preview.text.lines.count - layout.previewRows, 0)
        self.preview?.top = min(max(preview.top, 0), last)
    }

    mutating func scrollPreview(_ lines: Int) -> [ScreenEffect] {
        guard let preview else { return [] }
        let (sum, isOver) = preview.top.addingReportingOverflow(lines)
        let end = lines > 0 ? preview.text.lines.count : 0
        self.preview?.top = isOver ? end : sum
        clampPreview()
        return continuePreview()
    }

    /// Goes to a match. Unless it is already in view, it scrolls into the upper third of the preview.
    mutating func show(match: Int) {
        guard let preview, preview.text.matches.indices.contains(match) else { return }
        self.preview?.match = match
        let line = preview.text.line(of: preview.text.matches[match].lowerBound)
        let rows = layout.previewRows
        if line < preview.top || line >= preview.top + rows { self.preview?.top = line - rows / 3 }
        clampPreview()
    }

    mutating func moveMatch(_ step: Int) {
        guard let preview, !preview.text.matches.isEmpty else { return }
        let count = preview.text.matches.count
        show(match: ((preview.match ?? -1) + step + count) % count)
    }

    // MARK: The list

    mutating func select(_ index: Int) -> [ScreenEffect] {
        guard !hits.isEmpty else { return [] }
        let index = min(max(index, 0), hits.count - 1)
        guard index != selection else { return wantMore() }
        selection = index
        keepSelectionInView()
        return previewed()
    }

    mutating func keepSelectionInView() {
        let count = layout.itemCount
        listTop = min(max(listTop, selection - count + 1), selection)
        listTop = max(min(listTop, max(hits.count - count, 0)), 0)
    }

    /// The place in the selected document at which the user is looking.
    var place: DocumentPlace? {
        guard let selected else { return nil }
        var place = DocumentPlace(id: selected.id, path: selected.path, firstLine: selected.line)
        guard let preview, preview.document.part.id == selected.id else { return place }
        let text = preview.text
        if let match = preview.match {
            place.lineOffset = text.sourceLine(of: text.matches[match].lowerBound)
            place.context = text.context(of: text.matches[match])
        }
        return place
    }

    mutating func accept(_ text: String) -> [ScreenEffect] {
        line = LineEditor(text)
        suggestions = []
        return searched()
    }
}

import Concordance

/// Draws the state of the full-screen search.
struct ScreenRenderer {
    private let state: ScreenState
    private let layout: ScreenLayout
    private var grid: CellGrid

    private static let prompt = "❯ "

    /// - Returns: What the screen shows of `state`.
    static func grid(_ state: ScreenState) -> CellGrid {
        var renderer = ScreenRenderer(state)
        renderer.draw()
        return renderer.grid
    }

    private init(_ state: ScreenState) {
        self.state = state
        layout = state.layout
        grid = CellGrid(width: state.width, height: state.height)
    }

    private mutating func draw() {
        drawRules()
        drawQuery()
        drawStatus()
        drawList()
        drawPreview()
        drawFilters()
        drawHints()
        if state.isHelpShown { drawHelp() }
    }

    private mutating func drawRules() {
        for y in layout.ruleRows {
            for x in 0..<layout.width { grid.write("─", .border, x: x, y: y, columns: 1) }
        }
        let top = layout.ruleRows.first
        guard let body = layout.list ?? layout.filters ?? layout.preview else { return }
        for x in layout.ruleColumns {
            for y in body.y..<body.y + body.height { grid.write("│", .border, x: x, y: y, columns: 1) }
            if let top, top < body.y { grid.write("┬", .border, x: x, y: top, columns: 1) }
        }
    }

    // MARK: The query

    /// The first visible character of the query, and the column of the cursor.
    private static func visibleQuery(_ state: ScreenState, columns: Int) -> (first: Int, cursor: Int) {
        let characters = Array(state.line.text)
        var first = 0
        var cursor = characters[..<state.line.cursor].reduce(0) { $0 + TerminalText.width($1) }
        while cursor >= max(columns, 1), first < state.line.cursor {
            cursor -= TerminalText.width(characters[first])
            first += 1
        }
        return (first, cursor)
    }

    private static func summaryColumns(_ state: ScreenState) -> Int {
        TerminalText.width(summary(state)) + 2
    }

    /// The character of the query at a column of the screen.
    static func queryPlace(_ state: ScreenState, column: Int) -> Int {
        let columns = state.width - prompt.count - summaryColumns(state) - 1
        var place = visibleQuery(state, columns: columns).first
        var used = prompt.count
        for character in state.line.text.dropFirst(place) {
            used += TerminalText.width(character)
            if used > column { break }
            place += 1
        }
        return place
    }

    private mutating func drawQuery() {
        let summary = Self.summaryColumns(state)
        let columns = layout.width - Self.prompt.count - summary - 1
        let (first, cursor) = Self.visibleQuery(state, columns: columns)
        grid.write(Self.prompt, .prompt, x: 0, y: 0)
        if state.line.isEmpty {
            grid.write("Type to search", .faint, x: Self.prompt.count, y: 0, columns: columns)
        } else {
            grid.write(
                String(state.line.text.dropFirst(first)), .title, x: Self.prompt.count, y: 0, columns: max(columns, 1))
        }
        if summary > 0 {
            grid.write(Self.summary(state), .faint, x: layout.width - summary + 1, y: 0)
        }
        if state.focus == .query, !state.isHelpShown {
            grid.cursor = (min(Self.prompt.count + cursor, layout.width - 1), 0)
        }
    }

    /// How many documents were found, and how long it took.
    private static func summary(_ state: ScreenState) -> String {
        guard let answer = state.answer else { return state.isWaiting ? "…" : "" }
        let number = grouped(answer.total.count) + (answer.total.isExact ? "" : "+")
        guard state.width >= 60 else { return number }
        let noun = answer.total.count == 1 && answer.total.isExact ? "document" : "documents"
        let sort = state.sort.flatMap { $0 == ScreenState.sorts[0] ? nil : ", \($0) first" } ?? ""
        return "\(number) \(noun)\(sort) · \(duration(answer.seconds))"
    }

    // MARK: Corrections, completions and filters

    private mutating func drawStatus() {
        guard let y = layout.status else { return }
        grid.write(statusRuns, x: 2, y: y, columns: layout.width - 3)
    }

    private var statusRuns: [StyledRun] {
        if let problem = state.problem { return [StyledRun(problem, .problem)] }
        if let note = state.note { return [StyledRun(note, .problem)] }
        var runs: [StyledRun] = []
        func separate() { if !runs.isEmpty { runs.append(StyledRun("   ", .faint)) } }
        for filter in state.activeFilters {
            separate()
            runs += [StyledRun("\(filter.facet) ", .faint), StyledRun(filter.label, .key)]
        }
        if let correction = state.correction, state.suggestions.isEmpty {
            separate()
            runs += [StyledRun("Tab ", .key), StyledRun("did you mean ", .faint), StyledRun(correction.text, .match)]
        } else if !state.suggestions.isEmpty, state.line.isAtEnd, !state.line.isEmpty {
            separate()
            runs.append(StyledRun("Tab ", .key))
            runs.append(StyledRun(state.suggestions.prefix(6).map(\.word).joined(separator: "  "), .faint))
        }
        let words = state.answer?.similarWords ?? []
        if !words.isEmpty, state.answeredText == state.line.text {
            separate()
            runs.append(StyledRun(words.map { "\($0.found) for \($0.typed)" }.joined(separator: ", "), .faint))
        }
        return runs
    }

    // MARK: The list

    private mutating func drawList() {
        guard let list = layout.list else { return }
        guard !state.hits.isEmpty else {
            drawEmpty(list)
            return
        }
        for row in 0..<layout.itemCount {
            let index = state.listTop + row
            guard state.hits.indices.contains(index) else { break }
            let y = list.y + row * layout.itemHeight
            drawHit(
                state.hits[index],
                in: Rect(x: list.x, y: y, width: list.width, height: min(layout.itemHeight, list.y + list.height - y)),
                isSelected: index == state.selection)
        }
        drawBar(
            list, top: state.listTop, shown: layout.itemCount, of: state.hits.count,
            hasMore: state.answer?.cursor != nil)
    }

    private mutating func drawEmpty(_ list: Rect) {
        guard state.answer != nil, !state.isWaiting else { return }
        var lines: [(String, Role)] = [("Nothing found.", .title)]
        if !state.values.isEmpty { lines.append(("Filters are active; press Control-F to see them.", .faint)) }
        if state.line.isEmpty {
            lines = [("The index is empty.", .title), ("To fill it, run: concord index FOLDER", .faint)]
            if !state.values.isEmpty {
                lines = [("No document matches the filters.", .title), ("Press Control-F to see them.", .faint)]
            }
        }
        for (row, line) in lines.prefix(list.height).enumerated() {
            grid.write(line.0, line.1, x: list.x + 2, y: list.y + row, columns: list.width - 3)
        }
    }

    private mutating func drawHit(_ hit: FoundDocument, in rect: Rect, isSelected: Bool) {
        // Without two columns for the mark, one for the bar, and one between.
        let (x, room) = (rect.x + 2, rect.width - 4)
        guard room > 0 else { return }
        let lines = min(rect.height, layout.itemHeight == 4 ? 3 : layout.itemHeight)
        if isSelected {
            for row in 0..<lines { grid.write("▌", .marker, x: rect.x, y: rect.y + row, columns: 1) }
        }
        let kind = room >= 40 ? hit.kind ?? "" : ""
        let kindColumns = kind.isEmpty ? 0 : TerminalText.width(kind) + 2
        let title = MarkedLine(hit.title).squeezed().elements
        let name =
            title.isEmpty
            ? [StyledRun(hit.path ?? "untitled", .title)] : title.runs(isSelected ? .title : .text, match: .match)
        grid.write(name, x: x, y: rect.y, columns: room - kindColumns)
        if kindColumns > 0 { grid.write(kind, .faint, x: x + room - kindColumns + 2, y: rect.y) }
        if lines == 3 {
            var facts = hit.page.map { "  " + DocumentKind.page($0, ofKind: hit.kind) } ?? ""
            facts += hit.modified.map { "  " + Self.date($0) } ?? ""
            if hit.similarCount > 0 { facts += "  \(grouped(hit.similarCount)) similar" }
            if room < 40 { facts = "" }
            let location = state.shown(path: hit.path ?? "") + (hit.line.map { ":\($0)" } ?? "")
            let factColumns = TerminalText.width(facts)
            let used = grid.write(
                Self.ending(TerminalText.line(location), columns: room - factColumns), .path, x: x, y: rect.y + 1,
                columns: room - factColumns)
            grid.write(facts, .faint, x: x + used, y: rect.y + 1)
        }
        if lines >= 2 {
            let snippet = MarkedLine(hit.snippet).squeezed().fromFirstMatch(columns: room * 3 / 4)
            grid.write(snippet.runs(.text, match: .match), x: x, y: rect.y + lines - 1, columns: room)
        }
    }

    /// The end of a text, after an ellipsis if the text is too long.
    private static func ending(_ text: String, columns: Int) -> String {
        guard TerminalText.width(text) > columns else { return text }
        var rest = text[...]
        while !rest.isEmpty, TerminalText.width(rest) > columns - 1 { rest = rest.dropFirst() }
        return "…" + rest
    }

    private static func date(_ seconds: Int64) -> String {
        let date = CivilDate(days: seconds >= 0 ? seconds / 86_400 : -((-(seconds + 1)) / 86_400) - 1)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(date.year)-\(two(date.month))-\(two(date.day))"
    }

    /// Draws the bar at the right edge that shows which part of a long list or text is in view.
    private mutating func drawBar(_ rect: Rect, top: Int, shown: Int, of count: Int, hasMore: Bool = false) {
        guard count > shown, rect.height > 1, count > 0 else { return }
        let size = max(rect.height * shown / count, 1)
        let place = min(rect.height - size, (rect.height - size) * top / max(count - shown, 1))
        for row in 0..<size {
            grid.write("┃", .border, x: rect.x + rect.width - 1, y: rect.y + place + row, columns: 1)
        }
    }

    // MARK: The preview

    private mutating func drawPreview() {
        guard let rect = layout.preview, let preview = state.preview else { return }
        let x = rect.x + 1
        let room = rect.width - 3
        if layout.previewHead > 0 {
            let count = preview.text.matches.count
            let place = count == 0 ? "" : preview.match.map { "\($0 + 1) of " } ?? ""
            let page = preview.page.map { DocumentKind.page($0, ofKind: preview.document.part.kind) }
            let matches = [
                page, count == 0 ? nil : "\(place)\(grouped(count)) match\(count == 1 ? "" : "es")",
            ].compactMap { $0 }.joined(separator: " · ")
            let columns = matches.isEmpty ? 0 : TerminalText.width(matches) + 2
            grid.write(
                MarkedLine(preview.document.title).squeezed().elements.runs(.title, match: .match), x: x, y: rect.y,
                columns: room - columns)
            grid.write(matches, .faint, x: x + room - columns + 2, y: rect.y)
            grid.write(
                Self.ending(TerminalText.line(state.shown(path: preview.document.part.path ?? "")), columns: room),
                .path, x: x,
                y: rect.y + 1,
                columns: room)
        }
        let text = Rect(
            x: rect.x, y: rect.y + layout.previewHead, width: rect.width, height: layout.previewRows)
        for row in 0..<text.height {
            let runs = preview.text.runs(line: preview.top + row, current: preview.match)
            grid.write(runs, x: x, y: text.y + row, columns: room)
        }
        drawBar(text, top: preview.top, shown: text.height, of: preview.text.lines.count)
        if state.focus == .preview, !state.isHelpShown {
            grid.write("▌", .marker, x: rect.x, y: rect.y, columns: 1)
            if layout.previewHead > 0 { grid.write("▌", .marker, x: rect.x, y: rect.y + 1, columns: 1) }
        }
    }

    // MARK: Filters

    private mutating func drawFilters() {
        guard let rect = layout.filters else { return }
        let rows = state.filterRows
        if rows.isEmpty {
            grid.write("Nothing to filter by.", .faint, x: rect.x + 1, y: rect.y, columns: rect.width - 2)
        }
        for row in 0..<rect.height {
            let index = state.filterTop + row
            guard rows.indices.contains(index) else { break }
            let y = rect.y + row
            switch rows[index] {
            case .heading(let text): grid.write(text, .title, x: rect.x + 1, y: y, columns: rect.width - 2)
            case .more: grid.write("…", .faint, x: rect.x + 5, y: y, columns: rect.width - 6)
            case .value(_, _, let label, let count, let isChosen):
                let isCurrent = index == state.filterCursor && state.focus == .filters
                if isCurrent { grid.write("▌", .marker, x: rect.x, y: y, columns: 1) }
                let number = grouped(count)
                let columns = rect.width - 7 - TerminalText.width(number)
                grid.write(isChosen ? "[x]" : "[ ]", isChosen ? .key : .faint, x: rect.x + 1, y: y, columns: 3)
                grid.write(
                    label.isEmpty ? "none" : label, isCurrent || isChosen ? .title : .text, x: rect.x + 5, y: y,
                    columns: columns)
                grid.write(number, .faint, x: rect.x + rect.width - 1 - TerminalText.width(number), y: y)
            }
        }
        drawBar(rect, top: state.filterTop, shown: rect.height, of: rows.count)
    }

    // MARK: Keys

    private mutating func drawHints() {
        guard let y = layout.hints else { return }
        var x = 1
        for (key, meaning) in ScreenKeys.hints(state.focus) {
            let columns = TerminalText.width(key) + 1 + TerminalText.width(meaning)
            guard x + columns < layout.width else { break }
            x += grid.write([StyledRun(key, .key), StyledRun(" \(meaning)", .faint)], x: x, y: y, columns: columns)
            x += 3
        }
    }

    private mutating func drawHelp() {
        let lines = ScreenKeys.help(height: layout.height - 2)
        let width = min((lines.map { $0.columns }.max() ?? 0) + 4, layout.width)
        let height = min(lines.count + 2, layout.height)
        let (left, top) = ((layout.width - width) / 2, (layout.height - height) / 2)
        let edge = String(repeating: "─", count: max(width - 2, 0))
        grid.cursor = nil
        for row in 0..<height {
            grid.fill(x: left, y: top + row, columns: width, .text)
            let y = top + row
            switch row {
            case 0: grid.write("┌\(edge)┐", .border, x: left, y: y, columns: width)
            case height - 1: grid.write("└\(edge)┘", .border, x: left, y: y, columns: width)
            default:
                grid.write("│", .border, x: left, y: y, columns: 1)
                grid.write(lines[row - 1].runs, x: left + 2, y: y, columns: width - 4)
                grid.write("│", .border, x: left + width - 1, y: y, columns: 1)
            }
        }
    }
}

/// The explanations of keys on the screen.
enum ScreenKeys {
    static func hints(_ focus: ScreenState.Focus) -> [(key: String, meaning: String)] {
        switch focus {
        case .query:
            [
                ("↑↓", "choose"), ("Enter", "open"), ("Tab", "complete"), ("^F", "filter"), ("^S", "sort"),
                ("Esc", "commands"), ("F1", "keys"),
            ]
        case .list:
            [
                ("/", "search"), ("j k", "choose"), ("o", "open"), ("→", "read"), ("n", "next match"), ("f", "filter"),
                ("?", "keys"), ("q", "quit"),
            ]
        case .preview:
            [("←", "back"), ("j k", "scroll"), ("n p", "matches"), ("o", "edit"), ("v", "page"), ("?", "keys")]
        case .filters: [("Space", "choose"), ("x", "clear"), ("Esc", "back"), ("?", "keys")]
        }
    }

    struct Line {
        var runs: [StyledRun]
        var columns: Int { runs.reduce(0) { $0 + TerminalText.width($1.text) } }
    }

    private static let groups: [(title: String, keys: [(key: String, meaning: String)])] = [
        (
            "While typing",
            [
                ("↑ ↓  PgUp PgDn", "choose a document"), ("Tab", "complete, or accept the correction"),
                ("Enter  ^O", "open in $EDITOR at the match"), ("^V", "open in $PAGER"),
                ("^F", "filter by kind, folder, year"), ("^S", "by relevance, newest, oldest"),
                ("Alt-N  Alt-P", "next, previous match"), ("Shift-↑ ↓", "scroll the document"),
                ("^U  ^W  ^K", "delete line, word, rest"), ("Esc", "to the list"), ("^C", "quit"),
            ]
        ),
        (
            "In the list and in the document",
            [
                ("j k  g G  Space b", "down, up, first, last, by page"), ("→  ←", "read the document, go back"),
                ("n  p", "next, previous match"), ("o  v", "open in $EDITOR, in $PAGER"),
                ("f  s  x", "filter, sort, clear filters"), ("/", "to the query"), ("q  Esc", "quit"),
            ]
        ),
    ]

    /// The lines of the help, without empty lines and headings if they do not fit otherwise.
    static func help(height: Int) -> [Line] {
        func lines(_ keys: [(key: String, meaning: String)]) -> [Line] {
            keys.map { key, meaning in
                Line(runs: [
                    StyledRun(key + String(repeating: " ", count: max(1, 19 - TerminalText.width(key))), .key),
                    StyledRun(meaning),
                ])
            }
        }
        let whole = groups.enumerated().flatMap { index, group in
            (index > 0 ? [Line(runs: [])] : []) + [Line(runs: [StyledRun(group.title, .title)])] + lines(group.keys)
        }
        if whole.count <= height { return whole }
        let bare = groups.flatMap { lines($0.keys) }
        return bare.count <= height ? bare : Array(lines(groups[0].keys).prefix(max(height, 1)))
    }
}

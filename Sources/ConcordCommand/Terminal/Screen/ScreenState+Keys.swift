/// What keys and the mouse do.
extension ScreenState {
    mutating func handle(_ input: TerminalInput) -> [ScreenEffect] {
        if isHelpShown {
            // Any key closes the help; keys that quit do that as well.
            switch input {
            case .key(.control("c")): return [.quit]
            case .key, .press: isHelpShown = false
            default: break
            }
            return []
        }
        switch input {
        case .key(let key):
            note = nil
            return handle(key)
        case .paste(let text):
            focus = .query
            line.insert(text)
            return searched()
        case .press(let x, let y): return press(x: x, y: y)
        case .wheel(let direction, let x, let y): return wheel(direction, x: x, y: y)
        }
    }

    private mutating func handle(_ key: Key) -> [ScreenEffect] {
        switch key {
        case .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.repaint]
        case .function(1):
            isHelpShown = true
            return []
        case .control("f"):
            if focus == .filters { focus = home } else { enterFilters() }
            return relaid()
        case .control("s"): return sorted()
        case .control("o"): return opened(.editor)
        case .control("v"): return opened(.pager)
        case .control("n"): return select(selection + 1)
        case .control("p"): return select(selection - 1)
        case .alt("n"):
            moveMatch(1)
            return []
        case .alt("p"):
            moveMatch(-1)
            return []
        case .shiftUp: return scrollPreview(-1)
        case .shiftDown: return scrollPreview(1)
        default: break
        }
        switch focus {
        case .query: return handleInQuery(key)
        case .list: return handleInList(key)
        case .preview: return handleInPreview(key)
        case .filters: return handleInFilters(key)
        }
    }

    /// Breaks the preview's text into lines again, since the layout depends on the focus.
    private mutating func relaid() -> [ScreenEffect] {
        let effects = handle(.resize(width: width, height: height))
        keepFilterCursorInView()
        return effects.filter { if case .repaint = $0 { false } else { true } }
    }

    private mutating func sorted() -> [ScreenEffect] {
        let index = Self.sorts.firstIndex(of: sort ?? Self.sorts[0]) ?? 0
        sort = Self.sorts[(index + 1) % Self.sorts.count]
        return searched()
    }

    private mutating func opened(_ program: OpeningProgram) -> [ScreenEffect] {
        guard let place else { return [] }
        return [.open(place, program)]
    }

    private mutating func handleInQuery(_ key: Key) -> [ScreenEffect] {
        switch key {
        case .enter: return opened(.editor)
        case .escape:
            focus = .list
            return []
        case .up: return select(selection - 1)
        case .down: return select(selection + 1)
        case .pageUp: return select(selection - layout.itemCount)
        case .pageDown: return select(selection + layout.itemCount)
        case .tab: return completed()
        case .backTab:
            focus = .preview
            return relaid()
        case .control("d") where line.isEmpty: return [.quit]
        case .character("?") where line.isEmpty:
            isHelpShown = true
            return []
        default:
            let before = line.text
            guard line.apply(key), line.text != before else { return [] }
            return searched()
        }
    }

    /// Completes the last word or, without a completion, accepts the correction.
    private mutating func completed() -> [ScreenEffect] {
        if line.isAtEnd, let suggestion = suggestions.first { return accept(suggestion.text + " ") }
        if let correction { return accept(correction.text) }
        return []
    }

    private mutating func handleInList(_ key: Key) -> [ScreenEffect] {
        switch key {
        case .down, .character("j"): return select(selection + 1)
        case .up, .character("k"): return select(selection - 1)
        case .pageDown, .character(" "): return select(selection + layout.itemCount)
        case .pageUp, .character("b"): return select(selection - layout.itemCount)
        case .home, .character("g"): return select(0)
        case .end, .character("G"): return select(hits.count - 1)
        case .enter, .character("o"): return opened(.editor)
        case .right, .tab, .character("l"):
            focus = .preview
            return relaid()
        case .character("J"): return scrollPreview(1)
        case .character("K"): return scrollPreview(-1)
        default: return handleCommand(key)
        }
    }

    private mutating func handleInPreview(_ key: Key) -> [ScreenEffect] {
        let page = max(layout.previewRows - 1, 1)
        switch key {
        case .down, .enter, .character("j"): return scrollPreview(1)
        case .up, .character("k"): return scrollPreview(-1)
        case .pageDown, .character(" "): return scrollPreview(page)
        case .pageUp, .character("b"): return scrollPreview(-page)
        case .home, .character("g"): return scrollPreview(.min / 2)
        case .end, .character("G"): return scrollPreview(.max / 2)
        case .character("o"): return opened(.editor)
        case .escape, .left, .tab, .backTab, .character("h"), .character("q"):
            focus = .list
            return relaid()
        default: return handleCommand(key)
        }
    }

    private mutating func handleInFilters(_ key: Key) -> [ScreenEffect] {
        switch key {
        case .down, .character("j"), .tab: moveFilterCursor(1)
        case .up, .character("k"), .backTab: moveFilterCursor(-1)
        case .enter, .character(" "): return toggleFilter(row: filterCursor)
        case .character("x"): return clearFilters()
        case .escape, .right, .character("f"), .character("q"):
            focus = home
            return relaid()
        case .character("/"):
            focus = .query
            return relaid()
        case .character("?"): isHelpShown = true
        default: break
        }
        return []
    }

    /// Handles one-letter commands, outside the query.
    private mutating func handleCommand(_ key: Key) -> [ScreenEffect] {
        switch key {
        case .character("/"), .character("i"):
            focus = .query
            return relaid()
        case .character("n"): moveMatch(1)
        case .character("N"), .character("p"): moveMatch(-1)
        case .character("v"): return opened(.pager)
        case .character("s"): return sorted()
        case .character("f"):
            enterFilters()
            return relaid()
        case .character("x"): return clearFilters()
        case .character("?"): isHelpShown = true
        case .escape, .character("q"), .control("d"): return [.quit]
        default: break
        }
        return []
    }

    // MARK: The mouse

    private mutating func press(x: Int, y: Int) -> [ScreenEffect] {
        let layout = layout
        if y == 0 {
            focus = .query
            line.move(to: ScreenRenderer.queryPlace(self, column: x))
            return relaid()
        }
        if y == layout.status, let correction, suggestions.isEmpty { return accept(correction.text) }
        if let filters = layout.filters, filters.contains(x: x, y: y) {
            return toggleFilter(row: filterTop + y - filters.y)
        }
        if let list = layout.list, list.contains(x: x, y: y) {
            let index = listTop + (y - list.y) / layout.itemHeight
            guard hits.indices.contains(index), index < listTop + layout.itemCount else { return [] }
            if focus == .preview { focus = .list }
            // A press on the selected document opens it.
            if index == selection { return opened(.editor) }
            return relaid() + select(index)
        }
        if let preview = layout.preview, preview.contains(x: x, y: y), focus != .preview {
            focus = .preview
            return relaid()
        }
        return []
    }

    private mutating func wheel(_ direction: Int, x: Int, y: Int) -> [ScreenEffect] {
        let layout = layout
        if let preview = layout.preview, preview.contains(x: x, y: y) { return scrollPreview(3 * direction) }
        if let filters = layout.filters, filters.contains(x: x, y: y) {
            moveFilterCursor(direction)
            return []
        }
        return select(selection + direction)
    }
}

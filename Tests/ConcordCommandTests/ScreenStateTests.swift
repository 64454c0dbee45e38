import Concordance
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("The full-screen search does what keys, the mouse and answers ask, without a terminal")
struct ScreenStateTests {
    private func hit(_ id: Int64, _ title: String = "title") -> FoundDocument {
        FoundDocument(
            id: id, title: HighlightedText("\(title) \(id)"), snippet: HighlightedText("snippet"), score: 1,
            path: "/docs/\(id).txt",
            kind: "text", modified: 0)
    }

    private func answer(_ count: Int, cursor: String? = nil) -> SearchAnswer {
        var answer = SearchAnswer(table: "documents", total: FoundTotal(count: count, isExact: true))
        answer.hits = (0..<count).map { hit(Int64($0)) }
        answer.cursor = cursor
        answer.facets = [
            .init(
                name: "kind", label: "Kind",
                values: [
                    .init(value: "text", label: "Text", count: 3, isSelected: false),
                    .init(value: "mail", label: "Mail", count: 2, isSelected: false),
                ], hasMore: false)
        ]
        return answer
    }

    private func document(_ id: Int64, _ text: String = "one\ntwo\n", next: String? = nil) -> DocumentAnswer {
        DocumentAnswer(
            table: "documents",
            part: DocumentPart(
                id: id, title: "t", columns: [.init(name: "body", text: text)], path: "/docs/\(id).txt", next: next),
            title: HighlightedText("t"), columns: [("body", HighlightedText(text), next != nil)])
    }

    /// A state with an answer of so many documents.
    private func started(_ count: Int = 20, width: Int = 100, height: Int = 30, cursor: String? = nil) -> ScreenState {
        var state = ScreenState(width: width, height: height, text: "")
        for case .search(_, let generation) in state.start() {
            _ = state.handle(.answer(generation: generation, .success(answer(count, cursor: cursor))))
        }
        return state
    }

    private func type(_ text: String, _ state: inout ScreenState) -> [ScreenEffect] {
        text.flatMap { state.handle(.input(.key(.character($0)))) }
    }

    private func press(_ keys: Key..., in state: inout ScreenState) -> [ScreenEffect] {
        keys.flatMap { state.handle(.input(.key($0))) }
    }

    private func searches(_ effects: [ScreenEffect]) -> [(text: String, generation: Int)] {
        effects.compactMap { if case .search(let wish, let generation) = $0 { (wish.text, generation) } else { nil } }
    }

    @Test func eachKeySearchesAndStaleAnswersAreDropped() throws {
        var state = started()
        let asked = searches(type("abc", &state))
        #expect(asked.map(\.text) == ["a", "ab", "abc"])
        _ = state.handle(.answer(generation: asked[0].generation, .success(answer(1))))
        #expect(state.hits.count == 20 && state.isWaiting)
        _ = state.handle(.answer(generation: asked[2].generation, .success(answer(3))))
        #expect(state.hits.count == 3 && !state.isWaiting && state.answeredText == "abc")
        _ = state.handle(.answer(generation: asked[1].generation, .success(answer(2))))
        #expect(state.hits.count == 3)
        _ = state.handle(.suggestions(text: "ab", [Suggestion(text: "abacus", word: "abacus", count: 1)]))
        #expect(state.suggestions.isEmpty)
    }

    @Test func selectionMovesAndAsksForDocuments() {
        var state = started()
        let effects = press(.down, .down, in: &state)
        #expect(state.selection == 2)
        let documents = effects.compactMap {
            if case .document(let id, _, let generation) = $0 { (id, generation) } else { nil }
        }
        #expect(documents.map(\.0) == [1, 2])
        _ = state.handle(.document(generation: documents[0].1, .success(document(1))))
        #expect(state.preview == nil)
        _ = state.handle(.document(generation: documents[1].1, .success(document(2))))
        #expect(state.preview?.document.part.id == 2)
        _ = press(.up, .up, .up, in: &state)
        #expect(state.selection == 0)
        _ = press(.escape, .character("G"), in: &state)
        #expect(state.selection == 19 && state.listTop > 0)
    }

    @Test func moreDocumentsAreAskedForOnce() {
        var state = started(20, cursor: "c")
        let effects = press(.pageDown, .pageDown, .down, in: &state)
        let more = effects.compactMap {
            if case .more(let wish, let generation) = $0 { (wish.cursor, generation) } else { nil }
        }
        #expect(more.count == 1 && more[0].0 == "c")
        _ = state.handle(.more(generation: more[0].1 + 1, .success(answer(5))))
        #expect(state.hits.count == 20)
        _ = state.handle(.more(generation: more[0].1, .success(answer(5))))
        #expect(state.hits.count == 25)
    }

    @Test func tabCompletesOrCorrects() {
        var state = started()
        _ = type("ab", &state)
        _ = state.handle(.suggestions(text: "ab", [Suggestion(text: "abacus", word: "abacus", count: 1)]))
        #expect(searches(press(.tab, in: &state)).map(\.text) == ["abacus "])
        #expect(state.line.text == "abacus ")
        #expect(press(.tab, in: &state).isEmpty)
    }

    @Test func filtersAreToggledBySpaceAndMouse() throws {
        var state = started()
        _ = press(.control("f"), in: &state)
        #expect(state.focus == .filters && state.filterCursor == 1)
        var effects = press(.character("j"), .character(" "), in: &state)
        #expect(state.values == ["kind": ["mail"]] && searches(effects).count == 1)
        let filters = try #require(state.layout.filters)
        effects = state.handle(.input(.press(x: filters.x + 2, y: filters.y + 1)))
        #expect(state.values == ["kind": ["mail", "text"]])
        effects = press(.character("x"), .escape, in: &state)
        #expect(state.values.isEmpty && state.focus == .query)
        #expect(searches(effects).count == 1)
    }

    @Test func orderGoesRound() {
        var state = started()
        var sorts: [String?] = []
        for _ in 0..<3 {
            for case .search(let wish, _) in press(.control("s"), in: &state) { sorts.append(wish.sort) }
        }
        #expect(sorts == ["newest", "oldest", "relevance"])
    }

    @Test func theMouseChoosesAndOpens() throws {
        var state = started()
        let list = try #require(state.layout.list)
        let place = TerminalInput.press(x: list.x + 3, y: list.y + state.layout.itemHeight)
        _ = state.handle(.input(place))
        #expect(state.selection == 1)
        let opened = state.handle(.input(place)).contains {
            if case .open(let place, .editor) = $0 { place.id == 1 } else { false }
        }
        #expect(opened)
        _ = state.handle(.input(.wheel(1, x: list.x, y: list.y)))
        #expect(state.selection == 2)
        let preview = try #require(state.layout.preview)
        _ = state.handle(.input(.press(x: preview.x + 2, y: preview.y + 5)))
        #expect(state.focus == .preview)
        _ = state.handle(.input(.press(x: 3, y: 0)))
        #expect(state.focus == .query)
    }

    @Test func keysLeadOutAgain() {
        for (keys, ends) in [
            ([.control("c")], true), ([.control("d")], true), ([.escape], false), ([.escape, .character("q")], true),
            ([.escape, .escape], true), ([.character("q")], false),
            ([.escape, .character("l"), .character("q")], false),
            ([.function(1), .character("q")], false), ([.function(1), .control("c")], true),
        ] as [([Key], Bool)] {
            var state = started()
            let isEnd = keys.flatMap { state.handle(.input(.key($0))) }.contains {
                if case .quit = $0 { true } else { false }
            }
            #expect(isEnd == ends, "\(keys)")
        }
    }

    @Test func aLongDocumentIsReadOnAtItsEnd() {
        var state = started()
        let text = (0..<200).map { "line \($0)\n" }.joined()
        for case .document(let id, _, let generation) in press(.down, in: &state) {
            _ = state.handle(.document(generation: generation, .success(document(id, text, next: "77"))))
        }
        let effects = press(.escape, .right, .character("G"), in: &state)
        let asked = effects.compactMap {
            if case .continuation(_, let from, _, let generation) = $0 { (from, generation) } else { nil }
        }
        #expect(asked.map(\.0) == ["77"])
        _ = state.handle(.continuation(generation: asked.first?.1 ?? 0, .success(document(1, "the end\n"))))
        _ = press(.character("G"), in: &state)
        #expect(state.preview?.text.lines.count == 201)
        #expect(ScreenRenderer.grid(state).cells.map(\.text).joined().contains("the end"))
    }

    @Test func problemsAreShown() {
        var state = started()
        for (_, generation) in searches(type("x", &state)) {
            _ = state.handle(.answer(generation: generation, .failure(ScreenProblem(text: "the disk is gone"))))
        }
        #expect(ScreenRenderer.grid(state).text(row: 1).contains("the disk is gone"))
        for (_, generation) in searches(type("y", &state)) {
            _ = state.handle(.answer(generation: generation, .success(answer(1))))
        }
        #expect(!ScreenRenderer.grid(state).text(row: 1).contains("the disk is gone"))
    }

    @Test func anIndexThatChangesLeavesThePersonWhereSheIs() {
        var state = started()
        _ = press(.down, .down, .down, in: &state)
        for (_, generation) in searches(state.handle(.changed)) {
            var changed = answer(20)
            changed.hits.insert(hit(99), at: 0)
            _ = state.handle(.answer(generation: generation, .success(changed)))
        }
        #expect(state.selected?.id == 3 && state.selection == 4)
    }

    @Test func whatIsShown() {
        var state = started(2)
        for case .document(let id, _, let generation) in press(.down, in: &state) {
            _ = state.handle(.document(generation: generation, .success(document(id))))
        }
        let grid = ScreenRenderer.grid(state)
        #expect(grid.text(row: 0).hasPrefix("❯ Type to search"))
        #expect(grid.text(row: 0).contains("2 documents"))
        #expect(grid.text(row: 3).hasPrefix("  title 0") && grid.text(row: 7).hasPrefix("▌ title 1"))
        #expect(grid.text(row: 4).contains("/docs/0.txt  1970-01-01"))
        #expect(grid.text(row: 29).contains("Enter open"))
        #expect(grid.cursor.map { $0 == (2, 0) } == true)
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func anythingMayHappenInAnyOrderAtAnySize(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let keys: [Key] = [
            .enter, .tab, .backTab, .backspace, .delete, .escape, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown,
            .shiftUp, .shiftDown, .wordLeft, .wordRight, .function(1), .control("f"), .control("s"), .control("o"),
            .control("l"), .control("n"), .alt("n"), .alt("p"), .character("j"), .character("k"), .character("l"),
            .character("f"), .character("x"), .character("n"), .character(" "), .character("G"), .character("漢"),
            .character("?"), .character("/"),
        ]
        var state = ScreenState(width: 80, height: 24, text: "")
        var pending = state.start()
        for _ in 0..<3000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5: pending += state.handle(.input(.key(keys.randomElement(using: &generator)!)))
            case 5:
                let size = (Int.random(in: 1...200, using: &generator), Int.random(in: 1...60, using: &generator))
                pending += state.handle(.resize(width: size.0, height: size.1))
            case 6:
                let place = (Int.random(in: 0..<220, using: &generator), Int.random(in: 0..<70, using: &generator))
                pending += state.handle(
                    .input(
                        Bool.random(using: &generator)
                            ? .press(x: place.0, y: place.1) : .wheel(1, x: place.0, y: place.1)))
            default:
                guard !pending.isEmpty else { continue }
                pending += answered(
                    pending.remove(at: Int.random(in: 0..<pending.count, using: &generator)), &state, &generator)
            }
            if pending.count > 50 { pending.removeFirst(25) }
            let grid = ScreenRenderer.grid(state)
            #expect(grid.width == state.width && grid.height == state.height)
            #expect(state.hits.isEmpty || state.hits.indices.contains(state.selection))
            if let cursor = grid.cursor { #expect(cursor.x < grid.width && cursor.y < grid.height) }
        }
    }

    private func answered(_ effect: ScreenEffect, _ state: inout ScreenState, _ generator: inout SeededGenerator)
        -> [ScreenEffect]
    {
        let count = Int.random(in: 0..<40, using: &generator)
        switch effect {
        case .search(_, let generation):
            return state.handle(.answer(generation: generation, .success(answer(count, cursor: "c"))))
        case .more(_, let generation): return state.handle(.more(generation: generation, .success(answer(count))))
        case .document(let id, _, let generation):
            let text = String(repeating: "a line of 漢字 text\n", count: count * 3)
            return state.handle(.document(generation: generation, .success(document(id, text, next: "5"))))
        case .continuation(let id, _, _, let generation):
            return state.handle(.continuation(generation: generation, .success(document(id, "more\n"))))
        case .suggest(let text):
            return state.handle(.suggestions(text: text, [Suggestion(text: text + "x", word: "x", count: 1)]))
        default: return []
        }
    }
}

@Suite("The parts of the screen share it out, at every size")
struct ScreenLayoutTests {
    @Test func partsNeitherOverlapNorLeaveTheScreen() {
        for focus in [ScreenLayout.Focus.query, .list, .preview, .filters] {
            for (width, height) in [
                (1, 1), (2, 3), (20, 5), (40, 10), (80, 24), (84, 20), (100, 30), (200, 60), (60, 50),
            ] {
                let layout = ScreenLayout(width: width, height: height, focus: focus)
                let parts = [layout.list, layout.preview, layout.filters].compactMap(\.self)
                for part in parts {
                    #expect(
                        part.x >= 0 && part.y >= 1 && part.x + part.width <= width && part.y + part.height <= height)
                }
                var taken: Set<Int> = []
                for part in parts {
                    for y in part.y..<part.y + part.height {
                        for x in part.x..<part.x + part.width { #expect(taken.insert(y * 1000 + x).inserted) }
                    }
                }
                if height >= 3 { #expect(!parts.isEmpty, "\(width)x\(height)") }
            }
        }
        #expect(ScreenLayout(width: 40, height: 10, focus: .query).itemCount >= 2)
        #expect(ScreenLayout(width: 100, height: 30, focus: .query).preview != nil)
        #expect(ScreenLayout(width: 60, height: 40, focus: .query).preview != nil)
    }
}

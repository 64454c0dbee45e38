/// Turns grids into terminal output that paints only the differences from the last one.
///
/// After a character on whose width terminals may disagree, the cursor is placed again, and its row is always painted
/// as a whole. So a disagreement affects only that character.
struct ScreenPainter {
    private let capabilities: TerminalCapabilities
    private let looks: [String]
    private var shown: CellGrid?

    init(_ capabilities: TerminalCapabilities) {
        self.capabilities = capabilities
        looks = Role.allCases.map { Self.look($0, capabilities) }
    }

    /// Forgets what is on the terminal, so that the next grid is painted as a whole.
    mutating func forget() { shown = nil }

    /// The output that makes the terminal show `grid`.
    mutating func paint(_ grid: CellGrid) -> String {
        var output = TerminalCapabilities.beginFrame + capabilities.hideCursor
        var isAll = false
        if shown?.width != grid.width || shown?.height != grid.height {
            output += capabilities.resetLook + capabilities.clear
            isAll = true
        }
        var isChanged = isAll
        for y in 0..<grid.height {
            let row = Array(grid.row(y))
            let old = isAll ? nil : shown.map { Array($0.row(y)) }
            guard row != old else { continue }
            isChanged = true
            output += painted(row, instead: old, y: y, isLast: y == grid.height - 1)
        }
        let hadCursor = shown?.cursor
        shown = grid
        guard isChanged || hadCursor?.x != grid.cursor?.x || hadCursor?.y != grid.cursor?.y else { return "" }
        if let cursor = grid.cursor { output += capabilities.moved(x: cursor.x, y: cursor.y) + capabilities.showCursor }
        return output + TerminalCapabilities.endFrame
    }

    private func painted(_ row: [Cell], instead old: [Cell]?, y: Int, isLast: Bool) -> String {
        // A character in the last cell of the screen would make some terminals scroll.
        let end = isLast ? row.count - 1 : row.count
        var output = ""
        let isUncertain = !row.allSatisfy(\.isCertain) || old?.allSatisfy(\.isCertain) == false
        let first = isUncertain ? 0 : (old.map { old in row.indices.first { row[$0] != old[$0] } ?? end } ?? 0)
        let last = isUncertain ? end : (old.map { old in (row.indices.last { row[$0] != old[$0] } ?? -1) + 1 } ?? end)
        var x = first
        // A piece that begins within a wide character begins with that character.
        while x > 0, row[x].text.isEmpty { x -= 1 }
        guard x < end else { return "" }
        output += capabilities.moved(x: x, y: y)
        if isUncertain { output += capabilities.resetLook + capabilities.clearToEndOfLine }
        var role: Role?
        while x < min(max(last, first), end) {
            let cell = row[x]
            if role != cell.role {
                output += capabilities.resetLook + looks[Int(cell.role.rawValue)]
                role = cell.role
            }
            output += cell.text
            x += 1
            while x < row.count, row[x].text.isEmpty { x += 1 }
            if !cell.isCertain, x < end { output += capabilities.moved(x: x, y: y) }
        }
        return output + capabilities.resetLook
    }

    /// Colours of the terminal's own palette, which its user has made readable on the background; without colours, only
    /// weight and inversion.
    private static func look(_ role: Role, _ terminal: TerminalCapabilities) -> String {
        let isColored = terminal.colors >= 8
        func colored(_ color: Int) -> String { isColored ? terminal.foreground(color) : "" }
        switch role {
        case .text: return ""
        case .faint, .border: return terminal.dim
        case .title: return terminal.bold
        case .match: return terminal.bold + (isColored ? colored(3) : terminal.underline)
        case .currentMatch: return terminal.reverse + terminal.bold + colored(3)
        case .path: return colored(6)
        case .prompt, .marker: return terminal.bold + colored(6)
        case .key: return terminal.bold
        case .chosen: return terminal.reverse
        case .problem: return terminal.bold + colored(1)
        case .bar: return terminal.dim
        }
    }
}

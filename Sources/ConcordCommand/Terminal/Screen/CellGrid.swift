/// The role of a text on the screen, which decides how a terminal shows it.
enum Role: UInt8, CaseIterable, Sendable {
    case text, faint, title, match, currentMatch, path, border, prompt, marker, key, chosen, problem, bar
}

/// One cell of a grid.
struct Cell: Equatable, Sendable {
    /// A character with its marks; empty if the character before it also covers this cell.
    var text: String
    var role: Role
    /// Whether terminals agree on the character's width.
    var isCertain = true

    static let blank = Cell(text: " ", role: .text)
}

/// A rectangle of cells.
struct Rect: Equatable, Sendable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    func contains(x: Int, y: Int) -> Bool {
        x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
    }
}

/// A part of a line with one role.
struct StyledRun: Equatable, Sendable {
    var text: String
    var role: Role

    init(_ text: String, _ role: Role = .text) {
        self.text = text
        self.role = role
    }
}

/// What a screen shows: rows of cells, and the cursor.
///
/// A cell never holds anything that a terminal obeys: control characters become spaces, marks that change the direction
/// of writing are removed, and the number of marks on a character is bounded. Right-to-left text is followed by a mark
/// (U+200E), which keeps a terminal that reorders such text from moving the neighbouring columns.
struct CellGrid: Equatable, Sendable {
    let width: Int
    let height: Int
    private(set) var cells: [Cell]
    var cursor: (x: Int, y: Int)?

    private static let mostScalars = 8

    init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
        cells = [Cell](repeating: .blank, count: self.width * self.height)
    }

    static func == (first: CellGrid, second: CellGrid) -> Bool {
        first.width == second.width && first.height == second.height && first.cells == second.cells
            && first.cursor?.x == second.cursor?.x && first.cursor?.y == second.cursor?.y
    }

    func row(_ y: Int) -> ArraySlice<Cell> { cells[y * width..<(y + 1) * width] }

    /// A row as text, for tests.
    func text(row y: Int) -> String {
        let text = row(y).map(\.text).joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// Writes consecutive runs, and cuts them with an ellipsis if they do not fit.
    ///
    /// - Returns: The number of columns written.
    @discardableResult
    mutating func write(_ runs: [StyledRun], x: Int, y: Int, columns: Int) -> Int {
        guard y >= 0, y < height, x >= 0 else { return 0 }
        let room = min(columns, width - x)
        guard room > 0 else { return 0 }
        var column = 0
        var isTurned = false
        // Where an ellipsis would go: after the last character that leaves a column for it.
        var cut = 0
        writing: for span in runs {
            for character in TerminalText.line(span.text) {
                let cell = Self.cell(character, span.role)
                let taken = TerminalText.width(character)
                if taken == 0 { continue }
                if column + taken > room {
                    clear(x: x + cut, y: y, columns: room - cut)
                    cells[y * width + x + cut] = Cell(text: "…", role: span.role)
                    column = cut + 1
                    break writing
                }
                isTurned = isTurned || Self.isRightToLeft(character)
                put(cell, x: x + column, y: y, columns: taken)
                column += taken
                if column < room { cut = column }
            }
        }
        if isTurned {
            let last = y * width + x + lastStart(x: x, y: y, columns: column)
            cells[last].text += "\u{200E}"
            cells[last].isCertain = false
        }
        return column
    }

    @discardableResult
    mutating func write(_ text: String, _ role: Role = .text, x: Int, y: Int, columns: Int? = nil) -> Int {
        write([StyledRun(text, role)], x: x, y: y, columns: columns ?? width - x)
    }

    /// Fills part of a row with spaces in a role.
    mutating func fill(x: Int, y: Int, columns: Int, _ role: Role) {
        guard y >= 0, y < height else { return }
        for column in max(x, 0)..<max(min(x + columns, width), max(x, 0)) {
            cells[y * width + column] = Cell(text: " ", role: role)
        }
    }

    private mutating func clear(x: Int, y: Int, columns: Int) { fill(x: x, y: y, columns: columns, .text) }

    private mutating func put(_ cell: Cell, x: Int, y: Int, columns: Int) {
        cells[y * width + x] = cell
        for next in 1..<max(columns, 1) { cells[y * width + x + next] = Cell(text: "", role: cell.role) }
    }

    /// The column, counted from `x`, in which the last character begins.
    private func lastStart(x: Int, y: Int, columns: Int) -> Int {
        var column = max(columns - 1, 0)
        while column > 0, cells[y * width + x + column].text.isEmpty { column -= 1 }
        return column
    }

    private static func cell(_ character: Character, _ role: Role) -> Cell {
        let scalars = character.unicodeScalars
        if scalars.count == 1 {
            return Cell(text: String(character), role: role, isCertain: TerminalText.isCertain(character))
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars.prefix(mostScalars))
        return Cell(text: String(text), role: role, isCertain: TerminalText.isCertain(character))
    }

    /// Hebrew, Arabic and the other scripts of those blocks.
    private static func isRightToLeft(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: return false
        }
    }
}

/// Where the parts of the screen are, depending on its size and on the focus.
struct ScreenLayout: Equatable, Sendable {
    /// The part that receives keys.
    enum Focus: Equatable, Sendable {
        case query, list, preview, filters
    }

    let width: Int
    let height: Int
    /// The row with corrections, completions and filters; nil if there is no room.
    private(set) var status: Int?
    /// The row that explains the keys; nil if there is no room.
    private(set) var hints: Int?
    /// The rows, and then the columns, of the lines between the parts.
    private(set) var ruleRows: [Int] = []
    private(set) var ruleColumns: [Int] = []
    private(set) var list: Rect?
    private(set) var preview: Rect?
    private(set) var filters: Rect?
    /// The number of rows of a document in the list.
    private(set) var itemHeight = 3

    /// The preview is beside the list from this many columns on, and below it from this many rows on.
    private static let wide = 84
    private static let tall = 18
    private static let filterColumns = 28

    init(width: Int, height: Int, focus: Focus) {
        self.width = max(width, 1)
        self.height = max(height, 1)
        var top = 1
        var bottom = self.height
        if bottom >= 3 {
            status = 1
            top = 2
        }
        if bottom >= 6 {
            bottom -= 1
            hints = bottom
        }
        if bottom - top >= 10 {
            ruleRows.append(top)
            top += 1
        }
        var body = Rect(x: 0, y: top, width: self.width, height: max(bottom - top, 0))
        guard body.height > 0 else { return }
        if focus == .filters {
            guard width >= Self.wide else {
                filters = body
                return
            }
            filters = Rect(x: 0, y: body.y, width: Self.filterColumns, height: body.height)
            ruleColumns.append(Self.filterColumns)
            body.x = Self.filterColumns + 1
            body.width -= Self.filterColumns + 1
        }
        split(body, focus)
        if let list { itemHeight = list.height >= 24 ? 4 : list.height >= 6 ? 3 : 2 }
    }

    private mutating func split(_ body: Rect, _ focus: Focus) {
        if body.width >= Self.wide - Self.filterColumns, width >= Self.wide {
            let columns = max(body.width * 9 / 20, 30)
            list = Rect(x: body.x, y: body.y, width: columns, height: body.height)
            ruleColumns.append(body.x + columns)
            let x = body.x + columns + 1
            preview = Rect(x: x, y: body.y, width: body.x + body.width - x, height: body.height)
        } else if body.height >= Self.tall {
            let rows = body.height / 6 * 3
            list = Rect(x: body.x, y: body.y, width: body.width, height: rows)
            ruleRows.append(body.y + rows)
            let y = body.y + rows + 1
            preview = Rect(x: body.x, y: y, width: body.width, height: body.y + body.height - y)
        } else if focus == .preview {
            preview = body
        } else {
            list = body
        }
    }

    /// How many documents the list shows completely.
    var itemCount: Int { max((list?.height ?? 0) / itemHeight, 1) }

    /// The rows of the preview that do not scroll: the document's title and path.
    var previewHead: Int { (preview?.height ?? 0) >= 6 ? 3 : 0 }
    /// The rows of the preview in which the text scrolls.
    var previewRows: Int { max((preview?.height ?? 0) - previewHead, 0) }
    /// The columns of the preview's text, without the margin at the left and the bar at the right.
    var previewColumns: Int { max((preview?.width ?? 0) - 3, 2) }
}

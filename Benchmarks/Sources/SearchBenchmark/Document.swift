import BenchmarkSupport
import Concordance

/// A row of the indexed table.
struct Document: Codable, Sendable {
    var id: Int64
    var title: String
    var body: String
    var category: String
    var isRead: Bool
    /// From 0 to 999: each value occurs in a thousandth of the rows, scattered over the table.
    var views: Int

    init(_ text: DocumentationTexts.Text) {
        id = text.id
        title = text.title
        body = text.body
        category = "category \(text.id % 12)"
        isRead = text.id % 4 == 0
        // The finalizer of MurmurHash3 (Austin Appleby, public domain).
        var hash = UInt64(bitPattern: text.id)
        for factor: UInt64 in [0xFF51_AFD7_ED55_8CCD, 0xC4CE_B9FE_1A85_EC53] {
            hash = (hash ^ (hash >> 33)) &* factor
        }
        views = Int((hash ^ (hash >> 33)) % 1000)
    }

    var arguments: StatementArguments { [id, title, body, category, isRead, views] }
}

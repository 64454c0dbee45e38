import Concordance

struct Note: Codable, Identifiable, Sendable {
    var id: Int64
    var title: String
    var body: String
}

import Concordance

struct Book: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "book"
    var author: String
    var title: String
}

let library = try DatabaseQueue()

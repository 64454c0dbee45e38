// What the code of the documentation takes as given: an app's types, its database and indexes, what a person has typed.
// Scripts/check-snippets compiles every block of code together with this; nothing of it runs.

import Concordance
import ConcordanceFTS5
import ConcordanceSearch
import Foundation

func given<Value>() -> Value { fatalError("Nothing runs.") }

// MARK: - An app's records

struct Reminder: Codable, Identifiable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "reminders"

    var id: Int64
    var listID: Int64
    var title: String
    var notes: String
    var isCompleted: Bool
    var dueDate: Date?
}

struct RemindersList: Codable, Identifiable, Equatable, Sendable {
    var id: Int64
    var title: String
}

struct Note: Codable, Identifiable, Sendable {
    var id: Int64
    var folderID: Int64
    var title: String
    var body: String
    var modified: Date
}

struct Page: Codable, Sendable {
    var id: Int64
    var language: String
    var text: String
}

struct Article: Codable, Sendable {
    var id: Int64
    var html: String
}

struct Person: Codable, Sendable {
    var id: Int64
    var firstName: String
    var lastName: String
}

struct Book: Codable, FetchableRecord, PersistableRecord {
    enum Shelf: String, CaseIterable, Codable, DatabaseValueConvertible { case open, locked }

    static let databaseTableName = "books"

    var id: Int64
    var authorId: Int64
    var title: String
    var year: Int
    var shelf: Shelf
    var price: Double
}

struct Author: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "authors"

    var id: Int64
    var name: String
    var born: Int
}

struct Document: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "documents"

    var id: Int64
    var title: String
    var body: String
}

struct Player: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String
    var score: Int
}

// MARK: - Its database and indexes

let path = "library.sqlite"
let dbPool: DatabasePool = given()
let dbQueue: DatabaseQueue = given()
let queue: DatabaseQueue = given()
let reader: any DatabaseReader = given()
let writer: any DatabaseWriter = given()
/// The `sqlite3 *` of another library.
var connection: OpaquePointer { given() }
var sqliteConnection: OpaquePointer { given() }

let reminderTexts: SearchIndex<Reminder> = given()
let listTexts: SearchIndex<RemindersList> = given()
let noteTexts: SearchIndex<Note> = given()
let reminderPieces: SearchIndex<Reminder> = given()

// In the closure of an access, or of a definition.
var db: Database { given() }
var t: FTS5TableDefinition { given() }
nonisolated(unsafe) var migrator = DatabaseMigrator()

/// A connection of the app's own, in the article on migration.
final class Library: @unchecked Sendable {
    let path: String
    let connection: OpaquePointer
    let lock = NSLock()
    let queue = DispatchQueue(label: "library")

    init(path: String, busyTimeout: Int32) throws {
        self.path = path
        connection = given()
    }
}

/// A tokenizer of the app's own.
final class MyTokenizer: FTS5CustomTokenizer {
    static let name = "custom"

    init(db: Database, arguments: [String]) throws {}

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?, nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32 { 0 }
}

// MARK: - What is searched for, and found

let text = "walk wee"
let question = "When do we walk?"
let folder: Int64 = 2
let tomorrow = Date(timeIntervalSinceNow: 86_400)
let list: RemindersList = given()
let player: Player = given()
let pattern: FTS5Pattern = given()
let table = "player"
let name = "Arthur"
let score = 1000
let request: SearchRequest<Reminder> = given()
var hit: SearchHit<Reminder> { given() }

@MainActor var model: SearchModel<Reminder> { given() }
var view: Text { given() }

func show<Record>(_ page: SearchPage<Record>) {}

// MARK: - Objects that live elsewhere

nonisolated(unsafe) var index: ObjectIndex = given()
let libraryFolder = "/path/to"
let url = URL(fileURLWithPath: "/path/to/document.txt")
let modificationDate = Date()

/// A store that does not tell of its changes.
struct Store: Sendable {
    struct Post: Sendable {
        var id: String
        var title: String
        var body: String
        var texts: [String: String] { ["title": title, "body": body] }
    }

    let posts: [Post]
    let objects: [SearchObject]

    func post(withID id: String) -> Post? { given() }
    func object(_ id: String) -> SearchObject { given() }
}

let store: Store = given()
let post: Store.Post = given()

class Post: NSManagedObject {
    var indexID: String?
    var title = ""
    var body = ""
    var comments: [Comment] = []
}

class Comment: NSManagedObject {
    var text = ""
    var post: Post { given() }
}

class Place: NSManagedObject {
    var name = ""
    var photos: [Photo] = []
}

class Photo: NSManagedObject {
    var caption = ""
    var place: Place { given() }
}

var object: any IndexedObject { given() }
var indexer: ObjectIndexer { given() }

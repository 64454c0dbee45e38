import Concordance
import TestSupport

/// Tables that a seed chooses, with indexes over them: keys of several kinds, unique columns of several kinds, foreign
/// keys with all actions, relations to one, to many, many to many, to the same table, and of several steps.
struct RandomSchema {
    private(set) var sql: [String] = []
    private(set) var indexes: [SearchIndex<Row>] = []
    private(set) var tables: [Table] = []

    struct Table {
        let name: String
        let columns: [String]
        let hasRowID: Bool
        /// What ON CONFLICT can name.
        let targets: [String]
    }

    /// Whether keys are texts.
    let hasTextKeys: Bool

    init(_ random: inout SeededGenerator) {
        hasTextKeys = random.oneIn(3)
        let keyType = hasTextKeys ? "TEXT" : "INTEGER"
        let withoutRowID = " WITHOUT ROWID"

        func add(_ name: String, _ columns: [String], constraints: [String] = [], isWithoutRowID: Bool = false) {
            let body = (columns + constraints).joined(separator: ", ")
            sql.append("CREATE TABLE \(name)(\(body))\(isWithoutRowID ? withoutRowID : "")")
        }
        func action() -> String {
            let deleting = random.pick(["CASCADE", "SET NULL", "NO ACTION", "SET DEFAULT", "RESTRICT", "CASCADE"])
            let updating = random.pick(["CASCADE", "SET NULL", "CASCADE", "NO ACTION"])
            let deferred = random.oneIn(3) ? " DEFERRABLE INITIALLY DEFERRED" : ""
            return "ON DELETE \(deleting) ON UPDATE \(updating)\(deferred)"
        }
        func unique() -> String {
            random.pick(["", "", " UNIQUE", " UNIQUE COLLATE NOCASE", " UNIQUE ON CONFLICT REPLACE"])
        }
        func text() -> String { random.pick([" TEXT", "", " TEXT COLLATE NOCASE", " INTEGER", " TEXT"]) }

        let key =
            hasTextKeys
            ? "id TEXT PRIMARY KEY" : random.pick(["id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY AUTOINCREMENT"])
        add("p", [key, "name\(text())\(unique())", "extra"])
        let parent = random.oneIn(2) ? " REFERENCES s(id) \(action())" : ""
        let owner = random.oneIn(2) ? " REFERENCES p(id) \(action())" : ""
        add(
            "s",
            [
                key, "title\(text())", "notes\(text())", "code\(text())\(unique())", "unread",
                "parent \(keyType)\(parent)", "owner \(keyType)\(owner)",
            ], constraints: random.oneIn(4) ? ["UNIQUE (owner, unread)"] : [])
        let child = random.oneIn(2) ? " REFERENCES s(id) \(action())" : ""
        let isChildWithoutRowID = random.oneIn(3)
        add(
            "c",
            [key.replacing(" AUTOINCREMENT", with: ""), "sid \(keyType)\(child)", "body\(text())", "code\(unique())"],
            isWithoutRowID: isChildWithoutRowID)
        add("t", [key, "title\(text())\(unique())"])
        let isLinkWithoutRowID = random.oneIn(2)
        let linkKey = random.pick(["PRIMARY KEY (sid, tid)", "PRIMARY KEY (tid, sid)"])
        add(
            "l",
            [
                "sid \(keyType)\(random.oneIn(2) ? " REFERENCES s(id) \(action())" : "")",
                "tid \(keyType)\(random.oneIn(2) ? " REFERENCES t(id) \(action())" : "")",
                "position\(random.oneIn(4) ? " UNIQUE" : "")",
            ], constraints: isLinkWithoutRowID || random.oneIn(2) ? [linkKey] : [], isWithoutRowID: isLinkWithoutRowID)
        if random.oneIn(3) { sql.append("CREATE UNIQUE INDEX s_expr ON s(lower(title), owner DESC)") }
        if random.oneIn(4) {
            sql.append("CREATE UNIQUE INDEX s_part ON s(title COLLATE NOCASE) WHERE unread IS NOT NULL")
        }
        if random.oneIn(4) { sql.append("CREATE UNIQUE INDEX c_part ON c(sid, body) WHERE code > 'b'") }
        if random.oneIn(4) { sql.append("CREATE UNIQUE INDEX c_expr ON c(body || 'x' COLLATE NOCASE)") }
        tables = [
            Table(name: "p", columns: ["id", "name", "extra"], hasRowID: true, targets: ["(id)", "(name)"]),
            Table(
                name: "s", columns: ["id", "title", "notes", "code", "unread", "parent", "owner"], hasRowID: true,
                targets: ["(id)", "(code)", "(owner, unread)", "(lower(title), owner)"]),
            Table(
                name: "c", columns: ["id", "sid", "body", "code"], hasRowID: !isChildWithoutRowID,
                targets: ["(id)", "(code)"]),
            Table(name: "t", columns: ["id", "title"], hasRowID: true, targets: ["(id)", "(title)"]),
            Table(
                name: "l", columns: ["sid", "tid", "position"], hasRowID: !isLinkWithoutRowID,
                targets: ["(sid, tid)", "(position)"]),
        ]
        if random.oneIn(3) { addTriggers(&random) }
        indexes = [Self.sourceIndex("first", &random)]
        if random.oneIn(2) { indexes.append(Self.sourceIndex("second", &random)) }
        if random.oneIn(3) { indexes.append(Self.ownerIndex) }
    }

    /// Triggers of the app itself, which change tables in the middle of its statements.
    private mutating func addTriggers(_ random: inout SeededGenerator) {
        let all = [
            "CREATE TRIGGER u1 AFTER UPDATE OF title ON s BEGIN UPDATE s SET notes = NEW.title WHERE id = NEW.id; END",
            "CREATE TRIGGER u2 AFTER INSERT ON c BEGIN UPDATE s SET unread = ifnull(unread, 0) + 1 WHERE id = NEW.sid; END",
            "CREATE TRIGGER u3 AFTER DELETE ON l BEGIN DELETE FROM t WHERE id = OLD.tid AND id NOT IN (SELECT tid FROM l); END",
            "CREATE TRIGGER u4 AFTER DELETE ON s BEGIN UPDATE c SET body = 'orphan' WHERE sid = OLD.id; END",
            "CREATE TRIGGER u5 AFTER INSERT ON s WHEN NEW.title = 'red' BEGIN INSERT OR REPLACE INTO p(id, name) VALUES (NEW.id, NEW.code); END",
            "CREATE TRIGGER u6 BEFORE INSERT ON t BEGIN UPDATE p SET name = NEW.title WHERE id = NEW.id; END",
        ]
        for trigger in all where random.oneIn(3) { sql.append(trigger) }
    }

    private static func sourceIndex(_ name: String, _ random: inout SeededGenerator) -> SearchIndex<Row> {
        let parent = Relation.Step("s", on: "id", equals: "parent")
        let children = Relation.Step("s", on: "parent", equals: "id")
        let owner = Relation.Step("p", on: "id", equals: "owner")
        let kids = Relation.Step("c", on: "sid", equals: "id")
        let links = Relation.Step("l", on: "sid", equals: "id")
        let tags = Relation.Step("t", on: "id", equals: "tid")
        let owned = Relation.Step("s", on: "owner", equals: "id")
        let all: [Field<Row>] = [
            Field("title"),
            Field("notes").unindexed(),
            Field("both").computed("title || '/' || code"),
            Field("ownerName").joined(owner, "name"),
            Field("bodies").joined(kids, "body", separator: ", "),
            Field("sortedBodies").joined(kids, "body", orderedBy: "code"),
            Field("tags").joined(tags, "title", through: [links], separator: ","),
            Field("parentTitle").joined(parent, "title"),
            Field("childTitles").joined(children, "title"),
            Field("grandchildren").joined(children, "code", through: [children], separator: "+"),
            Field("parentTags").joined(tags, "title", through: [parent, links]),
            Field("siblings").joined(owned, "title", through: [owner]),
            Field("uncles").joined(kids, "body", through: [parent, children]),
        ]
        var fields = all.filter { _ in random.oneIn(3) }
        if fields.count < 2 { fields = [all[0], all[4]] }
        return SearchIndex(name, in: "s") {
            for field in fields { field }
            Analysis(.unicode61)
        }
    }

    private static let ownerIndex = SearchIndex("owners", in: "p") {
        Field("name")
        Field("titles").joined(Relation.Step("s", on: "owner", equals: "id"), "title")
        Field("tags").joined(
            Relation.Step("t", on: "id", equals: "tid"), "title",
            through: [Relation.Step("s", on: "owner", equals: "id"), Relation.Step("l", on: "sid", equals: "id")])
        Analysis(.unicode61)
    }
}

extension SeededGenerator {
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }
}

import Concordance
import TestSupport
import Testing

@Suite("Requests find what a scan finds")
struct RequestOracleTests {
    /// A random condition as a request's, and as SQL's logic of three values in Swift: nil is NULL.
    struct Predicate {
        let expression: SQLExpression
        let holds: (Book) -> Bool?
    }

    @Test(arguments: [11, 12, 13, 14, 15])
    func randomPredicates(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let db = try makeLibrary()
        var books: [Book] = []
        for _ in 0..<60 {
            var book = Book(
                title: ["a", "b", "ab", "", "A_b", "%"].randomElement(using: &random) ?? "",
                year: Bool.random(using: &random) ? nil : Int.random(in: -2...3, using: &random),
                price: Double(Int.random(in: -2...2, using: &random)) / 2, isRare: Bool.random(using: &random),
                shelf: Shelf.allCases.randomElement(using: &random) ?? .open)
            try book.insert(db)
            books.append(book)
        }
        for _ in 0..<150 {
            let predicate = Self.predicate(depth: 3, &random)
            let request = Book.filter(predicate.expression)
            let sql = try request.sql(db)
            let expected = books.filter { predicate.holds($0) == true }
            #expect(try request.order { $0.id.asc }.fetchAll(db) == expected, "\(sql)")
            #expect(try request.fetchCount(db) == expected.count, "\(sql)")
            #expect(try request.isEmpty(db) == expected.isEmpty, "\(sql)")
            let limit = Int.random(in: 0...5, using: &random)
            let offset = Int.random(in: 0...5, using: &random)
            let page = try request.order(Column("year").desc, Column("id")).limit(limit, offset: offset).fetchAll(db)
            let sorted = expected.sorted { ($0.year ?? .min, -($0.id ?? 0)) > ($1.year ?? .min, -($1.id ?? 0)) }
            #expect(page == Array(sorted.dropFirst(offset).prefix(limit)), "\(sql)")
        }
    }

    static func predicate(depth: Int, _ random: inout SeededGenerator) -> Predicate {
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else { return comparison(&random) }
        let left = predicate(depth: depth - 1, &random)
        let right = predicate(depth: depth - 1, &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return Predicate(expression: left.expression && right.expression) { and(left.holds($0), right.holds($0)) }
        case 1:
            return Predicate(expression: left.expression || right.expression) {
                and(left.holds($0).map(!), right.holds($0).map(!)).map(!)
            }
        case 2: return Predicate(expression: !left.expression) { left.holds($0).map(!) }
        default:
            return Predicate(expression: left.expression == right.expression) { book in
                left.holds(book).flatMap { left in right.holds(book).map { left == $0 } }
            }
        }
    }

    private static func and(_ left: Bool?, _ right: Bool?) -> Bool? {
        if left == false || right == false { return false }
        return left == nil || right == nil ? nil : true
    }

    static func comparison(_ random: inout SeededGenerator) -> Predicate {
        let book = TableAlias<Book>()
        let number = Int.random(in: -2...3, using: &random)
        let text = ["a", "b", "%b", "_b", "a%", ""].randomElement(using: &random) ?? ""
        let maybe = Bool.random(using: &random) ? nil : number
        switch Int.random(in: 0..<14, using: &random) {
        case 0:
            return Predicate(expression: book.year == maybe) {
                maybe == nil ? $0.year == nil : $0.year.map { $0 == maybe }
            }
        case 1:
            return Predicate(expression: book.year != maybe) {
                maybe == nil ? $0.year != nil : $0.year.map { $0 != maybe }
            }
        case 2: return Predicate(expression: book.year === maybe) { $0.year == maybe }
        case 3: return Predicate(expression: book.year < number) { $0.year.map { $0 < number } }
        case 4:
            return Predicate(expression: book.year >= maybe) { book in maybe.flatMap { n in book.year.map { $0 >= n } }
            }
        case 5:
            return Predicate(expression: book.year.between(number, number + 2)) {
                $0.year.map { (number...(number + 2)).contains($0) }
            }
        case 6: return Predicate(expression: book.year.in([number, 1])) { $0.year.map { [number, 1].contains($0) } }
        case 7: return Predicate(expression: book.year.isNull) { $0.year == nil }
        case 8: return Predicate(expression: book.title.like(text)) { like($0.title, text) }
        case 9: return Predicate(expression: book.shelf == .lost) { $0.shelf == .lost }
        case 10: return Predicate(expression: book.isRare.sqlExpression) { $0.isRare }
        case 11:
            return Predicate(expression: book.price * 2 > book.year) { book in
                book.year.map { book.price * 2 > Double($0) }
            }
        case 12: return Predicate(expression: length(book.title) == number) { $0.title.count == number }
        default: return Predicate(expression: (book.year ?? 0) + 1 <= number) { ($0.year ?? 0) + 1 <= number }
        }
    }

    /// LIKE by its definition, for ASCII.
    private static func like(_ text: String, _ pattern: String) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = String(pattern.dropFirst())
        if first == "%" { return (0...text.count).contains { like(String(text.dropFirst($0)), rest) } }
        guard let head = text.first, first == "_" || head.lowercased() == first.lowercased() else { return false }
        return like(String(text.dropFirst()), rest)
    }
}

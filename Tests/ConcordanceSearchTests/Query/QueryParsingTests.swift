@testable import Concordance
@testable import ConcordanceSearch
import Testing

@Suite("What a person types is understood")
struct QueryParsingTests {
    static func parse(_ text: String, isTyping: Bool = false) -> SearchQuery {
        SearchQuery(text, isTyping: isTyping, fields: ["title", "notes", "tags", "full name"], tags: "tags")
    }

    /// What is typed, and what it means.
    private static let texts: [(String, String)] = [
        // Words.
        ("", ""), ("   \n\t", ""), ("milk", "milk"), ("  get   milk ", "get milk"), ("Get MILK", "Get MILK"),
        ("milk\0eggs", "milk eggs"), ("tic-tac e-mail 1-2", "tic-tac e-mail 1-2"), ("don't o’clock", "don't o’clock"),
        ("naïve Großmann Ελλάδα", "naïve Großmann Ελλάδα"), ("東京　大阪", "東京 大阪"), ("🍎 🥚", "🍎 🥚"),
        ("مرحبا بالعالم", "مرحبا بالعالم"), ("C++ C# .NET $5 50%", "C++ C# .NET $5 50%"),
        ("http://x.org/a?b=c 10:30", "http://x.org/a?b=c 10:30"),
        // Prefixes.
        ("groc*", "groc*"), ("milk, eggs; and (maybe) .NET: yes!", "milk eggs and maybe .NET yes"),
        ("groc*, a", "groc* a"), ("groc** milk", "groc* milk"), ("* milk", "milk"), ("gr*c", "gr*c"),
        ("＊ groc＊", "groc*"),
        // Phrases.
        ("\"send weekly\"", "\"send weekly\""), ("\"send week\"* x", "\"send week\"* x"),
        ("\"open end", "\"open end\""),
        ("“send weekly” x", "\"send weekly\" x"), ("„send weekly“ x", "\"send weekly\" x"),
        ("”send weekly” x", "\"send weekly\" x"), ("«send weekly» x", "\"send weekly\" x"),
        ("東京「大阪 駅」x", "東京 \"大阪 駅\" x"), ("『a b』", "\"a b\""), ("\"send weekly” x", "\"send weekly\" x"),
        ("\"say \"\"hi\"\" now\"", "\"say \"\"hi\"\" now\""), ("\"\" milk", "milk"), ("\"  \" milk", "milk"),
        ("milk\"fresh eggs\"now", "milk \"fresh eggs\" now"),
        ("5\" pipe and 6\" pipe", "\"5\"\"\" pipe and \"6\"\"\""),
        ("rock'n'roll 'quoted'", "rock'n'roll 'quoted'"), ("a\"b", "\"a\"\"b\""),
        // Exclusions.
        ("get groc -milk", "get groc -milk"), ("-milk get", "get -milk"), ("-milk", "milk"), ("−milk a", "a -milk"),
        ("a －milk", "a -milk"), ("a - b", "a b"), ("a -- b", "a b"), ("a --b", "a \"--b\""), ("-", ""), ("--", ""),
        ("a -\"b c\"", "a -\"b c\""), ("a -title:b", "a -title:b"), ("a title:-b", "a -title:b"),
        ("a -(b c)", "a -(b c)"), ("a -(b OR c)", "a -b -c"), ("a NOT b", "a -b"), ("a AND NOT b", "a -b"),
        ("a NOT NOT b", "a b"), ("-(-b)", "b"), ("a -", "a"), ("a -...  b", "a b"), ("a -groc*", "a -groc*"),
        ("a -OR", "a -\"OR\""),
        // Alternatives.
        ("a OR b", "a OR b"), ("a | b", "a OR b"), ("a|b||c", "a OR b OR c"), ("x a OR b y", "x (a OR b) y"),
        ("a AND b OR c", "(a b) OR c"), ("a AND b", "a b"), ("(a b) OR c", "(a b) OR c"), ("a (b OR c)", "a (b OR c)"),
        ("a or b and not c", "a or b and not c"), ("OR a", "a"), ("a OR", "a"), ("a OR OR b", "a OR b"),
        ("a OR AND b", "a OR b"), ("a OR -b", "a OR -b"), ("OR", "\"OR\""), ("NOT", "\"NOT\""), ("a NOT", "a"),
        // Parentheses.
        ("((a))", "a"), ("(a", "a"), ("a)", "a"), (")a( b", "a b"), ("()", ""), ("f(x)", "f x"),
        ("（a ｜ b） c", "(a OR b) c"),
        ("((((((((((((a OR b))))))))))))", "a OR b"), (":) a", "a"),
        // Fields.
        ("title:week", "title:week"), ("TITLE:week", "title:week"), ("title: week", "title:week"),
        ("title:\"send weekly\"", "title:\"send weekly\""), ("title:(a OR b) c", "title:(a OR b) c"),
        ("title,notes:a", "title,notes:a"), ("title,nope:a", "title,nope:a"), ("nope:a", "nope:a"),
        ("title:notes:a", "title:notes:a"), ("title:(notes:a)", "title:(notes:a)"), ("title：week", "title:week"),
        ("\"full name\":ann", "\"full name\":ann"), ("\"full\":ann", "\"full\" :ann"), ("title:", "\"title:\""),
        ("a title:", "a"), ("title: notes: a", "notes:a"), ("title:OR", "title:\"OR\""), ("titles:a", "titles:a"),
        ("title:-a", "title:a"), ("title:-a b", "b -title:a"), ("— -remarks", "remarks"), ("-a -b", "a b"),
        ("-a NOT b", "a -b"), ("NOT a NOT b", "NOT a NOT b"), ("a,-b c", "a,-b c"), ("a|-b", "a OR -b"),
        ("(-a) b", "b -a"), ("title:groc*", "title:groc*"),
        // Tags.
        ("#weekend", "tags:weekend"), ("-#weekend a", "a -tags:weekend"), ("#\"easy win\"", "tags:\"easy win\""),
        ("# a", "a"), ("C#", "C#"), ("a#b", "a#b"), ("##a", "##a"), ("#easy-win OR #fun", "tags:easy-win OR tags:fun"),
        // Near.
        ("NEAR(\"a b\" c, 5)", "NEAR(\"a b\" \"c\", 5)"), ("NEAR(a b)", "NEAR(\"a\" \"b\", 10)"), ("NEAR(a)", "\"a\""),
        ("NEAR()", "\"NEAR()\""), ("NEAR(a b, 5", "NEAR(\"a\" \"b\", 5)"), ("a NEAR/3 b", "NEAR(\"a\" \"b\", 3)"),
        ("a NEAR b", "NEAR(\"a\" \"b\", 10)"), ("a NEAR/2 \"b c\" NEAR/4 d", "NEAR(\"a\" \"b c\" \"d\", 4)"),
        ("NEAR(a b, 5 6)", "NEAR(\"a\" \"b\" \"5\" \"6\", 10)"), ("(a) NEAR/3 b", "a b"), ("a NEAR/x b", "a NEAR/x b"),
        ("NEAR(a b, 99999999999999999999)", "NEAR(\"a\" \"b\", 1000000)"), ("NEAR a", "a"), ("a NEAR", "a"),
        ("near(a b)", "near a b"), ("title:NEAR(a b, 2)", "title:NEAR(\"a\" \"b\", 2)"),
        // What is not a query is looked for as it is.
        ("->", "\"->\""), ("!==", "\"!==\""), ("\"", ""), ("*", ""), ("...", "\"...\""),
    ]

    @Test(arguments: texts)
    func `texts are understood`(_ text: String, _ expected: String) {
        let query = Self.parse(text)
        #expect(query.description == expected, "\(text.debugDescription): \(String(describing: query.root))")
        #expect(Self.parse(query.description) == query, "\(text.debugDescription)")
    }

    @Test(arguments: [
        ("w", "w*"), ("get groc", "get groc*"), ("get groc ", "get groc"), ("get groc,", "get groc"),
        ("get groc -milk", "get groc* -milk"), ("get groc -milk ", "get groc -milk"), ("-milk", "milk*"),
        ("\"send week", "\"send week\"*"), ("\"send week\"", "\"send week\""), ("\"send ", "\"send \""),
        ("groc \"a b\"", "groc \"a b\""), ("title:wee", "title:wee*"), ("#wee", "tags:wee*"), ("a OR b", "a OR b*"),
        ("(a OR b", "a OR b*"), ("(a OR b)", "a OR b"), ("a -(b c", "a* -(b c)"), ("node.", "node*"),
        ("don’", "don’*"),
        ("really?", "really"), ("¿qué?", "qué"), ("10:", "10*"), ("NEAR(a b", "NEAR(\"a\" \"b\"*, 10)"),
        ("a NEAR/3 b", "NEAR(\"a\" \"b\"*, 3)"),
        ("NEAR(a b, 3)", "NEAR(\"a\" \"b\", 3)"), ("今日は", "今日は*"), ("今日は。", "今日は"), ("a OR", "a*"), ("x -", "x*"),
        ("--verb", "\"--verb\"*"), ("groc*", "groc*"),
    ])
    func `the last word is half typed`(_ text: String, _ expected: String) {
        let query = Self.parse(text, isTyping: true)
        #expect(query.description == expected, "\(text.debugDescription): \(String(describing: query.root))")
        #expect(Self.parse(query.description) == query, "\(text.debugDescription)")
    }

    @Test func `a text beyond the limit is cut between words, and its last word is not half typed`() {
        let words = (0..<SearchQuery.textLimit / 8).map { "w\(100_000 + $0)" }
        #expect(SearchQuery(words.joined(separator: " ") + " tail").words == Array(words.prefix(SearchQuery.termLimit)))
        let long = String(repeating: "x", count: SearchQuery.textLimit - 3) + " tail end"
        #expect(SearchQuery(long).description == String(repeating: "x", count: SearchQuery.textLimit - 3))
        #expect(SearchQuery(String(repeating: "x", count: 1_000_000)).description.count == SearchQuery.textLimit)
    }

    @Test func `without fields, colons and hashes are parts of words`() {
        #expect(SearchQuery("title:week #tag", isTyping: false).description == "title:week #tag")
        #expect(SearchQuery("#tag", isTyping: false).root == .word("#tag", isPrefix: false))
    }
}

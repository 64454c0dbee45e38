import Dispatch
import Foundation
import Testing

@testable import Concordance
@testable import ConcordanceSearch

@Suite("Parts of queries")
struct QueryNodeTests {
    private static let leaf = SearchQuery.Node.word("a", isPrefix: false)

    /// Ways to put a part into another.
    private static let shapes: [@Sendable (SearchQuery.Node) -> SearchQuery.Node] = [
        { .fields(["title"], $0) }, { .all([$0]) }, { .any([leaf, $0]) }, { .excluding($0, [leaf]) },
        { .excluding(nil, [leaf, $0]) },
    ]

    private static let depth = 100_000

    private static func nested(
        _ innermost: SearchQuery.Node, by shape: (SearchQuery.Node) -> SearchQuery.Node
    ) -> SearchQuery.Node {
        var node = innermost
        for _ in 0..<depth { node = shape(node) }
        return node
    }

    private final class Outcome: @unchecked Sendable { var problems: [String] = [] }

    /// Runs `body` on a thread with as much stack as systems give to tasks.
    private static func problems(onSmallStack body: @escaping @Sendable () -> [String]) -> [String] {
        let outcome = Outcome()
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            outcome.problems = body()
            isDone.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        isDone.wait()
        return outcome.problems
    }

    /// Swift frees and compares nested values by nested calls.
    @Test(arguments: shapes.indices)
    func `those that a program nests without end are made, compared and freed on a small stack`(shape: Int) {
        let problems = Self.problems {
            var problems: [String] = []
            let grow = Self.shapes[shape]
            let node = Self.nested(Self.leaf, by: grow)
            let same = Self.nested(Self.leaf, by: grow)
            let other = Self.nested(.word("b", isPrefix: false), by: grow)
            if node.depth != Self.depth + 1 { problems.append("its depth is \(node.depth)") }
            if node != same || node.hashValue != same.hashValue { problems.append("it is not the same as itself") }
            if node == other { problems.append("it is the same as another") }
            if node.kind != same.kind || node.kind == other.kind { problems.append("its kind is another") }
            let query = SearchQuery(node)
            if query.root != nil || query.isEmpty { problems.append("it is taken for a query") }
            if !node.description.isEmpty { problems.append("it is printed as \(node.description.prefix(99))") }
            return problems
        }
        #expect(problems == [])
    }

    @Test func `those that are nested without end are taken apart from outside`() {
        let problems = Self.problems {
            var node = Self.nested(Self.leaf, by: Self.shapes[0])
            var depth = 0
            while case .fields(_, let child) = node.kind {
                node = child
                depth += 1
            }
            return depth == Self.depth && node == Self.leaf ? [] : ["\(depth) levels"]
        }
        #expect(problems == [])
    }

    @Test func `those that stand in several places are freed with the last of them`() {
        let leaf = Self.leaf
        let inner = SearchQuery.Node.all([leaf, .fields(["title"], leaf)])
        var outer: SearchQuery.Node? = .excluding(.any([inner, inner]), [inner])
        let kind = outer?.kind
        outer = nil
        guard case .excluding(let base?, let others) = kind else {
            Issue.record("an exclusion is none")
            return
        }
        #expect(others == [inner])
        #expect(base == .any([inner, inner]))
        #expect(base.description == "(a title:a) OR (a title:a)")
        #expect(inner == .all([leaf, .fields(["title"], leaf)]))
    }

    @Test func `those that differ in anything are not equal`() {
        let leaf = Self.leaf
        let nodes: [SearchQuery.Node] = [
            leaf, .word("a", isPrefix: true), .word("b", isPrefix: false), .phrase("a", isPrefix: false),
            .near(["a", "b"], distance: 1, isPrefix: false), .near(["a", "b"], distance: 2, isPrefix: false),
            .near(["a"], distance: 1, isPrefix: false), .near(["a", "b"], distance: 1, isPrefix: true),
            .fields(["a"], leaf), .fields(["b"], leaf), .fields(["a"], .word("b", isPrefix: false)),
            .all([]), .any([]), .all([leaf]), .any([leaf]), .all([leaf, leaf]), .all([.all([leaf]), leaf]),
            .all([leaf, .all([leaf])]), .excluding(leaf, []), .excluding(nil, [leaf]), .excluding(leaf, [leaf]),
            .excluding(nil, [leaf, leaf]), .excluding(nil, []),
        ]
        #expect(Set(nodes).count == nodes.count)
        for (index, node) in nodes.enumerated() {
            for (other, another) in nodes.enumerated() { #expect((node == another) == (index == other)) }
            #expect(node == SearchQuery.Node(node.kind))
        }
    }
}

import Concordance
import Foundation
import Synchronization

/// How a begun query may go on. The words are read from the index in the background, over a connection of their own; until
/// they are there, nothing is suggested.
final class Completions: Sendable {
    private let reader: DatabaseQueue
    private let index: SearchIndex<Row>
    private let isReady = Atomic(false)

    init(_ file: IndexFile, index: SearchIndex<Row>) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyTimeout = 30
        reader = try DatabaseQueue(path: file.path, configuration: configuration)
        self.index = index
    }

    /// Begins to read the words, with a task that ends when they are there.
    @discardableResult
    func prepare() -> Task<Void, any Error> {
        Task.detached(priority: .utility) { [self] in
            try await reader.prepareSuggestions(for: index)
            isReady.store(true, ordering: .releasing)
        }
    }

    /// The text with its last word completed, the most frequent words first.
    func suggestions(for text: String) throws -> [Suggestion] {
        guard isReady.load(ordering: .acquiring) else { return [] }
        return try reader.suggestions(for: text, in: index, limit: 6)
    }
}

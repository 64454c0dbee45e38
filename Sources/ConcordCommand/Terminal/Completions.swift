import Concordance
import Dispatch

/// How a begun query may go on. The words are read from the index in the background, over a connection of their own; until
/// they are there, nothing is suggested.
final class Completions: Sendable {
    private let reader: DatabaseQueue
    private let index: SearchIndex<Row>
    /// Entered while the words are read.
    let reading = DispatchGroup()

    /// Begins to read the words.
    init(_ file: IndexFile, index: SearchIndex<Row>) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyTimeout = 30
        let reader = try DatabaseQueue(path: file.path, configuration: configuration)
        self.reader = reader
        self.index = index
        reading.enter()
        Task.detached(priority: .utility) { [reading] in
            defer { reading.leave() }
            try await reader.prepareSuggestions(for: index)
        }
    }

    /// The text with its last word completed, the most frequent words first.
    func suggestions(for text: String) throws -> [Suggestion] {
        guard reading.wait(timeout: .now()) == .success else { return [] }
        return try reader.suggestions(for: text, in: index, limit: 6)
    }
}

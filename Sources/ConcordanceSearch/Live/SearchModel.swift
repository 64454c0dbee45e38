import ConcordanceSQLite
import Observation

/// A search as a person types, observable by views: live hits, suggestions and a correction.
///
/// ```swift
/// struct RemindersView: View {
///     @State private var model = SearchModel(reminderTexts, in: dbPool) { $0.order { $0.isCompleted }.limit(50) }
///
///     var body: some View {
///         List {
///             ForEach(model.hits) { hit in Text(hit.highlights(\.title).attributedString) }
///             if model.hasMore { ProgressView().task(id: model.page?.next) { model.loadMore() } }
///         }
///         .searchable(text: $model.text)
///         .searchSuggestions { ForEach(model.suggestions, id: \.text) { Text($0.text).searchCompletion($0.text) } }
///     }
/// }
/// ```
///
/// Set `text`; there is nothing else to do, and nothing to await.
///
/// - The previous search is cancelled, even in the middle of a statement, and no longer shows. However often the text
///   is set in one turn of the main actor, one search runs.
/// - Hits stay until those of the new text have arrived, so that lists do not flash. Then they follow every commit that
///   changes them, by whatever connection or process, as `ConnectionReader.results(of:)` does.
/// - Suggestions and the correction are looked for after the hits have arrived, and do not delay them.
/// - Searches run outside the main actor. They do not keep the model alive, and end with it.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
@Observable
public final class SearchModel<Record: Sendable> {
    /// Adds what the text does not say to a request: filters, an order, facets, a limit.
    public typealias Refinement = @MainActor (SearchRequest<Record>) -> SearchRequest<Record>

    // MARK: - What views observe

    /// The hits, in the order of the request: those of the first page, and of the pages that `loadMore()` has added.
    public private(set) var hits: [SearchHit<Record>] = []

    /// The rest of the result: the total, the facets, the query as it was understood. Nil until the first search has
    /// succeeded, after one for a new text has failed, and for a text without words (unless the model searches empty
    /// texts), for which an app shows its list unfiltered.
    public private(set) var page: SearchPage<Record>?

    /// How the text may continue; see `ConnectionReader.suggestions(for:in:limit:)`.
    public private(set) var suggestions: [Suggestion] = []

    /// The query that was probably meant, if there are few hits or none; see
    /// `ConnectionReader.didYouMean(_:in:isTyping:)`. To search for it, set `text` to its text.
    public private(set) var correction: QueryCorrection?

    /// Whether the hits belong to an earlier text or request while new ones are being searched for.
    public private(set) var isSearching = false

    /// The error of the last search, until one succeeds; see `SearchRequest.fetch(_:)`.
    ///
    /// If the search for a new text fails, there are no hits. If the search after a commit or for more hits fails, the
    /// hits stay as they were; if it was the search after a commit, they no longer follow commits until `refresh()`.
    /// Suggestions and corrections that fail are left out.
    public private(set) var error: (any Error)?

    /// Whether there are more hits than are shown; see `loadMore()`.
    public var hasMore: Bool { next != nil }

    /// What was typed. Setting it to another text searches for that.
    public var text: String {
        get { typed }
        set {
            guard newValue != typed else { return }
            typed = newValue
            search()
        }
    }

    private var typed = ""
    /// The cursor after the last of the hits.
    private var next: SearchCursor?

    // MARK: - What it searches with

    private let index: SearchIndex<Record>
    private let reader: any ConnectionReader
    private let searchesEmptyText: Bool
    private let debounce: Duration
    private let suggestionLimit: Int
    private let offersCorrections: Bool
    private let interval: Duration?
    @ObservationIgnored private var refinement: Refinement

    /// A page with fewer hits than this may be the result of a typo.
    private static var fewHits: Int { 3 }

    // MARK: - What is under way

    /// The request of the hits.
    @ObservationIgnored private var request: SearchRequest<Record>?
    /// How many hits to ask for, including the pages that were added.
    @ObservationIgnored private var hitLimit = 0
    @ObservationIgnored private var following: Task<Void, Never>?
    @ObservationIgnored private var loading: Task<Void, Never>?
    @ObservationIgnored private var assisting: Task<Void, Never>?

    /// Creates a model with an empty text.
    ///
    /// - Parameters:
    ///   - index: The index to search.
    ///   - reader: The queue or pool of its database.
    ///   - searchesEmptyText: Whether a text without words finds all rows that `refinement` lets pass, already at the
    ///     start. Otherwise such a text has no page.
    ///   - debounce: How long a text must stay as it is before it is searched for. Zero by default: a search takes
    ///     about a millisecond, and the next one cancels it, so waiting would only delay the hits.
    ///   - suggestionLimit: The most suggestions to look for; 0 for none. The first suggestion, or the first
    ///     correction, reads the words of the index, which stay in memory.
    ///   - offersCorrections: Whether to look for corrections.
    ///   - interval: How often to look for changes by other connections and processes; never if nil.
    ///   - refinement: Adds filters, an order, facets or a limit to each request.
    public init(
        _ index: SearchIndex<Record>, in reader: any ConnectionReader, searchesEmptyText: Bool = false,
        debounce: Duration = .zero, suggestionLimit: Int = 8, offersCorrections: Bool = true,
        pollingEvery interval: Duration? = .milliseconds(100), refinement: @escaping Refinement = { $0 }
    ) {
        self.index = index
        self.reader = reader
        self.searchesEmptyText = searchesEmptyText
        self.debounce = debounce
        self.suggestionLimit = suggestionLimit
        self.offersCorrections = offersCorrections
        self.interval = interval
        self.refinement = refinement
        if searchesEmptyText { search() }
    }

    deinit {
        following?.cancel()
        loading?.cancel()
        assisting?.cancel()
    }

    // MARK: - Searching

    /// Replaces the refinement, and searches again if there is something to search for.
    ///
    /// ```swift
    /// view.onChange(of: list) { model.refine { $0.filter("listID = \(list.id)") } }
    /// ```
    public func refine(_ refinement: @escaping Refinement) {
        self.refinement = refinement
        search()
    }

    /// Searches again for the same text: after an error, or when the refinement would now return another request.
    public func refresh() { search() }

    /// Whether the text looks for anything.
    private var hasWords: Bool { !index.query(typed).query.isEmpty }

    private func search() {
        following?.cancel()
        loading?.cancel()
        assisting?.cancel()
        loading = nil
        guard searchesEmptyText || hasWords else { return clear() }
        let request = refinement(hasWords ? index.query(typed) : index.all())
        self.request = request
        hitLimit = request.parameters.limit
        isSearching = true
        follow(request, after: debounce)
    }

    /// Shows what a request finds, and keeps it up to date.
    private func follow(_ request: SearchRequest<Record>, after delay: Duration = .zero) {
        following?.cancel()
        following = Task { @MainActor [weak self, reader, interval] in
            do {
                if delay > .zero { try await Task.sleep(for: delay) }
                // A request that another one replaced in the same turn does not start.
                try Task.checkCancellation()
                for try await page in reader.results(of: request, pollingEvery: interval) {
                    guard !Task.isCancelled, let self else { return }
                    self.show(page)
                }
            } catch {
                guard !Task.isCancelled, let self else { return }
                self.fail(error)
            }
        }
    }

    private func show(_ found: SearchPage<Record>) {
        page = found
        hits = found.hits
        next = found.next
        error = nil
        guard isSearching else { return }
        isSearching = false
        assist(found)
    }

    private func fail(_ failure: any Error) {
        if isSearching { clear() }
        error = failure
    }

    /// Shows nothing, because nothing is searched for.
    private func clear() {
        request = nil
        hits = []
        page = nil
        next = nil
        suggestions = []
        correction = nil
        isSearching = false
        error = nil
    }

    // MARK: - More hits

    /// Adds the next page to the hits, which then follow commits together. Does nothing if there is no next page, and
    /// while a search or another page is under way.
    public func loadMore() {
        guard !isSearching, loading == nil, let request, let next else { return }
        loading = Task { @MainActor [weak self, reader] in
            let found: Result<SearchPage<Record>, any Error>
            do {
                found = .success(try await reader.search(request.after(next)))
            } catch {
                found = .failure(error)
            }
            guard !Task.isCancelled, let self else { return }
            self.loading = nil
            switch found {
            case .success(let page): self.append(page, of: request)
            case .failure(let failure): self.error = failure
            }
        }
    }

    private func append(_ found: SearchPage<Record>, of request: SearchRequest<Record>) {
        // A commit may have moved a row that is already shown behind the last hit.
        let known = Set(hits.map(\.id))
        hits += found.hits.filter { !known.contains($0.id) }
        next = found.next
        error = nil
        hitLimit += request.parameters.limit
        // Commits between the two pages become visible with the first page that holds both.
        follow(request.limit(hitLimit).with { $0.firstLimit = request.parameters.limit })
    }

    // MARK: - Suggestions and corrections

    private func assist(_ found: SearchPage<Record>) {
        guard hasWords else {
            suggestions = []
            correction = nil
            return
        }
        let isMeagre = found.next == nil && max(found.hits.count, found.total?.count ?? 0) < Self.fewHits
        let corrects = offersCorrections && (isMeagre || !found.droppedWords.isEmpty)
        if !corrects { correction = nil }
        guard corrects || suggestionLimit > 0 else { return }
        assisting = Task { @MainActor [weak self, reader, index, typed, suggestionLimit] in
            if suggestionLimit > 0 {
                let suggestions = try? await reader.suggestions(for: typed, in: index, limit: suggestionLimit)
                if Task.isCancelled { return }
                self?.suggestions = suggestions ?? []
            }
            if corrects {
                let correction = try? await reader.didYouMean(typed, in: index, isTyping: true)
                if Task.isCancelled { return }
                self?.correction = correction
            }
        }
    }
}

import ConcordanceSQLite

/// An asynchronous sequence of the pages of a search, now and after every commit that changes them, created by
/// `ConnectionReader.results(of:)`. It behaves as `LiveValues` describes.
///
/// Two pages are the same, and the second is not yielded, if they have the same rows in the same order with the same
/// texts and groups, the same totals and facets, and are equally complete. The fetched values are compared, so records
/// need not be `Equatable`. Scores are not compared: they depend on the whole index, and every write changes them a
/// little.
public struct LiveResults<Record: Sendable>: AsyncSequence, Sendable {
    public typealias Element = SearchPage<Record>

    private let pages: LiveValues<SearchPage<Row>>
    private let decode: @Sendable (Row) throws -> Record

    init(_ request: SearchRequest<Record>, reader: any ConnectionReader, interval: Duration?) {
        let rows = SearchRequest<Row>(request.query, parameters: request.parameters) { $0 }
        pages = LiveValues(reader: reader, indexes: [request.definition], interval: interval) {
            try rows.fetch($0)
        } isDuplicate: {
            $0.hasSameContent(as: $1)
        }
        decode = request.decode
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: pages.makeAsyncIterator(), decode: decode)
    }

    /// One iteration over the pages.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate var pages: LiveValues<SearchPage<Row>>.Iterator
        fileprivate let decode: @Sendable (Row) throws -> Record

        /// Returns the next page, once there is one; nil when the task is cancelled, and after an error.
        ///
        /// - Throws: the error of the search, once; see `SearchRequest.fetch(_:)`.
        public mutating func next() async throws -> SearchPage<Record>? {
            try await pages.next()?.decoding(decode)
        }
    }
}

extension SearchPage where Record == Row {
    fileprivate func decoding<Other: Sendable>(_ decode: (Row) throws -> Other) -> SearchPage<Other> {
        var failures = failures
        let decoded = hits.compactMap { hit in
            do {
                return SearchHit<Other>(
                    record: try decode(hit.record), id: hit.id, score: hit.score, group: hit.group,
                    explanation: hit.explanation, texts: hit.texts, presentation: hit.presentation)
            } catch {
                failures.append(FailedHit(id: hit.id, error: error))
                return nil
            }
        }
        return SearchPage<Other>(
            hits: decoded, total: total, next: next, hasMore: hasMore, query: query, droppedWords: droppedWords,
            facets: facets, isComplete: isComplete, failures: failures)
    }
}

extension SearchPage where Record == Row {
    fileprivate func hasSameContent(as other: SearchPage) -> Bool {
        total == other.total && facets == other.facets && query == other.query
            && droppedWords == other.droppedWords && isComplete == other.isComplete
            && (next == nil) == (other.next == nil)
            && hits.elementsEqual(other.hits) {
                $0.id == $1.id && $0.record == $1.record && $0.group == $1.group && $0.texts == $1.texts
            }
    }
}

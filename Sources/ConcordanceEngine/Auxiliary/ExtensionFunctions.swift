import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// The functions of FTS5's extension API (https://www.sqlite.org/fts5.html#custom_auxiliary_functions_api_reference),
/// version 4, whatever the host's version is, over an `ExtensionContext`: what auxiliary functions, in C or Swift, call
/// for our cursors.
enum ExtensionFunctions {
    /// The structure that functions get. It never changes, and is never freed.
    static var api: UnsafePointer<Fts5ExtensionApi> {
        UnsafeRawPointer(table.api).assumingMemoryBound(to: Fts5ExtensionApi.self)
    }

    /// One for the process.
    private static let table = Table()

    /// It is written once, by the initializer, before another thread can see it, so it can be shared.
    private final class Table: @unchecked Sendable {
        let api = UnsafeMutablePointer<csqlite_fts5_extension_api>.allocate(capacity: 1)

        init() {
            api.initialize(to: csqlite_fts5_extension_api())
            setTableFunctions(&api.pointee.base)
            setRowFunctions(&api.pointee.base)
            setPhraseFunctions(&api.pointee.base)
            setDataFunctions(&api.pointee.base)
            setTokenFunctions(api)
        }
    }

    private static func setTableFunctions(_ api: inout Fts5ExtensionApi) {
        api.xUserData = { context in context.flatMap { ExtensionContext.of($0).function?.context } }
        api.xColumnCount = { context in context.map { Int32(clamping: ExtensionContext.of($0).columnCount) } ?? 0 }
        api.xRowCount = { context, count in
            guard let context = context.map(ExtensionContext.of) else { return SQLITE_MISUSE }
            return context.code { count?.pointee = Int64(try context.rowCount()) }
        }
        api.xColumnTotalSize = { context, column, count in
            guard let context = context.map(ExtensionContext.of) else { return SQLITE_MISUSE }
            return context.code { count?.pointee = try context.totalSize(ofColumn: Int(column)) }
        }
        api.xTokenize = { context, text, count, sink, callback in
            guard let context = context.map(ExtensionContext.of), let callback else { return SQLITE_MISUSE }
            guard let text, count > 0 else { return SQLITE_OK }
            return text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                context.host.tokenizer.tokenize(
                    UnsafeBufferPointer(start: $0, count: Int(count)), for: .auxiliary,
                    into: TokenSink(context: sink, callback: callback))
            }
        }
    }

    private static func setRowFunctions(_ api: inout Fts5ExtensionApi) {
        api.xRowid = { context in
            guard let context = context.map(ExtensionContext.of) else { return 0 }
            var rowID: Int64 = 0
            _ = context.code { rowID = try context.host.rowID() }
            return rowID
        }
        api.xColumnText = { context, column, text, count in
            guard let context = context.map(ExtensionContext.of) else { return SQLITE_MISUSE }
            text?.pointee = nil
            count?.pointee = 0
            return context.code {
                guard let bytes = try context.text(ofColumn: Int(column)) else { return }
                // SQLite's pointer to an empty text is not null, and tells it from NULL.
                text?.pointee = UnsafeRawPointer(bytes.baseAddress ?? ExtensionFunctions.emptyText)
                    .assumingMemoryBound(to: CChar.self)
                count?.pointee = Int32(clamping: bytes.count)
            }
        }
        api.xColumnSize = { context, column, count in
            guard let context = context.map(ExtensionContext.of) else { return SQLITE_MISUSE }
            count?.pointee = 0
            return context.code { count?.pointee = try context.size(ofColumn: Int(column)) }
        }
    }

    /// An empty text that has an address.
    private static var emptyText: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }

    private static func setDataFunctions(_ api: inout Fts5ExtensionApi) {
        api.xSetAuxdata = { context, data, destroy in
            guard let context = context.map(ExtensionContext.of) else { return SQLITE_MISUSE }
            context.setData(data, destroy: destroy)
            return SQLITE_OK
        }
        api.xGetAuxdata = { context, clear in
            context.flatMap { ExtensionContext.of($0).data(clearing: clear != 0) }
        }
        api.xQueryPhrase = { context, phrase, argument, callback in
            guard let context = context.map(ExtensionContext.of), let callback else { return SQLITE_MISUSE }
            var result = SQLITE_OK
            let code = context.code {
                result = try PhraseRows(context, phrase: Int(phrase)).forEach { callback($0, $1, argument) }
            }
            return code == SQLITE_OK ? result : code
        }
    }
}

// MARK: - Tokens and locales

extension ExtensionFunctions {
    private static func setTokenFunctions(_ api: UnsafeMutablePointer<csqlite_fts5_extension_api>) {
        csqlite_fts5_extension_set_version_4(
            api,
            { context, phrase, token, text, count in
                give(context, text, count) { try $0.queryToken(Int(token), ofPhrase: Int(phrase)) }
            },
            { context, index, token, text, count in
                give(context, text, count) { try $0.instanceToken(Int(token), ofInstance: Int(index)) }
            },
            { context, column, text, count in
                // Texts have no locales here: the table's tokenizer is the same for all.
                give(context, text, count) { try $0.checkColumn(Int(column)) }
            },
            { context, text, count, _, _, sink, callback in
                guard let context else { return SQLITE_MISUSE }
                return ExtensionFunctions.api.pointee.xTokenize?(context, text, count, sink, callback) ?? SQLITE_MISUSE
            })
    }
}

/// Passes the bytes that `body` finds to a C function; none if that is nil.
private func give(
    _ context: OpaquePointer?, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ count: UnsafeMutablePointer<Int32>?, _ body: (ExtensionContext) throws -> UnsafeBufferPointer<UInt8>?
) -> Int32 {
    guard let context = context.map(ExtensionContext.of) else { return SQLITE_MISUSE }
    text?.pointee = nil
    count?.pointee = 0
    return context.code {
        guard let bytes = try body(context), let start = bytes.baseAddress else { return }
        text?.pointee = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
        count?.pointee = Int32(clamping: bytes.count)
    }
}

// MARK: - Phrases and where they occur

extension ExtensionFunctions {
    private static func setPhraseFunctions(_ api: inout Fts5ExtensionApi) {
        api.xPhraseCount = { context in context.map { Int32(clamping: ExtensionContext.of($0).phraseCount) } ?? 0 }
        api.xPhraseSize = { context, phrase in
            context.map { Int32(clamping: ExtensionContext.of($0).size(ofPhrase: Int(phrase))) } ?? 0
        }
        api.xInstCount = { context, count in
            guard let context = context.map(ExtensionContext.of) else { return SQLITE_MISUSE }
            return context.code {
                try context.loadInstances()
                count?.pointee = Int32(clamping: context.instances.merged.count)
            }
        }
        api.xInst = { context, index, phrase, column, offset in
            guard let context = context.map(ExtensionContext.of) else { return SQLITE_MISUSE }
            return context.code {
                try context.loadInstances()
                let instances = context.instances.merged
                guard instances.indices.contains(Int(index)) else { throw ExtensionContext.outOfRange }
                let instance = instances[Int(index)]
                phrase?.pointee = instance.phrase
                column?.pointee = Int32(clamping: instance.position.column)
                offset?.pointee = Int32(clamping: instance.position.offset)
            }
        }
        api.xPhraseFirst = { context, phrase, iterator, column, offset in
            guard let context = context.map(ExtensionContext.of), let iterator else { return SQLITE_MISUSE }
            return context.code {
                try context.loadInstances()
                iterator.pointee = Fts5PhraseIter(context.instances, phrase: Int(phrase))
                let position = iterator.pointee.next()
                column?.pointee = position.map { Int32(clamping: $0.column) } ?? -1
                offset?.pointee = position.map { Int32(clamping: $0.offset) } ?? -1
            }
        }
        api.xPhraseNext = { _, iterator, column, offset in
            let position = iterator?.pointee.next()
            column?.pointee = position.map { Int32(clamping: $0.column) } ?? -1
            offset?.pointee = position.map { Int32(clamping: $0.offset) } ?? -1
        }
        api.xPhraseFirstColumn = { context, phrase, iterator, column in
            guard let context = context.map(ExtensionContext.of), let iterator else { return SQLITE_MISUSE }
            return context.code {
                let isInIndex = context.host.options.detail == .column
                if isInIndex { try context.loadColumns() } else { try context.loadInstances() }
                iterator.pointee = Fts5PhraseIter(
                    isInIndex ? context.columns : context.instances, phrase: Int(phrase))
                column?.pointee = iterator.pointee.next().map { Int32(clamping: $0.column) } ?? -1
            }
        }
        api.xPhraseNextColumn = { _, iterator, column in
            let last = column?.pointee ?? -1
            var next = iterator?.pointee.next()
            while let position = next, Int32(clamping: position.column) == last { next = iterator?.pointee.next() }
            column?.pointee = next.map { Int32(clamping: $0.column) } ?? -1
        }
    }
}

extension Fts5PhraseIter {
    /// An iterator before the first position of a phrase.
    fileprivate init(_ instances: RowInstances, phrase: Int) {
        self.init()
        let range = instances.range(ofPhrase: phrase)
        guard let base = instances.positions.baseAddress else { return }
        a = UnsafeRawPointer(base + range.lowerBound).assumingMemoryBound(to: UInt8.self)
        b = UnsafeRawPointer(base + range.upperBound).assumingMemoryBound(to: UInt8.self)
    }

    /// The next position; nil after the last one.
    fileprivate mutating func next() -> Position? {
        guard let start = a, let end = b, start < end else { return nil }
        a = start + MemoryLayout<Position>.stride
        return UnsafeRawPointer(start).load(as: Position.self)
    }
}

/// The streams of a segment, each a sequence of pages, each page a row of `<t>_data`:
/// id = segment << 32 | stream << 28 | page. Integers of fixed width are little-endian; "varint" is LEB128.
///
/// A segment whose pages fit in `inlineByteLimit` together is a single row: its header, with the pages in it.
///
///     header      version u8, flags u8 (1: the pages are in this row; 4: tokens share places; 8: values are stored;
///                 16: skip entries are grouped; 32: values have a page for each column), documents varint, their average length varint (not in version 1),
///                 then for each stream from `dictionary` to `fingerprints`, for `values` with flag 8 and for
///                 `skipGroups` with flag 16, its number of pages, varint; with flag 1, for each stream that has a page,
///                 its size, varint, and then those pages
///
/// The code that reads the pages of a stream describes what they hold: `DictionaryPage` (dictionary),
/// `DictionaryIndex`, `PostingsBlock` (postings, skips, skipGroups), `PositionsReader` (positions), `ValueTable` (values),
/// `DocumentTable` (the rest).
enum SegmentStream: UInt8, CaseIterable {
    case header = 0
    case dictionary = 1
    case dictionaryIndex = 2
    case postings = 3
    case skips = 4
    case positions = 5
    case rowIDs = 6
    case lengths = 7
    case columnLengths = 8
    case fingerprints = 9
    case values = 10
    case skipGroups = 11

    /// The streams that have pages.
    static func paged(hasValues: Bool, hasGroups: Bool) -> [UInt8] {
        var streams = Array(dictionary.rawValue...fingerprints.rawValue)
        if hasValues { streams.append(values.rawValue) }
        if hasGroups { streams.append(skipGroups.rawValue) }
        return streams
    }
}

/// The sizes that define the format of segments.
enum SegmentLayout {
    /// The version that is written.
    static let version: UInt8 = 2
    /// The version before, which is read: its skip entries do not bound scores.
    static let oldVersion: UInt8 = 1
    /// Header flag: the pages are in the header's row.
    static let inlineFlag: UInt8 = 1
    /// Header flag of an unfinished merge's result: what follows is the state from which to continue (`Merge`).
    static let unfinishedFlag: UInt8 = 2 | groupsFlag | dividedValuesFlag
    /// The same before skip entries were grouped, and before values had a page for each column.
    static let oldUnfinishedFlags: [UInt8] = [2, 2 | groupsFlag]
    /// Header flag: in some document, removed or not, tokens share a place, as synonyms do. Where it is not set, the
    /// places of different terms are different, and their frequencies can be added up.
    static let colocatedFlag: UInt8 = 4
    /// Header flag: the table has VALUE columns.
    static let valuesFlag: UInt8 = 8
    /// Header flag: the segment has so many skip entries that they are grouped.
    static let groupsFlag: UInt8 = 16
    /// Header flag: stored values have a page for each column. Without it, as in a segment that is one row, a page has the
    /// values of all columns.
    static let dividedValuesFlag: UInt8 = 32

    /// The bytes of all pages of a segment that is one row, at most: as much as SQLite reads about as fast as one page.
    static let inlineByteLimit = 16 << 10

    /// A page of postings or positions has at most this many bytes, unless one block is bigger. Big enough that a row's
    /// overhead in SQLite's b-tree is small, and small enough for one look-up to read. In a file with pages of 4096 bytes
    /// such a row, with its checksum and its header, fills three overflow pages and a leaf. Of a bigger row,
    /// SQLite would store the first 489 bytes in a leaf, where rows that fit leave no room for them, and the rest in four
    /// overflow pages (the file format's "B-tree Cell Format": 3 * 4092 + 4061 bytes, less 5 of header and 4 of checksum).
    static let pageSize = 16_328
    /// A page of the dictionary, which is searched from its beginning, ends at this many bytes: with SQLite's own
    /// overhead a page of its file, which has 4096 bytes unless told otherwise.
    static let dictionaryPageSize = 4000

    /// A place in a stream: page << 14 | offset; blocks begin below `pageSize`, so 14 bits do.
    static let offsetBits: UInt64 = 14
    /// Pages of a stream are numbered with 28 bits.
    static let maximumPageCount = 1 << 28

    /// Skip entries in a page; every page but the last is full.
    static let skipsPerPage = 512
    /// Skip entries in a group; a page holds whole groups.
    static let skipsPerGroup = 32

    /// The size of a skip entry (`PostingsBlock`).
    static func skipSize(version: UInt8, columnCount: Int) -> Int {
        version == oldVersion ? 18 : columnCount > 1 ? 30 : 20
    }

    /// Documents in a page of the document table: a power of two.
    static let documentPageBits = 12
    static let documentsPerPage = 1 << documentPageBits

    /// Documents in a page of column lengths, as a power of two: about 16,000 lengths a page.
    static func columnPageBits(_ columnCount: Int) -> Int {
        var bits = documentPageBits
        while bits > 4, columnCount << bits > 16_384 { bits -= 1 }
        return bits
    }
}

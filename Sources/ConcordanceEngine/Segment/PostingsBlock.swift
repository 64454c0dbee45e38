/// A block of up to 128 postings. All blocks of a list but the last have 128; a list of one block has no skip entries.
///
///     flags u8        bit 0: every frequency is 1; bits 1, 3: exceptions; bit 2: positions in here
///                     bits 4...7: home column; 15 means 15 + a varint that follows
///     positions       place in the positions stream, varint; unless in here, or the list has none
///     documents       `IntegerBlock`: document - document before - 1; before the first of the list is -1
///     frequencies     `IntegerBlock`: frequency - 1; unless every one is 1
///     exceptions      with bit 1 or 3: the columns of postings that are not in the home column alone, in the first or the
///                     second form of `ColumnExceptions`
///     positions       with bit 2: as in the stream
///
/// The positions of all postings of a block, column by column, the first offset in each and then the differences less
/// 1, are in `IntegerBlock`s of 128 and a last of fewer. None of them is in two pages; in the positions stream what
/// would not fit into a page begins the next.
///
/// Skip entries of all lists are in one sequence, 512 in a page, one for each block:
///
///     last document u32, place u32 (from the beginning of the page where the list begins), `BlockBounds` 8 bytes,
///     columns u16 (`BlockSummary`), shortest length u16 (`FloatCode`); and, in tables with several columns,
///     home column u16, `ExceptionBounds` 8 bytes
///
/// In segments of version 1 they end with the columns, and other bounds are in the place of `BlockBounds`.
///
/// Each 32 skip entries are a group, even of several lists. The groups are in a sequence of their own, 512 in a page, each in the
/// form of a skip entry: what it says holds for all of them. Its last document and its place are those of the last; its home
/// column is 0xFFFF if theirs differ. A list uses the groups that it has alone (`SkipReader`).
enum PostingsBlock {
    static let allOnce: UInt8 = 1
    static let hasExceptions: UInt8 = 2
    static let hasInlinePositions: UInt8 = 4
    static let hasPackedExceptions: UInt8 = 8
}

/// What FTS5's special commands set, with its defaults (https://www.sqlite.org/fts5.html#special_insert_commands).
struct IndexSettings: Equatable {
    /// How many segments of a level make an automatic merge; 0 for none.
    var automerge = 4
    /// How many segments of a level make a merge that cannot wait.
    var crisismerge = 16
    /// How many segments of a level the command 'merge' takes.
    var usermerge = 4
    /// The size of a page of a segment, in bytes, as FTS5 counts it. Pages here have a size of their own.
    var pageSize = 4050
    /// Whether a commit leaves nothing of removed rows in the segments.
    var secureDelete = false
}

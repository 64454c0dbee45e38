import Foundation

/// Programs that take text out of files where this one cannot; nil where they are not there or not wanted.
struct Converters: Equatable, Sendable {
    var pdfToText: String?
    var pdfInfo: String?
    var tesseract: String?
}

/// Takes the documents out of files.
struct Extractor: Sendable {
    var limits = ExtractionLimits()
    var converters = Converters()

    /// What is known of a file once it is read.
    struct Summary: Equatable, Sendable {
        var kind: DocumentKind
        /// Of the bytes on disk.
        var hash: UInt64
        var stamp: FileStamp
        /// What of it could not be read; nil if all was.
        var remark: String?
    }

    /// Reads the file at `path` and emits its documents, in order; a long file's while it is being read.
    ///
    /// - Throws: `ExtractionProblem`, and what `emit` throws.
    func extract(_ path: String, emit: (Document) throws -> Void) throws -> Summary {
        let file = try FileStream(path: path, limit: limits.fileBytes)
        let (kind, remark) = try withoutActuallyEscaping(emit) { emit in
            let extraction = Extraction(self, of: file, receive: emit)
            return (try extraction.run(path), extraction.remark)
        }
        // What a reader has left over counts for the hash.
        while try file.next() != nil {}
        guard file.isUnchanged, let hash = file.hash else { throw ExtractionProblem.changedWhileRead }
        return Summary(kind: kind, hash: hash, stamp: file.stamp, remark: remark)
    }

    /// The hash of a file's bytes and its stamp, without a look at what is in it.
    func fingerprint(_ path: String) throws -> (hash: UInt64, stamp: FileStamp) {
        let file = try FileStream(path: path, limit: limits.fileBytes)
        while try file.next() != nil {}
        guard file.isUnchanged, let hash = file.hash else { throw ExtractionProblem.changedWhileRead }
        return (hash, file.stamp)
    }
}

import Foundation

/// Other programs that extract text from files; nil if they are missing or not wanted.
struct Converters: Equatable, Sendable {
    var pdfToText: String?
    var pdfInfo: String?
    /// Draws pages without text, for `tesseract`.
    var pdfToImage: String?
    var tesseract: String?
    /// Of the formats of Office up to 2003.
    var wordToText: TextProgram?
    var spreadsheetToText: TextProgram?
    var presentationToText: TextProgram?
}

/// Extracts the documents of files.
struct Extractor: Sendable {
    var limits = ExtractionLimits()
    var converters = Converters()

    /// What is known about a file after reading it.
    struct Summary: Equatable, Sendable {
        var kind: DocumentKind
        /// Of the bytes on disk.
        var hash: UInt64
        var stamp: FileStamp
        /// What could not be read of it; nil if everything was read.
        var remark: String?
    }

    /// Reads the file at `path` and emits its documents, in order; those of a long file while it is being read.
    ///
    /// - Throws: `ExtractionProblem`, and what `emit` throws.
    func extract(_ path: String, emit: (Document) throws -> Void) throws -> Summary {
        let file = try FileStream(path: path, limit: limits.fileBytes)
        let (kind, remark) = try withoutActuallyEscaping(emit) { emit in
            let extraction = Extraction(self, of: file, receive: emit)
            return (try extraction.run(path), extraction.remark)
        }
        // The hash includes the bytes that a reader left unread.
        while try file.next() != nil {}
        guard file.isUnchanged, let hash = file.hash else { throw ExtractionProblem.changedWhileRead }
        return Summary(kind: kind, hash: hash, stamp: file.stamp, remark: remark)
    }

    /// The hash of a file's bytes and its stamp, without interpreting its content.
    func fingerprint(_ path: String) throws -> (hash: UInt64, stamp: FileStamp) {
        let file = try FileStream(path: path, limit: limits.fileBytes)
        while try file.next() != nil {}
        guard file.isUnchanged, let hash = file.hash else { throw ExtractionProblem.changedWhileRead }
        return (hash, file.stamp)
    }
}

// What finds the words of Japanese text and their readings: MeCab if the package is built with its trait MeCab;
// otherwise the system's tokenizer on Apple's platforms, and nothing elsewhere.

#if MeCab
    import ConcordanceMeCab

    typealias JapaneseDictionary = MeCabTagger

    extension MeCabTagger {
        /// Why there is no dictionary; nil if there is one.
        static var absence: String? { problem?.description }
    }
#elseif canImport(Darwin)
    typealias JapaneseDictionary = CoreFoundationTagger
#else
    /// Stands in for the missing dictionary.
    final class JapaneseDictionary {
        static let absence: String? =
            "this build has no dictionary of Japanese words; build it with the package's trait MeCab, for which Debian's "
            + "packages libmecab-dev and mecab-ipadic-utf8 are needed, or load the extension that Scripts/build-extension "
            + "--mecab makes"

        init() throws(Missing) { throw Missing() }

        func forEachReading(
            in text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, UnsafeBufferPointer<UInt8>) -> Void
        ) {}

        struct Missing: Error {}
    }
#endif

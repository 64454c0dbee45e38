#if canImport(Darwin) && !MeCab
    import CoreFoundation

    /// Finds the words of Japanese text and their readings with the tokenizer of Apple's systems. Its dictionary is
    /// that of their input methods, and changes with system versions.
    final class CoreFoundationTagger {
        static let absence: String? = nil
        static let longestText = 4096

        private let locale: CFLocale
        private var kana: [UInt8] = []

        init() throws(Missing) {
            let name: StaticString = "ja"
            guard
                let string = CFStringCreateWithBytes(
                    nil, name.utf8Start, name.utf8CodeUnitCount, CFStringBuiltInEncodings.UTF8.rawValue, false),
                let locale = CFLocaleCreate(nil, CFLocaleIdentifier(rawValue: string))
            else { throw Missing() }
            self.locale = locale
        }

        struct Missing: Error {}

        /// Calls `body` with the place in bytes of each word of a text in valid UTF-8, and its reading in kana, which
        /// is empty if there is none.
        func forEachReading(
            in text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, UnsafeBufferPointer<UInt8>) -> Void
        ) {
            guard let base = text.baseAddress, text.count > 0, text.count <= Self.longestText,
                let string = CFStringCreateWithBytes(
                    nil, base, text.count, CFStringBuiltInEncodings.UTF8.rawValue, false)
            else { return }
            let range = CFRange(location: 0, length: CFStringGetLength(string))
            guard
                let tokenizer = CFStringTokenizerCreate(nil, string, range, kCFStringTokenizerUnitWord, locale)
            else { return }
            // Ranges come in UTF-16, in order.
            var place = (utf16: 0, utf8: 0)
            func advance(to utf16: Int) -> Int {
                while place.utf16 < utf16, place.utf8 < text.count {
                    let length = StrictUTF8.decode(text, at: place.utf8).length
                    place.utf8 += length
                    place.utf16 += length == 4 ? 2 : 1
                }
                return place.utf8
            }
            while CFStringTokenizerAdvanceToNextToken(tokenizer).rawValue != 0 {
                let token = CFStringTokenizerGetCurrentTokenRange(tokenizer)
                let start = advance(to: token.location)
                let end = advance(to: token.location + token.length)
                let latin = CFStringTokenizerCopyCurrentTokenAttribute(
                    tokenizer, kCFStringTokenizerAttributeLatinTranscription)
                setKana(latin)
                kana.withUnsafeBufferPointer { body(start..<max(start, end), $0) }
            }
        }

        /// Sets `kana` to a transcription turned into katakana; to nothing if it is not a string.
        private func setKana(_ latin: CFTypeRef?) {
            kana.removeAll(keepingCapacity: true)
            guard let latin, CFGetTypeID(latin) == CFStringGetTypeID(),
                let letters = CFStringCreateMutableCopy(nil, 0, unsafeDowncast(latin, to: CFString.self))
            else { return }
            CFStringTransform(letters, nil, kCFStringTransformLatinKatakana, false)
            let length = CFStringGetLength(letters)
            let room = length * 3
            var used = 0
            kana.append(contentsOf: repeatElement(0, count: room))
            CFStringGetBytes(
                letters, CFRange(location: 0, length: length), CFStringBuiltInEncodings.UTF8.rawValue, 0, false, &kana,
                room, &used)
            kana.removeLast(room - used)
        }
    }
#endif

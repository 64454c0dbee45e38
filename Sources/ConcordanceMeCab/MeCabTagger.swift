#if MeCab

    import CMeCab

    /// Finds the words of Japanese text and their readings with MeCab (https://taku910.github.io/mecab) and its
    /// installed dictionary: IPADIC or UniDic.
    ///
    /// A tagger has memory of its own and is used for one text at a time. All taggers of a process share the
    /// dictionary, which is mapped into memory when the first one is created.
    public final class MeCabTagger {
        private let tagger: OpaquePointer
        private let lattice: OpaquePointer

        /// The greatest length of a text in bytes: the lattice grows with it.
        public static let longestText = 4096
        /// The most readings of a word: the one that its sentence suggests, and others in the dictionary.
        public static let readingLimit = 3
        /// How much more than the best reading another may cost, in MeCab's units: 日本 as ニホン costs 7,900 more, with
        /// IPADIC.
        private static let costLimit = 8500

        /// A tagger with the dictionary that MeCab's configuration names (`mecabrc`).
        ///
        /// - Throws: `MeCabError`.
        public init() throws(MeCabError) {
            let model = try MeCabModel.shared.get()
            guard let tagger = mecab_model_new_tagger(model.pointer) else { throw MeCabModel.error }
            guard let lattice = mecab_model_new_lattice(model.pointer) else {
                mecab_destroy(tagger)
                throw MeCabModel.error
            }
            (self.tagger, self.lattice) = (tagger, lattice)
        }

        deinit {
            mecab_lattice_destroy(lattice)
            mecab_destroy(tagger)
        }

        /// Why no tagger can be created; nil if one can.
        public static var problem: MeCabError? {
            if case .failure(let error) = MeCabModel.shared { error } else { nil }
        }

        /// Calls `body` with the range in bytes of each word of a text in valid UTF-8 and with a reading in UTF-8, as
        /// the dictionary spells it: once for each reading, the likeliest first, or once with an empty one if there is
        /// none. Does nothing if the text is too long.
        public func forEachReading(
            in text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, UnsafeBufferPointer<UInt8>) -> Void
        ) {
            guard let base = text.baseAddress, text.count > 0, text.count <= Self.longestText else { return }
            base.withMemoryRebound(to: CChar.self, capacity: text.count) { sentence in
                mecab_lattice_set_sentence2(lattice, sentence, text.count)
                defer { mecab_lattice_clear(lattice) }
                guard mecab_parse_lattice(tagger, lattice) != 0 else { return }
                var next = mecab_lattice_get_bos_node(lattice)?.pointee.next
                while let node = next, Int(node.pointee.stat) != Int(MECAB_EOS_NODE) {
                    next = node.pointee.next
                    guard let surface = node.pointee.surface else { continue }
                    let start = UnsafePointer(surface) - sentence
                    sendReadings(of: node, at: start..<start + Int(node.pointee.length), body)
                }
            }
        }

        private func sendReadings(
            of best: UnsafeMutablePointer<mecab_node_t>, at place: Range<Int>,
            _ body: (Range<Int>, UnsafeBufferPointer<UInt8>) -> Void
        ) {
            let first = Self.reading(best)
            var second = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            body(place, first)
            guard first.count > 0 else { return }
            // MeCab lists candidates by where they begin, including the space before them.
            let begin = place.lowerBound - Int(best.pointee.rlength - best.pointee.length)
            for _ in 1..<Self.readingLimit {
                var found: (reading: UnsafeBufferPointer<UInt8>, cost: Int)?
                var candidate = mecab_lattice_get_begin_nodes(lattice, begin)
                while let node = candidate {
                    candidate = node.pointee.bnext
                    let cost = Int(node.pointee.cost) - Int(best.pointee.cost)
                    guard node.pointee.length == best.pointee.length, Int(node.pointee.stat) == Int(MECAB_NOR_NODE),
                        cost <= min(Self.costLimit, found?.cost ?? Self.costLimit)
                    else { continue }
                    let reading = Self.reading(node)
                    if reading.count > 0, !reading.elementsEqual(first), !reading.elementsEqual(second) {
                        found = (reading, cost)
                    }
                }
                guard let found else { return }
                body(place, found.reading)
                second = found.reading
            }
        }

        /// The reading in the features of a word; empty if there is none.
        ///
        /// Features are separated by commas, and quoted if they contain some. IPADIC has nine, the eighth of which is
        /// the reading, or seven for unknown words. UniDic has 17 or more: the 21st is the reading in kana, or, if
        /// there are fewer, the tenth is the pronunciation.
        private static func reading(_ node: UnsafeMutablePointer<mecab_node_t>) -> UnsafeBufferPointer<UInt8> {
            let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            guard let feature = node.pointee.feature else { return none }
            var fields: (eighth: Range<Int>?, tenth: Range<Int>?, last: Range<Int>?) = (nil, nil, nil)
            var number = 0
            var start = 0
            var isQuoted = false
            var index = 0
            while true {
                let byte = feature[index]
                if byte == 0 || byte == CChar(UInt8(ascii: ",")) && !isQuoted {
                    switch number {
                    case 7: fields.eighth = start..<index
                    case 9: fields.tenth = start..<index
                    case 20: fields.last = start..<index
                    default: break
                    }
                    number += 1
                    start = index + 1
                    if byte == 0 { break }
                } else if byte == CChar(UInt8(ascii: "\"")) {
                    isQuoted.toggle()
                }
                index += 1
            }
            guard let place = fields.last ?? (number >= 17 ? fields.tenth : fields.eighth) else { return none }
            return UnsafeRawBufferPointer(start: feature + place.lowerBound, count: place.count)
                .bindMemory(to: UInt8.self)
        }
    }

    /// The dictionary, shared by all taggers.
    ///
    /// `@unchecked Sendable` because MeCab's documentation says that several threads may use a model at once, and
    /// nothing here changes it.
    private final class MeCabModel: @unchecked Sendable {
        let pointer: OpaquePointer

        private init(_ pointer: OpaquePointer) { self.pointer = pointer }

        /// Loaded once; stays loaded until the process ends.
        static let shared: Result<MeCabModel, MeCabError> = {
            guard let pointer = mecab_model_new2("") else { return .failure(error) }
            var dictionary = mecab_model_dictionary_info(pointer)
            while let info = dictionary {
                let characterSet = info.pointee.charset.map { String(cString: $0) } ?? ""
                guard ["utf-8", "utf8"].contains(characterSet.lowercased()) else {
                    let name = info.pointee.filename.map { String(cString: $0) } ?? ""
                    mecab_model_destroy(pointer)
                    return .failure(.notUTF8(dictionary: name, characterSet: characterSet))
                }
                dictionary = UnsafePointer(info.pointee.next)
            }
            return .success(MeCabModel(pointer))
        }()

        /// MeCab's message about its last failure.
        static var error: MeCabError {
            let message = mecab_strerror(nil).map { String(cString: $0) } ?? ""
            return .noDictionary(message: message.isEmpty ? "no reason given" : message)
        }
    }

#endif

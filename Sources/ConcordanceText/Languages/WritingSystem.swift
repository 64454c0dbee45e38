/// A script that helps to tell languages apart.
enum WritingSystem: UInt8, CaseIterable {
    case latin, greek, cyrillic, armenian, hebrew, arabic, devanagari, bengali, gurmukhi, gujarati, tamil, telugu,
        kannada, malayalam, thai, lao, burmese, khmer, hangul, han, kana

    /// The script of a letter or mark, by Unicode blocks; nil for a character of another script or of none.
    static func of(_ scalar: UInt32) -> WritingSystem? {
        switch scalar {
        case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF: .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: .greek
        case 0x400...0x52F: .cyrillic
        case 0x531...0x58F: .armenian
        case 0x591...0x5F4: .hebrew
        case 0x620...0x65F, 0x66E...0x6D3, 0x750...0x77F: .arabic
        case 0x900...0x963, 0x970...0x97F: .devanagari
        case 0x980...0x9FF: .bengali
        case 0xA00...0xA7F: .gurmukhi
        case 0xA80...0xAFF: .gujarati
        case 0xB80...0xBFF: .tamil
        case 0xC00...0xC7F: .telugu
        case 0xC80...0xCFF: .kannada
        case 0xD00...0xD7F: .malayalam
        case 0xE01...0xE4E: .thai
        case 0xE81...0xECD: .lao
        case 0x1000...0x109F, 0xA9E0...0xA9FE, 0xAA60...0xAA7F: .burmese
        case 0x1780...0x17DD: .khmer
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7FF: .hangul
        case 0x3041...0x30FF, 0x31F0...0x31FF: .kana
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: .han
        default: nil
        }
    }

    /// How much a letter counts against those of other scripts: a Chinese word has about two letters, one in Latin
    /// script six.
    var letterWeight: Int {
        switch self {
        case .han, .kana: 3
        case .hangul: 2
        default: 1
        }
    }
}

extension TextLanguage {
    /// The scripts in which the language is written.
    var writingSystems: [WritingSystem] {
        switch self {
        case .arabic, .persian, .urdu: [.arabic]
        case .armenian: [.armenian]
        case .bengali: [.bengali]
        case .bulgarian, .russian, .ukrainian: [.cyrillic]
        case .burmese: [.burmese]
        case .chinese: [.han]
        case .greek: [.greek]
        case .gujarati: [.gujarati]
        case .hebrew, .yiddish: [.hebrew]
        case .hindi, .marathi, .nepali: [.devanagari]
        case .japanese: [.kana, .han]
        case .kannada: [.kannada]
        case .khmer: [.khmer]
        case .korean: [.hangul, .han]
        case .lao: [.lao]
        case .malayalam: [.malayalam]
        case .punjabi: [.gurmukhi]
        case .serbian: [.cyrillic, .latin]
        case .tamil: [.tamil]
        case .telugu: [.telugu]
        case .thai: [.thai]
        default: [.latin]
        }
    }
}

@testable import ConcordanceText
import TestSupport
import Testing

@Suite("The language of a text is guessed")
struct LanguageGuesserTests {
    static let sentences: [(TextLanguage, String)] = [
        (.arabic, "وصل القطار إلى المحطة متأخرا بسبب الثلوج التي تساقطت في الليل، وكان المسافرون ينتظرون في البرد."),
        (.armenian, "Գնացքը ուշացավ ձյան պատճառով, և ուղևորները սպասում էին կայարանում:"),
        (.basque, "Trena berandu iritsi zen elurra zela eta, eta bidaiariak geltokian zain egon ziren hotzetan."),
        (
            .bulgarian,
            "Влакът пристигна със закъснение заради снега, който валя през нощта, и пътниците чакаха на гарата."
        ),
        (.burmese, "ရထားသည် နှင်းကြောင့် နောက်ကျခဲ့သည်။"),
        (
            .catalan,
            "El tren va arribar amb retard a causa de la neu que havia caigut durant la nit, i els passatgers esperaven."
        ),
        (.chinese, "由于夜里下雪，火车晚点到达，旅客们在寒冷的车站等候。"),
        (.czech, "Vlak přijel se zpožděním kvůli sněhu, který napadl v noci, a cestující čekali na nádraží."),
        (
            .danish,
            "Toget kom for sent på grund af sneen, som faldt om natten, og de rejsende ventede på stationen i kulden."
        ),
        (
            .dutch,
            "De trein kwam te laat aan door de sneeuw die 's nachts was gevallen, en de reizigers wachtten op het station."
        ),
        (
            .english,
            "The train arrived late because of the snow that had fallen during the night, and the passengers were waiting."
        ),
        (
            .esperanto,
            "La trajno alvenis malfrue pro la neĝo, kiu falis dum la nokto, kaj la vojaĝantoj atendis en la stacidomo."
        ),
        (.estonian, "Rong jõudis öösel sadanud lume tõttu hilinemisega kohale ja reisijad ootasid jaamas külma käes."),
        (.finnish, "Juna saapui myöhässä yöllä sataneen lumen takia, ja matkustajat odottivat asemalla kylmässä."),
        (
            .french,
            "Le train est arrivé en retard à cause de la neige tombée pendant la nuit, et les voyageurs attendaient à la gare."
        ),
        (
            .german,
            "Der Zug kam wegen des Schnees, der in der Nacht gefallen war, zu spät an, und die Reisenden warteten am Bahnhof."
        ),
        (.greek, "Το τρένο έφτασε αργά εξαιτίας του χιονιού που έπεσε τη νύχτα."),
        (.hebrew, "הרכבת הגיעה באיחור בגלל השלג שירד בלילה, והנוסעים חיכו בתחנה בקור."),
        (.hindi, "रात में गिरी बर्फ के कारण ट्रेन देर से पहुँची और यात्री ठंड में स्टेशन पर इंतज़ार कर रहे थे।"),
        (
            .hungarian,
            "A vonat az éjszaka leesett hó miatt késve érkezett, és az utasok a hidegben várakoztak az állomáson."
        ),
        (
            .indonesian,
            "Kereta tiba terlambat karena salju yang turun pada malam hari, dan para penumpang menunggu di stasiun."
        ),
        (
            .irish,
            "Tháinig an traein go mall mar gheall ar an sneachta a thit i rith na hoíche, agus bhí na paisinéirí ag fanacht."
        ),
        (
            .italian,
            "Il treno è arrivato in ritardo a causa della neve caduta durante la notte, e i viaggiatori aspettavano in stazione."
        ),
        (.japanese, "夜に降った雪のために列車は遅れて到着し、乗客は寒い駅で待っていました。"),
        (.khmer, "រថភ្លើងមកដល់យឺតដោយសារព្រិល។"),
        (.korean, "밤에 내린 눈 때문에 기차가 늦게 도착했고 승객들은 추운 역에서 기다렸다."),
        (.lao, "ລົດໄຟມາຮອດຊ້າຍ້ອນຫິມະ"),
        (.lithuanian, "Traukinys atvyko pavėluotai dėl naktį iškritusio sniego, o keleiviai laukė šaltoje stotyje."),
        (.nepali, "राति परेको हिउँका कारण रेल ढिलो आइपुग्यो र यात्रुहरूले चिसोमा स्टेसनमा पर्खिरहेका थिए।"),
        (
            .norwegian,
            "Toget kom for sent fordi det hadde falt mye snø om natten, og passasjerene måtte vente utenfor stasjonen."
        ),
        (.persian, "قطار به خاطر برفی که شب گذشته باریده بود دیر رسید و مسافران در سرما در ایستگاه منتظر بودند."),
        (.polish, "Pociąg przyjechał z opóźnieniem z powodu śniegu, który spadł w nocy, a podróżni czekali na dworcu."),
        (
            .portuguese,
            "O trem chegou atrasado por causa da neve que caiu durante a noite, e os passageiros esperavam na estação."
        ),
        (
            .romanian,
            "Trenul a sosit cu întârziere din cauza zăpezii căzute în timpul nopții, iar călătorii așteptau în gară."
        ),
        (.russian, "Поезд прибыл с опозданием из-за снега, который выпал ночью, и пассажиры ждали на вокзале."),
        (.serbian, "Воз је стигао касно због снега који је пао током ноћи, а путници су чекали на станици."),
        (.serbian, "Voz je stigao kasno zbog snega koji je pao tokom noći, a putnici su čekali na stanici u hladnoći."),
        (
            .spanish,
            "El tren llegó con retraso por la nieve que había caído durante la noche, y los viajeros esperaban en la estación."
        ),
        (
            .swedish,
            "Tåget kom för sent på grund av snön som hade fallit under natten, och resenärerna väntade på stationen."
        ),
        (.tamil, "இரவில் பெய்த பனியால் ரயில் தாமதமாக வந்தது."),
        (.thai, "รถไฟมาถึงช้าเพราะหิมะที่ตกเมื่อคืน"),
        (.turkish, "Gece yağan kar nedeniyle tren geç geldi ve yolcular soğukta istasyonda bekliyordu."),
        (.ukrainian, "Потяг прибув із запізненням через сніг, який випав уночі, і пасажири чекали на вокзалі."),
        (.vietnamese, "Tàu đến muộn vì tuyết rơi trong đêm, và hành khách phải chờ ở nhà ga trong giá lạnh."),
        (.bengali, "রাতে তুষারপাতের কারণে ট্রেন দেরিতে এসেছে এবং যাত্রীরা স্টেশনে অপেক্ষা করছিল।"),
        (.gujarati, "રાત્રે પડેલા બરફને કારણે ટ્રેન મોડી આવી અને મુસાફરો સ્ટેશન પર રાહ જોતા હતા."),
        (.kannada, "ರಾತ್ರಿ ಬಿದ್ದ ಹಿಮದಿಂದಾಗಿ ರೈಲು ತಡವಾಗಿ ಬಂದಿತು ಮತ್ತು ಪ್ರಯಾಣಿಕರು ನಿಲ್ದಾಣದಲ್ಲಿ ಕಾಯುತ್ತಿದ್ದರು."),
        (.malayalam, "രാത്രിയിൽ പെയ്ത മഞ്ഞ് കാരണം ട്രെയിൻ വൈകി എത്തി, യാത്രക്കാർ സ്റ്റേഷനിൽ കാത്തുനിന്നു."),
        (.marathi, "रात्री पडलेल्या बर्फामुळे गाडी उशिरा आली आणि प्रवासी स्थानकाच्या बाहेर वाट पाहत होते."),
        (.punjabi, "ਰਾਤ ਨੂੰ ਪਈ ਬਰਫ਼ ਕਾਰਨ ਰੇਲਗੱਡੀ ਦੇਰ ਨਾਲ ਆਈ ਅਤੇ ਯਾਤਰੀ ਸਟੇਸ਼ਨ ਤੇ ਉਡੀਕ ਕਰ ਰਹੇ ਸਨ।"),
        (.telugu, "రాత్రి కురిసిన మంచు కారణంగా రైలు ఆలస్యంగా వచ్చింది, ప్రయాణికులు స్టేషన్లో వేచి ఉన్నారు."),
        (.urdu, "رات کو برف باری کی وجہ سے ٹرین دیر سے پہنچی اور مسافر اسٹیشن پر انتظار کر رہے تھے۔"),
        (.yiddish, "די באַן איז געקומען שפּעט צוליב דעם שניי וואָס איז געפֿאַלן בײַ נאַכט."),
    ]

    private static func guess(_ text: String, among languages: [TextLanguage]) -> TextLanguage {
        var text = text
        return text.withUTF8 { languages[LanguageGuesser(languages).guess($0)] }
    }

    @Test func `each language has a sentence`() {
        #expect(Set(Self.sentences.map(\.0)) == Set(TextLanguage.allCases))
    }

    @Test(arguments: sentences)
    func `a sentence is in its language, of all there are`(language: TextLanguage, text: String) {
        #expect(Self.guess(text, among: TextLanguage.allCases) == language)
        #expect(Self.guess(text.uppercased(), among: TextLanguage.allCases.reversed()) == language)
    }

    @Test func `texts that tell nothing are in the first language`() {
        for text in ["", " ", "2041", "12:30 — …", "\u{0}", "ქართული", "🙂🙂"] {
            #expect(Self.guess(text, among: [.french, .german, .russian]) == .french, "\(text)")
        }
    }

    @Test func `of two scripts, that of most letters counts`() {
        #expect(Self.guess("Статья о Node.js и SQLite на русском", among: [.english, .russian]) == .russian)
        #expect(Self.guess("Release notes for the Привет project", among: [.russian, .english]) == .english)
        #expect(Self.guess("SQLite全文検索エンジンの使い方", among: [.english, .chinese, .japanese]) == .japanese)
        #expect(Self.guess("SQLite 全文搜索引擎的使用方法", among: [.english, .japanese, .chinese]) == .chinese)
    }

    @Test func `only the beginning of a text counts`() {
        let german = Self.sentences.first { $0.0 == .german }?.1 ?? ""
        let french = Self.sentences.first { $0.0 == .french }?.1 ?? ""
        let beginning = String(repeating: german + " ", count: 12)
        #expect(beginning.utf8.count > LanguageGuesser.window)
        #expect(
            Self.guess(beginning + String(repeating: french, count: 100), among: [.french, .german]) == .german)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any bytes are in some language, always in the same`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...3000, using: &generator)
        let bytes = (0..<count).map { _ in
            Bool.random(using: &generator)
                ? UInt8.random(in: 0...255, using: &generator) : UInt8.random(in: 0xC0...0xFF, using: &generator)
        }
        let languages = TextLanguage.allCases.shuffled(using: &generator).prefix(5)
        let guesser = LanguageGuesser(Array(languages))
        let guesses = (0..<2).map { _ in bytes.withUnsafeBufferPointer { guesser.guess($0) } }
        #expect(languages.indices.contains(guesses[0]) && guesses[0] == guesses[1])
    }
}

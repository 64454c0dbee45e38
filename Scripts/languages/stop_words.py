#!/usr/bin/env python3
"""Makes Sources/ConcordanceText/Analyzer/StopWordTables.swift: the words of each language that say nothing of what a
text is about.

usage: Scripts/languages/stop_words.py FOLDER

FOLDER holds the sources by their names: Universal Dependencies treebanks (UD_French-GSD, ...; the parts dev and test
are read, or all where there is one only) and the repository snowball-website of the Snowball project, whose lists of
stop words have a 3-clause BSD licence. Git repositories without a work tree do, too: FOLDER/OWNER+NAME/repo.

A word is a stop word where the treebank has it as a function word (adposition, auxiliary, conjunction, determiner,
particle, pronoun, or anything pronominal) in most places, and often enough; so is what Snowball lists, and the words
below: interrogatives, which questions are full of and treebanks of news are not, and the function words of languages
without a free treebank, which we wrote down ourselves.
"""

import collections
import pathlib
import re
import subprocess
import sys

OUTPUT = pathlib.Path(__file__).parents[2] / "Sources/ConcordanceText/Analyzer/StopWordTables.swift"

# The language, the treebank and its licence.
TREEBANKS = [
    ("ar", "Arabic-PUD", "CC BY-SA 3.0"), ("hy", "Armenian-ArmTDP", "CC BY-SA 4.0"), ("cs", "Czech-CAC", "CC BY-SA 4.0"),
    ("da", "Danish-DDT", "CC BY-SA 4.0"), ("nl", "Dutch-Alpino", "CC BY-SA 4.0"), ("eo", "Esperanto-Prago", "CC BY-SA 4.0"),
    ("fi", "Finnish-TDT", "CC BY-SA 4.0"), ("fr", "French-GSD", "CC BY-SA 4.0"), ("de", "German-GSD", "CC BY-SA 4.0"),
    ("el", "Greek-GUD", "CC BY-SA 4.0"), ("he", "Hebrew-IAHLTwiki", "CC BY-SA 4.0"), ("hi", "Hindi-PUD", "CC BY-SA 3.0"),
    ("id", "Indonesian-GSD", "CC BY-SA 4.0"), ("ga", "Irish-IDT", "CC BY-SA 3.0"), ("it", "Italian-PUD", "CC BY-SA 3.0"),
    ("lt", "Lithuanian-ALKSNIS", "CC BY-SA 4.0"), ("no", "Norwegian-Bokmaal", "CC BY-SA 4.0"),
    ("fa", "Persian-PerDT", "CC BY-SA 4.0"), ("pl", "Polish-PUD", "CC BY-SA 4.0"), ("pt", "Portuguese-Bosque", "CC BY-SA 4.0"),
    ("ro", "Romanian-RRT", "CC BY-SA 4.0"), ("ru", "Russian-GSD", "CC BY-SA 4.0"), ("sr", "Serbian-SET", "CC BY-SA 4.0"),
    ("es", "Spanish-GSD", "CC BY-SA 4.0"), ("sv", "Swedish-Talbanken", "CC BY-SA 4.0"), ("ta", "Tamil-MWTT", "CC BY-SA 4.0"),
    ("tr", "Turkish-Kenet", "CC BY-SA 4.0"), ("uk", "Ukrainian-ParlaMint", "CC BY-SA 4.0"),
    ("yi", "Yiddish-YiTB", "CC BY-SA 4.0"), ("vi", "Vietnamese-VTB", "CC BY-SA 4.0"),
]

SNOWBALL = {
    "da": "danish", "nl": "dutch", "fi": "finnish", "fr": "french", "de": "german", "hu": "hungarian", "it": "italian",
    "no": "norwegian", "pt": "portuguese", "ru": "russian", "es": "spanish", "sv": "swedish",
}

# How TextLanguage calls the languages.
NAMES = {
    "ar": "arabic", "bg": "bulgarian", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "he": "hebrew", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "uk": "ukrainian",
    "vi": "vietnamese", "yi": "yiddish", "bn": "bengali", "gu": "gujarati", "kn": "kannada", "ml": "malayalam",
    "mr": "marathi", "pa": "punjabi", "te": "telugu", "ur": "urdu",
}  # fmt: skip

FUNCTION_WORDS = {"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"}
LEAST_COUNT = 4
LEAST_SHARE = 0.6
LONGEST_LIST = 140

OURS = {
    "bn": "এবং ও আর কিন্তু বা অথবা যদি তবে তাহলে কারণ যে যা যার যাকে যেমন যখন তখন এখন কখন কোথায় কেন কীভাবে কী কি কে কার "
    "কাকে কোন কত আমি আমার আমাকে আমরা আমাদের তুমি তোমার আপনি আপনার সে তার তাকে তারা তাদের তিনি এই এটা এটি ওই সেই সেটা "
    "এর এ না নয় নেই হয় হয়ে হয়েছে হয়েছিল ছিল ছিলেন আছে হবে করে করা করেন করেছে করেছেন থেকে জন্য সঙ্গে সাথে মধ্যে "
    "উপর দিয়ে পর্যন্ত পরে আগে প্রতি সব সকল কিছু অনেক আরও খুব শুধু একটি এক একটা",
    "gu": "અને કે પણ પરંતુ અથવા જો તો કારણ જે જેમ જ્યારે ત્યારે હવે ક્યારે ક્યાં કેમ કેવી રીતે શું કોણ કોને કોનું કયા કયું "
    "કેટલા હું મારું મને અમે અમારું તું તમે તમારું તે તેણે તેને તેનો તેની તેનું તેના તેઓ તેમના આ એ એક આવી એવું ના "
    "નહીં નથી છે છીએ છો હતો હતી હતું હતા હોય થાય થયું થયો કરે કરી કરવા માટે સાથે પર થી માં ને નો ની નું સુધી પછી "
    "પહેલાં દ્વારા બધા કોઈ કંઈ ઘણા વધુ ખૂબ માત્ર જ",
    "kn": "ಮತ್ತು ಹಾಗೂ ಆದರೆ ಅಥವಾ ಆದ್ದರಿಂದ ಏಕೆಂದರೆ ಎಂದು ಎಂಬ ಯಾವ ಯಾವಾಗ ಎಲ್ಲಿ ಏಕೆ ಹೇಗೆ ಏನು ಯಾರು ಯಾರ ಎಷ್ಟು ನಾನು ನನ್ನ ನನಗೆ ನಾವು "
    "ನಮ್ಮ ನೀನು ನಿನ್ನ ನೀವು ನಿಮ್ಮ ಅವನು ಅವಳು ಅವರು ಅವರ ಅದು ಅದರ ಇದು ಇದರ ಈ ಆ ಅವು ಇವು ಒಂದು ಇಲ್ಲ ಅಲ್ಲ ಇದೆ ಇದ್ದ ಇದ್ದರು ಇವೆ "
    "ಆಗಿದೆ ಆಗಿ ಆಗುತ್ತದೆ ಆಯಿತು ಮಾಡಿ ಮಾಡಿದ ಗೆ ಗಾಗಿ ಮೇಲೆ ಕೆಳಗೆ ಜೊತೆ ಬಗ್ಗೆ ವರೆಗೆ ನಂತರ ಮೊದಲು ಎಲ್ಲಾ ಕೆಲವು ಹೆಚ್ಚು ತುಂಬಾ "
    "ಮಾತ್ರ ಸಹ ಕೂಡ",
    "ml": "ഒരു ഈ ആ എന്ന എന്ന് എന്നാൽ അല്ലെങ്കിൽ കൂടി കൂടെ പക്ഷേ കാരണം എങ്കിൽ ആണ് അല്ല ഇല്ല ഉണ്ട് ആയിരുന്നു ആയ ആകുന്നു ഏത് "
    "എപ്പോൾ എവിടെ എന്തുകൊണ്ട് എങ്ങനെ എന്ത് ആര് ആരുടെ എത്ര ഞാൻ എന്റെ എനിക്ക് ഞങ്ങൾ നമ്മൾ നമ്മുടെ നീ നിന്റെ നിങ്ങൾ "
    "നിങ്ങളുടെ അവൻ അവൾ അവർ അവരുടെ അത് അതിന്റെ ഇത് ഇതിന്റെ അവ ഇവ അവിടെ ഇവിടെ വേണ്ടി മുതൽ വരെ ശേഷം മുമ്പ് മേൽ കുറിച്ച് "
    "എല്ലാ ചില കൂടുതൽ വളരെ മാത്രം തന്നെ പോലെ ഉള്ള ചെയ്ത ചെയ്തു",
    "mr": "आणि व पण परंतु किंवा जर तर कारण की जे जो जी ज्या जेव्हा तेव्हा आता केव्हा कधी कुठे का कसे कशी कसा काय कोण कोणी "
    "कोणाला कोणते कोणता कोणती किती मी माझा माझी माझे मला आम्ही आमचा तू तुझा तुम्ही तुमचा तो ती ते त्या त्याने तिने "
    "त्याचा त्याची त्यांचा त्यांनी त्यांना हा ही हे ह्या या एक नाही नाहीत आहे आहेत होता होती होते असे असा अशी असून "
    "केले केली करून करण्यात साठी मध्ये वर पासून पर्यंत नंतर आधी सर्व काही अनेक अधिक फक्त तसेच देखील",
    "pa": "ਅਤੇ ਤੇ ਪਰ ਜਾਂ ਜੇ ਤਾਂ ਕਿਉਂਕਿ ਕਿ ਜੋ ਜਿਸ ਜਦੋਂ ਤਦ ਹੁਣ ਕਦੋਂ ਕਿੱਥੇ ਕਿਉਂ ਕਿਵੇਂ ਕੀ ਕੌਣ ਕਿਸ ਕਿਸਨੂੰ ਕਿਹੜਾ ਕਿਹੜੀ ਕਿੰਨੇ ਮੈਂ "
    "ਮੇਰਾ ਮੇਰੀ ਮੈਨੂੰ ਅਸੀਂ ਸਾਡਾ ਸਾਡੇ ਤੂੰ ਤੇਰਾ ਤੁਸੀਂ ਤੁਹਾਡਾ ਉਹ ਉਸ ਉਸਦਾ ਉਹਨਾਂ ਉਨ੍ਹਾਂ ਇਹ ਇਸ ਇਹਨਾਂ ਇੱਕ ਨਾ ਨਹੀਂ ਹੈ ਹਨ ਹਾਂ "
    "ਹੋ ਸੀ ਸਨ ਸਕਦਾ ਹੋਇਆ ਹੋਈ ਕਰ ਕਰਨ ਕੀਤਾ ਕੀਤੀ ਗਿਆ ਦਾ ਦੀ ਦੇ ਦੀਆਂ ਨੂੰ ਨੇ ਵਿੱਚ ਵਿਚ ਨਾਲ ਲਈ ਉੱਤੇ ਤੋਂ ਤੱਕ ਬਾਅਦ ਪਹਿਲਾਂ ਸਾਰੇ "
    "ਸਭ ਕੁਝ ਕਈ ਬਹੁਤ ਹੋਰ ਵੀ ਹੀ",
    "te": "మరియు కానీ లేదా అయితే ఎందుకంటే అని అనే ఏ ఎప్పుడు ఎక్కడ ఎందుకు ఎలా ఏమి ఎవరు ఎవరి ఎంత ఎన్ని నేను నా నాకు మేము మన "
    "మా నువ్వు నీ మీరు మీ అతను అతని ఆమె వారు వారి అది దాని ఇది దీని ఈ ఆ అవి ఇవి ఒక లేదు కాదు ఉంది ఉన్నాయి ఉన్న "
    "ఉన్నారు ఉండే అయింది అయ్యింది చేసిన చేసే కోసం తో లో కి కు ను పై మీద కింద నుండి నుంచి వరకు తర్వాత ముందు గురించి "
    "ద్వారా అన్ని కొన్ని చాలా మాత్రమే కూడా గా",
    "ur": "اور مگر لیکن یا اگر تو کیونکہ کہ جو جس جسے جب تب اب کب کہاں کیوں کیسے کیا کون کس کسے کونسا کتنا کتنے کتنی میں "
    "میرا میری مجھے ہم ہمارا ہمارے تم تمہارا آپ آپکا وہ اس اسے ان انہیں انہوں یہ ایک نہیں نہ ہے ہیں ہوں ہو تھا تھی "
    "تھے تھیں ہوا ہوئی ہوئے گا گی گے کر کرنے کیے گیا گئی گئے کا کی کے کو نے سے پر تک لیے ساتھ بعد پہلے سب کچھ کوئی "
    "کئی بہت زیادہ بھی ہی صرف",
    "ar": "ماذا متى أين كيف كم لماذا أية أيها ولا وهو وهي وفي ومن وعلى وقد وكان وكانت فيه فيها منه منها عليه عليها له لها لهم به بها "
    "بهم إليه إليها عنه عنها إنه أنه أنها كانا يكون تكون سوف ليست أيضا اللذان اللاتي الذان مما وما كما بأن لأن",
    "hy": "ով ինչ երբ որտեղ ինչու ինչպես որքան ինչպիսի",
    "eu": "eta edo baina ere ez bai da dira zen ziren du dute zuen zuten dago daude zegoen izan izango egin den direla dela dena "
    "nor nork nori noren zer zein zeintzuk noiz non nora nondik nola zergatik zenbat zeren ni zu hura gu zuek haiek nire zure bere "
    "gure zuen haien hau hori hauek horiek honek horrek hark honen horren haren honetan horretan hartan bat batek baten batean "
    "batzuk beste bestea dituen ditu dituzte zituen naiz zara gara zarete dut duzu dugu behar ahal bezala baino arte artean "
    "gain gainean azpian barruan kanpo aurrean atzean ondoren aurretik bitartean gabe buruz alde kontra arabera gisa beraz ordea "
    "baita bada oso hain oraindik jada guztiak guztien asko gehiago gutxi edozein inor ezer ba al ote",
    "bg": "и в във на с със за от до по към при без между над под пред през след преди около срещу според чрез освен върху "
    "а но или ала че да не ни нито ако когато докато защото понеже тъй като както също само още вече се си съм си е сме сте са "
    "бях беше бяха бил била било били бъде бъдат ще няма нямаше би бих биха аз ти той тя то ние вие те мен мене теб него нея нас "
    "вас тях ме те го я ми му им ги мой моя моят моята твой твоя негов негова негово неговата неговия неин нейна наш наша ваш техен "
    "техни свой своя своята свои този тази това тези онзи онази онова такъв такава такова такива кой коя кое кои кого кому чий чия "
    "който която което които какъв каква какво какви кога къде защо как колко чиито някой някоя някои нещо никой нищо всеки всяка "
    "всяко всички всичко друг друга друго други един една едно едни ли бе де пак ето там тук тогава така много повече най по-",
    "ca": "el la els les lo l un una uns unes de d del dels a al als en per pels pel amb sense sobre sota entre fins des cap contra "
    "segons durant mitjançant i o ni però sinó que què si perquè com quan mentre doncs on qui quin quina quins quines qual quals "
    "quant quanta quants quantes per què jo tu ell ella nosaltres vosaltres ells elles em et es s ens us li els hi ho n ne me te se "
    "meu meva meus meves teu teva seu seva seus seves nostre nostra nostres vostre vostra llur llurs mon ma ton ta son sa aquest "
    "aquesta aquests aquestes aquell aquella aquells aquelles això allò aquí allà és són era eren fou foren ser sigut estat està "
    "estan estava estaven sigui siguin serà seran seria ha han havia havien hem heu he hi haver tenia té tenen va van vam vas vau "
    "pot poden podia no sí més molt molta molts moltes poc tot tota tots totes cada altre altra altres algun alguna alguns algunes "
    "cap mateix mateixa també només ja encara així tan tant abans després",
    "cs": "kdo koho komu co čeho čemu kdy kde kam odkud proč jak kolik čí jaký jaká jaké jací",
    "da": "hvem hvad hvilken hvilket hvilke hvornår hvor hvordan hvorfor hvis",
    "de": "wer wen wem wessen was welche welcher welches welchen welchem wann wo wie warum wieso weshalb wohin woher wieviel",
    "el": "ποιος ποια ποιο ποιοι ποιες ποιους ποιον ποιας ποιου ποιων τι πότε πού πώς γιατί πόσο πόσος πόση πόσα πόσοι πόσες "
    "στο στη στην στον στα στους στις στου στης",
    "eo": "kio kion kiu kiun kie kien kiam kial kiel kiom kia kiaj kies",
    "es": "qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas por",
    "et": "ja või aga kuid ehk ega ning et kui sest kuigi nagu siis ka ei mitte on oli olid olen oled oleme olete olnud olema olla "
    "oleks pole polnud saab sai võib peab tuleb mina sina tema meie teie nemad ma sa ta me te nad minu sinu tema meie teie nende "
    "oma mind sind teda meid teid neid mulle sulle talle meile teile neile see selle seda sellest selles sellel sellega need nende "
    "neist too kes kelle keda kellele mis mille mida millest milles millal kus kuhu kust kuidas miks mitu kui palju milline millised "
    "missugune kumb kõik kõige iga mõni mõned keegi miski midagi teine teised teise sama üks ühe enne pärast peale alla all üle läbi "
    "kuni koos ilma vastu kohta juures jaoks eest järel vahel poolt ainult juba veel väga nii seal siin",
    "fa": "چه چی کی کجا چگونه چطور چرا چقدر کدام کیست چیست شد شده می های ها ای هم",
    "fi": "kuka ketkä kenen ketä mikä mitkä minkä mitä missä mistä mihin milloin miten miksi kuinka montako millainen",
    "fr": "quel quelle quels quelles qui quoi où quand comment pourquoi combien",
    "ga": "cé cad cathain cá conas cén cárb cérb céard cé mhéad",
    "he": "מה מי מתי איפה היכן איך כיצד למה מדוע כמה איזה איזו אילו לאן מאין האם הזאת הזו הללו אני אתה את אנחנו אתם",
    "hi": "क्या कौन कब कहाँ कहां कैसे क्यों कितना कितने कितनी किस किसे किसने किसका किसकी किसके कौनसा होता होती होते हुए हुआ हुई "
    "करने करता करते करती किया किए दिया",
    "hu": "ki kit kinek mi mit minek mikor hol hová honnan miért hogyan mennyi hány melyik milyen",
    "id": "apa siapa kapan dimana bagaimana mengapa kenapa berapa mana manakah siapakah berapakah kapankah",
    "it": "chi cosa quale quali quando dove come perché quanto quanta quanti quante",
    "lt": "kas ką ko kam kada kur kaip kodėl kiek koks kokia kokie kokios kokį kokią kokiu kuris kuri kurie",
    "ne": "र वा तर पनि नै त छ छन् छु हो हुन् हुन् थियो थिए थिएन हुने हुन्छ हुन्छन् भएको भएका भयो भए गरेको गर्ने गर्न म तिमी "
    "तपाईं ऊ उनी उनले हामी हाम्रो मेरो तिम्रो उसको उनको उनीहरू यो त्यो यी ती यस त्यस यसको त्यसको यसले त्यसले यहाँ त्यहाँ को का की ले "
    "लाई मा बाट देखि सम्म सँग संग लागि बारे भन्दा अनुसार द्वारा के कुन किन कसरी कहाँ कहिले कति कसले कसलाई कसको कुनै केही सबै "
    "हरेक अन्य अर्को एक धेरै अझै मात्र भने भनेर जो जुन जब जसले जसको यदि किनभने",
    "nl": "wie wat welke welk wanneer waar hoe waarom hoeveel",
    "no": "hvem hva hvilken hvilket hvilke når hvor hvordan hvorfor",
    "pl": "kto kogo komu kim co czego czemu czym kiedy gdzie dokąd skąd jak dlaczego ile ilu jaki jaka jakie jacy który czyj",
    "pt": "quem qual quais quando onde como porque porquê quanto quanta quantos quantas",
    "ro": "cine ce care când unde cum cât câtă câți câte cui cărui cărei căror s au",
    "ru": "кто кого кому кем что чего чему чем какой какая какое какие какого каких каким какую какими каком когда где куда откуда "
    "почему зачем как сколько чей чья чьё чьи",
    "sr": "ko koga kome šta što čega kada gde kuda zašto kako koliko čiji čija",
    "sv": "vem vad vilken vilket vilka när var hur varför vars",
    "ta": "என்ன யார் எப்போது எங்கே எங்கு எப்படி ஏன் எத்தனை எவ்வளவு எந்த எது எவை ஒரு மற்றும் ஆகும் உள்ள என்று என இல்லை அல்லது போன்ற "
    "மூலம் பற்றி போது வரை அதன் இதன் அவர் இவர் அவை இவை அதை இதை ஆனால் கொண்டு இருந்து இருந்த இருக்கும்",
    "tr": "ne kim kimi kime kimin hangi hangisi nerede nereye nereden nasıl neden niçin niye kaç kadar olan olarak olduğu olduğunu "
    "idi edilen tarafından",
    "uk": "хто кого кому ким що чого чому чим який яка яке які якого якої яких коли де куди звідки як скільки чий чия чиє чиї",
    "vi": "ai gì nào bao nhiêu đâu sao khi thế là có không được đã đang sẽ bị một nhiều cũng vào ra lại nhất",
    "yi": "ווער וועמען וואָס ווען וווּ וואו ווי פֿאַרוואָס וויפֿל וועלכער וועלכע וועלכן",
}  # fmt: skip


def read(folder, owner, name, path):
    """The text of a file of a source; None where there is no such file."""
    file = folder / name / path
    if file.exists():
        return file.read_text(encoding="utf-8")
    shown = subprocess.run(
        ["git", "--git-dir", folder / f"{owner}+{name}" / "repo", "show", f"HEAD:{path}"], capture_output=True
    )
    return shown.stdout.decode("utf-8") if shown.returncode == 0 else None


def function_words(folder, code, treebank):
    """The words of a treebank that are function words in most places, the most frequent first."""
    name = f"UD_{treebank}"
    stem = f"{code}_{treebank.split('-')[1].lower()}-ud"
    parts = [read(folder, "UniversalDependencies", name, f"{stem}-{part}.conllu") for part in ("dev", "test", "train")]
    texts = [part for part in parts[:2] if part] if parts[0] else [part for part in parts[1:] if part]
    if not texts:
        sys.exit(f"{folder} has no treebank {name}")
    counts, function_counts = collections.Counter(), collections.Counter()
    joined = None
    for line in "\n".join(texts).split("\n"):
        columns = line.split("\t")
        if len(columns) != 10 or "." in columns[0]:
            continue
        if "-" in columns[0]:
            # One word that is several by the treebank: a function word if all of them are.
            joined = [int(columns[0].split("-")[1]), columns[1], True]
            continue
        word, is_function = columns[1], columns[3] in FUNCTION_WORDS or "PronType=" in columns[5]
        if joined:
            joined[2] = joined[2] and is_function
            if int(columns[0]) < joined[0]:
                continue
            word, is_function, joined = joined[1], joined[2], None
        word = word.lower().replace("’", "'")
        counts[word] += 1
        function_counts[word] += is_function
    return [
        word
        for word, count in counts.most_common()
        if function_counts[word] >= max(LEAST_COUNT, LEAST_SHARE * count) and is_word(word)
    ][:LONGEST_LIST]


def is_word(word):
    return not any(char.isdigit() or char in ' _.,:;"-()[]%/&' for char in word) and any(char.isalpha() for char in word)


def snowball_words(folder, language):
    text = read(folder, "snowballstem", "snowball-website", f"algorithms/{language}/stop.txt")
    if text is None:
        sys.exit(f"{folder} has no snowball-website")
    return re.findall(r"^\s*([^\s|]+)", text, re.MULTILINE)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    treebanks = {code: (name, licence) for code, name, licence in TREEBANKS}
    lines = [
        "// Made by Scripts/languages/stop_words.py; do not edit.",
        "//",
        "// Function words by frequency in treebanks of Universal Dependencies (https://universaldependencies.org), lists of",
        "// Snowball (https://snowballstem.org; copyright 2001 Martin Porter, 2002 Richard Boulton; 3-clause BSD licence), and",
        "// words of our own.",
        "",
        "enum StopWordTables {",
        "    /// The stop words of a language, with spaces between them; nil for a language without a list here.",
        "    static func words(of language: TextLanguage) -> StaticString? {",
        "        switch language {",
    ]
    for code in sorted(set(OURS) | set(treebanks) | set(SNOWBALL)):
        words, sources = [], []
        if code in treebanks:
            name, licence = treebanks[code]
            words += function_words(folder, code, name)
            sources.append(f"UD {name}, {licence}")
        if code in SNOWBALL:
            words += snowball_words(folder, SNOWBALL[code])
            sources.append("Snowball")
        if code in OURS:
            words += OURS[code].split()
            sources.append("our words")
        words = sorted(set(words))
        print(f"{code}: {len(words)} words")
        lines += [f"        // {sources[0][0].upper()}{'; '.join(sources)[1:]}.", f"        case .{NAMES[code]}:", '            """']
        indent = 12 * " "
        line = indent
        for word in words:
            if len(line) + len(word) > 116:
                lines.append(line + "\\")
                line = indent
            line += word + " "
        lines += [line.rstrip(), '            """']
    lines += ["        default: nil", "        }", "    }", "}"]
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


main()

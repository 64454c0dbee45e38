extension StemProgram {
    /// Arabic, by the Snowball algorithm of Assem Chelli and Lakhdar Benzahia,
    /// https://snowballstem.org/algorithms/arabic/stemmer.html
    static let arabic = make(
        #"""
        number isNoun isVerb isDefined

        rule stem = $(isNoun = 1) $(isVerb = 1)
            ~article ~marks
            back( ~( $(isVerb == 1) verbSuffixes | $(isNoun == 1) nounSuffixes | finalAlef ) )
            ~( ?twoAlefs ?conjunction
                ( nounArticle | $(isNoun == 1) nounPreposition | $(isVerb == 1) ?future tenthForm ) )
            ~back hamza ~hamzas

        rule noun = $(isNoun = 1) $(isVerb = 0)
        rule verb = $(isVerb = 1) $(isNoun = 0)

        rule article = {
            'بال' 'كال': $(length > 4) noun $(isDefined = 1);
            'لل' 'ال': $(length > 3) noun $(isDefined = 1) }

        # No vowel marks and no tatweel, digits of ASCII, letters instead of their presentation forms.
        rule marks = *( [{
            '\u{64B}' '\u{64C}' '\u{64D}' '\u{64E}' '\u{64F}' '\u{650}' '\u{652}' '\u{651}' '\u{640}': del;
            '٠': ->'0'; '١': ->'1'; '٢': ->'2'; '٣': ->'3'; '٤': ->'4'; '٥': ->'5'; '٦': ->'6'; '٧': ->'7'; '٨':
            ->'8'; '٩': ->'9'; 'ﺀ': ->'ء'; 'ﺃ' 'ﺄ': ->'أ'; 'ﺇ' 'ﺈ': ->'إ'; 'ﺋ' 'ﺌ' 'ﺉ' 'ﺊ': ->'ئ'; 'ﺁ' 'ﺂ': ->'آ'; 'ﺅ'
            'ﺆ': ->'ؤ'; 'ﺍ' 'ﺎ': ->'ا'; 'ﺏ' 'ﺐ' 'ﺑ' 'ﺒ': ->'ب'; 'ﺓ' 'ﺔ': ->'ة'; 'ﺗ' 'ﺘ' 'ﺕ' 'ﺖ': ->'ت'; 'ﺛ' 'ﺜ' 'ﺚ'
            'ﺙ': ->'ث'; 'ﺟ' 'ﺠ' 'ﺝ' 'ﺞ': ->'ج'; 'ﺣ' 'ﺤ' 'ﺡ' 'ﺢ': ->'ح'; 'ﺧ' 'ﺨ' 'ﺥ' 'ﺦ': ->'خ'; 'ﺩ' 'ﺪ': ->'د'; 'ﺫ'
            'ﺬ': ->'ذ'; 'ﺭ' 'ﺮ': ->'ر'; 'ﺯ' 'ﺰ': ->'ز'; 'ﺳ' 'ﺴ' 'ﺱ' 'ﺲ': ->'س'; 'ﺷ' 'ﺸ' 'ﺵ' 'ﺶ': ->'ش'; 'ﺻ' 'ﺼ' 'ﺹ'
            'ﺺ': ->'ص'; 'ﺿ' 'ﻀ' 'ﺽ' 'ﺾ': ->'ض'; 'ﻃ' 'ﻄ' 'ﻁ' 'ﻂ': ->'ط'; 'ﻇ' 'ﻈ' 'ﻅ' 'ﻆ': ->'ظ'; 'ﻋ' 'ﻌ' 'ﻉ' 'ﻊ':
            ->'ع'; 'ﻏ' 'ﻐ' 'ﻍ' 'ﻎ': ->'غ'; 'ﻓ' 'ﻔ' 'ﻑ' 'ﻒ': ->'ف'; 'ﻗ' 'ﻘ' 'ﻕ' 'ﻖ': ->'ق'; 'ﻛ' 'ﻜ' 'ﻙ' 'ﻚ': ->'ك'; 'ﻟ'
            'ﻠ' 'ﻝ' 'ﻞ': ->'ل'; 'ﻣ' 'ﻤ' 'ﻡ' 'ﻢ': ->'م'; 'ﻧ' 'ﻨ' 'ﻥ' 'ﻦ': ->'ن'; 'ﻫ' 'ﻬ' 'ﻩ' 'ﻪ': ->'ه'; 'ﻭ' 'ﻮ':
            ->'و'; 'ﻯ' 'ﻰ': ->'ى'; 'ﻳ' 'ﻴ' 'ﻱ' 'ﻲ': ->'ي'; 'ﻻ' 'ﻼ': ->'لا'; 'ﻷ' 'ﻸ': ->'لأ'; 'ﻹ' 'ﻺ': ->'لإ'; 'ﻵ' 'ﻶ':
            ->'لآ' }] | . )

        # Last of all: a hamza at the end loses its carrier, then alef, waw and yeh lose their hamza.
        rule hamza = [{ 'أ' 'إ' 'آ' 'ؤ' 'ئ': ->'ء' }]
        rule hamzas = *( [{ 'أ' 'إ' 'آ': ->'ا'; 'ؤ': ->'و'; 'ئ': ->'ي' }] | . )

        rule twoAlefs = [{
            'أأ': $(length > 3) ->'أ'; 'أآ': $(length > 3) ->'آ'; 'أؤ': $(length > 3) ->'أ'; 'أا': $(length > 3) ->'ا';
            'أإ': $(length > 3) ->'إ' }]
        rule conjunction = [{ 'ف' 'و': $(length > 3) !'ا' del }]
        rule nounArticle = [{ 'بال' 'كال': $(length > 5) del; 'لل' 'ال': $(length > 4) del }]
        rule nounPreposition = [{
            'با'; 'ب': $(length > 3) del; 'بب': $(length > 3) ->'ب'; 'كك': $(length > 3) ->'ك' }]
        rule future = [{
            'سي': $(length > 4) ->'ي'; 'ست': $(length > 4) ->'ت'; 'سن': $(length > 4) ->'ن';
            'سأ': $(length > 4) ->'أ' }]
        rule tenthForm = [{ 'يست' 'نست' 'تست': $(length > 4) verb ->'است' }]

        rule verbSuffixes = +verbObject ( verbSubject | verbPlural | . ) | verbPast | verbSubject
        rule verbObject = [{
            'ه' 'ك': $(length >= 4) del;
            'ني' 'نا' 'ها' 'هم' 'هن' 'كم' 'كن': $(length >= 5) del;
            'هما' 'كما' 'كمو': $(length >= 6) del }]
        rule verbSubject = [{
            'ت' 'ا' 'ن' 'ي': $(length >= 4) del;
            'نا' 'تا' 'تن': $(length >= 5) del;
            'ان' 'ون' 'ين': $(length > 5) del;
            'تما': $(length >= 6) del }]
        rule verbPast = [{ 'وا' 'تم': $(length >= 5) del }]
        rule verbPlural = [{ 'و': $(length >= 4) del; 'تمو': $(length >= 6) del }]

        rule nounSuffixes =
            ?( femaleEnding
                | $(isDefined == 0) nounOwner ( nounVowel | nounPlural | openT | . )
                | nunation ( nounVowel | nounPlural | openT )
                | $(isDefined == 0) nounVowel
                | nounPlural )
            nisba
        rule nounOwner = [{
            'ي' 'ك' 'ه': $(length >= 4) del; 'نا' 'كم' 'ها' 'هن' 'هم': $(length >= 5) del; 'كما'
            'هما': $(length >= 6) del }]
        rule nunation = [{ 'ن': $(length > 5) del }]
        rule nounVowel = [{ 'ا' 'ي' 'و': $(length > 4) del }]
        rule nounPlural = [{ 'ات': $(length >= 5) del }]
        rule openT = [{ 'ت': $(length >= 4) del }]
        rule femaleEnding = [{ 'ة': $(length >= 4) del }]
        rule nisba = [{ 'ي': $(length >= 3) del }]
        rule finalAlef = [{ 'ى': ->'ي' }]
        """#)
}

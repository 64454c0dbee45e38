extension StemProgram {
    /// Persian, by the Snowball algorithm after A. Rashidi and M. Zolfy Lighvan, HPS: A Hierarchical Persian Stemming
    /// Method, https://snowballstem.org/algorithms/persian/stemmer.html
    static let persian = make(
        #"""
        number r1 isPresent losesPerson

        rule stem = ~spelling ~prefix ~*( >( ['\u{200C}'] ) del )
            $(r1 = limit) ~( .3 mark r1 )
            back( *@( $(losesPerson = 0) ?( $(isPresent == 1) $(losesPerson = 1) ) !keepsAn ( noun | verb ) ) )
        rule inR1 = $(r1 <= cursor)

        rule spelling = *[{
            'ك': ->'ک'; 'ي' 'ئ': ->'ی'; 'ة' 'ہ': ->'ه'; 'أ' 'إ': ->'ا'; 'ؤ': ->'و'; '\u{200D}' ' ': del; '': . }]

        # The present tense's mi-, which is removed, and nemi-, which stays.
        rule prefix = [{ 'نمی\u{200C}': .2 $(isPresent = 1); 'می\u{200C}': .2 del $(isPresent = 1) }]

        # Words in -an that are not plurals.
        rule keepsAn = { 'ستان' 'سان' 'ران' 'وان' } | {
            'آلمان' 'آسمان' 'ایمان' 'ایشان' 'امکان' 'اصفهان' 'آذربایجان' 'بیان' 'پایان' 'پیمان' 'جریان' 'درمان' 'رمان'
            'زندان'
            'سازمان' 'سلطان' 'گیلان' 'قهرمان' 'کرمان' 'خاندان' 'لبنان' 'میزان' 'مسلمان' 'نشان' 'همدان' 'یونان'
            'کهکشان' 'آتشفشان'
            'پریشان' 'درخشان' 'همزمان' 'ساختمان' 'سلیمان': limit }

        rule noun = [{ 'اخبار': ->'خبر'; 'اساتید': ->'استاد' }]
            | behind r1 ( [{
                'ام' 'اش' 'یان' 'گان' 'های' 'انی' 'ها' 'ات' 'ان' 'ین' 'گاه' 'بان' 'گی' 'یت' 'یی' 'ترین' 'انه' 'مند'
                'وار' 'ناک'
                'گار': del;
                'تر': !limit del }] )

        rule verb = [{ 'اید' 'ایم' 'اند' 'است' 'اس' 'ای' 'ید' 'یم': inR1 del }]
            | [{
                'اند' 'ید' 'یم' 'ام' 'د' 'م': $(losesPerson == 1) inR1 del;
                'رفتم' 'رفتی' 'رفتیم' 'رفتید' 'رفتاند': ->'رفت';
                'نده' 'ان': inR1 del $(losesPerson = 1);
                'ده': !limit ->'د' $(losesPerson = 1);
                'ته': !limit ->'ت' $(losesPerson = 1) }]
        """#)

    /// Forms of Persian words, by rules of our own, which remove the endings of plurals, possessives, persons and
    /// comparatives, whether joined to the word or after a zero-width non-joiner; the shortest only if four letters
    /// remain.
    static let persianForms = make(
        #"""
        number r2 r3 r4

        rule stem = ~spelling irregular | (
            ~spelling
            $(r2 = limit) $(r3 = limit) $(r4 = limit) ~( .2 mark r2 . mark r3 . mark r4 )
            back( ~human *( joined | people | possessive | plural | person ) ~infinitive ) ~joiners )

        rule spelling = *[{
            'ك': ->'ک'; 'ي' 'ئ' 'ى': ->'ی'; 'ئو': ->'و'; 'ة' 'ہ' 'ۀ' 'ە': ->'ه'; 'أ' 'إ' 'ٱ': ->'ا'; 'ؤ': ->'و'; '\u{200D}' 'ـ': del; '': . }]
        rule joiners = *[{ '\u{200C}': del; '': . }]
        rule human = [{ behind r3; 'گان': ->'ه'; '\u{200C}گان': ->'ه' }]
        rule joined = [{ behind r2;
            '\u{200C}ها' '\u{200C}های' '\u{200C}هایی' '\u{200C}هایم' '\u{200C}هایت' '\u{200C}هایش' '\u{200C}هایمان'
            '\u{200C}هایتان' '\u{200C}هایشان' '\u{200C}هاست' '\u{200C}ای' '\u{200C}ام' '\u{200C}ات' '\u{200C}اش' '\u{200C}اند'
            '\u{200C}ایم' '\u{200C}اید' '\u{200C}مان' '\u{200C}تان' '\u{200C}شان' '\u{200C}ی' '\u{200C}تر' '\u{200C}ترین'
            '\u{200C}تری' '\u{200C}است' }] del
        rule people = [{ behind r4; 'مان': del; 'تان': @!( 'س' | 'خ' | 'ف' | 'ش' ) del }]
        rule possessive = [{ behind r3; 'شان' 'یشان' 'یمان' 'یتان' 'یم' 'یت' 'یش' 'ترین' 'تر': del }]
        rule plural = [{ behind r2;
            'ها' 'های' 'هایی' 'هایم' 'هایت' 'هایش' 'هایمان' 'هایتان' 'هایشان' 'هاست': del;
            'ان': inR3 del; 'یان': inR3 @( 'و' | 'ا' ) del;
            'ات' 'جات': inR3 del }]
        rule person = [{ behind r4; 'م' 'ت' 'ش' 'ی' 'ند' 'ید': del }]
        rule infinitive = [{ behind r3; 'دن': ->'د'; 'تن': ->'ت' }]
        rule inR3 = $(r3 <= cursor)
        rule irregular = [{ : limit; 'زنان': ->'زن'; 'تنها' 'بها' 'آنها' 'اینها': true }]
        """#)
}

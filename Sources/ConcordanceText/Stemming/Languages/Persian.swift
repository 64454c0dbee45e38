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

        # The present tense's mi-, which goes, and nemi-, which stays.
        rule prefix = [{ 'نمی\u{200C}': .2 $(isPresent = 1); 'می\u{200C}': .2 del $(isPresent = 1) }]

        # Words that end in -an, and are no plurals.
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
}

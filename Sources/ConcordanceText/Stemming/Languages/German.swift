extension StemProgram {
    /// German, by the Snowball algorithm of M. F. Porter, https://snowballstem.org/algorithms/german/stemmer.html
    static let german = make(
        #"""
        letters vowel = aeiouyäöü
        letters beforeS = bdfghklmnrt
        letters beforeSt = bdfghklmnt
        letters beforeEt = dfgklmnrstUzä
        number r1 r2 third

        rule stem = ~spelling ~regions back( ~inflection ~comparison ~derivation ~apostrophe ) plainLetters
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        # u and y between vowels are consonants, written U and Y meanwhile; umlauts get one spelling.
        rule spelling =
            ~*( >( vowel ( ['u'] vowel ->'U' | ['y'] vowel ->'Y' ) ) )
            *[{ 'ß': ->'ss'; 'ae': ->'ä'; 'oe': ->'ö'; 'ue': ->'ü'; 'qu'; '': . }]
        rule plainLetters = *[{ 'Y': ->'y'; 'U': ->'u'; 'ä': ->'a'; 'ö': ->'o'; 'ü': ->'u'; '': . }]

        rule regions = $(r1 = limit) $(r2 = limit)
            @( .3 mark third )
            >>vowel >>^vowel mark r1 ?( $(r1 < third) $(r1 = third) )
            >>vowel >>^vowel mark r2

        rule inflection = [{ : inR1;
            'em': !'syst' del;
            'ern' 'er' 'erin' 'erinnen': del;
            'e' 'en' 'es': del ?( ['s'] 'nis' del );
            's': beforeS del;
            'ln' 'lns': ->'l' }]
        rule comparison = [{ : inR1;
            'en' 'er' 'est': del;
            'st': beforeSt .3 del;
            'et': @beforeEt !{ 'geordn' 'intern' 'plan' 'tick' 'tr' } del }]
        rule derivation = [{ : inR2;
            'end' 'ung': del ?( ['ig'] !'e' inR2 del );
            'ig' 'ik' 'isch': !'e' del;
            'lich' 'heit': del ?( [ ( 'er' | 'en' ) ] inR1 del );
            'keit': del ?[{ : inR2; 'lich' 'ig': del }] }]
        rule apostrophe = [{ '\'s' '\'sch' '\'': . !limit del }]
        """#)
}

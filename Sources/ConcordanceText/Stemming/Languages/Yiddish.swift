extension StemProgram {
    /// Yiddish in YIVO spelling, by the Snowball algorithm of Assaf Urieli,
    /// https://snowballstem.org/algorithms/yiddish/stemmer.html
    static let yiddish = make(
        #"""
        letters vowelPoint = \u{5B0}\u{5B1}\u{5B2}\u{5B3}\u{5B4}\u{5B5}\u{5B6}\u{5B7}\u{5B8}\u{5B9}\u{5BB}
        letters point = <vowelPoint>\u{5BC}\u{5BF}\u{5C1}\u{5C2}
        letters vowel = אויעױײ
        letters consonant = בגדהזחטךכלםמןנסףפץצקרשתװ
        number start
        number third

        # GE and TSU stand for the prefixes of participles and infinitives while the word is worked on.
        rule stem =
            ~*( pair | . )
            ~*>( [point] del )
            ~regions
            back( ~( participle | ending ) ~nounEnding ~adjectiveEnding ~*>( [ ( 'GE' | 'TSU' ) ] del ) )

        # Pairs of letters that count as one, and letters in their final form.
        rule pair = [{
            'וו': !'\u{5BC}' ->'װ';
            'וי': !'\u{5B4}' ->'ױ';
            'יי': !'\u{5B4}' ->'ײ';
            'ך': ->'כ';
            'ם': ->'מ';
            'ן': ->'נ';
            'ף': ->'פ';
            'ץ': ->'צ' }]

        # Endings are removed only after the start: after three consonants (a Hebrew root), or after the first vowels and
        # at least three letters that follow the prefix.
        rule regions =
            ?( ['גע'] !( 'לט' | 'בנ' | limit ) ->'GE' )
            ?( prefix ( @( { 'צוגנ' 'צוקט' 'צוקנ' } limit | 'געבנ' ) | ['גע'] ->'GE' | ['צו'] ->'TSU' ) )
            $(start = limit)
            @( .3 mark third )
            ?{ 'שפר' 'שטר' 'שטש' 'דזש' }
            !( consonant consonant consonant mark start )
            >>vowel >^vowel mark start
            $(start < third) $(start = third)
        rule inside = $(start <= cursor)

        rule prefix = {
            # separable
            'אדורכ' 'דורכ' 'אהינ' 'אהער' 'אװעק' 'מיט' 'אנטקעגנ' 'אקעגנ' 'אנידער' 'אראפ' 'ארױס' 'ארױפ' 'ארומ' 'ארײנ'
            'ארונטער' 'אריבער' 'נאכ' 'פארבײ' 'אהײמ' 'אפיר' 'פארױס' 'פונאנדער' 'צוזאמענ' 'צונױפ' 'צוריק' 'אױס' 'אױפ'
            'אומ' 'אונטער' 'איבער' 'אײנ' 'אנ' 'אפ' 'בײ' 'פאר' 'צו'
            # inseparable
            'אנט' 'בא' 'דער' 'צע' }

        # Participles of strong verbs become the stem of the present.
        rule participle = @{
            'גאנגענ' 'נומענ' 'שטאנענ' 'GEמיטנ' 'GEביטנ' 'GEביסנ' 'GEליטנ' 'GEריסנ' 'װיזנ' 'קליבנ' 'ריבנ' 'שװיגנ' 'שמיסנ'
            'שניטנ' 'בונדנ' 'װוטשנ' 'זונגנ' 'טרונקנ' 'צװונגנ' 'שלונגנ' 'בױגנ' 'הױבנ' 'פארלױרנ' 'שװױרנ' }
            [ 'נ' ?'ע' ] del strong
        rule strong = [{
            'גאנג': ->'גײ';
            'נומ': ->'נעמ';
            'שטאנ': ->'שטײ';
            'מיט': ->'מײד';
            'ביט': ->'בײט';
            'ביס': ->'בײס';
            'ליט': ->'לײט';
            'ריס': ->'רײס';
            'װיז': ->'װײז';
            'קליב': ->'קלײב';
            'ריב': ->'רײב';
            'שװיג': ->'שװײג';
            'שמיס': ->'שמײס';
            'שניט': ->'שנײד';
            'בונד': ->'בינד';
            'װוטש': ->'װיטש';
            'זונג': ->'זינג';
            'טרונק': ->'טרינק';
            'צװונג': ->'צװינג';
            'שלונג': ->'שלינג';
            'בױג': ->'בײג';
            'הױב': ->'הײב';
            'פארלױר': ->'פארליר';
            'שװױר': ->'שװער' }]

        rule ending = [{
            'ע' 'ער' 'ערס' 'עמ' 'ענ' 'ענערס' 'עס' 'נ' 'נס' 'ס' 'ט' 'עט' 'עטנ' 'עטס' 'עטע' 'עטער' 'סט' 'סטו' 'סטנ' 'סטע'
            'סטער' 'יסטנ' 'ונג' 'הײט' 'קײט' 'יקײט' 'שאפט' 'יזמ' 'יזמענ' 'ימ' 'לעכ' 'עלע' 'עלעכ' 'עלענ' 'עלעס':
            inside del;
            'ענע' 'ענעמ' 'ענער' 'ענס': inside del strong;
            'טנ' 'טע' 'טער' 'טס' 'טנס' 'טענע' 'טענעמ' 'טענער': ( inside del | ->'ט' ) [ 'בראכ' ?'גע' ] ->'ברענג';
            'בראכט': ->'ברענג';
            'גײנ': ->'גײ';
            'יע';
            'יעס': inside ->'יע';
            'ות': inside ->'ה';
            'יסט': ( ( 'ג' | 'ש' ) ?( $(start <= cursor + 3) ->'יס' ) | inside del ) }]

        rule nounEnding = [{
            'ונג' 'הײט' 'קײט' 'יקײט' 'שאפט': inside del;
            'ל': inside consonant del }]

        rule adjectiveEnding = [{
            'יג' 'יק' 'יש' 'ניק' 'דיק' 'נדיק' 'ענדיק': inside del;
            'בליק' 'גליק' }]
        """#)
}

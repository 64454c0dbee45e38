extension StemProgram {
    /// Portuguese, by the Snowball algorithm of M. F. Porter,
    /// https://snowballstem.org/algorithms/portuguese/stemmer.html
    static let portuguese = make(
        #"""
        letters vowel = aeiouáéíóúâêô
        number rv r1 r2

        rule stem = ~nasals ~regions
            back( ~( ( suffix | verb ) & ~( ['i'] @'c' inRV del ) | residue ) ~finalLetter )
            nasalVowels
        rule inRV = $(rv <= cursor)
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        # A nasal vowel counts as a vowel and a consonant.
        rule nasals = *[{ 'ã': ->'a~'; 'õ': ->'o~'; '': . }]
        rule nasalVowels = *[{ 'a~': ->'ã'; 'o~': ->'õ'; '': . }]

        rule regions = $(rv = limit) $(r1 = limit) $(r2 = limit)
            ~( ( vowel ( ^vowel >>vowel | vowel >>^vowel ) | ^vowel ( ^vowel >>vowel | vowel . ) ) mark rv )
            >>vowel >>^vowel mark r1 >>vowel >>^vowel mark r2

        rule suffix = [{
            'eza' 'ezas' 'ico' 'ica' 'icos' 'icas' 'ismo' 'ismos' 'ável' 'ível' 'ista' 'istas' 'oso' 'osa' 'osos' 'osas'
            'amento' 'amentos' 'imento' 'imentos' 'adora' 'ador' 'aça~o' 'adoras' 'adores' 'aço~es' 'ante' 'antes'
            'ância':
                inR2 del;
            'logia' 'logias': inR2 ->'log';
            'uça~o' 'uço~es': inR2 ->'u';
            'ência' 'ências': inR2 ->'ente';
            'amente': inR1 del ?[{ : inR2 del; 'iv': ['at'] inR2 del; 'os' 'ic' 'ad' }];
            'mente': inR2 del ?[{ 'ante' 'avel' 'ível': inR2 del }];
            'idade' 'idades': inR2 del ?[{ 'abil' 'ic' 'iv': inR2 del }];
            'iva' 'ivo' 'ivas' 'ivos': inR2 del ?( ['at'] inR2 del );
            'ira' 'iras': inRV 'e' ->'ir' }]

        rule verb = [{ behind rv;
            'ada' 'ida' 'ia' 'aria' 'eria' 'iria' 'ará' 'ara' 'erá' 'era' 'irá' 'ava' 'asse' 'esse' 'isse' 'aste'
            'este' 'iste' 'ei' 'arei' 'erei' 'irei' 'am' 'iam' 'ariam' 'eriam' 'iriam' 'aram' 'eram' 'iram' 'avam'
            'em' 'arem' 'erem' 'irem' 'assem' 'essem' 'issem' 'ado' 'ido' 'ando' 'endo' 'indo' 'ara~o' 'era~o' 'ira~o'
            'ar' 'er' 'ir' 'as' 'adas' 'idas' 'ias' 'arias' 'erias' 'irias' 'arás' 'aras' 'erás' 'eras' 'irás' 'avas'
            'es' 'ardes' 'erdes' 'irdes' 'ares' 'eres' 'ires' 'asses' 'esses' 'isses' 'astes' 'estes' 'istes' 'is'
            'ais' 'eis' 'íeis' 'aríeis' 'eríeis' 'iríeis' 'áreis' 'areis' 'éreis' 'ereis' 'íreis' 'ireis' 'ásseis'
            'ésseis' 'ísseis' 'áveis' 'ados' 'idos' 'ámos' 'amos' 'íamos' 'aríamos' 'eríamos' 'iríamos' 'áramos'
            'éramos' 'íramos' 'ávamos' 'emos' 'aremos' 'eremos' 'iremos' 'ássemos' 'êssemos' 'íssemos' 'imos' 'armos'
            'ermos' 'irmos' 'eu' 'iu' 'ou' 'ira' 'iras': del }]

        rule residue = [{ 'os' 'a' 'i' 'o' 'á' 'í' 'ó': inRV del }]
        rule finalLetter = [{ 'e' 'é' 'ê': inRV del [ ( 'u' ] @'g' | 'i' ] @'c' ) inRV del; 'ç': ->'c' }]
        """#)
}

extension StemProgram {
    /// Basque, by the Snowball algorithm of Mikel Otxandorena,
    /// https://snowballstem.org/algorithms/basque/stemmer.html
    static let basque = make(
        #"""
        letters vowel = aeiou
        number rv r1 r2

        rule stem = ~regions back( *verb *noun ~adjective )
        rule inRV = $(rv <= cursor)
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        rule regions = $(rv = limit) $(r1 = limit) $(r2 = limit)
            ~( ( vowel ( ^vowel >>vowel | vowel >>^vowel ) | ^vowel ( ^vowel >>vowel | vowel . ) ) mark rv )
            >>vowel >>^vowel mark r1 >>vowel >>^vowel mark r2

        rule verb = [{
            'le' 'la' 'tzaile' 'aldatu' 'atu' 'tzailea' 'taile' 'tailea' 'pera' 'gale' 'galea' 'gura' 'kura' 'kor'
            'korra' 'or' 'orra' 'tun' 'tuna' 'gaitz' 'gaitza' 'kaitz' 'kaitza' 'ezin' 'ezina' 'tezin' 'tezina' 'errez'
            'erreza' 'karri' 'karria' 'tzaga' 'tzaka' 'tzake' 'tzeke' 'ez' 'eza' 'tzez' 'keta' 'eta' 'etan' 'pen'
            'pena' 'tze' 'atze' 'kuntza' 'kunde' 'kundea' 'kune' 'kunea' 'kuna' 'kera' 'era' 'kizun' 'kizuna' 'dura'
            'tura' 'men' 'mena' 'go' 'ago' 'tio' 'taldi' 'taldia' 'aldi' 'aldia' 'gune' 'gunea' 'bide' 'bidea' 'pide'
            'pidea' 'gai' 'gaia' 'ki' 'kin' 'rekin' 'kina' 'kari' 'karia' 'ari' 'tari' 'etari' 'gailu' 'gailua' 'kide'
            'kidea' 'ide' 'idea' 'du' 'ka' 'kan' 'an' 'ean' 'tu' 'lari' 'tatu' 'rean' 'tarazi' 'arazi' 'tzat' 'bera'
            'dako': inRV del;
            'garri' 'garria' 'tza': inR2 del;
            'atseden' 'arabera' 'baditu' }]

        rule noun = [{
            'ari' 'aria' 'bizia' 'kari' 'karia' 'lari' 'laria' 'tari' 'taria' 'zain' 'zaina' 'tzain' 'tzaina' 'zale'
            'zalea' 'tzale' 'tzalea' 'aizun' 'orde' 'ordea' 'burua' 'ohi' 'ohia' 'kintza' 'gintzo' 'gintzu' 'tzu'
            'tzua' 'tzo' 'tzoa' 'kuntza' 'talde' 'taldea' 'eria' 'keria' 'teria' 'di' 'za' 'ada' 'tara' 'etara' 'tra'
            'ta' 'tegi' 'tegia' 'keta' 'z' 'zko' 'zkoa' 'ti' 'tia' 'tsu' 'tsua' 'zu' 'zua' 'bera' 'pera' 'zto' 'ztoa'
            'asi' 'asia' 'gile' 'gilea' 'estu' 'estua' 'larri' 'larria' 'nahi' 'nahia' 'koi' 'koia' 'oi' 'oia' 'goi'
            'min' 'mina' 'dun' 'duna' 'duru' 'durua' 'duri' 'duria' 'os' 'osa' 'oso' 'osoa' 'ar' 'ara' 'tar' 'dar'
            'dara' 'tiar' 'tiara' 'liar' 'liara' 'gabe' 'gabea' 'kabe' 'kabea' 'ga' 'ge' 'kada' 'tasun' 'tasuna'
            'asun' 'asuna' 'go' 'mendu' 'mendua' 'mentu' 'mentua' 'mendi' 'mendia' 'zio' 'zioa' 'zino' 'zinoa' 'zione'
            'zionea' 'ezia' 'degi' 'degia' 'egi' 'egia' 'toki' 'tokia' 'leku' 'lekua' 'gintza' 'alde' 'aldea' 'kalde'
            'kaldea' 'gune' 'gunea' 'une' 'unea' 'una' 'pe' 'pea' 'gibel' 'gibela' 'ondo' 'ondoa' 'arte' 'artea'
            'aurre' 'aurrea' 'etxe' 'etxea' 'ola' 'ontzi' 'ontzia' 'gela' 'denda' 'taldi' 'taldia' 'aldi' 'aldia' 'te'
            'tea' 'zaro' 'zaroa' 'taro' 'taroa' 'oro' 'oroa' 'aro' 'aroa' 'ero' 'eroa' 'eroz' 'eroza' 'ka' 'kan'
            'kana' 'tako' 'etako' 'takoa' 'kote' 'kotea' 'tzar' 'tzarra' 'handi' 'handia' 'kondo' 'kondoa' 'skila'
            'no' 'noa' 'ño' 'ñoa' 'ska' 'xka' 'zka' 'tila' 'to' 'toa' 'tto' 'ttoa' 'txo' 'txoa' 'txu' 'txua' 'anda'
            'anga' 'urren' 'urrena' 'gai' 'gaia' 'gei' 'geia' 'eme' 'emea' 'kume' 'kumea' 'sa' 'ko' 'eko' 'koa' 'ena'
            'enea' 'ne' 'nea' 'kor' 'korra' 'ez' 'eza' 'eta' 'etan' 'ki' 'kia' 'kin' 'kina' 'tu' 'tua' 'du' 'dua' 'ek'
            'tarik' 'tariko' 'tan' 'ordu' 'ordua' 'oste' 'ostea' 'tzara' 'ra' 'antza' 'behar' 'ro' 'giro' 'ak' 'zp'
            'ket' 'kail' 'kaila' 'ail' 'kirri' 'kirria' 'ngo' 'ngoa' 'ñi' 'sko' 'sta' 'koitz' 'koitza' 'na' 'garren'
            'garrena' 'kera' 'gerren' 'gerrena' 'garna' 'kide' 'tz' 'tuko': inRV del;
            'ora' 'garri' 'garria' 'or' 'buru' 'ren' 'tza': inR2 del;
            'joka': ->'jok'; 'trako': ->'tra'; 'minutuko': ->'minutu';
            'tzen' 'ten' 'en' 'tatu': inR1 del;
            'zehar' 'geldi' 'igaro' 'aurka' }]

        rule adjective = [{
            'era' 'ero' 'go' 'tate' 'tade' 'date' 'dade' 'keria' 'ki' 'to' 'ro' 'la' 'gi' 'larik' 'lanik' 'ik' 'ztik'
            'rik': inRV del;
            'zlea': ->'z' }]
        """#)

    /// Forms of Basque words, by rules of our own, which remove the endings of all cases, with or without the article.
    static let basqueForms = make(
        #"""
        letters vowel = aeiou
        number r2 r3

        rule stem = $(r2 = limit) $(r3 = limit) ~( .2 mark r2 . mark r3 )
            back( ~ending ~( behind r3 ~other ) ~last )

        rule ending = [{ behind r2;
            'a' 'ak' 'ek' 'ok' 'en' 'ena' 'enak' 'enik'
            'aren' 'arena' 'arenak' 'arentzat' 'arentzako' 'arekin' 'arekiko' 'arengatik' 'arengan' 'arengana' 'arengandik'
            'agatik' 'ari' 'az' 'ez' 'entzat' 'entzako' 'ekin' 'ekiko' 'engatik' 'engan' 'engana' 'ei'
            'an' 'ean' 'etan' 'ko' 'koa' 'koak' 'eko' 'ekoa' 'ekoak' 'etako' 'etakoa' 'etakoak' 'tik' 'etik' 'etatik'
            'ra' 'era' 'etara' 'rako' 'erako' 'etarako' 'raino' 'eraino' 'etaraino' 'rantz' 'erantz' 'etarantz'
            'rik' 'ik' 'tzat' 'gatik' 'dun' 'duna' 'dunak': del;
            'sten': ->'si';
            'z': @vowel del }]
        # Endings of words that look like those of cases.
        rule other = [{ 'ari' 'ko' 'eko' 'ra' 'era' 'tik' 'etik' 'rik' 'ik' 'ekin': del }]
        rule last = [{ behind r2; 'a' 'e' 'ar': del; 'rr': ->'r' }]
        """#)
}

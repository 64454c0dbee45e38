extension StemProgram {
    /// Italian, by the Snowball algorithm of M. F. Porter, https://snowballstem.org/algorithms/italian/stemmer.html
    static let italian = make(
        #"""
        letters vowel = aeiouàèìòù
        letters finalVowel = aeioàèìò
        letters cg = cg
        number rv r1 r2

        rule stem = ~elision ~accents ~consonants ~regions
            back( ~pronoun ~( suffix | verb ) ~finalVowels ) vowels
        rule inRV = $(rv <= cursor)
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        rule elision = [{ : !limit;
            'd\'' 'l\'' 'm\'' 's\'' 't\'' 'v\'' 'all\'' 'dall\'' 'dell\'' 'gl\'' 'nell\'' 'quell\'' 'quest\'' 'sull\''
            'tutt\'' 'un\'': del }]

        # All accents become grave; u after q, and u and i between vowels, are consonants, written as capitals
        # meanwhile.
        rule accents = *[{ 'á': ->'à'; 'é': ->'è'; 'í': ->'ì'; 'ó': ->'ò'; 'ú': ->'ù'; 'qu': ->'qU'; '': . }]
        rule consonants = *( >( vowel [ ( 'u' ] vowel ->'U' | 'i' ] vowel ->'I' ) ) )
        rule vowels = *[{ 'I': ->'i'; 'U': ->'u'; '': . }]

        rule regions = $(rv = limit) $(r1 = limit) $(r2 = limit)
            ~( ( vowel ( ^vowel >>vowel | vowel >>^vowel ) | 'divan' | ^vowel ( ^vowel >>vowel | vowel . ) ) mark rv )
            >>vowel >>^vowel mark r1 >>vowel >>^vowel mark r2

        # A pronoun after an infinitive or a gerund.
        rule pronoun =
            [{
            'ci' 'gli' 'la' 'le' 'li' 'lo' 'mi' 'ne' 'si' 'ti' 'vi' 'sene' 'gliela' 'gliele' 'glieli' 'glielo'
            'gliene' 'mela' 'mele' 'meli' 'melo' 'mene' 'tela' 'tele' 'teli' 'telo' 'tene' 'cela' 'cele' 'celi' 'celo'
            'cene' 'vela' 'vele' 'veli' 'velo' 'vene' }]
            { : inRV; 'ando' 'endo': del; 'ar' 'er' 'ir': ->'e' }

        rule suffix = [{
            'anza' 'anze' 'ico' 'ici' 'ica' 'ice' 'iche' 'ichi' 'ismo' 'ismi' 'abile' 'abili' 'ibile' 'ibili' 'ista'
            'iste'
            'isti' 'istà' 'istè' 'istì' 'oso' 'osi' 'osa' 'ose' 'mente' 'atrice' 'atrici' 'ante' 'anti': inR2 del;
            'azione' 'azioni' 'atore' 'atori': inR2 del ?( ['ic'] inR2 del );
            'logia' 'logie': inR2 ->'log';
            'uzione' 'uzioni' 'usione' 'usioni': inR2 ->'u';
            'enza' 'enze': inR2 ->'ente';
            'amento' 'amenti' 'imento' 'imenti': inRV del;
            'amente': inR1 del ?[{ : inR2 del; 'iv': ['at'] inR2 del; 'os' 'ic' 'abil' }];
            'ità': inR2 del ?[{ 'abil' 'ic' 'iv': inR2 del }];
            'ivo' 'ivi' 'iva' 'ive': inR2 del ?( ['at'] inR2 del ['ic'] inR2 del ) }]

        rule verb = [{ behind rv;
            'ammo' 'ando' 'ano' 'are' 'arono' 'asse' 'assero' 'assi' 'assimo' 'ata' 'ate' 'ati' 'ato' 'ava' 'avamo'
            'avano' 'avate' 'avi' 'avo' 'emmo' 'enda' 'ende' 'endi' 'endo' 'erà' 'erai' 'eranno' 'ere' 'erebbe'
            'erebbero' 'erei' 'eremmo' 'eremo' 'ereste' 'eresti' 'erete' 'erò' 'erono' 'essero' 'ete' 'eva' 'evamo'
            'evano' 'evate' 'evi' 'evo' 'Yamo' 'iamo' 'immo' 'irà' 'irai' 'iranno' 'ire' 'irebbe' 'irebbero' 'irei'
            'iremmo' 'iremo' 'ireste' 'iresti' 'irete' 'irò' 'irono' 'isca' 'iscano' 'isce' 'isci' 'isco' 'iscono'
            'issero' 'ita' 'ite' 'iti' 'ito' 'iva' 'ivamo' 'ivano' 'ivate' 'ivi' 'ivo' 'ono' 'uta' 'ute' 'uti' 'uto'
            'ar' 'ir': del }]

        rule finalVowels = ?( [finalVowel] inRV del ['i'] inRV del ) ?( ['h'] cg inRV del )
        """#)
}

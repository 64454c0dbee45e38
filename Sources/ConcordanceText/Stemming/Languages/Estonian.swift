extension StemProgram {
    /// Estonian, by the Snowball algorithm of Linda Freienthal,
    /// https://snowballstem.org/algorithms/estonian/stemmer.html
    static let estonian = make(
        #"""
        letters vowel = aeiouõäöü
        letters beforeCase = aeiou'
        letters beforeKi = bdfghkpstzšž
        letters beforeGi = cjlmnqrvwx<vowel>
        number r1

        rule stem = irregularVerb | (
            $(r1 = limit)
            ~( ( .2 >>'\'' | >>vowel >>^vowel ) mark r1 )
            back( ~emphasis ~( verb | noun ) ~undouble ['\''] del ) )

        rule longVowel = { 'aa' 'ee' 'ii' 'oo' 'uu' 'ää' 'öö' 'üü' 'õõ' }
        rule caseStem = beforeCase | longVowel

        rule emphasis = [{ behind r1; : @.4;
            'gi': ( beforeGi & !longVowel );
            'ki': beforeKi }] del
        rule verb = [{ behind r1;
            'akse': ->'a';
            'nuksin' 'nuksime' 'nuksid' 'nuksite' 'ksin' 'ksid' 'ksime' 'ksite' 'mata' 'takse' 'dakse' 'taks' 'daks'
            'sime' 'site' 'sin': del;
            'me' 'da' 'n' 'b': vowel del }]

        rule noun = ~nounEnding ~caseEnding ~plural ~comparison ~iPlural ~participle
        rule nounEnding = [{ behind r1;
            'lasse' 'last' 'lane' 'lasi': ->'lase';
            'misse' 'mist' 'mine' 'misi': ->'mise';
            'lisse' 'list' 'line' 'lisi': ->'lise' }]
        rule caseEnding = [{ behind r1;
            'sse' 'st' 'le' 'lt' 'ga' 'ks' 'ta' 's' 'l': caseStem;
            't': @.4 }] del
        rule plural = [{ behind r1;
            'ikkude' 'ikke' 'ike': ->'iku';
            'sid': !longVowel del;
            'te': ( @.4 ( { 'mis' 'las' 'lis' } ->'e' | 't' | del ) | ->'t' );
            'de' 'd': caseStem del }]
        rule comparison = [{ behind r1;
            'mai' 'm': beforeCase del;
            'ma': del }]
        rule iPlural = [{ behind r1; 'i': beforeCase }] del
        rule participle = [{ behind r1; 'nu' 'tu' 'du' 'va' }] del
        # A doubled letter before the last vowel becomes a single one.
        rule undouble = vowel $(r1 <= cursor) [{ 'kk': ->'k'; 'pp': ->'p'; 'tt': ->'t' }]

        rule irregularVerb = [{ : limit;
            'joon' 'jood' 'joob' 'joote' 'joome' 'joovad' 'jõin' 'jõid' 'jõi' 'jõime' 'jõite' 'joomata' 'juuakse'
            'joodakse' 'juua' 'jooma': ->'joo';
            'saan' 'saad' 'saab' 'saate' 'saame' 'saavad' 'saaksin' 'saaksid' 'saaks' 'saaksite' 'saaksime' 'sain'
            'said' 'sai' 'saite' 'saime' 'saamata' 'saadakse' 'saadi' 'saama' 'saada': ->'saa';
            'viin' 'viid' 'viib' 'viite' 'viime' 'viivad' 'viiksin' 'viiksid' 'viiks' 'viiksite' 'viiksime' 'viisin'
            'viisite' 'viisime' 'viimata' 'viiakse' 'viidi' 'viima' 'viia': ->'viima';
            'keen' 'keeb' 'keed' 'kees' 'keeme' 'keete' 'keevad' 'keeksin' 'keeks' 'keeksid' 'keeksime' 'keeksite'
            'keemata' 'keema' 'keeta' 'keedakse': ->'keesi';
            'löön' 'lööd' 'lööb' 'lööme' 'lööte' 'löövad' 'lööksin' 'lööksid' 'lööks' 'lööksime' 'lööksite' 'löömata'
            'lüüakse' 'löödakse' 'löödi' 'lööma' 'lüüa': ->'löö';
            'lõin' 'lõid' 'lõi' 'lõime' 'lõite': ->'lõi';
            'loon' 'lood' 'loob' 'loome' 'loote' 'loovad' 'looksin' 'looksid' 'looks' 'looksime' 'looksite' 'loomata'
            'luuakse' 'loodi' 'luua' 'looma': ->'loo';
            'käin' 'käib' 'käid' 'käis' 'käime' 'käite' 'käivad' 'käiksin' 'käiks' 'käiksid' 'käiksime' 'käiksite'
            'käimata' 'käiakse' 'käidi' 'käia' 'käima': ->'käisi';
            'söön' 'sööb' 'sööd' 'sööme' 'sööte' 'söövad' 'sööksin' 'sööks' 'sööksid' 'sööksime' 'sööksite' 'sõin'
            'sõi' 'sõid' 'sõime' 'sõite' 'söömata' 'süüakse' 'söödakse' 'söödi' 'sööma' 'süüa': ->'söö';
            'toon' 'tood' 'toob' 'toote' 'toome' 'toovad' 'tooksin' 'tooksid' 'tooks' 'tooksite' 'tooksime' 'tõin'
            'tõid' 'tõi' 'tõime' 'tõite' 'toomata' 'tuuakse' 'toodi' 'tooma' 'tuua': ->'too';
            'võin' 'võid' 'võib' 'võime' 'võis' 'võite' 'võivad' 'võiksin' 'võiksid' 'võiks' 'võiksime' 'võiksite'
            'võimata' 'võidakse' 'võidi' 'võida' 'võima': ->'võisi';
            'jään' 'jääd' 'jääb' 'jääme' 'jääte' 'jäävad' 'jääksin' 'jääksid' 'jääks' 'jääksime' 'jääksite' 'jäime'
            'jäite' 'jäin' 'jäid' 'jäi' 'jäämata' 'jäädakse' 'jääda' 'jääma' 'jäädi': ->'jääma';
            'müün' 'müüd' 'müüb' 'müüs' 'müüme' 'müüte' 'müüvad' 'müüksin' 'müüksid' 'müüks' 'müüksime' 'müüksite'
            'müümata' 'müüakse' 'müüdi' 'müüa' 'müüma': ->'müüsi';
            'loeb' 'loen' 'loed' 'loeme' 'loete' 'loevad' 'loeks' 'loeksin' 'loeksid' 'loeksime' 'loeksite': ->'luge';
            'põen' 'põeb' 'põed' 'põeme' 'põete' 'põevad' 'põeksin' 'põeks' 'põeksid' 'põeksime' 'põeksite': ->'põde';
            'laon' 'laob' 'laod' 'laome' 'laote' 'laovad' 'laoksin' 'laoks' 'laoksid' 'laoksime' 'laoksite': ->'ladu';
            'teeksin' 'teeks' 'teeksid' 'teeksime' 'teeksite' 'teen' 'teeb' 'teed' 'teeme' 'teete' 'teevad' 'tegemata'
            'tehakse' 'tehti' 'tegema' 'teha': ->'tegi';
            'näen' 'näeb' 'näed' 'näeme' 'näete' 'näevad' 'näeksin' 'näeks' 'näeksid' 'näeksime' 'näeksite' 'nägemata'
            'nähakse' 'nähti' 'näha' 'nägema': ->'nägi' }]
        """#)

    /// Forms of Estonian words, by rules of our own, which remove the endings of cases and persons, then the vowel of
    /// the genitive, and write the last consonant alike in all grades: pank and pangas, kaart and kaardid.
    static let estonianForms = make(
        #"""
        letters vowel = aeiouõäöü
        number p1 p2 p3

        rule stem =
            $(p1 = limit) $(p2 = limit) $(p3 = limit)
            ~( >>vowel >>^vowel mark p1 >>vowel mark p2 >>^vowel >>vowel mark p3 )
            ~( *^vowel vowel vowel mark p1 vowel mark p2 ) ~( *^vowel ( 'oa' | 'õe' | 'äe' | 'oe' ) mark p2 )
            back( ~ne ~case ~plural ~lastVowel ~lastConsonant ~lastVowel ~grade )

        rule ne = [{ behind p2; 'ne': ->'s' }]
        rule case = [{ behind p2;
            'sse' 's' 'st' 'lt' 'le' 'ks' 'ga' 'b' 'vad' 'nud' 'takse' 'dakse' 'mata' 'sin' 'sime' 'site' 'ksin' 'ksid' 'ksime'
            'ksite' 'des' 'ma' 'da': @vowel del;
            'l': @( 'a' | 'i' | 'o' | 'u' ) del;
            'ni': @'u' del;
            'ta': @( 'i' | 'u' ) del;
            't': $(p3 <= cursor) @vowel del }]
        rule plural = [{ behind p2; 'sid' 'id' 'd' 'de' 'te': @vowel del }] | [{ behind p1; 'te': @( 's' | 'r' | 'l' | 'n' ) del }]
        rule lastVowel = [{ behind p1; 'a' 'e' 'i' 'u': $(3 <= cursor) del }]
        rule lastConsonant = [{ behind p2; 's': @vowel del; 't' 'l': $(p3 <= cursor) @vowel del }]
        # Consonants that change before endings, and the vowel that words lose there.
        rule grade = [{ 'kk' 'g': ->'k'; 'pp' 'b': ->'p'; 'tt' 'd': ->'t'; 'aud': ->'au'; 'ht': ->'h';
            'er': @^vowel $(2 <= cursor) ->'r'; 'el': @^vowel $(2 <= cursor) ->'l'; 'en': @^vowel $(2 <= cursor) ->'n' }]
        """#)
}

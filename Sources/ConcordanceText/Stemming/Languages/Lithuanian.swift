extension StemProgram {
    /// Lithuanian, by the Snowball algorithm that Dainius Jocas contributed,
    /// https://snowballstem.org/algorithms/lithuanian/stemmer.html
    static let lithuanian = make(
        #"""
        letters vowel = aeiyouąęįųėū
        number r1

        rule stem =
            $(r1 = limit)
            ~( ?( 'a' $(length > 6) ) >>vowel >>^vowel mark r1 )
            back( ~lookalike ~ending ~softened ~*suffix ~softened ~( ['gd'] ->'g' ) ~( ['\''] del ) )

        # Nouns whose last letters could be taken for the ending of a verb.
        rule lookalike = [{
            'aite' 'aitės': ->'aitė';
            'uote' 'uotės': ->'uotė';
            'okate' 'okatės': ->'okatė';
            'ėjime': ->'ėjimas';
            'avime': ->'avimas';
            'ojime': ->'ojimas';
            'esiu': ->'esys';
            'asius': ->'asys' }]

        rule ending = [{ behind r1;
            # nouns and adjectives
            'as' 'ias' 'is' 'ys' 'o' 'io' 'ui' 'iui' 'ą' 'ią' 'į' 'u' 'iu' 'e' 'yje' 'y' 'au' 'i' 'an' 'ai' 'iai' 'ų'
            'ių' 'ams' 'am' 'iams' 'iam' 'us' 'ius' 'ais' 'iais' 'uose' 'iuose' 'uos' 'iuos' 'uosna' 'iuosna' 'ysna'
            'asis' 'aisi' 'osi' 'ųsi' 'uisi' 'ąsi' 'usi' 'esi' 'uo' 'a' 'ia' 'os' 'ios' 'oj' 'oje' 'ioje' 'osna'
            'iosna' 'om' 'oms' 'ioms' 'omis' 'iomis' 'ose' 'iose' 'on' 'ion' 'ė' 'ės' 'ei' 'ę' 'ėj' 'ėje' 'ėms' 'es'
            'ėmis' 'ėse' 'ėsna' 'ėn' 'aus' 'iaus' 'umi' 'iumi' 'uje' 'iuje' 'iau' 'ūs' 'ums' 'umis' 'un' 'iun' 'ies'
            'ens' 'enio' 'eniui' 'enį' 'imi' 'eniu' 'enyje' 'ie' 'enie' 'enys' 'ims' 'enims' 'enis' 'imis' 'enimis'
            'yse' 'enyse' 'iem' 'iems' 'ame' 'iame'
            # verbs
            'uosi' 'iuosi' 'iesi' 'asi' 'iasi' 'amės' 'iamės' 'at' 'ate' 'iat' 'iate' 'atės' 'iatės' 'isi' 'im' 'imės'
            'it' 'ite' 'ome' 'ot' 'ote' 'ėjo' 'ėjosi' 'otės' 'eisi' 'ėsi' 'ėm' 'ėme' 'ėmės' 'ėt' 'ėte' 'ėtės' 'ausi'
            'omės' 'siu' 'siuosi' 'si' 'siesi' 's' 'ysis' 'sim' 'sime' 'sit' 'site' 'čiau' 'čiausi' 'tum' 'tumei'
            'tumeis' 'tumeisi' 'tųsi' 'tumėm' 'tumėme' 'tumėmės' 'tute' 'tumėt' 'tumėte' 'tumėtės' 'k' 'ki' 'kimės'
            'uoti' 'iuoti' 'auti' 'iauti' 'oti' 'ioti' 'ėti' 'yti' 'inti' 'inėti' 'enti' 'telėti' 'terėti' 'ti' 'ąs'
            'iąs' 'įs' 'tųs' 'simės' 'sitės' 'kite' }] del

        rule suffix = [{ behind r1;
            'ing' 'išk' 'ėt' 'ot' 'uot' 'iuot' 'yt' 'iuk' 'iul' 'ėl' 'yl' 'učiuk' 'uliuk' 'utėait' 'ok' 'iok' 'sv' 'šv'
            'zgan' 'op' 'iop' 'ain' 'ykšt' 'ykšč' 'esn' 'aus' 'iaus' 'ias' 'oj' 'ioj' 'aj' 'iaj' 'ąj' 'iąj' 'uoj'
            'iuoj' 'iej' 'ųj' 'iųj' 'ies' 'uos' 'iuos' 'ais' 'iais' 'os' 'ios' 'ąs' 'iąs' 'dav' 'ant' 'iant' 'int' 'ėj'
            'ę' 'ėję' 'ęs' 'siant' 'dam' 'auj' 'jam' 'iau' 'am' }] del

        rule softened = [{ 'č': ->'t'; 'dž': ->'d' }]
        """#)
}

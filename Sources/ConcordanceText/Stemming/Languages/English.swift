extension StemProgram {
    /// English, by the Snowball algorithm of M. F. Porter ("Porter 2"),
    /// https://snowballstem.org/algorithms/english/stemmer.html
    static let english = make(
        #"""
        letters vowel = aeiouy
        letters vowelWXY = <vowel> wxY
        letters beforeLi = cdeghkmnrt
        letters aeo = aeo
        number hasY r1 r2

        # Words of one or two letters stay.
        rule stem = whole | !.3 | (
            ~consonantY ~regions
            back( ~plural ~past ~finalY ~longSuffix ~suffix ~shortSuffix ~finalLetter )
            ~vowelY )
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        rule whole = [{ : limit;
            'skis': ->'ski'; 'skies': ->'sky'; 'idly': ->'idl'; 'gently': ->'gentl'; 'ugly': ->'ugli';
            'early': ->'earli';
            'only': ->'onli'; 'singly': ->'singl'; 'sky' 'news' 'howe' 'atlas' 'cosmos' 'bias' 'andes' }]

        # A y that begins the word or follows a vowel is a consonant, written Y meanwhile.
        rule consonantY =
            ~( ['\''] del )
            ~( ['y'] ->'Y' $(hasY = 1) )
            ~*( >( vowel ['y'] ) ->'Y' $(hasY = 1) )
        rule vowelY = $(hasY == 1) *( >( ['Y'] ) ->'y' )

        rule regions = $(r1 = limit) $(r2 = limit)
            ( { 'gener' 'commun' 'arsen' 'past' 'univers' 'later' 'emerg' 'organ' 'inter' } | >>vowel >>^vowel )
            mark r1 >>vowel >>^vowel mark r2

        rule shortSyllable = ^vowelWXY vowel ^vowel | ^vowel vowel limit | 'past'

        rule plural =
            ?( [{ '\'' '\'s' '\'s\'': del }] )
            [{ 'sses': ->'ss'; 'ied' 'ies': .2 ->'i' | ->'ie'; 's': . >>vowel del; 'us' 'ss' }]

        rule past = [{
            'eed' 'eedly': ~( inR1 ( { 'proc' 'exc' 'succ': limit } | ->'ee' ) );
            'ed' 'edly' 'ingly': strip;
            'ing':
                { 'y': @( ^vowel limit ) ] ->'ie'; 'inn' 'out' 'cann' 'herr' 'earr' 'even': limit } | strip;
            '' }]
        # The rest of a past tense or participle gets its e back, or loses a doubled letter.
        rule strip = @( >>vowel ) del [ ]
            @{ 'at' 'bl' 'iz': ->'e' false;
                'bb' 'dd' 'ff' 'gg' 'mm' 'nn' 'pp' 'rr' 'tt': !( aeo limit );
                '': at r1 @shortSyllable ->'e' false }
            [.] del

        rule finalY = [ ( 'y' | 'Y' ) ] ^vowel !limit ->'i'

        rule longSuffix = [{ : inR1;
            'tional': ->'tion'; 'enci': ->'ence'; 'anci': ->'ance'; 'abli': ->'able'; 'entli': ->'ent';
            'izer' 'ization': ->'ize'; 'ational' 'ation' 'ator': ->'ate'; 'alism' 'aliti' 'alli': ->'al';
            'fulness': ->'ful';
            'ousli' 'ousness': ->'ous'; 'iveness' 'iviti': ->'ive'; 'biliti' 'bli': ->'ble'; 'ogist': ->'og';
            'ogi': 'l' ->'og'; 'fulli': ->'ful'; 'lessli': ->'less'; 'li': beforeLi del }]
        rule suffix = [{ : inR1;
            'tional': ->'tion'; 'ational': ->'ate'; 'alize': ->'al'; 'icate' 'iciti' 'ical': ->'ic'; 'ful' 'ness': del;
            'ative': inR2 del }]
        rule shortSuffix = [{ : inR2;
            'al' 'ance' 'ence' 'er' 'ic' 'able' 'ible' 'ant' 'ement' 'ment' 'ent' 'ism' 'ate' 'iti' 'ous' 'ive'
            'ize': del;
            'ion': ( 's' | 't' ) del }]
        rule finalLetter = [{ 'e': ( inR2 | inR1 !shortSyllable ) del; 'l': inR2 'l' del }]
        """#)
}

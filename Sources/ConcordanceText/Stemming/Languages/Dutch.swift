extension StemProgram {
    /// Dutch, by the Snowball algorithm of W. Kraaij and R. Pohlmann,
    /// https://snowballstem.org/algorithms/dutch/stemmer.html
    static let dutch = make(
        #"""
        letters e = eëéèê
        letters aiou = aäáàâiïíìîoöóòôuüúùû
        letters aeiou = <e> <aiou>
        letters vowel = <aeiou> y
        letters vowelWX = <vowel> wx
        number r1 r2 changed geRemoved

        rule stem =
            measure
            back( ~( plural $(changed = 1) ) ~( ending $(changed = 1) ) ~( suffix $(changed = 1) ) ~( adjective
            $(changed = 1) ) )
            ~( gePrefix & measure ) back( ~participle )
            $(geRemoved = 0)
            ~( geInfix & measure ) back( ~participle )
            back( ~( finalT $(changed = 1) ) ~( $(changed == 1) undouble ) )

        rule measure = $(r1 = limit) $(r2 = limit)
            ~( *^vowel +syllable ^vowel mark r1 *^vowel +syllable ^vowel mark r2 )
        rule syllable = 'ij' | vowel
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)
        rule isVowel = @( vowel | 'ij' )
        rule isVowelBefore = @( . ( vowel | 'ij' ) )
        rule isConsonant = @( !'ij' ^vowel )

        # The vowel of a syllable that closes without its ending is doubled: manen, maan.
        rule lengthen = ~( ^vowelWX [{
            'a' 'ä' 'á' 'à' 'â' 'o' 'ö' 'ó' 'ò' 'ô' 'u' 'ü' 'ú' 'ù' 'û': @( ^aeiou | limit ) keep insert kept;
            'e' 'é' 'è' 'ê': @( ( ^aeiou | limit ) !( aiou | e limit ) !( . aiou ^aeiou ) ) keep insert kept;
            'eë': ->'eëe';
            'ië': ->'iee' }] )

        rule plural = [{
            '\'s': del;
            's': inR1 !( 't' inR1 ) isConsonant del;
            'ies': inR1 ->'ie';
            'es': @( 'ar' inR1 isConsonant ) del lengthen | @( 'er' inR1 isConsonant ) del | inR1 isConsonant ->'e';
            'és': inR1 ->'é';
            'aus': inR1 isVowel ->'au';
            'en': 'hed' inR1 ] ->'heid' | 'nd' del | 'd' inR1 isConsonant ] del | ( 'i' | 'j' ) isVowel del
                | inR1 isConsonant del lengthen;
            'nde': ->'nd' }]

        rule ending = [{
            'je': '\'t' ] del | 'et' ] inR1 isConsonant del | 'rnt' ] ->'rn' | 't' ] inR1 isVowelBefore del | 'ink' ]
            ->'ing'
                | 'mp' ] ->'m' | '\'' ] inR1 del | ] inR1 isConsonant del;
            'ge': inR1 ->'g'; 'lijke': inR1 ->'lijk'; 'ische': inR1 ->'isch'; 'de': inR1 isConsonant del;
            'te': inR1 ->'t';
            'se': inR1 ->'s'; 're': inR1 ->'r'; 'le': inR1 del attach 'l' lengthen;
            'ene': inR1 isConsonant del attach 'en' lengthen; 'ieve': inR1 isConsonant ->'ief' }]

        rule suffix = [{
            'atie': inR1 ->'eer'; 'iteit': inR1 del lengthen; 'heid' 'sel' 'ster': inR1 del; 'rder': ->'r';
            'ing' 'isme' 'erij': 'ild' ->'er' | inR1 del lengthen;
            'arij': inR1 isConsonant ->'aar'; 'fie': inR2 del attach 'f' lengthen; 'gie': inR2 del attach 'g' lengthen;
            'tst': inR1 isConsonant ->'t'; 'dst': inR1 isConsonant ->'d' }]

        rule adjective = [{
            'ioneel': inR1 ->'ie'; 'atief': inR1 ->'eer'; 'baar': inR1 del; 'naar': inR1 isVowel ->'n';
            'laar': inR1 isVowel ->'l'; 'raar': inR1 isVowel ->'r'; 'tant': inR1 ->'teer'; 'lijker'
            'lijkst': inR1 ->'lijk';
            'achtig' 'achtiger' 'achtigst': inR1 del; 'eriger' 'erigst' 'erig' 'end': inR1 isConsonant del lengthen }]
            | [{ 'iger' 'igst' 'ig': inR1 !( 'inn' limit ) isConsonant del lengthen }]

        # Participles lose ge-, at the front or after a prefix, if enough remains; then their -d or -t.
        rule enough = @.3 @( >>syllable *syllable !limit )
        rule gePrefix = [ 'ge' ] enough
            { 'eft' 'val' 'vaa' 'vare': false; 'vali' '' }
            removeGe
        rule geInfix = . >>( ['ge'] ) enough removeGe
        rule removeGe = $(geRemoved = 1) del ~[{ 'ë': ->'e'; 'ï': ->'i' }]
        rule participle = $(geRemoved == 1) $(changed = 1)
            [{ : inR1 isConsonant;
                'd': !( 'n' inR1 ) ( 'in' limit ->'n' | del );
                't': !( 'h' inR1 ) !( 'en' limit ) del }]

        rule finalT = [{ 'kt': ->'k'; 'ft': ->'f'; 'pt': ->'p' }]
        rule undouble = [{
            'bb': ->'b'; 'cc': ->'c'; 'dd': ->'d'; 'ff': ->'f'; 'gg': ->'g'; 'hh': ->'h'; 'jj': ->'j'; 'kk': ->'k';
            'll': ->'l';
            'mm': ->'m'; 'nn': !( 'i' limit ) ->'n'; 'pp': ->'p'; 'qq': ->'q'; 'rr': ->'r'; 'ss': ->'s'; 'tt': ->'t';
            'vv': ->'v'; 'ww': ->'w'; 'xx': ->'x'; 'zz': ->'z'; 'v': ->'f'; 'z': ->'s' }]
        """#)
}

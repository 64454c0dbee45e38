extension StemProgram {
    /// French, by the Snowball algorithm of M. F. Porter, https://snowballstem.org/algorithms/french/stemmer.html
    static let french = make(
        #"""
        letters vowel = aeiouyâàëéêèïîôûù
        letters beforeOux = bhjlnp
        letters elided = cdjlmnstz
        letters keepsS = aiouès
        number rv r1 r2

        rule stem = ~elision ~consonants ~regions
            back( ~( ( suffix | verbWithI | verb ) & ?( [ ( 'Y' ] ->'i' | 'ç' ] ->'c' ) ) | residue ) ~undouble ~accent
            )
            vowels
        rule inRV = $(rv <= cursor)
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        rule elision = [ ( elided | 'qu' ) '\'' ] !limit del

        # u, i and y between vowels, and u after q, are consonants, written as capitals meanwhile; H stands for a
        # diaeresis.
        rule consonants = *( >(
            vowel [ ( 'u' ] vowel ->'U' | 'i' ] vowel ->'I' | 'y' ] ->'Y' )
            | ['ë'] ->'He' | ['ï'] ->'Hi' | ['y'] vowel ->'Y' | 'q' ['u'] ->'U' ) )
        rule vowels = *[{ 'I': ->'i'; 'U': ->'u'; 'Y': ->'y'; 'He': ->'ë'; 'Hi': ->'ï'; 'H': del; '': . }]

        rule regions = $(rv = limit) $(r1 = limit) $(r2 = limit)
            ~( ( vowel vowel . | { 'par' 'col' 'tap'; 'ni': vowel } | . >>vowel ) mark rv )
            >>vowel >>^vowel mark r1 >>vowel >>^vowel mark r2

        rule suffix = [{
            'ance' 'iqUe' 'isme' 'able' 'iste' 'eux' 'ances' 'iqUes' 'ismes' 'ables' 'istes': inR2 del;
            'atrice' 'ateur' 'ation' 'atrices' 'ateurs' 'ations': inR2 del ?( ['ic'] ( inR2 del | ->'iqU' ) );
            'logie' 'logies': inR2 ->'log';
            'usion' 'ution' 'usions' 'utions': inR2 ->'u';
            'ence' 'ences': inR2 ->'ent';
            'ement' 'ements': inRV del ?[{
                'iv': inR2 del ['at'] inR2 del;
                'eus': inR2 del | inR1 ->'eux';
                'abl' 'iqU': inR2 del;
                'ièr' 'Ièr': inRV ->'i' }];
            'ité' 'ités': inR2 del ?[{ 'abil': inR2 del | ->'abl'; 'ic': inR2 del | ->'iqU'; 'iv': inR2 del }];
            'if' 'ive' 'ifs' 'ives': inR2 del ?( ['at'] inR2 del ['ic'] ( inR2 del | ->'iqU' ) );
            'eaux': ->'eau';
            'aux': inR1 ->'al';
            'oux': beforeOux ->'ou';
            'euse' 'euses': inR2 del | inR1 ->'eux';
            'issement' 'issements': inR1 ^vowel del;
            # The rest of an adverb is treated as a verb.
            'amment': inRV ->'ant' false;
            'emment': inRV ->'ent' false;
            'ment' 'ments': @( vowel inRV ) del false }]

        rule verbWithI = behind rv ( [{
            'îmes' 'ît' 'îtes' 'i' 'ie' 'ies' 'ir' 'ira' 'irai' 'iraIent' 'irais' 'irait' 'iras' 'irent' 'irez' 'iriez'
            'irions' 'irons' 'iront' 'is' 'issaIent' 'issais' 'issait' 'issant' 'issante' 'issantes' 'issants' 'isse'
            'issent' 'isses' 'issez' 'issiez' 'issions' 'issons' 'it': !'H' ^vowel del }] )

        rule verb = [{ behind rv;
            'ions': inR2 del;
            'é' 'ée' 'ées' 'és' 'èrent' 'er' 'era' 'erai' 'eraIent' 'erais' 'erait' 'eras' 'erez' 'eriez' 'erions'
            'erons'
            'eront' 'ez' 'iez' 'eais': del;
            'âmes' 'ât' 'âtes' 'a' 'ai' 'aIent' 'ait' 'ant' 'ante' 'antes' 'ants' 'as' 'asse' 'assent' 'asses' 'assiez'
            'assions': ?( 'e' inRV ] ) del;
            'ais' 'aise' 'aises': !{ 'al': . limit; 'auv' 'épl' } del }]

        rule residue =
            ?( ['s'] @( 'Hi' | ^keepsS ) del )
            behind rv ( [{ 'ion': inR2 ( 's' | 't' ) del; 'ier' 'ière' 'Ier' 'Ière': ->'i'; 'e': del }] )

        rule undouble = @{ 'enn' 'onn' 'ett' 'ell' 'eill' } [.] del
        rule accent = +^vowel [ ( 'é' | 'è' ) ] ->'e'
        """#)
}

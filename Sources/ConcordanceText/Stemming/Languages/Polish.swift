extension StemProgram {
    /// Polish, by the Snowball algorithm of Dmitry Shachnev, https://snowballstem.org/algorithms/polish/stemmer.html
    static let polish = make(
        #"""
        letters vowel = aąeęioóuy
        number r1

        # At least two letters remain; a word without an ending loses only the accent of its last consonant.
        rule stem =
            ~( $(r1 = limit) >>vowel >>^vowel mark r1 )
            ( .2 back( ~conditional ending ?( ['\''] del ) ) | back accent )
        rule inR1 = $(r1 <= cursor)

        rule conditional = [{ behind r1; 'by' 'bym' 'byś' 'byśmy' 'byście' }] del

        rule ending = [{
            # verbs
            'asz' 'esz' 'isz' 'amy' 'emy' 'imy' 'acie' 'ecie' 'icie' 'ają' 'eść' 'aść' 'ać' 'ieć' 'ić' 'ąć' 'ając' 'ąc'
            'ałem' 'iałem' 'iłem' 'ałam' 'iałam' 'iłam' 'am' 'ałeś' 'iałeś' 'iłeś' 'ałaś' 'iałaś' 'iłaś' 'ał' 'iał' 'ił'
            'ała' 'iała' 'iła' 'ało' 'iało' 'iło' 'aliśmy' 'ieliśmy' 'iliśmy' 'ałyśmy' 'iałyśmy' 'iłyśmy' 'aliście'
            'ieliście' 'iliście' 'ałyście' 'iałyście' 'iłyście' 'ali' 'ieli' 'ili' 'ały' 'iały' 'iły' 'aj' 'ajcie' 'cie'
            'ę'
            # participles and comparatives
            'ająca' 'ąca' 'iejsza' 'sza' 'ającą' 'ącą' 'iejszą' 'ające' 'ące' 'iejsze' 'sze'
            # nouns
            'a'?inR1 'o'?inR1 'i'?inR1 'u'?inR1 'ia'?inR1 'owi'?inR1 'iowi'?inR1 'ą'?inR1 'ią'?inR1 'em'?inR1 'iem'?inR1
            'e'?inR1 'iu'?inR1 'ie'?inR1 'ów'?inR1 'om'?inR1 'iom'?inR1 'ami'?inR1 'iami'?inR1
            'ach'?inR1 'iach'?inR1: del;
            'szę' 'sząca' 'szącą' 'szące': ->'s';
            'szą': ( inR1 del | ->'s' );
            # the past of short verbs, which keeps its ł: był
            'łeś' 'łaś' 'liśmy' 'łyśmy' 'liście' 'łyście': ->'ł';
            # adjectives
            'y' 'ego' 'iego' 'emu' 'iemu' 'ym' 'im' 'ej' 'iej' 'ych' 'ich' 'ymi' 'imi': del ?adjectival }]

        rule adjectival = [{
            'ając' 'ąc' 'iejsz' 'sz': del;
            'sząc': ->'s' }]

        rule accent = [{ : !limit;
            'ć': ->'c';
            'ń': ->'n';
            'ś': ->'s';
            'ź': ->'z' }]
        """#)
}

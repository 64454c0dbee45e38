extension StemProgram {
    /// Hindi, by the Snowball algorithm after A. Ramanathan and D. Rao, "A Lightweight Stemmer for Hindi" (2003),
    /// https://snowballstem.org/algorithms/hindi/stemmer.html
    static let hindi = make(
        #"""
        letters nukta = \u{93C}\u{929}\u{931}\u{934}\u{958}\u{959}\u{95A}\u{95B}\u{95C}\u{95D}\u{95E}\u{95F}
        letters consonant = <nukta>कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहळ

        # At least one letter remains.
        rule stem = . back( [{
            # a vowel with a letter of its own
            'अ' 'अकर' 'अता' 'अताएं' 'अताओं' 'अती' 'अतीं' 'अते' 'अना' 'अनाएं' 'अनाओं' 'अनी' 'अने' 'आ' 'आँ' 'आं' 'आइए'
            'आइयाँ' 'आइयां' 'आइयों' 'आई' 'आईं' 'आऊंगा' 'आऊंगी' 'आए' 'आएं' 'आएंगी' 'आएंगे' 'आएगा' 'आएगी' 'आओ' 'आओं'
            'आओगी' 'आओगे' 'आकर' 'आता' 'आती' 'आतीं' 'आते' 'आना' 'आने' 'आया' 'इ' 'इए' 'इयाँ' 'इयां' 'इयों' 'ई' 'ईं' 'उ'
            'उआं' 'उएं' 'उओं' 'ऊ' 'ऊंगा' 'ऊंगी' 'ए' 'एं' 'एंगी' 'एंगे' 'एगा' 'एगी' 'ओ' 'ओं' 'ओगी' 'ओगे'
            # a vowel that is a sign
            '\u{93E}' '\u{93E}ँ' '\u{93E}ं' '\u{93E}इए' '\u{93E}इयाँ' '\u{93E}इयां' '\u{93E}इयों' '\u{93E}ई'
            '\u{93E}ईं' '\u{93E}ऊंगा' '\u{93E}ऊंगी' '\u{93E}ए' '\u{93E}एं' '\u{93E}एंगी' '\u{93E}एंगे' '\u{93E}एगा'
            '\u{93E}एगी' '\u{93E}ओ' '\u{93E}ओं' '\u{93E}ओगी' '\u{93E}ओगे' '\u{93E}कर' '\u{93E}ता' '\u{93E}ती'
            '\u{93E}तीं' '\u{93E}ते' '\u{93E}ना' '\u{93E}ने' '\u{93E}या' '\u{93F}' '\u{93F}ए' '\u{93F}याँ' '\u{93F}यां'
            '\u{93F}यों' '\u{940}' '\u{940}ं' '\u{941}' '\u{941}आं' '\u{941}एं' '\u{941}ओं' '\u{942}' '\u{942}ंगा'
            '\u{942}ंगी' '\u{947}' '\u{947}ं' '\u{947}ंगी' '\u{947}ंगे' '\u{947}गा' '\u{947}गी' '\u{94B}' '\u{94B}ं'
            '\u{94B}गी' '\u{94B}गे' '\u{94D}'
            # after the inherent vowel of a consonant
            'कर'?bare 'ता'?bare 'ताएं'?bare 'ताओं'?bare 'ती'?bare 'तीं'?bare 'ते'?bare 'ना'?bare 'नाएं'?bare
            'नाओं'?bare 'नी'?bare 'ने'?bare }] del )

        rule bare = consonant
        """#)
}

extension StemProgram {
    /// Nepali, by the Snowball algorithm of Ingroj Shrestha, Oleg Bartunov and Shreeya Singh Dhakal,
    /// https://snowballstem.org/algorithms/nepali/stemmer.html
    static let nepali = make(
        #"""
        rule stem = back( ~postposition *( ~lastSign ending ) )

        rule postposition = [{
            'मार्फत' 'द्वारा' 'सँगै' 'संग' 'सँग' 'लाइ' 'लाई' 'पछि' 'ले' 'रत' 'मै' 'मा': del;
            'को' 'का' 'कि' 'की' 'कै': !'ए' !'\u{947}' del }]

        # Signs after the endings of some verbs: थियौं.
        rule lastSign = [{
            '\u{901}' '\u{902}': { 'यौ' 'छौ' 'नौ' 'थे' } del;
            '\u{948}': 'त्र' del }]

        rule ending = [{
            'इएका' 'इएकी' 'इएको' 'इछ' 'इछन्' 'इछस्' 'इछौ' 'इदा' 'इदै' 'इदो' 'इन्छ' 'इयो' 'इस्' 'एका' 'एकी' 'एकै' 'एको'
            'एछ' 'एछन्' 'एछस्' 'एछु' 'एछौ' 'छ' 'छन्' 'छस्' 'छिन्' 'छु' 'छे' 'छेस्' 'छौ' 'छ्यौ' 'थिइस्' 'थिए' 'थिन्'
            'थियो' 'थियौ' 'थिस्' 'थी' 'थे' 'थ्यो' 'थ्यौ' 'दा' 'दियो' 'दी' 'देखि' 'देखी' 'दै' 'दो' 'नु' 'ने' 'नेका'
            'नेकै' 'नेको' 'नेछ' 'नेछन्' 'नेछस्' 'नेछु' 'नेछौ' 'पर्' 'भयो' 'माथि' 'यो' 'यौ' 'लान्' 'हरु' 'हरू' 'हुनेछ'
            'हुन्छ' 'होस्' '\u{93F}एका' '\u{93F}एकी' '\u{93F}एको' '\u{93F}छ' '\u{93F}छन्' '\u{93F}छस्' '\u{93F}छौ'
            '\u{93F}दा' '\u{93F}दै' '\u{93F}दो' '\u{93F}न्छ' '\u{93F}यो' '\u{93F}स्' '\u{947}का' '\u{947}की'
            '\u{947}कै' '\u{947}को' '\u{947}छ' '\u{947}छन्' '\u{947}छस्' '\u{947}छु' '\u{947}छौ': del }]
        """#)

    /// Forms of Nepali words: Snowball's rules, more postpositions, and one spelling for all.
    static let nepaliForms = make(
        #"""
        letters velar = कखगघ
        letters palatal = चछजझ
        letters retroflex = टठडढ
        letters dental = तथदध
        letters labial = पफबभ

        # Long i and u become short; nasals before a consonant of their class get one sign.
        rule stem = ~spelling back( ~postposition ~postposition *( ~lastSign ending ) )

        rule spelling = *( [{
            '\u{940}': ->'\u{93F}'; '\u{942}': ->'\u{941}'; 'ई': ->'इ'; 'ऊ': ->'उ'; '\u{901}': ->'\u{902}';
            'ङ्': @velar ->'\u{902}'; 'ञ्': @palatal ->'\u{902}'; 'ण्': @retroflex ->'\u{902}'; 'न्': @dental ->'\u{902}';
            'म्': @labial ->'\u{902}'; '': . }] | . )

        rule postposition = [{
            'मार्फत' 'द्वारा' 'संगै' 'संग' 'लाइ' 'पछि' 'ले' 'रत' 'मै' 'मा' 'बाट' 'भरि' 'तिर' 'सम्म' 'मुनि' 'माथि' 'हरु': del;
            'को' 'का' 'कि' 'कै': !'ए' !'\u{947}' del }]

        # Signs after the endings of some verbs: थियौं.
        rule lastSign = [{
            '\u{902}': { 'यौ' 'छौ' 'नौ' 'थे' } del;
            '\u{948}': 'त्र' del }]

        rule ending = [{
            'इएका' 'इएकी' 'इएको' 'इछ' 'इछन्' 'इछस्' 'इछौ' 'इदा' 'इदै' 'इदो' 'इन्छ' 'इयो' 'इस्' 'एका' 'एकी' 'एकै' 'एको'
            'एछ' 'एछन्' 'एछस्' 'एछु' 'एछौ' 'छ' 'छन्' 'छस्' 'छिन्' 'छु' 'छे' 'छेस्' 'छौ' 'छ्यौ' 'थिइस्' 'थिए' 'थिन्'
            'थियो' 'थियौ' 'थिस्' 'थी' 'थे' 'थ्यो' 'थ्यौ' 'दा' 'दियो' 'दी' 'देखि' 'दै' 'दो' 'नु' 'ने' 'नेका'
            'नेकै' 'नेको' 'नेछ' 'नेछन्' 'नेछस्' 'नेछु' 'नेछौ' 'पर्' 'भयो' 'माथि' 'यो' 'यौ' 'लान्' 'हरु' 'हुनेछ'
            'हुन्छ' 'होस्' '\u{93F}एका' '\u{93F}एकी' '\u{93F}एको' '\u{93F}छ' '\u{93F}छन्' '\u{93F}छस्' '\u{93F}छौ'
            '\u{93F}दा' '\u{93F}दै' '\u{93F}दो' '\u{93F}न्छ' '\u{93F}यो' '\u{93F}स्' '\u{947}का' '\u{947}की'
            '\u{947}कै' '\u{947}को' '\u{947}छ' '\u{947}छन्' '\u{947}छस्' '\u{947}छु' '\u{947}छौ': del }]
        """#)
}

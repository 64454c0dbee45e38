extension StemProgram {
    /// Tamil, by the Snowball algorithm of Damodharan Rajalingam,
    /// https://snowballstem.org/algorithms/tamil/stemmer.html
    static let tamil = make(
        #"""
        letters vowelSign = \u{BBE} \u{BBF} \u{BC0} \u{BC6} \u{BC7} \u{BC1} \u{BC2} \u{BC8}
        letters vowel = அ ஆ இ ஈ உ ஊ எ ஏ ஐ ஒ ஓ ஔ
        letters hard = க ச ட த ப ற
        letters soft = ய ர ல வ ழ ள ஞ ண ந ம ன
        letters afterPrefix = க ச த வ ந ப ம ய ங ஞ
        letters demonstrative = அ இ உ
        letters questionSign = \u{BCB} \u{BC7} \u{BBE}
        number hasCase hasTense

        rule stem = ~ending isLong
            ~questionPrefix ~demonstrativePrefix ~questionSuffix ~clitic ~wordEnding ~caseEnding ~plural
                ~command ~*tense
        rule isLong = $(length > 4)
        rule endings = ~*ending

        # Sandhi: letters that join a word to the next, and how the word ends without them.
        rule ending = $(length > 3) back( [{
                'ந்' 'ந்த' 'ந்த்' 'வ' 'ய' 'வ்': del;
                'ய்': @{ '\u{BC8}' '\u{BBF}' '\u{BC0}' } del;
                'ட்ப்' 'ட்க்': ->'ள்';
                'ன்ற்' 'ற்க்': ->'ல்';
                'ட்ட்': ->'டு';
                'த்த்': $(hasCase == 1) !'\u{BC8}' ->'ம்';
                '\u{BC1}க்' '\u{BC1}க்க்': ->'\u{BCD}';
                'னு': !vowelSign del;
                'ங்': { '\u{BC8}' '\u{BCD}': del; '': ->'ம்' } }]
            | [ '\u{BCD}' (
                hard ?( '\u{BCD}' hard ) ] del
                | soft ] '\u{BCD}' del
                | @{ '\u{BBE}' '\u{BBF}' '\u{BC0}' '\u{BC6}' '\u{BC7}' '\u{BC1}' '\u{BC2}' '\u{BC8}'
                    '\u{BCD}' } ] del ) )

        rule vowelFront = [{ 'வோ': ->'ஓ'; 'வொ': ->'ஒ'; 'வு': ->'உ'; 'வூ': ->'ஊ' }]
        rule questionPrefix = [ 'எ' afterPrefix '\u{BCD}' ] del ~vowelFront
        rule demonstrativePrefix = [ demonstrative afterPrefix '\u{BCD}' ] del ~vowelFront

        rule questionSuffix = isLong ~back( [questionSign] ->'\u{BCD}' ) endings
        rule clitic = isLong back( ['\u{BC1}ம்'] ->'\u{BCD}' ) ~ending

        rule wordEnding = isLong back( [{
            '\u{BC1}டன்' '\u{BBF}ல்லை' '\u{BBF}டம்' '\u{BBF}ன்றி' '\u{BBE}கி' '\u{BBE}கிய' '\u{BC6}ன்று'
                '\u{BC1}ள்ள' '\u{BC1}டைய' '\u{BC1}டை' '\u{BC6}னும்' '\u{BC6}ன': ->'\u{BCD}';
            'ல்ல': !vowelSign ->'\u{BCD}';
            'படு' 'பட்ட' 'பட்டு' 'பட்டது' 'பட்டண' 'குரிய' 'பற்றி' 'விடு' 'விட்டு' 'படிதான' 'படி' 'தான'
                '\u{BC6}ல்லாம்': del }] ) endings

        rule caseEnding = $(hasCase = 0) isLong back( (
                @( [{
                    'னை' 'கண்' 'முன்' 'மேல்' 'மேற்' 'கீழ்': del;
                    '\u{BCA}டு' '\u{BCB}டு' '\u{BBF}ல்' '\u{BBF}ற்' '\u{BBF}ன்று' '\u{BBF}ருந்து' 'விட'
                        '\u{BBE}ல்' '\u{BC1}டை' '\u{BBE}மல்' '\u{BC1}ள்': ->'\u{BCD}';
                    '\u{BBF}ன்': !'ம' ->'\u{BCD}';
                    '\u{BBF}டம்': $(length >= 7) ->'\u{BCD}';
                    'ல்': !vowelSign ->'\u{BCD}';
                    'து': !vowelSign del;
                    '\u{BC0}': ->'\u{BBF}' }] )
                | @( [ '\u{BC8}' ( !hard | @( hard '\u{BCD}' ) ) ] ->'\u{BCD}' ) )
            $(hasCase = 1) ~( ['\u{BBF}ன்'] ->'\u{BCD}' ) ) endings

        rule plural = back( [{ '\u{BC1}ங்கள்': hard ->'\u{BC1}ங்' | ->'\u{BCD}'; 'ற்கள்': ->'ல்'; 'ட்கள்': ->'ள்';
            'கள்': del }] )

        rule command = isLong back( [ ( 'பி' | 'வி' ) ] del )

        rule tense = $(hasTense = 0) isLong back(
                ~( @( [{
                    'கொண்டிர்' 'படு' 'மார்' 'மின்' 'னன்' 'னான்' 'னாள்' 'னார்' 'னள்' 'வள்' 'னர்' 'வர்'
                        'ன' 'ப' 'க' 'த' 'ய' 'பன்' 'பள்'
                    'பர்' '\u{BBF}ற்று' 'பம்' 'னம்' 'தும்' 'றும்' 'கும்' 'னென்' 'னை' 'வை': del;
                    'வன்': !vowel del;
                    'து': !vowelSign del;
                    '\u{BBE}ன்': !'ச' ->'\u{BCD}';
                    '\u{BBE}ள்' '\u{BBE}ர்' '\u{BC7}ன்' '\u{BBE}' '\u{BBE}ம்' '\u{BC6}ம்' '\u{BC7}ம்'
                        '\u{BCB}ம்' 'டும்' '\u{BBE}ய்' 'னிர்' '\u{BC0}ர்' '\u{BC0}யர்': ->'\u{BCD}';
                    'கு': @'\u{BCD}' del }] $(hasTense = 1) ) )
                ~( [{ '\u{BBE}நின்ற' '\u{BBE}நின்ற்' 'கின்ற' 'கின்ற்' 'கிற' 'கிற்' }] del $(hasTense = 1) ) )
            endings $(hasTense == 1)
        """#)
}

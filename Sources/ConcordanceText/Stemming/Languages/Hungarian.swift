extension StemProgram {
    /// Hungarian, by the Snowball algorithm of Anna Tordai,
    /// https://snowballstem.org/algorithms/hungarian/stemmer.html
    static let hungarian = make(
        #"""
        letters vowel = aeiouáéíóöőúüű
        number r1

        rule stem =
            $(r1 = limit)
            ~( vowel ~( >>^vowel mark r1 ) | >>vowel mark r1 )
            back(
                ~instrumental ~caseEnding ~caseAfterLong ~together ~factive
                ~owned ~singularOwner ~pluralOwner ~plural )

        rule inside = $(r1 <= cursor)
        rule doubled = @{
            'bb' 'cc' 'ccs' 'dd' 'ff' 'gg' 'ggy' 'jj' 'kk' 'll' 'lly' 'mm' 'nn' 'nny' 'pp' 'rr' 'ss' 'ssz' 'tt' 'tty'
            'vv' 'zz' 'zzs' }
        rule undouble = . [.] del
        rule shorten = [{ : inside; 'á': ->'a'; 'é': ->'e' }]

        rule instrumental = [{ : inside doubled; 'al' 'el' }] del undouble
        rule caseEnding = [{ : inside;
            'ban' 'ben' 'ba' 'be' 'ra' 're' 'nak' 'nek' 'val' 'vel' 'tól' 'től' 'ról' 'ről' 'ból' 'ből' 'hoz' 'hez'
            'höz' 'nál' 'nél' 'ig' 'at' 'et' 'ot' 'öt' 'ért' 'képp' 'képpen' 'kor' 'ul' 'ül' 'vá' 'vé' 'onként' 'enként'
            'anként' 'ként' 'en' 'on' 'an' 'ön' 'n' 't' }] del shorten
        rule caseAfterLong = [{ : inside; 'én': ->'e'; 'án' 'ánként': ->'a' }]
        rule together = [{ : inside;
            'astul' 'estül' 'stul' 'stül': del;
            'ástul': ->'a';
            'éstül': ->'e' }]
        rule factive = [{ : inside doubled; 'á' 'é' }] del undouble
        rule owned = [{ : inside;
            'oké' 'öké' 'aké' 'eké' 'ké' 'éi' 'é': del;
            'éké' 'ééi' 'éé': ->'e';
            'áké' 'áéi': ->'a' }]
        rule singularOwner = [{ : inside;
            'ünk' 'unk' 'nk' 'juk' 'jük' 'uk' 'ük' 'em' 'om' 'am' 'm' 'od' 'ed' 'ad' 'öd' 'd' 'ja' 'je' 'a' 'e'
            'o': del;
            'ánk' 'ájuk' 'ám' 'ád' 'á': ->'a';
            'énk' 'éjük' 'ém' 'éd' 'é': ->'e' }]
        rule pluralOwner = [{ : inside;
            'jaim' 'jeim' 'aim' 'eim' 'im' 'jaid' 'jeid' 'aid' 'eid' 'id' 'jai' 'jei' 'ai' 'ei' 'i' 'jaink' 'jeink'
            'eink' 'aink' 'ink' 'jaitok' 'jeitek' 'aitok' 'eitek' 'itek' 'jeik' 'jaik' 'aik' 'eik' 'ik': del;
            'áim' 'áid' 'ái' 'áink' 'áitok' 'áik': ->'a';
            'éim' 'éid' 'éi' 'éink' 'éitek' 'éik': ->'e' }]
        rule plural = [{ : inside;
            'ák': ->'a';
            'ék': ->'e';
            'ök' 'ak' 'ok' 'ek' 'k': del }]
        """#)
}

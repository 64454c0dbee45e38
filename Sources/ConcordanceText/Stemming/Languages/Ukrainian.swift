extension StemProgram {
    /// Ukrainian, by rules of our own, which remove the endings of nouns, adjectives and verbs if two letters remain.
    static let ukrainian = make(
        #"""
        letters vowel = аеєиіїоуюя
        number r1

        rule stem = ~spelling $(r1 = limit) ~( .2 mark r1 ) @( >>vowel ) back( ~reflexive ~ending ~soft )

        # A letter that the official spelling did without from 1933 to 1990.
        rule spelling = *[{ 'ґ': ->'г'; '': . }]

        rule reflexive = [{ behind r1; 'ся' 'сь': del }]

        rule ending = [{ behind r1;
            'а' 'я' 'о' 'е' 'є' 'и' 'і' 'ї' 'у' 'ю' 'ою' 'ею' 'єю' 'ом' 'ем' 'єм' 'ам' 'ям' 'ами' 'ями' 'ах' 'ях'
            'ів' 'їв' 'ові' 'еві' 'єві'
            'ий' 'ій' 'ого' 'ього' 'ому' 'ьому' 'им' 'ім' 'їм' 'их' 'іх' 'їх' 'ими' 'іми' 'їми' 'ої' 'ьої'
            'ати' 'яти' 'ити' 'іти' 'ути' 'ав' 'яв' 'ив' 'ала' 'яла' 'ила' 'ало' 'яло' 'ило' 'али' 'яли' 'или'
            'ає' 'яє' 'ають' 'яють' 'аємо' 'аєте' 'аєш' 'аю' 'яю' 'ить' 'имо' 'ите' 'иш' 'ать' 'ять'
            'увати' 'ювати' 'ував' 'ював' 'увала' 'ювала' 'увало' 'ювало' 'ували' 'ювали'
            'ує' 'ює' 'ують' 'юють' 'уємо' 'юємо' 'уєте' 'юєте' 'уєш' 'юєш' 'ую' 'юю': del }]

        rule soft = [{ behind r1; 'ь' 'й': del }]
        """#)
}

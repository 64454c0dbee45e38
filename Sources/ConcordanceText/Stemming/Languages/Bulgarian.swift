extension StemProgram {
    /// Bulgarian, by rules of our own, which remove the article at the end of a word, then the endings of nouns,
    /// adjectives and verbs.
    static let bulgarian = make(
        #"""
        letters vowel = аъоуеиюя
        number r1

        rule stem = $(r1 = limit) ~( .2 mark r1 ) @( >>vowel ) back( ~article ~ending ~fleeting )

        rule article = [{ behind r1; 'ът' 'ят' 'та' 'то' 'те': del; 'ия' 'ият': ->'и' }]

        rule ending = [{ behind r1;
            'а' 'я' 'о' 'е' 'и' 'ъ' 'ове' 'еве' 'ища'
            'ам' 'ям' 'аш' 'яш' 'ат' 'ят' 'иш' 'им' 'ите' 'еш' 'ем' 'ете'
            'их' 'иха' 'ихме' 'ах' 'аха' 'ахме' 'ил' 'ила' 'или' 'ал' 'ала' 'али': del }]

        # A vowel that other forms of the word lack: прозорец, прозорци.
        rule fleeting = [{ behind r1; 'ец': ->'ц'; 'ък': ->'к' }]
        """#)
}

// libstemmer and ICU, looked up when they are needed: benchmarks build without them, and say what is missing.
#ifndef C_LANGUAGE_LIBRARIES_H
#define C_LANGUAGE_LIBRARIES_H

/// A stemmer of libstemmer (https://snowballstem.org) for a language by its ISO code; NULL where the library is not
/// installed or lacks the language.
void *clanguage_stemmer(const char *language);

/// Stems a word in small letters, in UTF-8; the result is good until the next call.
const unsigned char *clanguage_stem(void *stemmer, const unsigned char *word, int count, int *stem_count);

/// Frees a stemmer.
void clanguage_free_stemmer(void *stemmer);

/// Counts the pieces between ICU's word boundaries in UTF-8 text of a language; -1 where ICU is not installed.
long clanguage_count_words(const char *language, const char *text, long count);

#endif

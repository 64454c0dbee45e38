#include "CLanguageLibraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdint.h>

// libstemmer: https://snowballstem.org/runtime/use.html

typedef struct {
    void *(*make)(const char *, const char *);
    void (*release)(void *);
    const unsigned char *(*stem)(void *, const unsigned char *, int);
    int (*length)(void *);
} snowball;

static const snowball *load_snowball(void) {
    static snowball functions;
    static int tried = 0;
    if (!tried) {
        tried = 1;
        const char *names[] = {"libstemmer.so.0d", "libstemmer.so", "libstemmer.dylib"};
        void *library = NULL;
        for (int i = 0; i < 3 && !library; i++) library = dlopen(names[i], RTLD_LAZY);
        if (library) {
            functions.make = (void *(*)(const char *, const char *))dlsym(library, "sb_stemmer_new");
            functions.release = (void (*)(void *))dlsym(library, "sb_stemmer_delete");
            functions.stem =
                (const unsigned char *(*)(void *, const unsigned char *, int))dlsym(library, "sb_stemmer_stem");
            functions.length = (int (*)(void *))dlsym(library, "sb_stemmer_length");
        }
    }
    int is_whole = functions.make && functions.release && functions.stem && functions.length;
    return is_whole ? &functions : NULL;
}

void *clanguage_stemmer(const char *language) {
    const snowball *functions = load_snowball();
    return functions ? functions->make(language, "UTF_8") : NULL;
}

const unsigned char *clanguage_stem(void *stemmer, const unsigned char *word, int count, int *stem_count) {
    const snowball *functions = load_snowball();
    const unsigned char *stem = functions ? functions->stem(stemmer, word, count) : NULL;
    *stem_count = stem ? functions->length(stemmer) : 0;
    return stem;
}

void clanguage_free_stemmer(void *stemmer) {
    const snowball *functions = load_snowball();
    if (functions) functions->release(stemmer);
}

// ICU's break iterator: https://unicode-org.github.io/icu/userguide/boundaryanalysis/

enum { ubrk_word = 1, ubrk_done = -1 };

typedef struct {
    void *(*open)(int, const char *, const uint16_t *, int32_t, int *);
    void (*close)(void *);
    void (*set_text)(void *, void *, int *);
    int32_t (*next)(void *);
    void *(*open_text)(void *, const char *, int64_t, int *);
    void *(*close_text)(void *);
} icu;

static void *icu_symbol(void *library, const char *name, int version) {
    char versioned[64];
    snprintf(versioned, sizeof versioned, "%s_%d", name, version);
    void *symbol = dlsym(library, versioned);
    return symbol ? symbol : dlsym(library, name);
}

static const icu *load_icu(void) {
    static icu functions;
    static int tried = 0;
    if (!tried) {
        tried = 1;
        for (int version = 90; version >= 60 && !functions.open; version--) {
            char name[64];
            snprintf(name, sizeof name, "libicuuc.so.%d", version);
            void *library = dlopen(name, RTLD_LAZY);
            if (!library) continue;
            functions.open = (void *(*)(int, const char *, const uint16_t *, int32_t, int *))icu_symbol(
                library, "ubrk_open", version);
            functions.close = (void (*)(void *))icu_symbol(library, "ubrk_close", version);
            functions.set_text = (void (*)(void *, void *, int *))icu_symbol(library, "ubrk_setUText", version);
            functions.next = (int32_t(*)(void *))icu_symbol(library, "ubrk_next", version);
            functions.open_text =
                (void *(*)(void *, const char *, int64_t, int *))icu_symbol(library, "utext_openUTF8", version);
            functions.close_text = (void *(*)(void *))icu_symbol(library, "utext_close", version);
        }
    }
    int is_whole = functions.open && functions.close && functions.set_text && functions.next && functions.open_text
        && functions.close_text;
    return is_whole ? &functions : NULL;
}

long clanguage_count_words(const char *language, const char *text, long count) {
    const icu *functions = load_icu();
    if (!functions) return -1;
    int status = 0;
    void *iterator = functions->open(ubrk_word, language, NULL, 0, &status);
    void *source = functions->open_text(NULL, text, count, &status);
    long words = -1;
    if (status <= 0 && iterator && source) {
        functions->set_text(iterator, source, &status);
        words = 0;
        while (functions->next(iterator) != ubrk_done) words++;
    }
    if (source) functions->close_text(source);
    if (iterator) functions->close(iterator);
    return words;
}

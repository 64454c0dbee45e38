#include <errno.h>
#include <iconv.h>
#include <stddef.h>
#include <uchardet.h>

// What becomes of a piece of a text.
enum ccharset_result {
    CCHARSET_CONVERTED,
    CCHARSET_OUTPUT_IS_FULL,
    CCHARSET_INVALID,
    CCHARSET_INCOMPLETE,
};

// A converter from an encoding to UTF-8; null if iconv does not know the encoding.
static inline void *ccharset_open(const char *encoding) {
    iconv_t converter = iconv_open("UTF-8", encoding);
    return converter == (iconv_t)-1 ? NULL : (void *)converter;
}

static inline void ccharset_close(void *converter) { iconv_close((iconv_t)converter); }

// Without input, writes what is held back: some encodings have marks that follow the letter with which they are composed.
static inline enum ccharset_result ccharset_convert(
    void *converter, char **input, size_t *input_size, char **output, size_t *output_size) {
    if (iconv((iconv_t)converter, input, input_size, output, output_size) != (size_t)-1) return CCHARSET_CONVERTED;
    if (errno == E2BIG) return CCHARSET_OUTPUT_IS_FULL;
    return errno == EINVAL ? CCHARSET_INCOMPLETE : CCHARSET_INVALID;
}

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// libarchive drops names that the locale's encoding cannot express, and a program that sets no locale has ASCII. So
// this thread uses UTF-8 while it reads a header.
static inline int carchive_read_next_header(struct archive *archive, struct archive_entry **entry) {
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
    locale_t previous = utf8 ? uselocale(utf8) : (locale_t)0;
    int code = archive_read_next_header(archive, entry);
    if (utf8) {
        uselocale(previous);
        freelocale(utf8);
    }
    return code;
}

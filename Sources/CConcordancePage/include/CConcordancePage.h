// The files of the search page, as they are in Sources/ConcordCommand/Server/Page. They are embedded by C's #embed, which
// takes no time, where Swift's array literals of as many bytes take the compiler minutes, and a bundle of resources would have
// to lie beside the command.
#include <stddef.h>

struct concordance_page_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

const struct concordance_page_file *concordance_page_files(void);
size_t concordance_page_file_count(void);

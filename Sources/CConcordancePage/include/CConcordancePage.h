// The files of the search page in Sources/ConcordCommand/Server/Page. C's #embed puts them into the binary without an
// array literal for the Swift compiler to read; a resource bundle would have to be installed beside the command.
#include <stddef.h>

struct concordance_page_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

const struct concordance_page_file *concordance_page_files(void);
size_t concordance_page_file_count(void);

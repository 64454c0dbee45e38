// Written by Scripts/embed-page.
#include "CConcordancePage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../ConcordCommand/Server/openapi.json"
};
static const unsigned char file_1[] = {
#embed "../ConcordCommand/Server/Page/index.html"
};

static const struct concordance_page_file files[] = {
    {"openapi.json", file_0, sizeof file_0},
    {"index.html", file_1, sizeof file_1},
};

const struct concordance_page_file *concordance_page_files(void) { return files; }

size_t concordance_page_file_count(void) { return sizeof files / sizeof files[0]; }

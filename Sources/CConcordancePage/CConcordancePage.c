// Written by Scripts/embed-page.
#include "CConcordancePage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../ConcordCommand/Server/openapi.json"
};
static const unsigned char file_1[] = {
#embed "../ConcordCommand/Server/Page/address.js"
};
static const unsigned char file_2[] = {
#embed "../ConcordCommand/Server/Page/api.js"
};
static const unsigned char file_3[] = {
#embed "../ConcordCommand/Server/Page/appearance.js"
};
static const unsigned char file_4[] = {
#embed "../ConcordCommand/Server/Page/base.css"
};
static const unsigned char file_5[] = {
#embed "../ConcordCommand/Server/Page/completions.js"
};
static const unsigned char file_6[] = {
#embed "../ConcordCommand/Server/Page/dom.js"
};
static const unsigned char file_7[] = {
#embed "../ConcordCommand/Server/Page/facets.js"
};
static const unsigned char file_8[] = {
#embed "../ConcordCommand/Server/Page/format.js"
};
static const unsigned char file_9[] = {
#embed "../ConcordCommand/Server/Page/head.js"
};
static const unsigned char file_10[] = {
#embed "../ConcordCommand/Server/Page/icon.svg"
};
static const unsigned char file_11[] = {
#embed "../ConcordCommand/Server/Page/index-state.js"
};
static const unsigned char file_12[] = {
#embed "../ConcordCommand/Server/Page/index.html"
};
static const unsigned char file_13[] = {
#embed "../ConcordCommand/Server/Page/keyboard.js"
};
static const unsigned char file_14[] = {
#embed "../ConcordCommand/Server/Page/kinds.js"
};
static const unsigned char file_15[] = {
#embed "../ConcordCommand/Server/Page/live.js"
};
static const unsigned char file_16[] = {
#embed "../ConcordCommand/Server/Page/main.js"
};
static const unsigned char file_17[] = {
#embed "../ConcordCommand/Server/Page/matches.js"
};
static const unsigned char file_18[] = {
#embed "../ConcordCommand/Server/Page/message.js"
};
static const unsigned char file_19[] = {
#embed "../ConcordCommand/Server/Page/page.css"
};
static const unsigned char file_20[] = {
#embed "../ConcordCommand/Server/Page/preview.css"
};
static const unsigned char file_21[] = {
#embed "../ConcordCommand/Server/Page/preview.js"
};
static const unsigned char file_22[] = {
#embed "../ConcordCommand/Server/Page/results.js"
};
static const unsigned char file_23[] = {
#embed "../ConcordCommand/Server/Page/runs.js"
};
static const unsigned char file_24[] = {
#embed "../ConcordCommand/Server/Page/say.js"
};
static const unsigned char file_25[] = {
#embed "../ConcordCommand/Server/Page/search.js"
};
static const unsigned char file_26[] = {
#embed "../ConcordCommand/Server/Page/sheet.js"
};
static const unsigned char file_27[] = {
#embed "../ConcordCommand/Server/Page/theme.js"
};
static const unsigned char file_28[] = {
#embed "../ConcordCommand/Server/Page/token.js"
};

static const struct concordance_page_file files[] = {
    {"openapi.json", file_0, sizeof file_0},
    {"address.js", file_1, sizeof file_1},
    {"api.js", file_2, sizeof file_2},
    {"appearance.js", file_3, sizeof file_3},
    {"base.css", file_4, sizeof file_4},
    {"completions.js", file_5, sizeof file_5},
    {"dom.js", file_6, sizeof file_6},
    {"facets.js", file_7, sizeof file_7},
    {"format.js", file_8, sizeof file_8},
    {"head.js", file_9, sizeof file_9},
    {"icon.svg", file_10, sizeof file_10},
    {"index-state.js", file_11, sizeof file_11},
    {"index.html", file_12, sizeof file_12},
    {"keyboard.js", file_13, sizeof file_13},
    {"kinds.js", file_14, sizeof file_14},
    {"live.js", file_15, sizeof file_15},
    {"main.js", file_16, sizeof file_16},
    {"matches.js", file_17, sizeof file_17},
    {"message.js", file_18, sizeof file_18},
    {"page.css", file_19, sizeof file_19},
    {"preview.css", file_20, sizeof file_20},
    {"preview.js", file_21, sizeof file_21},
    {"results.js", file_22, sizeof file_22},
    {"runs.js", file_23, sizeof file_23},
    {"say.js", file_24, sizeof file_24},
    {"search.js", file_25, sizeof file_25},
    {"sheet.js", file_26, sizeof file_26},
    {"theme.js", file_27, sizeof file_27},
    {"token.js", file_28, sizeof file_28},
};

const struct concordance_page_file *concordance_page_files(void) { return files; }

size_t concordance_page_file_count(void) { return sizeof files / sizeof files[0]; }

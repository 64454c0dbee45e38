// A libxml2 that was built with ICU would draw ICU's headers into the module, where they clash with those of Foundation.
// They serve one structure, which is only used through pointers.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

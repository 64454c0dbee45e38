// A libxml2 that was built with ICU would pull ICU's headers into the module, where they clash with those of
// Foundation. Only one structure needs them, and it is only used through pointers.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

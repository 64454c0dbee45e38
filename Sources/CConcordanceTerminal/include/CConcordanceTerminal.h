// What the command needs of terminals: their descriptions, by the terminfo library of ncurses, whose calls take variable
// arguments, which Swift cannot make; and a guard that gives the terminal back when the process crashes.
#ifndef CCONCORDANCE_TERMINAL_H
#define CCONCORDANCE_TERMINAL_H

#include <stddef.h>

/// Makes the description of a terminal the current one. Returns 1, or 0 if there is none of this name.
int cterminal_load(const char *name);

/// A string of the current description, by its name in terminfo(5); NULL if the terminal lacks it. The description owns it.
const char *cterminal_string(const char *capability);

/// A number of the current description; -1 if the terminal lacks it.
int cterminal_number(const char *capability);

/// Writes a string of a description with two parameters filled in, and without its delays, into `buffer`, and a zero
/// byte. Returns the number of bytes before that; 0 if it does not fit.
size_t cterminal_expand(const char *string, int first, int second, char *buffer, size_t size);

/// Has a crash write these bytes to standard output and restore the present modes of standard input before the process
/// ends as it would have. Returns 0 if there is no terminal, or too many bytes.
int cterminal_guard(const char *bytes, size_t count);

/// Ends that.
void cterminal_unguard(void);

#endif

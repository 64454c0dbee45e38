#include "CConcordanceTerminal.h"

#include <curses.h>
#include <signal.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

int cterminal_load(const char *name) {
    int found = 0;
    return setupterm((char *)name, STDOUT_FILENO, &found) == OK && found == 1;
}

const char *cterminal_string(const char *capability) {
    char *string = tigetstr((char *)capability);
    return string == (char *)-1 ? NULL : string;
}

int cterminal_number(const char *capability) {
    int number = tigetnum((char *)capability);
    return number < 0 ? -1 : number;
}

size_t cterminal_expand(const char *string, int first, int second, char *buffer, size_t size) {
    const char *expanded = tparm((char *)string, (long)first, (long)second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    if (expanded == NULL || size == 0) return 0;
    size_t count = 0;
    while (*expanded != 0) {
        // A delay: $<5>, $<5*/>. The terminals that needed them are gone.
        const char *end = expanded[0] == '$' && expanded[1] == '<' ? strchr(expanded, '>') : NULL;
        if (end != NULL) {
            expanded = end + 1;
            continue;
        }
        if (count + 1 >= size) return 0;
        buffer[count++] = *expanded++;
    }
    buffer[count] = 0;
    return count;
}

// What a handler may read: set before the handlers are.
static char guard_bytes[512];
static volatile sig_atomic_t guard_count;
static struct termios guard_modes;

static const int guard_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
enum { guard_signal_count = sizeof guard_signals / sizeof guard_signals[0] };
static struct sigaction guard_previous[guard_signal_count];

// Calls only what POSIX allows in handlers: write, tcsetattr, sigaction, raise.
static void guard_handle(int number) {
    size_t count = (size_t)guard_count;
    guard_count = 0;
    if (count > 0) {
        ssize_t written = write(STDOUT_FILENO, guard_bytes, count);
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &guard_modes);
    }
    for (int index = 0; index < guard_signal_count; index++) {
        if (guard_signals[index] == number) sigaction(number, &guard_previous[index], NULL);
    }
    raise(number);
}

int cterminal_guard(const char *bytes, size_t count) {
    if (count > sizeof guard_bytes || tcgetattr(STDIN_FILENO, &guard_modes) != 0) return 0;
    memcpy(guard_bytes, bytes, count);
    guard_count = (sig_atomic_t)count;
    struct sigaction action = {0};
    action.sa_handler = guard_handle;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < guard_signal_count; index++) {
        sigaction(guard_signals[index], &action, &guard_previous[index]);
    }
    return 1;
}

void cterminal_unguard(void) {
    if (guard_count == 0) return;
    guard_count = 0;
    for (int index = 0; index < guard_signal_count; index++) {
        sigaction(guard_signals[index], &guard_previous[index], NULL);
    }
}

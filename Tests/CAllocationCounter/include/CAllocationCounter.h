// Counts heap allocations, for tests that say how many there may be.
//
// With glibc the file replaces malloc and its kin in the program it is linked into; with other C libraries, and under
// a sanitizer, it counts nothing and says so. C, because a replacement for malloc must not call anything that
// allocates, and must count each thread for itself: tests run side by side.

#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether allocations are counted here. */
bool allocation_counter_works(void);

/* The number of allocations that the calling thread has made. */
uint64_t allocation_counter_count(void);

#endif

// Counts operations up to the one that is to fail.

#ifndef FAULTCOUNTER_H
#define FAULTCOUNTER_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    _Atomic int64_t remaining; /* operations until the failing one; 0 for none */
    _Atomic int is_lasting;
    _Atomic int64_t failures;
} FaultCounter;

static inline void fault_counter_arm(FaultCounter *counter, int64_t number, int is_lasting) {
    counter->failures = 0;
    counter->is_lasting = is_lasting;
    counter->remaining = number;
}

static inline int64_t fault_counter_disarm(FaultCounter *counter) {
    counter->remaining = 0;
    counter->is_lasting = 0;
    return counter->failures;
}

/* Whether the operation that begins now is to fail. */
static inline int fault_counter_fails(FaultCounter *counter) {
    int64_t remaining = counter->remaining;
    if (remaining == 0) {
        if (!counter->is_lasting || counter->failures == 0) return 0;
    } else {
        counter->remaining = remaining - 1;
        if (remaining > 1) return 0;
    }
    counter->failures++;
    return 1;
}

#endif

// A thread that runs one function. In C, since the types of pthread_create differ from one platform to the next in Swift.
//
// Not a thread of a pool such as Dispatch's: a process that has forked has none of its parent's threads, and a pool there
// waits for them forever. A program that loads the extension may well have forked.

#ifndef CCONCORDANCE_THREAD_H
#define CCONCORDANCE_THREAD_H

typedef struct concordance_thread concordance_thread;

/* Runs `body(context)` on a new thread, to which no signal is delivered. NULL if there can be no thread. */
concordance_thread *concordance_thread_start(void (*body)(void *), void *context);
/* Waits until `body` has returned, and frees the thread. */
void concordance_thread_join(concordance_thread *thread);

#endif

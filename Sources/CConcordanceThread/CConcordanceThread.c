#include "CConcordanceThread.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <pthread/qos.h>
#include <sys/qos.h>
#endif

struct concordance_thread {
    pthread_t thread;
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct concordance_thread *thread = argument;
    thread->body(thread->context);
    return 0;
}

concordance_thread *concordance_thread_start(void (*body)(void *), void *context) {
    struct concordance_thread *thread = malloc(sizeof(*thread));
    if (!thread) return 0;
    thread->body = body;
    thread->context = context;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        free(thread);
        return 0;
    }
    /* Enough for any function here; musl gives 128 kB. */
    pthread_attr_setstacksize(&attributes, 1 << 20);
#ifdef __APPLE__
    /* As urgent as the caller, who will wait for it. */
    pthread_attr_set_qos_class_np(&attributes, qos_class_self(), 0);
#endif
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    int status = pthread_create(&thread->thread, &attributes, run, thread);
    pthread_sigmask(SIG_SETMASK, &previous, 0);
    pthread_attr_destroy(&attributes);
    if (status == 0) return thread;
    free(thread);
    return 0;
}

void concordance_thread_join(concordance_thread *thread) {
    pthread_join(thread->thread, 0);
    free(thread);
}

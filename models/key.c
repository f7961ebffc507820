/* Thread-specific data: keys of POSIX. C11's tss_* in c11threads.c are the same.
 *
 * A deleted key's slot may be reused; `round` distinguishes values of the old key from those of the new one. */
#include "internal.h"

enum { KEYS = 1024, /* PTHREAD_KEYS_MAX of the C library */ DESTRUCTOR_ROUNDS = 4 };

struct key {
    int used;
    unsigned round;
    void (*destructor)(void *);
};

struct value {
    unsigned round;
    const void *value;
};

static struct key keys[KEYS];
static _Thread_local struct value values[KEYS];
static _Thread_local _Bool any_value;
static _Thread_local unsigned last_key; /* no key after it has a value */

/* POSIX pthread_key_create: makes a key whose value is null in every thread; EAGAIN when there are too many. The
 * destructor is called with a thread's value when the thread ends. */
int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    unsigned i = 0;
    __tp_atomic_begin();
    /* Which key a thread gets depends on who came first, but orders nothing: the load is relaxed. */
    while (i < KEYS && __atomic_load_n(&keys[i].used, __ATOMIC_RELAXED))
        i++;
    if (i < KEYS) {
        keys[i].used = 1;
        keys[i].round++;
        keys[i].destructor = destructor;
    }
    __tp_atomic_end();
    if (i == KEYS)
        return EAGAIN;
    *key = i;
    return 0;
}

/* The round of a key that exists, or 0. */
static unsigned round_of(unsigned key)
{
    unsigned round = 0;
    if (key < KEYS) {
        __tp_atomic_begin();
        if (keys[key].used)
            round = keys[key].round;
        __tp_atomic_end();
    }
    return round;
}

/* POSIX pthread_key_delete: the key may not be used any more; no destructor is called. */
int pthread_key_delete(unsigned key)
{
    __tp_atomic_begin();
    _Bool exists = round_of(key) != 0;
    __tp_assert(exists, TP_LOCK, "delete of a key that does not exist");
    if (exists)
        keys[key].used = 0;
    __tp_atomic_end();
    return exists ? 0 : EINVAL;
}

/* POSIX pthread_getspecific: the calling thread's value of the key, null at first. */
void *pthread_getspecific(unsigned key)
{
    unsigned round = round_of(key);
    __tp_assert(round != 0, TP_LOCK, "use of a key that does not exist");
    return round != 0 && values[key].round == round ? (void *)values[key].value : 0;
}

/* POSIX pthread_setspecific: sets the calling thread's value of the key. */
int pthread_setspecific(unsigned key, const void *value)
{
    unsigned round = round_of(key);
    __tp_assert(round != 0, TP_LOCK, "use of a key that does not exist");
    if (round == 0)
        return EINVAL;
    values[key].round = round;
    values[key].value = value;
    any_value = 1;
    if (key > last_key)
        last_key = key;
    return 0;
}

/* The destructor to call for the thread's value of a key, or null. */
static void (*destructor_of(unsigned key))(void *)
{
    void (*destructor)(void *) = 0;
    __tp_atomic_begin();
    if (keys[key].used && keys[key].round == values[key].round)
        destructor = keys[key].destructor;
    __tp_atomic_end();
    return destructor;
}

/* POSIX pthread_key_create: at the end of a thread each value that is not null is set to null and handed to its key's
 * destructor; as these may set values again, this is repeated PTHREAD_DESTRUCTOR_ITERATIONS times at most. */
void __tpm_run_key_destructors(void)
{
    for (int i = 0; i < DESTRUCTOR_ROUNDS && any_value; i++) {
        any_value = 0;
        for (unsigned key = 0; key <= last_key; key++) {
            void *value = (void *)values[key].value;
            if (!value)
                continue;
            void (*destructor)(void *) = destructor_of(key);
            values[key].value = 0;
            if (destructor) {
                __tp_end_locals(); /* POSIX: the locals of pthread_exit's callers are gone */
                destructor(value);
            }
        }
    }
}

/* Descriptors that are neither files nor pipes: event counters, timers, epoll instances; and waiting for several
 * descriptors at once, as poll, select and epoll_wait do.
 *
 * What a descriptor is ready for is a set of events. Some are there *now*. Others *come* by themselves, because time
 * passes: a thread that waits can go on at any moment, as in a timed wait, and then they have happened. */
#ifndef TPM_SPECIAL_H
#define TPM_SPECIAL_H

#include "files.h"

struct __tpm_counter {
    struct __tpm_file file;
    unsigned long long count;
    _Bool is_semaphore;
};

struct __tpm_timer {
    struct __tpm_file file;
    unsigned long long expired; /* not read yet */
    _Bool is_armed;
    _Bool is_past;               /* it was set to a time that has passed */
    int clock;
    struct __tpm_moment first;    /* from when it was set, or from when it expired last */
    struct __tpm_moment interval; /* 0: it expires once */
    struct __tpm_moment then;     /* if the program reads the clock */
};

/* What an epoll instance watches. */
struct __tpm_watch {
    const struct __tpm_file *epoll;
    struct __tpm_open *open;
    int fd;
    unsigned events;
    unsigned long long data;
    _Bool is_new; /* something has happened since it was last reported */
    struct __tpm_watch *next;
};

/* All functions from here on are parts of atomic steps, unless they say otherwise. */

/* The events that are there, and those that come by themselves. */
unsigned __tpm_events(const struct __tpm_open *open);
unsigned __tpm_coming(const struct __tpm_open *open);
/* A call ends that has waited for what comes, and it has not: the outside is late once. */
void __tpm_is_late(struct __tpm_open *open, unsigned wanted);

/* The same of an epoll instance, a socket and a timer. */
unsigned __tpm_epoll_events(const struct __tpm_file *epoll);
void __tpm_end_epoll(const struct __tpm_file *epoll);
unsigned __tpm_socket_events(const struct __tpm_open *open);
unsigned __tpm_socket_coming(const struct __tpm_open *open);
void __tpm_socket_comes(const struct __tpm_open *open);
void __tpm_socket_is_late(const struct __tpm_open *open);
_Bool __tpm_socket_listens(const struct __tpm_open *open);
/* Whether a socket reads (EPOLLIN) or writes (EPOLLOUT) this pipe. */
_Bool __tpm_socket_uses(const struct __tpm_file *socket, const struct __tpm_file *pipe, unsigned events);
void __tpm_end_socket(struct __tpm_file *file);
_Bool __tpm_is_due(const struct __tpm_timer *timer);
void __tpm_expire(struct __tpm_timer *timer);

/* How long a call waits. */
struct __tpm_limit {
    enum { FOR_EVER = 0, NOT_AT_ALL = 1, FOR_SOME_TIME = 2 } kind;
    struct __tpm_moment span;
    struct __tpm_moment then; /* if the program reads the clock */
};

/* Outside of steps. */
struct __tpm_limit __tpm_limit_of(long long seconds, long nanoseconds);

/* What a call waits for: begins with zeros, and each descriptor adds to it. */
struct __tpm_prospect {
    _Bool is_there;
    _Bool comes;
    _Bool listens;             /* a connection may come from outside, or never */
    _Bool by_time;             /* at the latest when this span has passed */
    struct __tpm_moment soonest;
};

void __tpm_look(struct __tpm_prospect *prospect, const struct __tpm_open *open, unsigned wanted);

enum __tpm_woken { BY_EVENT = 0, BY_TIME = 1, BY_HANDLER = 2, BY_CANCEL = 3 };

/* Waits until something is there, the time is up, or the thread is interrupted. The object is what it waits for; null: several. */
enum __tpm_woken __tpm_wait(const struct __tpm_prospect *prospect, const struct __tpm_limit *limit, const void *object);

/* Of what has come by itself, whether this was it. `left`: how many there may still be; one of them was, unless something was
 * there before. Returns the events of the descriptor. */
unsigned __tpm_settle(struct __tpm_prospect *prospect, struct __tpm_open *open, unsigned wanted, _Bool is_last);

/* Outside of steps: what a call that waited does about the way that it was woken; true: it begins again. The result is -1
 * with EINTR if a handler was run. */
_Bool __tpm_begins_again(enum __tpm_woken woken, int *result);

/* Outside of steps: what a call with an error number does that waited, as read does; true: it begins again. */
_Bool __tpm_goes_on(int *error);

#endif

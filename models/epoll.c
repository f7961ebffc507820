/* <sys/epoll.h>: a list of descriptors that threads can wait for.
 *
 * Level-triggered, a descriptor is reported whenever it is ready; edge-triggered (EPOLLET), when it is ready and something
 * has happened since it was last reported. What an instance watches are descriptions: closing one of several descriptors of
 * a description changes nothing. */
#include "special.h"
#include "signals.h"

TP_ALL_DO("signal-safe")

enum { EPOLL_CTL_ADD = 1, EPOLL_CTL_DEL = 2, EPOLL_CTL_MOD = 3 };
enum { EPOLLEXCLUSIVE = 1 << 28, EPOLLWAKEUP = 1 << 29, EPOLLONESHOT = 1 << 30 };
#define EPOLLET (1u << 31)
#define FLAGS (EPOLLET | EPOLLONESHOT | EPOLLWAKEUP | EPOLLEXCLUSIVE)

struct event {
    unsigned events;
    unsigned long long data;
} __attribute__((packed));

/* All watches of all instances, in the order in which they were made. */
static struct __tpm_watch *watches;

void __tpm_changed(const struct __tpm_file *file, unsigned events)
{
    for (struct __tpm_watch *w = watches; w; w = w->next)
        if ((w->open->file == file || (w->open->file->kind == SOCKET && __tpm_socket_uses(w->open->file, file, events)))
            && (w->events & (events | EPOLLERR | EPOLLHUP)))
            w->is_new = 1;
}

static void remove(struct __tpm_watch **place)
{
    struct __tpm_watch *watch = *place;
    *place = watch->next;
    __tp_free(watch);
}

void __tpm_unwatch(const struct __tpm_open *open)
{
    for (struct __tpm_watch **place = &watches; *place;) {
        if ((*place)->open == open)
            remove(place);
        else
            place = &(*place)->next;
    }
}

void __tpm_end_epoll(const struct __tpm_file *epoll)
{
    for (struct __tpm_watch **place = &watches; *place;) {
        if ((*place)->epoll == epoll)
            remove(place);
        else
            place = &(*place)->next;
    }
}

/* POSIX has no epoll; this is epoll_create1(2). */
TP_DOES("special")
int epoll_create1(int flags)
{
    if (flags & ~O_CLOEXEC)
        return (int)__tpm_result(EINVAL, 0);
    __tp_atomic_begin();
    struct __tpm_file *epoll = __tp_alloc_record(sizeof *epoll, sizeof(void *));
    *epoll = (struct __tpm_file){.kind = EPOLL};
    int fd = __tpm_new_descriptor(__tpm_open_file(epoll, O_RDWR), 0);
    __tp_atomic_end();
    return (int)__tpm_result(fd < 0 ? EMFILE : 0, fd);
}

/* epoll_create(2): the same; the size must be positive, and says nothing. */
TP_DOES("special")
int epoll_create(int size)
{
    return size <= 0 ? (int)__tpm_result(EINVAL, 0) : epoll_create1(0);
}

/* Where the watch of a descriptor is, or would be. */
static struct __tpm_watch **place_of(const struct __tpm_file *epoll, const struct __tpm_open *open, int fd)
{
    struct __tpm_watch **place = &watches;
    while (*place && !((*place)->epoll == epoll && (*place)->open == open && (*place)->fd == fd))
        place = &(*place)->next;
    return place;
}

/* Reported when it is reached. */
void epoll_of_epoll_without_model(void);

static int cannot_watch(const struct __tpm_open *epoll, const struct __tpm_open *open)
{
    if (!epoll || !open)
        return EBADF;
    if (epoll == open || epoll->file->kind != EPOLL)
        return EINVAL;
    if (open->file->kind == REGULAR || open->file->kind == DIRECTORY)
        return EPERM;
    return 0;
}

static int change(const struct __tpm_file *epoll, struct __tpm_open *open, int how, int fd, struct event event)
{
    struct __tpm_watch **place = place_of(epoll, open, fd);
    if (how == EPOLL_CTL_ADD) {
        if (*place)
            return EEXIST;
        *place = __tp_alloc_record(sizeof **place, sizeof(long long));
        **place = (struct __tpm_watch){.epoll = epoll, .open = open, .fd = fd};
    } else if (how != EPOLL_CTL_MOD && how != EPOLL_CTL_DEL) {
        return EINVAL;
    } else if (!*place) {
        return ENOENT;
    }
    if (how == EPOLL_CTL_DEL) {
        remove(place);
    } else {
        (*place)->events = event.events;
        (*place)->data = event.data;
        (*place)->is_new = 1;
    }
    return 0;
}

/* epoll_ctl(2): adds, changes or removes what an instance watches. */
int epoll_ctl(int instance, int how, int fd, const struct event *event)
{
    struct event wanted = {0, 0};
    if (how == EPOLL_CTL_ADD || how == EPOLL_CTL_MOD)
        wanted = *event;
    __tp_atomic_begin();
    struct __tpm_open *epoll = __tpm_description(instance), *open = __tpm_description(fd);
    int error = cannot_watch(epoll, open);
    _Bool is_nested = !error && open->file->kind == EPOLL;
    if (!error && !is_nested)
        error = change(epoll->file, open, how, fd, wanted);
    __tp_atomic_end();
    if (is_nested)
        epoll_of_epoll_without_model();
    return (int)__tpm_result(error, 0);
}

/* What is waited for: nothing, after an EPOLLONESHOT was reported. */
static unsigned wanted(const struct __tpm_watch *watch)
{
    unsigned events = watch->events & ~(unsigned)FLAGS;
    return events || !(watch->events & EPOLLONESHOT) ? events | EPOLLERR | EPOLLHUP : 0;
}

/* The events to report now. */
static unsigned events_of(const struct __tpm_watch *watch)
{
    if ((watch->events & EPOLLET) && !watch->is_new)
        return 0;
    return __tpm_events(watch->open) & wanted(watch);
}

unsigned __tpm_epoll_events(const struct __tpm_file *epoll)
{
    unsigned events = 0;
    for (const struct __tpm_watch *w = watches; w; w = w->next)
        if (w->epoll == epoll && events_of(w))
            events = EPOLLIN;
    return events;
}

static struct __tpm_prospect prospect_of(const struct __tpm_file *epoll)
{
    struct __tpm_prospect prospect = {0};
    for (const struct __tpm_watch *w = watches; w; w = w->next) {
        if (w->epoll == epoll) {
            _Bool is_seen = (w->events & EPOLLET) && !w->is_new;
            __tpm_look(&prospect, w->open, is_seen ? 0 : wanted(w));
            if (is_seen && (__tpm_coming(w->open) & wanted(w)))
                __tpm_look(&prospect, w->open, __tpm_coming(w->open) & wanted(w) & ~__tpm_events(w->open));
        }
    }
    return prospect;
}

/* Lets what comes by itself come, as far as it has; returns how many watches have something to report. */
static int settle(struct __tpm_prospect *prospect, const struct __tpm_file *epoll)
{
    struct __tpm_watch *last = 0;
    int count = 0;
    for (struct __tpm_watch *w = watches; w; w = w->next)
        if (w->epoll == epoll && (__tpm_coming(w->open) & wanted(w)))
            last = w;
    for (struct __tpm_watch *w = watches; w; w = w->next) {
        if (w->epoll != epoll)
            continue;
        if (last) {
            unsigned coming = __tpm_coming(w->open);
            __tpm_settle(prospect, w->open, wanted(w), w == last);
            if (coming && !__tpm_coming(w->open))
                w->is_new = 1;
        }
        count += events_of(w) != 0;
    }
    return count;
}

/* The reported watch is as if nothing had happened, or disabled. */
static void note_report(struct __tpm_watch *watch)
{
    watch->is_new = 0;
    if (watch->events & EPOLLONESHOT)
        watch->events &= (unsigned)FLAGS;
}

/* Reports up to `most` of `count`, beginning with any one. */
static void report(const struct __tpm_file *epoll, int count, int most, struct __tpm_taken *taken)
{
    int begin = 0, seen = 0, left = count < most ? count : most;
    while (begin + 1 < count && __tp_input_bool("a later descriptor is reported first"))
        begin++;
    for (int round = 0; round < 2 && left > 0; round++, seen = 0) {
        for (struct __tpm_watch *w = watches; w && left > 0; w = w->next) {
            unsigned events = w->epoll == epoll ? events_of(w) : 0;
            if (events && (round > 0 || seen++ >= begin)) {
                struct event event = { events, w->data };
                __tpm_take_bytes(taken, &event, sizeof event);
                note_report(w);
                left--;
            }
        }
    }
}

static void note_late(const struct __tpm_file *epoll)
{
    for (struct __tpm_watch *w = watches; w; w = w->next)
        if (w->epoll == epoll)
            __tpm_is_late(w->open, wanted(w));
}

static enum __tpm_woken wait(int fd, int most, const struct __tpm_limit *limit, struct __tpm_taken *taken, int *error)
{
    struct __tpm_open *open = __tpm_description(fd);
    *error = !open ? EBADF : open->file->kind != EPOLL || most <= 0 ? EINVAL : 0;
    if (*error)
        return BY_EVENT;
    struct __tpm_prospect prospect = prospect_of(open->file);
    enum __tpm_woken woken = __tpm_wait(&prospect, limit, open->file);
    if (woken == BY_TIME && prospect.comes)
        note_late(open->file);
    if (woken == BY_EVENT)
        report(open->file, settle(&prospect, open->file), most, taken);
    return woken;
}

static int wait_for_events(int fd, struct event *to, int most, const struct __tpm_limit *limit)
{
    enum __tpm_woken woken;
    int result = 0, error;
    do {
        struct __tpm_taken taken;
        __tpm_cancel_point();
        __tp_atomic_begin();
        __tpm_begin_taking(&taken);
        woken = wait(fd, most, limit, &taken, &error);
        unsigned char *bytes = taken.bytes;
        size_t count = taken.count;
        __tp_atomic_end();
        __tpm_hand_over(to, bytes, count);
        result = (int)(count / sizeof(struct event));
    } while (__tpm_begins_again(woken, &result));
    return error ? (int)__tpm_result(error, 0) : result;
}

static struct __tpm_limit milliseconds(int time)
{
    struct __tpm_limit limit = { FOR_EVER, {0, 0}, {0, 0} };
    return time < 0 ? limit : __tpm_limit_of(time / 1000, time % 1000 * 1000000L);
}

/* epoll_wait(2): waits until something that the instance watches is ready, or the time in milliseconds is up. */
int epoll_wait(int fd, struct event *to, int most, int time)
{
    struct __tpm_limit limit = milliseconds(time);
    return wait_for_events(fd, to, most, &limit);
}

/* epoll_pwait(2): the same while these signals are blocked. */
TP_DOES("signals")
int epoll_pwait(int fd, struct event *to, int most, int time, const __tpm_signals *set)
{
    struct __tpm_limit limit = milliseconds(time);
    if (!set)
        return wait_for_events(fd, to, most, &limit);
    __tpm_signals before = __tpm_exchange_blocked(*set);
    int result = wait_for_events(fd, to, most, &limit);
    __tpm_exchange_blocked(before);
    return result;
}

/* epoll_pwait2(2): the same with the time as a struct timespec, or null. */
TP_DOES("signals")
int epoll_pwait2(int fd, struct event *to, int most, const void *span, const __tpm_signals *set)
{
    struct __tpm_limit limit = milliseconds(-1);
    struct __tpm_deadline time = {0, 0};
    if (span)
        time = __tpm_read_deadline(span);
    if (!__tpm_is_valid(time) || time.seconds < 0)
        return (int)__tpm_result(EINVAL, 0);
    if (span)
        limit = __tpm_limit_of(time.seconds, time.nanoseconds);
    if (!set)
        return wait_for_events(fd, to, most, &limit);
    __tpm_signals before = __tpm_exchange_blocked(*set);
    int result = wait_for_events(fd, to, most, &limit);
    __tpm_exchange_blocked(before);
    return result;
}

TP_END

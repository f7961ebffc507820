/* The state of sockets: what they are ready for, how they are connected and come to their end. All functions are parts of
 * atomic steps. */
#include "sockets.h"

static unsigned connections; /* that the outside has made */

_Bool __tpm_outside_is_left(void)
{
    return __tp_option_connections && connections < (unsigned)__tp_option_connections;
}

struct __tpm_open *__tpm_open_socket(int fd, int *error)
{
    struct __tpm_open *open = __tpm_description(fd);
    *error = !open ? EBADF : open->file->kind != SOCKET ? ENOTSOCK : 0;
    return *error ? 0 : open;
}

struct __tpm_socket *__tpm_make_socket(int family)
{
    struct __tpm_socket *socket = __tp_alloc_record(sizeof *socket, sizeof(long long));
    *socket = (struct __tpm_socket){.file = {.kind = SOCKET}, .family = family};
    return socket;
}

int __tpm_socket_descriptor(struct __tpm_socket *socket, unsigned flags)
{
    return __tpm_new_descriptor(__tpm_open_file(&socket->file, O_RDWR | (flags & O_NONBLOCK)), 0);
}

static void connect_one_way(struct __tpm_socket *from, struct __tpm_socket *to)
{
    struct __tpm_file *pipe = __tpm_make(0, PIPE);
    from->to = __tpm_open_file(pipe, O_WRONLY);
    to->from = __tpm_open_file(pipe, O_RDONLY);
}

void __tpm_connect_sockets(struct __tpm_socket *a, struct __tpm_socket *b)
{
    connect_one_way(a, b);
    connect_one_way(b, a);
    a->state = b->state = CONNECTED;
}

void __tpm_connect_outside(struct __tpm_socket *socket)
{
    struct __tpm_file *file = &__tp_connections[connections++];
    __tpm_draw(file);
    socket->from = __tpm_open_file(file, O_RDONLY);
    socket->state = CONNECTED;
    socket->is_outside = 1;
}

/* The end of a pipe is closed; the events are those that the other end has then. */
void __tpm_close_end(struct __tpm_open **end, unsigned events)
{
    struct __tpm_open *open = *end;
    if (!open)
        return;
    struct __tpm_file *pipe = open->file;
    *end = 0;
    if (events == EPOLLOUT)
        pipe->readers--;
    else
        pipe->writers--;
    __tpm_changed(pipe, events);
    if (pipe->readers == 0 && pipe->writers == 0)
        __tpm_forget(pipe);
    __tp_free(open);
}

static void end_connection(struct __tpm_socket *socket)
{
    __tpm_close_end(&socket->from, EPOLLOUT);
    __tpm_close_end(&socket->to, EPOLLIN);
}

void __tpm_end_socket(struct __tpm_file *file)
{
    struct __tpm_socket *socket = (struct __tpm_socket *)file;
    end_connection(socket);
    __tpm_unbind(socket);
    while (socket->state == LISTENING && socket->waiting) {
        struct __tpm_socket *one = socket->waiting;
        socket->waiting = one->waiting;
        end_connection(one);
        __tp_free(one);
    }
}

_Bool __tpm_socket_uses(const struct __tpm_file *file, const struct __tpm_file *pipe, unsigned events)
{
    const struct __tpm_socket *socket = (const struct __tpm_socket *)file;
    return (socket->from && socket->from->file == pipe && (events & EPOLLIN))
           || (socket->to && socket->to->file == pipe && (events & EPOLLOUT));
}

/* What the reading side says. */
static unsigned events_to_read(const struct __tpm_socket *socket)
{
    unsigned events = 0;
    if (!socket->from)
        return EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
    if (socket->is_outside && !socket->at_hand && !socket->was_late)
        return 0;
    if (socket->from->offset < socket->from->file->size)
        events |= EPOLLIN | EPOLLRDNORM;
    if (socket->from->file->writers == 0 && !(socket->is_outside && events))
        events |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
    return events;
}

static unsigned events_to_write(const struct __tpm_socket *socket)
{
    if (socket->is_outside || !socket->to || socket->to->file->readers == 0
        || socket->to->file->size + PIPE_BUF <= PIPE_ROOM)
        return EPOLLOUT | EPOLLWRNORM;
    return 0;
}

/* Both directions are closed; the one to the other socket by this one, or, of AF_UNIX, by any of them. */
static _Bool is_hung_up(const struct __tpm_socket *socket)
{
    if (socket->is_outside)
        return 0;
    _Bool no_more_comes = !socket->from || socket->from->file->writers == 0;
    return no_more_comes && (!socket->to || (socket->family == AF_UNIX && socket->to->file->readers == 0));
}

unsigned __tpm_socket_events(const struct __tpm_open *open)
{
    const struct __tpm_socket *socket = __tpm_socket_of(open);
    unsigned events = socket->error ? EPOLLERR : 0;
    switch (socket->state) {
    case FRESH: return events | EPOLLOUT | EPOLLHUP | EPOLLWRNORM;
    case REFUSED: return events | EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP;
    case LISTENING:
        return socket->waiting || (__tpm_outside_is_left() && (socket->at_hand || socket->was_late))
                   ? EPOLLIN | EPOLLRDNORM
                   : 0;
    default: return events | events_to_read(socket) | events_to_write(socket) | (is_hung_up(socket) ? EPOLLHUP : 0u);
    }
}

unsigned __tpm_socket_coming(const struct __tpm_open *open)
{
    const struct __tpm_socket *socket = __tpm_socket_of(open);
    if (!__tp_option_connections || socket->at_hand || socket->was_late)
        return 0;
    _Bool comes = socket->state == LISTENING ? __tpm_outside_is_left() && !socket->waiting
                                             : socket->is_outside && socket->from;
    return comes ? EPOLLIN : 0;
}

void __tpm_socket_comes(const struct __tpm_open *open)
{
    __tpm_socket_of(open)->at_hand = 1;
}

void __tpm_socket_is_late(const struct __tpm_open *open)
{
    __tpm_socket_of(open)->was_late = 1;
}

_Bool __tpm_socket_listens(const struct __tpm_open *open)
{
    return __tpm_socket_of(open)->state == LISTENING;
}

/* How long a read waits. */
static struct __tpm_limit limit_of(const struct __tpm_open *open, int flags, const struct __tpm_moment *longest)
{
    struct __tpm_limit limit = { FOR_EVER, {0, 0}, {0, 0} };
    if ((open->flags & O_NONBLOCK) || (flags & MSG_DONTWAIT))
        limit.kind = NOT_AT_ALL;
    else if (longest->seconds || longest->nanoseconds)
        limit = __tpm_limit_of((long long)longest->seconds, longest->nanoseconds);
    return limit;
}

/* Waits until the socket is ready for this; an error number, or 0. */
int __tpm_await_socket(struct __tpm_open *open, unsigned event, int flags)
{
    static const struct __tpm_moment none;
    struct __tpm_prospect prospect = {0};
    struct __tpm_limit limit = limit_of(open, flags, event == EPOLLIN ? &__tpm_socket_of(open)->read_limit : &none);
    __tpm_look(&prospect, open, event);
    switch (__tpm_wait(&prospect, &limit, open->file)) {
    case BY_TIME:
        if (__tpm_socket_coming(open) & event)
            __tpm_socket_is_late(open);
        return EAGAIN;
    case BY_HANDLER: return BY_SIGNAL;
    case BY_CANCEL: return CANCELLED;
    default: return 0;
    }
}

/* How many of the bytes that the outside sends have arrived: at least one. */
static size_t arrived(size_t count)
{
    if (count < 2 || !__tp_input_rarely("only a part has arrived"))
        return count;
    return 1 + __tp_input_u8("bytes that have arrived") % (count - 1);
}

int __tpm_receive(struct __tpm_open *open, size_t most, int flags, struct __tpm_taken *taken)
{
    struct __tpm_socket *socket = __tpm_socket_of(open);
    if (socket->state != CONNECTED)
        return socket->state == REFUSED && socket->error ? socket->error : ENOTCONN;
    if (!socket->from || most == 0)
        return 0;
    int error = __tpm_await_socket(open, EPOLLIN, flags);
    if (error)
        return error;
    size_t available = __tpm_available(socket->from), before = socket->from->offset;
    size_t count = available < most ? available : most;
    if (socket->is_outside)
        count = arrived(count);
    _Bool was_full = socket->from->file->size + PIPE_BUF > PIPE_ROOM;
    if (flags & MSG_PEEK) {
        __tpm_take_bytes(taken, socket->from->file->bytes + before, count);
        return 0;
    }
    __tpm_take_more(taken, socket->from, count);
    socket->at_hand = 0;
    if (was_full)
        __tpm_changed(socket->from->file, EPOLLOUT);
    return 0;
}

int __tpm_transmit(struct __tpm_open *open, const unsigned char *bytes, size_t *count, int flags)
{
    struct __tpm_socket *socket = __tpm_socket_of(open);
    if (socket->state != CONNECTED)
        return socket->family == AF_UNIX ? ENOTCONN : EPIPE;
    if (socket->is_outside)
        return socket->options & 1 ? EPIPE : 0;
    if (!socket->to || socket->to->file->readers == 0)
        return EPIPE;
    int error = __tpm_await_socket(open, EPOLLOUT, flags);
    if (error)
        return error;
    if (socket->to->file->readers == 0)
        return EPIPE;
    if (*count > 0)
        __tpm_changed(socket->to->file, EPOLLIN);
    return __tpm_put(socket->to, bytes, *count);
}

/* <sys/socket.h>: sockets that are streams, of AF_UNIX, AF_INET and AF_INET6. */
#include "sockets.h"

TP_ALL_DO("signal-safe")

enum { SHUT_RD = 0, SHUT_WR = 1, SHUT_RDWR = 2 };

/* Those that have an address, the last one first. */
static struct __tpm_socket *bound;

void __tpm_unbind(struct __tpm_socket *socket)
{
    struct __tpm_socket **place = &bound;
    while (*place && *place != socket)
        place = &(*place)->next_bound;
    if (*place)
        *place = socket->next_bound;
}

/* Reported when it is reached. */
void socket_that_is_no_stream_without_model(void);

enum { SOCK_TYPE = 15, IPPROTO_TCP = 6 };

static int cannot_make(int family, int type, int protocol)
{
    if (family != AF_UNIX && family != AF_INET && family != AF_INET6)
        return EAFNOSUPPORT;
    if (type & ~(SOCK_TYPE | O_NONBLOCK | O_CLOEXEC))
        return EINVAL;
    if ((type & SOCK_TYPE) == SOCK_STREAM && protocol != 0 && protocol != (family == AF_UNIX ? 1 : IPPROTO_TCP))
        return EPROTONOSUPPORT;
    return 0;
}

/* POSIX socket: an unconnected socket. */
TP_DOES("special")
int socket(int family, int type, int protocol)
{
    int error = cannot_make(family, type, protocol), fd = -1;
    if (error)
        return (int)__tpm_result(error, 0);
    if ((type & SOCK_TYPE) != SOCK_STREAM)
        socket_that_is_no_stream_without_model();
    __tp_atomic_begin();
    fd = __tpm_socket_descriptor(__tpm_make_socket(family), (unsigned)type);
    __tp_atomic_end();
    return (int)__tpm_result(fd < 0 ? EMFILE : 0, fd);
}

/* POSIX socketpair: two sockets that are connected with each other. */
TP_DOES("special")
int socketpair(int family, int type, int protocol, int ends[2])
{
    int error = cannot_make(family, type, protocol);
    if (!error && family != AF_UNIX)
        error = EOPNOTSUPP;
    if (error)
        return (int)__tpm_result(error, 0);
    if ((type & SOCK_TYPE) != SOCK_STREAM)
        socket_that_is_no_stream_without_model();
    __tp_atomic_begin();
    struct __tpm_socket *a = __tpm_make_socket(family), *b = __tpm_make_socket(family);
    __tpm_connect_sockets(a, b);
    int first = __tpm_socket_descriptor(a, (unsigned)type), second = __tpm_socket_descriptor(b, (unsigned)type);
    __tp_atomic_end();
    if (second < 0)
        return (int)__tpm_result(EMFILE, 0);
    ends[0] = first;
    ends[1] = second;
    return 0;
}

/* Outside of steps: reads an address of the program. */
static struct __tpm_address read_address(const unsigned char *from, unsigned length)
{
    struct __tpm_address address = { length, {0} };
    __builtin_memcpy(address.bytes, from, length < sizeof address.bytes ? length : sizeof address.bytes);
    return address;
}

static void write_address(const struct __tpm_address *from, unsigned char *to, unsigned *length)
{
    if (!to)
        return;
    unsigned room = *length;
    __builtin_memcpy(to, from->bytes, from->length < room ? from->length : room);
    *length = from->length;
}

static int family_of(const struct __tpm_address *address)
{
    return address->bytes[0] | address->bytes[1] << 8;
}

static unsigned port_of(const struct __tpm_address *address)
{
    return (unsigned)address->bytes[2] << 8 | address->bytes[3];
}

static int is_no_address(int family, const struct __tpm_address *address)
{
    unsigned least = family == AF_UNIX ? 3 : family == AF_INET ? 16 : 24, most = sizeof address->bytes - 2;
    if (address->length < least || address->length > most)
        return EINVAL;
    return family_of(address) == family ? 0 : family == AF_UNIX ? EINVAL : EAFNOSUPPORT;
}

/* The bytes of the host in an address of AF_INET or AF_INET6. */
static _Bool is_any_host(int family, const struct __tpm_address *address)
{
    unsigned from = family == AF_INET ? 4 : 8, to = family == AF_INET ? 8 : 24;
    unsigned all = 0;
    for (unsigned i = from; i < to; i++)
        all |= address->bytes[i];
    return all == 0;
}

static _Bool is_same_host(int family, const struct __tpm_address *a, const struct __tpm_address *b)
{
    unsigned from = family == AF_INET ? 4 : 8, to = family == AF_INET ? 8 : 24;
    _Bool same = 1;
    for (unsigned i = from; i < to; i++)
        same &= a->bytes[i] == b->bytes[i];
    return same;
}

static _Bool is_bound_to(const struct __tpm_socket *s, int family, const struct __tpm_address *address)
{
    return s->family == family && family != AF_UNIX && port_of(&s->own) == port_of(address)
           && (is_same_host(family, &s->own, address) || is_any_host(family, &s->own) || is_any_host(family, address));
}

/* One with a name that is not that of a file (unix(7): its first byte is 0). */
static _Bool is_abstract(const struct __tpm_address *address)
{
    return address->bytes[2] == 0;
}

static _Bool has_abstract_name(const struct __tpm_socket *s, const struct __tpm_address *address)
{
    _Bool same = s->family == AF_UNIX && !s->place && s->own.length == address->length;
    for (unsigned i = 2; same && i < address->length; i++)
        same &= s->own.bytes[i] == address->bytes[i];
    return same;
}

/* The socket that has this address; `place`: the file, of AF_UNIX. */
static struct __tpm_socket *find(int family, const struct __tpm_address *address, const struct __tpm_file *place)
{
    struct __tpm_socket *s = bound;
    while (s && !(place ? s->place == place
                        : family == AF_UNIX ? has_abstract_name(s, address) : is_bound_to(s, family, address)))
        s = s->next_bound;
    return s;
}

enum { SO_REUSEADDR = 2, SO_REUSEPORT = 15 };

static _Bool can_share(const struct __tpm_socket *a, const struct __tpm_socket *b)
{
    unsigned both = a->options & b->options;
    return (both >> SO_REUSEPORT & 1) || ((both >> SO_REUSEADDR & 1) && b->state != LISTENING);
}

static void give_address(struct __tpm_socket *s, const struct __tpm_address *address)
{
    static unsigned last_port = 32767;
    s->own = *address;
    if (s->family != AF_UNIX && port_of(address) == 0) {
        last_port++;
        s->own.bytes[2] = (unsigned char)(last_port >> 8);
        s->own.bytes[3] = (unsigned char)last_port;
    }
    s->next_bound = bound;
    bound = s;
}

/* In a step; `name`: that of the file, of AF_UNIX. */
static int bind_to(struct __tpm_socket *s, const struct __tpm_address *address, const char *name)
{
    int error = is_no_address(s->family, address);
    if (!error && name && __tpm_find(name))
        error = EADDRINUSE;
    if (error || s->own.length > 0)
        return error ? error : EINVAL;
    if (name) {
        if (!__tpm_has_parent(name))
            return ENOENT;
        s->place = __tpm_make(name, SOCKET);
    } else {
        struct __tpm_socket *other = find(s->family, address, 0);
        if (other && (s->family == AF_UNIX || port_of(address) != 0) && !can_share(s, other))
            return EADDRINUSE;
    }
    give_address(s, address);
    return 0;
}

/* The name of the file that an address of AF_UNIX stands for; null: none. */
static char *name_of(const struct __tpm_address *address)
{
    if (family_of(address) != AF_UNIX || address->length < 3 || is_abstract(address))
        return 0;
    return __tpm_path((const char *)address->bytes + 2);
}

static void free_name(char *name)
{
    if (name)
        __tp_free(name);
}

/* POSIX bind: gives a socket an address; a port of 0 stands for any. */
int bind(int fd, const unsigned char *to, unsigned length)
{
    struct __tpm_address address = read_address(to, length);
    char *name = name_of(&address);
    int error;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    if (!error)
        error = bind_to(__tpm_socket_of(open), &address, name);
    free_name(name);
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* POSIX listen: the socket is for connections from now on. */
TP_DOES("connections")
int listen(int fd, int backlog)
{
    static const struct __tpm_address any[2] = {{16, {AF_INET}}, {28, {AF_INET6}}};
    int error;
    (void)backlog;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    struct __tpm_socket *s = error ? 0 : __tpm_socket_of(open);
    if (!error && (s->state == CONNECTED || (s->family == AF_UNIX && s->own.length == 0)))
        error = EINVAL;
    if (!error && s->own.length == 0)
        give_address(s, &any[s->family == AF_INET6]);
    if (!error)
        s->state = LISTENING;
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* A connection from outside, which is accepted next. */
static struct __tpm_socket *from_outside(struct __tpm_socket *s)
{
    struct __tpm_socket *one = __tpm_make_socket(s->family);
    one->own = s->own;
    one->peer = s->own;
    if (s->family != AF_UNIX)
        one->peer.bytes[2] ^= 128;
    else
        one->peer.length = 2;
    __tpm_connect_outside(one);
    s->at_hand = 0;
    return one;
}

static int take_connection(int fd, int flags, int *other, struct __tpm_address *peer)
{
    int error;
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    if (!error && __tpm_socket_of(open)->state != LISTENING)
        error = EINVAL;
    if (!error)
        error = __tpm_await_socket(open, EPOLLIN, 0);
    if (error)
        return error;
    struct __tpm_socket *s = __tpm_socket_of(open), *one = s->waiting;
    if (one) {
        s->waiting = one->waiting;
        one->waiting = 0;
    } else {
        one = from_outside(s);
    }
    *peer = one->peer;
    *other = __tpm_socket_descriptor(one, (unsigned)flags);
    return *other < 0 ? EMFILE : 0;
}

/* Linux accept4: POSIX accept with flags. */
TP_DOES("special")
TP_DOES("connections")
int accept4(int fd, unsigned char *to, unsigned *length, int flags)
{
    struct __tpm_address peer;
    int other = -1, error;
    if (flags & ~(O_NONBLOCK | O_CLOEXEC))
        return (int)__tpm_result(EINVAL, 0);
    do {
        __tpm_cancel_point();
        __tp_atomic_begin();
        error = take_connection(fd, flags, &other, &peer);
        __tp_atomic_end();
    } while (__tpm_goes_on(&error));
    if (!error)
        write_address(&peer, to, length);
    return (int)__tpm_result(error, other);
}

/* POSIX accept: waits for a connection, and makes a socket for it. */
TP_DOES("special")
TP_DOES("connections")
int accept(int fd, unsigned char *to, unsigned *length)
{
    return accept4(fd, to, length, 0);
}

static void append(struct __tpm_socket *to, struct __tpm_socket *one)
{
    struct __tpm_socket **place = &to->waiting;
    while (*place)
        place = &(*place)->waiting;
    *place = one;
}

/* In a step: connects with a socket of the program that listens. */
static void connect_to(struct __tpm_socket *s, struct __tpm_socket *listener)
{
    static const struct __tpm_address no_name = {2, {AF_UNIX}};
    struct __tpm_socket *one = __tpm_make_socket(s->family);
    __tpm_connect_sockets(s, one);
    one->own = listener->own;
    one->peer = s->own.length > 0 ? s->own : no_name;
    append(listener, one);
    __tpm_changed(&listener->file, EPOLLIN);
}

/* The local address that a connected socket of AF_INET or AF_INET6 gets: the host of the other one, and any port. */
static void give_port(struct __tpm_socket *s, const struct __tpm_address *address)
{
    struct __tpm_address own = *address;
    own.bytes[2] = own.bytes[3] = 0;
    if (s->family != AF_UNIX && s->own.length == 0)
        give_address(s, &own);
}

static int connect_in_step(struct __tpm_open *open, const struct __tpm_address *address, const char *name)
{
    struct __tpm_socket *s = __tpm_socket_of(open);
    int error = is_no_address(s->family, address);
    if (error)
        return error;
    if (s->state == CONNECTED || s->state == LISTENING)
        return s->state == CONNECTED ? EISCONN : EINVAL;
    const struct __tpm_file *place = name ? __tpm_find(name) : 0;
    if (name && !place)
        return ENOENT;
    struct __tpm_socket *listener = find(s->family, address, place);
    _Bool waits = s->family == AF_UNIX || !(open->flags & O_NONBLOCK);
    s->peer = *address;
    if (listener && listener->state == LISTENING) {
        give_port(s, address);
        connect_to(s, listener);
    } else if (s->family != AF_UNIX && __tpm_outside_is_left()) {
        give_port(s, address);
        __tpm_connect_outside(s);
    } else if (waits) {
        return ECONNREFUSED;
    } else {
        s->state = REFUSED;
        s->error = ECONNREFUSED;
    }
    __tpm_changed(&s->file, EPOLLOUT);
    return waits ? 0 : EINPROGRESS;
}

/* POSIX connect: connects a socket with one that listens. One of AF_INET that does not wait says that it is under way, and
 * has its result. */
TP_DOES("special")
TP_DOES("connections")
int connect(int fd, const unsigned char *to, unsigned length)
{
    struct __tpm_address address = read_address(to, length);
    char *name = name_of(&address);
    int error;
    __tpm_cancel_point();
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    if (!error)
        error = connect_in_step(open, &address, name);
    free_name(name);
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* POSIX shutdown: closes one direction of a connection, or both. */
int shutdown(int fd, int how)
{
    int error;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    struct __tpm_socket *s = error ? 0 : __tpm_socket_of(open);
    if (!error && (how < SHUT_RD || how > SHUT_RDWR))
        error = EINVAL;
    else if (!error && s->state != CONNECTED && s->state != LISTENING)
        error = ENOTCONN;
    if (!error && how != SHUT_WR)
        __tpm_close_end(&s->from, EPOLLOUT);
    if (!error && how != SHUT_RD) {
        __tpm_close_end(&s->to, EPOLLIN);
        s->options |= 1;
    }
    if (!error)
        __tpm_changed(&s->file, EPOLLIN | EPOLLOUT);
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

static int address_of(int fd, _Bool own, struct __tpm_address *to)
{
    int error;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    struct __tpm_socket *s = error ? 0 : __tpm_socket_of(open);
    if (!error && !own && s->state != CONNECTED)
        error = ENOTCONN;
    if (!error) {
        *to = own ? s->own : s->peer;
        if (to->length == 0) {
            to->length = s->family == AF_UNIX ? 2 : s->family == AF_INET ? 16 : 28;
            to->bytes[0] = (unsigned char)s->family;
        }
    }
    __tp_atomic_end();
    return error;
}

/* POSIX getsockname, getpeername: the addresses of a socket, and of the one that it is connected with. */
int getsockname(int fd, unsigned char *to, unsigned *length)
{
    struct __tpm_address address = {0};
    int error = address_of(fd, 1, &address);
    if (!error)
        write_address(&address, to, length);
    return (int)__tpm_result(error, 0);
}

int getpeername(int fd, unsigned char *to, unsigned *length)
{
    struct __tpm_address address = {0};
    int error = address_of(fd, 0, &address);
    if (!error)
        write_address(&address, to, length);
    return (int)__tpm_result(error, 0);
}

TP_END

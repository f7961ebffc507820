/* Sockets that are streams of bytes. A connection is two pipes, one for each direction; each of its two sockets reads from
 * one and writes to the other. A socket that listens has a queue of the sockets that are to be accepted.
 *
 * With --connection N, the outside makes a connection to a socket that listens, or accepts one where nobody of the program
 * listens: N bytes come from it, each of any value, then the end. When they come is open; what is written to it is gone. */
#ifndef TPM_SOCKETS_H
#define TPM_SOCKETS_H

#include "special.h"

enum { ENXIO = 6, EDOM = 33, ENOTSOCK = 88, EPROTONOSUPPORT = 93, EOPNOTSUPP = 95, EAFNOSUPPORT = 97, EADDRINUSE = 98,
       ENOTCONN = 107, EISCONN = 106, EDESTADDRREQ = 89, ENOPROTOOPT = 92, ECONNREFUSED = 111, EINPROGRESS = 115 };

enum { AF_UNSPEC = 0, AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10, SOCK_STREAM = 1 };
enum { MSG_PEEK = 2, MSG_DONTWAIT = 64, MSG_WAITALL = 256, MSG_NOSIGNAL = 0x4000 };

/* Made by the front end: what the outside sends on each of its connections. */
extern struct __tpm_file __tp_connections[];

enum __tpm_socket_state { FRESH = 0, LISTENING = 1, CONNECTED = 2, REFUSED = 3 };

/* A struct sockaddr of any family. */
struct __tpm_address {
    unsigned length;
    unsigned char bytes[112];
};

struct __tpm_socket {
    struct __tpm_file file;
    int family;
    enum __tpm_socket_state state;
    struct __tpm_address own, peer;  /* length 0: none yet */
    struct __tpm_file *place;        /* the name of a bound socket of AF_UNIX */
    struct __tpm_open *from, *to;    /* ends of pipes; null: closed, or none */
    struct __tpm_socket *next_bound;
    struct __tpm_socket *waiting;    /* the first to be accepted; of one that waits, the next one */
    int error;                       /* for SO_ERROR */
    unsigned options;                /* those of SOL_SOCKET that are on, by their numbers */
    struct __tpm_moment read_limit;  /* SO_RCVTIMEO */
    _Bool is_outside;
    _Bool at_hand;                   /* the outside has made a connection, or sent something */
    _Bool was_late;                  /* it has not done so when the program looked; it is late once */
};

/* In atomic steps. */
static inline struct __tpm_socket *__tpm_socket_of(const struct __tpm_open *open)
{
    return (struct __tpm_socket *)open->file;
}

/* The socket of a descriptor; or null, with an error number. */
struct __tpm_open *__tpm_open_socket(int fd, int *error);
struct __tpm_socket *__tpm_make_socket(int family);
int __tpm_socket_descriptor(struct __tpm_socket *socket, unsigned flags);
/* Connects two sockets; one socket with the outside. */
void __tpm_connect_sockets(struct __tpm_socket *a, struct __tpm_socket *b);
void __tpm_connect_outside(struct __tpm_socket *socket);
/* Whether the outside can still make a connection. */
_Bool __tpm_outside_is_left(void);
void __tpm_close_end(struct __tpm_open **end, unsigned events);

void __tpm_unbind(struct __tpm_socket *socket);
/* Waits until the socket is ready for this event; an error number, or 0. */
int __tpm_await_socket(struct __tpm_open *open, unsigned event, int flags);

/* Reads what there is, up to `most` bytes; waits for some. Writes. An error number, or 0. */
int __tpm_receive(struct __tpm_open *open, size_t most, int flags, struct __tpm_taken *taken);
int __tpm_transmit(struct __tpm_open *open, const unsigned char *bytes, size_t *count, int flags);

#endif

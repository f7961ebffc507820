/* <netdb.h>: addresses of hosts and services. `localhost` is there; any other name stands for one host outside, which is
 * there if the outside makes connections (--connection). */
#include "sockets.h"

enum { AI_PASSIVE = 1, AI_CANONNAME = 2, AI_NUMERICHOST = 4, AI_NUMERICSERV = 0x400 };
enum { EAI_BADFLAGS = -1, EAI_NONAME = -2, EAI_AGAIN = -3, EAI_FAIL = -4, EAI_FAMILY = -6, EAI_SOCKTYPE = -7,
       EAI_SERVICE = -8, EAI_MEMORY = -10, EAI_SYSTEM = -11 };

int inet_pton(int family, const char *text, unsigned char *to);
void free(void *pointer);

struct addrinfo {
    int flags, family, type, protocol;
    unsigned length;
    unsigned char *address;
    char *name;
    struct addrinfo *next;
};

static _Bool same(const char *a, const char *b)
{
    for (; *a && *a == *b; a++)
        b++;
    return *a == *b;
}

/* A port: a number, or one of a few names. */
static int port_of(const char *service, int flags, unsigned *port)
{
    static const struct { const char *name; unsigned port; } known[] =
        {{"http", 80}, {"https", 443}, {"ftp", 21}, {"ssh", 22}, {"smtp", 25}, {"domain", 53}, {"echo", 7}};
    unsigned value = 0;
    const char *c = service;
    for (; *c >= '0' && *c <= '9'; c++)
        value = 10 * value + (unsigned)(*c - '0');
    *port = value & 0xffff;
    if (*c == 0 && c != service)
        return 0;
    for (size_t i = 0; !(flags & AI_NUMERICSERV) && i < sizeof known / sizeof *known; i++) {
        if (same(service, known[i].name)) {
            *port = known[i].port;
            return 0;
        }
    }
    return flags & AI_NUMERICSERV ? EAI_NONAME : EAI_SERVICE;
}

/* The bytes of a host of AF_INET. */
static int host_of(const char *host, int flags, unsigned char *to)
{
    static const unsigned char any[4] = {0, 0, 0, 0}, here[4] = {127, 0, 0, 1}, there[4] = {192, 0, 2, 1};
    const unsigned char *from = 0;
    if (!host)
        from = flags & AI_PASSIVE ? any : here;
    else if (inet_pton(AF_INET, host, to) == 1)
        return 0;
    else if (flags & AI_NUMERICHOST)
        return EAI_NONAME;
    else if (same(host, "localhost"))
        from = here;
    else if (__tp_option_connections)
        from = there;
    if (!from)
        return EAI_NONAME;
    for (int i = 0; i < 4; i++)
        to[i] = from[i];
    return 0;
}

static struct addrinfo *make(const unsigned char *host, unsigned port, int type, const char *name)
{
    struct addrinfo *info = __tpm_malloc(sizeof *info + 16);
    unsigned char *address = (unsigned char *)(info + 1);
    struct addrinfo filled = {0, AF_INET, type, 6, 16, address, 0, 0};
    *info = filled;
    for (int i = 0; i < 16; i++)
        address[i] = 0;
    address[0] = AF_INET;
    address[2] = (unsigned char)(port >> 8);
    address[3] = (unsigned char)port;
    for (int i = 0; i < 4; i++)
        address[4 + i] = host[i];
    if (name) {
        info->name = __tpm_malloc(__tpm_strlen(name) + 1);
        __builtin_memcpy(info->name, name, __tpm_strlen(name) + 1);
    }
    return info;
}

/* POSIX getaddrinfo: the addresses of a service of a host: here one of AF_INET, for a stream. */
int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **to)
{
    int flags = hints ? hints->flags : 0, family = hints ? hints->family : AF_UNSPEC, type = hints ? hints->type : 0;
    unsigned char bytes[4];
    unsigned port = 0;
    if (!host && !service)
        return EAI_NONAME;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6)
        return EAI_FAMILY;
    if (type != 0 && type != SOCK_STREAM)
        return type == 2 || type == 3 ? EAI_SERVICE : EAI_SOCKTYPE;
    int error = service ? port_of(service, flags, &port) : 0;
    if (!error)
        error = host_of(host, flags, bytes);
    if (!error && family == AF_INET6)
        error = EAI_NONAME;
    if (error)
        return error;
    *to = make(bytes, port, SOCK_STREAM, flags & AI_CANONNAME ? host : 0);
    return 0;
}

/* POSIX freeaddrinfo: frees what getaddrinfo gave. */
TP_DOES("free")
void freeaddrinfo(struct addrinfo *info)
{
    while (info) {
        struct addrinfo *next = info->next;
        if (info->name)
            free(info->name);
        free(info);
        info = next;
    }
}

/* POSIX gai_strerror: what an error of getaddrinfo means. */
const char *gai_strerror(int error)
{
    switch (error) {
    case EAI_BADFLAGS: return "Bad value for ai_flags";
    case EAI_NONAME: return "Name or service not known";
    case EAI_AGAIN: return "Temporary failure in name resolution";
    case EAI_FAIL: return "Non-recoverable failure in name resolution";
    case -5: return "No address associated with hostname";
    case EAI_FAMILY: return "ai_family not supported";
    case EAI_SOCKTYPE: return "ai_socktype not supported";
    case EAI_SERVICE: return "Servname not supported for ai_socktype";
    case -9: return "Address family for hostname not supported";
    case EAI_MEMORY: return "Memory allocation failure";
    case EAI_SYSTEM: return "System error";
    default: return "Unknown error";
    }
}

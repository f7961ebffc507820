/* What the system says of itself and of the user: a common Linux, and a user without privileges. */
#include "internal.h"

TP_ALL_DO("signal-safe")

enum { USER = 1000 };

/* POSIX getuid, geteuid, getgid, getegid: the user and the group of the process. */
unsigned getuid(void)
{
    return USER;
}

unsigned geteuid(void)
{
    return USER;
}

unsigned getgid(void)
{
    return USER;
}

unsigned getegid(void)
{
    return USER;
}

/* <sys/utsname.h> */
enum { NAME = 65 };

struct names {
    char system[NAME], node[NAME], release[NAME], version[NAME], machine[NAME], domain[NAME];
};

static void put(char *to, const char *text)
{
    size_t length = __tpm_strlen(text);
    for (size_t i = 0; i <= length; i++)
        to[i] = text[i];
}

static const char host[] = "localhost";

/* POSIX uname: the names of the system and of the machine. */
int uname(struct names *names)
{
    put(names->system, "Linux");
    put(names->node, host);
    put(names->release, "6.1.0");
    put(names->version, "#1 SMP");
    put(names->machine, sizeof(long) == 8 ? "x86_64" : "i686");
    put(names->domain, "(none)");
    return 0;
}

/* POSIX gethostname: the name of the host; ENAMETOOLONG if it does not fit. */
int gethostname(char *to, size_t size)
{
    for (size_t i = 0; i < size && i < sizeof host; i++)
        to[i] = host[i];
    if (size >= sizeof host)
        return 0;
    errno = 36;
    return -1;
}

/* The C library's gnu_get_libc_version. */
const char *gnu_get_libc_version(void)
{
    return "2.36";
}

TP_END

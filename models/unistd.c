/* A few of the functions by which programs speak to the system. */
#include "internal.h"

/* POSIX write: writes bytes. If the program opens nothing, only standard output and error are open. */
long write(int fd, const void *bytes, size_t count)
{
    if (__tp_option_files)
        return __tpm_write(fd, bytes, count);
    if (fd != 1 && fd != 2) {
        errno = 9;
        return -1;
    }
    __tpm_output_bytes(fd, bytes, count);
    return (long)count;
}

/* POSIX getpid, getppid: the numbers of this process and its parent. */
int getpid(void)
{
    return 1000;
}

int getppid(void)
{
    return 999;
}

/* The C library's gettid: the system's number of the calling thread; the first thread's is that of the process. */
int gettid(void)
{
    return 1000 + (int)__tp_self();
}

/* POSIX isatty: whether a descriptor is a terminal: no. */
int isatty(int fd)
{
    (void)fd;
    errno = 25;
    return 0;
}

enum { SC_PAGESIZE = 30, SC_NPROCESSORS_CONF = 83, SC_NPROCESSORS_ONLN = 84 };

/* How many processors there are is an input, from 1 to 256. */
static long processors(void)
{
    return 1 + __tp_input_u8("number of processors");
}

/* POSIX sysconf: a limit of the system; -1 if it is not known. */
long sysconf(int name)
{
    switch (name) {
    case SC_PAGESIZE: return 4096;
    case SC_NPROCESSORS_CONF:
    case SC_NPROCESSORS_ONLN: return processors();
    default: errno = EINVAL; return -1;
    }
}

/* The C library's get_nprocs, get_nprocs_conf, getpagesize: the same. */
int get_nprocs(void)
{
    return (int)processors();
}

int get_nprocs_conf(void)
{
    return (int)processors();
}

int getpagesize(void)
{
    return 4096;
}

/* C11 7.11.1.1: there is no locale but the C locale; null for another. */
char *setlocale(int category, const char *locale)
{
    (void)category;
    if (!locale || locale[0] == 0 || (locale[0] == 'C' && locale[1] == 0))
        return "C";
    return 0;
}

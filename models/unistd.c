/* A few of the functions by which programs speak to the system. */
#include "internal.h"

TP_ALL_DO("signal-safe")

/* POSIX write: writes bytes. If the program opens nothing, only standard output and error are open. */
long write(int fd, const void *bytes, size_t count)
{
    __tpm_cancel_point();
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
TP_DOES("thread-number")
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

TP_END

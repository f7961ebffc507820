/* errno and its words. */
#include "internal.h"

#undef errno
static _Thread_local int errno;

/* C11 7.5: errno is an int of each thread; glibc's macro asks for its address. */
TP_DOES("signal-safe")
int *__errno_location(void)
{
    return &errno;
}

/* C11 7.24.6.2: the C library's text for an error number, for those that the models use and a few more. */
char *strerror(int number)
{
    switch (number) {
    case 0: return "Success";
    case EPERM: return "Operation not permitted";
    case 2: return "No such file or directory";
    case ESRCH: return "No such process";
    case EINTR: return "Interrupted system call";
    case 5: return "Input/output error";
    case 9: return "Bad file descriptor";
    case EAGAIN: return "Resource temporarily unavailable";
    case ENOMEM: return "Cannot allocate memory";
    case 13: return "Permission denied";
    case EBUSY: return "Device or resource busy";
    case 17: return "File exists";
    case EINVAL: return "Invalid argument";
    case 33: return "Numerical argument out of domain";
    case ERANGE: return "Numerical result out of range";
    case EDEADLK: return "Resource deadlock avoided";
    case EOVERFLOW: return "Value too large for defined data type";
    case ETIMEDOUT: return "Connection timed out";
    default: return "Unknown error";
    }
}

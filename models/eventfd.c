/* <sys/eventfd.h>: counters that threads can wait for. Reading and writing them is in special.c. */
#include "special.h"

TP_ALL_DO("signal-safe")

enum { EFD_SEMAPHORE = 1 };

long read(int fd, void *to, size_t count);

/* eventfd(2): a descriptor for a counter. */
TP_DOES("special")
int eventfd(unsigned count, int flags)
{
    if (flags & ~(EFD_SEMAPHORE | O_NONBLOCK | O_CLOEXEC))
        return (int)__tpm_result(EINVAL, 0);
    __tp_atomic_begin();
    struct __tpm_counter *counter = __tp_alloc_record(sizeof *counter, sizeof(long long));
    *counter = (struct __tpm_counter){{.kind = EVENTS}, count, flags & EFD_SEMAPHORE};
    int fd = __tpm_new_descriptor(__tpm_open_file(&counter->file, O_RDWR | ((unsigned)flags & O_NONBLOCK)), 0);
    __tp_atomic_end();
    return (int)__tpm_result(fd < 0 ? EMFILE : 0, fd);
}

/* eventfd(3): reading and writing without the need to compare sizes. */
int eventfd_read(int fd, unsigned long long *value)
{
    return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

int eventfd_write(int fd, unsigned long long value)
{
    __tpm_cancel_point();
    return __tpm_write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

TP_END

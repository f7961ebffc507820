/* What can be done with descriptors that are open. */
#include "files.h"

TP_ALL_DO("signal-safe")

enum { F_DUPFD = 0, F_GETFD = 1, F_SETFD = 2, F_GETFL = 3, F_SETFL = 4, F_DUPFD_CLOEXEC = 1030 };

static _Bool can_read(const struct __tpm_open *open)
{
    return open && (open->flags & O_ACCMODE) != O_WRONLY;
}

static _Bool can_write(const struct __tpm_open *open)
{
    return open && (open->flags & O_ACCMODE) != O_RDONLY;
}

/* How many bytes a read gives; waits for a pipe that is empty while somebody may write to it. */
static size_t readable(struct __tpm_open *open, size_t most, int *error)
{
    if (open->file->kind == PIPE && most > 0) {
        _Bool ready = __tpm_available(open) > 0 || open->file->writers == 0;
        if (open->flags & O_NONBLOCK) {
            *error = ready ? 0 : EAGAIN;
        } else {
            __tp_waiting(TP_WAIT_PIPE, open->file, TP_NOBODY);
            if (!__tpm_await(ready || __tpm_is_cancelled()))
                *error = BY_SIGNAL;
            else if (__tpm_ends_here(ready))
                *error = CANCELLED;
        }
    }
    size_t available = __tpm_available(open);
    return available < most ? available : most;
}

/* With --io-errors, a call that waits may be interrupted, and any read or write may do less than it was asked for. */
static int interrupted(const struct __tpm_open *open)
{
    return __tp_option_io_errors && open->file->kind == PIPE && __tp_input_bool("interrupted") ? EINTR : 0;
}

static size_t less(size_t count)
{
    if (!__tp_option_io_errors || count < 2 || !__tp_input_bool("less than asked for"))
        return count;
    return 1 + __tp_input_u32("bytes") % (count - 1);
}

static _Bool is_full(const struct __tpm_open *open)
{
    return __tp_option_io_errors && open->file->kind == REGULAR && __tp_input_bool("no space left");
}

/* An error number, 0, or this: the bytes are to come from the console. */
enum { FROM_CONSOLE = -1 };

static int take_from(int fd, size_t most, struct __tpm_taken *taken)
{
    struct __tpm_open *open = __tpm_description(fd);
    if (!can_read(open))
        return EBADF;
    if (open->file->kind == DIRECTORY)
        return EISDIR;
    if (open->file->kind == CONSOLE)
        return FROM_CONSOLE;
    if (__tpm_is_special(open))
        return __tpm_read_special(open, most, taken);
    int error = interrupted(open);
    if (error)
        return error;
    size_t available = readable(open, most, &error);
    size_t count = error ? 0 : less(available);
    if (__tp_option_special && !error && open->file->kind == PIPE && open->file->size + PIPE_BUF > PIPE_ROOM)
        __tpm_changed(open->file, EPOLLOUT);
    if (!error)
        __tpm_take_more(taken, open, count);
    return error;
}

/* POSIX read: reads up to `count` bytes from where the last read ended; 0 at the end. */
long read(int fd, void *to, size_t count)
{
    struct __tpm_taken taken;
    __tpm_cancel_point();
    __tp_atomic_begin();
    __tpm_begin_taking(&taken);
    int error = take_from(fd, count, &taken);
    unsigned char *bytes = taken.bytes;
    size_t n = taken.count;
    __tp_atomic_end();
    if (__tp_option_cancel && error == CANCELLED)
        __tpm_end_cancelled();
    if (error == FROM_CONSOLE)
        return (long)__tpm_read_console(to, count);
    if (__tp_option_signals == TP_HANDLERS && error == BY_SIGNAL)
        return __tpm_interrupted() ? __tpm_result(EINTR, 0) : read(fd, to, count);
    __tpm_hand_over(to, bytes, n);
    return __tpm_result(error, (long)n);
}

/* What a write to a pipe waits for: room for all that is written at once (POSIX: up to PIPE_BUF), as long as there is a
 * reader. Without a reader the write fails, and the thread gets SIGPIPE. */
static int wait_for_room(struct __tpm_open *open, size_t count)
{
    struct __tpm_file *pipe = open->file;
    _Bool ready = pipe->readers == 0 || pipe->size + count <= PIPE_ROOM || pipe->size == 0;
    if (open->flags & O_NONBLOCK) {
        if (!ready)
            return EAGAIN;
    } else {
        __tp_waiting(TP_WAIT_PIPE, pipe, TP_NOBODY);
        if (!__tpm_await(ready || __tpm_is_cancelled()))
            return BY_SIGNAL;
        if (__tpm_ends_here(ready))
            return CANCELLED;
    }
    return pipe->readers == 0 ? EPIPE : 0;
}

/* Writes what there is room for, at most *count bytes; an error number, or 0. */
static int put_to(int fd, const unsigned char *bytes, size_t *count)
{
    struct __tpm_open *open = __tpm_description(fd);
    if (!can_write(open))
        return EBADF;
    if (open->file->kind == CONSOLE) {
        __tpm_output_bytes(fd == 2 ? 2 : 1, bytes, *count);
        return 0;
    }
    if (__tpm_is_special(open))
        return __tpm_write_special(open, bytes, count);
    if (is_full(open))
        return ENOSPC;
    int error = interrupted(open);
    if (!error && open->file->kind == PIPE)
        error = wait_for_room(open, *count);
    *count = less(*count);
    if (__tp_option_special && !error && open->file->kind == PIPE)
        __tpm_changed(open->file, EPOLLIN);
    return error ? error : __tpm_put(open, bytes, *count);
}

long __tpm_write(int fd, const void *from, size_t count)
{
    unsigned char *bytes = __tpm_copy_of(from, count);
    size_t written = count;
    __tp_atomic_begin();
    int error = put_to(fd, bytes, &written);
    __tp_free(bytes);
    __tp_atomic_end();
    if (__tp_option_cancel && error == CANCELLED)
        __tpm_end_cancelled();
    if (__tp_option_signals == TP_HANDLERS && error == BY_SIGNAL)
        return __tpm_interrupted() ? __tpm_result(EINTR, 0) : __tpm_write(fd, from, count);
    if (error == EPIPE)
        __tpm_broken_pipe();
    return __tpm_result(error, (long)written);
}

static _Bool has_positions(const struct __tpm_open *open)
{
    return open->file->kind < PIPE;
}

static int take_at(int fd, long offset, size_t most, struct __tpm_taken *taken)
{
    struct __tpm_open *open = __tpm_description(fd);
    if (offset < 0)
        return EINVAL;
    if (!can_read(open))
        return EBADF;
    if (!has_positions(open))
        return ESPIPE;
    if (open->file->kind == DIRECTORY)
        return EISDIR;
    size_t before = open->offset;
    open->offset = (size_t)offset;
    size_t available = __tpm_available(open);
    __tpm_take_more(taken, open, less(available < most ? available : most));
    open->offset = before;
    return 0;
}

/* POSIX pread: as read, at a place of its own. */
long pread(int fd, void *to, size_t count, long offset)
{
    __tpm_cancel_point();
    struct __tpm_taken taken;
    __tp_atomic_begin();
    __tpm_begin_taking(&taken);
    int error = take_at(fd, offset, count, &taken);
    unsigned char *bytes = taken.bytes;
    size_t n = taken.count;
    __tp_atomic_end();
    __tpm_hand_over(to, bytes, n);
    return __tpm_result(error, (long)n);
}

static int put_at(int fd, long offset, const unsigned char *bytes, size_t *count)
{
    struct __tpm_open *open = __tpm_description(fd);
    if (offset < 0)
        return EINVAL;
    if (!can_write(open))
        return EBADF;
    if (!has_positions(open))
        return ESPIPE;
    if (is_full(open))
        return ENOSPC;
    size_t before = open->offset;
    open->offset = (size_t)offset;
    *count = less(*count);
    int error = __tpm_put(open, bytes, *count);
    open->offset = before;
    return error;
}

/* POSIX pwrite: as write, at a place of its own. As Linux does, a file opened with O_APPEND is appended to. */
long pwrite(int fd, const void *from, size_t count, long offset)
{
    __tpm_cancel_point();
    unsigned char *bytes = __tpm_copy_of(from, count);
    __tp_atomic_begin();
    int error = put_at(fd, offset, bytes, &count);
    __tp_free(bytes);
    __tp_atomic_end();
    return __tpm_result(error, (long)count);
}

static long long seek(int fd, long long distance, int from)
{
    int error = EBADF;
    long long result = -1;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(fd);
    if (open)
        result = __tpm_seek(open, distance, from, &error);
    __tp_atomic_end();
    if (result < 0)
        errno = error;
    return result;
}

/* POSIX lseek: where the next read or write begins. */
long lseek(int fd, long distance, int from)
{
    return (long)seek(fd, distance, from);
}

long long lseek64(int fd, long long distance, int from)
{
    return seek(fd, distance, from);
}

/* POSIX close: the descriptor may be given out again. */
int close(int fd)
{
    __tpm_cancel_point();
    int error = 0;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(fd);
    if (!open) {
        error = EBADF;
    } else {
        __tpm_set_descriptor(fd, 0);
        __tpm_close_description(open);
    }
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* The lowest descriptor from `least` on for the same description. */
static int duplicate(int fd, int least)
{
    int error = 0, other = -1;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(fd);
    if (!open) {
        error = EBADF;
    } else if (least < 0) {
        error = EINVAL;
    } else if ((other = __tpm_new_descriptor(open, least)) < 0) {
        error = EMFILE;
    } else {
        open->uses++;
    }
    __tp_atomic_end();
    return (int)__tpm_result(error, other);
}

/* POSIX dup: another descriptor for the same description. */
int dup(int fd)
{
    return duplicate(fd, 0);
}

/* POSIX dup2: `other` becomes a descriptor for the same description; what it was before is closed. */
TP_DOES("standard-streams")
int dup2(int fd, int other)
{
    int error = 0;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(fd);
    if (!open || other < 0 || other >= 1024) {
        error = EBADF;
    } else if (fd != other) {
        struct __tpm_open *before = __tpm_description(other);
        open->uses++;
        __tpm_set_descriptor(other, open);
        if (before)
            __tpm_close_description(before);
    }
    __tp_atomic_end();
    return (int)__tpm_result(error, other);
}

/* Linux dup3: the same; the two must differ. */
TP_DOES("standard-streams")
int dup3(int fd, int other, int flags)
{
    (void)flags;
    return fd == other ? (int)__tpm_result(EINVAL, 0) : dup2(fd, other);
}

static int control(int fd, int command, int value)
{
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return duplicate(fd, value);
    int error = 0, result = 0;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(fd);
    if (!open)
        error = EBADF;
    else if (command == F_GETFL)
        result = (int)open->flags;
    else if (command == F_SETFL)
        open->flags = (open->flags & O_ACCMODE) | ((unsigned)value & (O_APPEND | O_NONBLOCK));
    else if (command != F_GETFD && command != F_SETFD)
        error = EINVAL;
    __tp_atomic_end();
    return (int)__tpm_result(error, result);
}

static _Bool has_value(int command)
{
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_SETFL;
}

/* POSIX fcntl: duplicates a descriptor; reads and sets whether it waits or appends. Locks of files are not there. */
int fcntl(int fd, int command, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, command);
    int value = has_value(command) ? __builtin_va_arg(arguments, int) : 0;
    __builtin_va_end(arguments);
    return control(fd, command, value);
}

/* The same for programs compiled with large files. */
int fcntl64(int fd, int command, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, command);
    int value = has_value(command) ? __builtin_va_arg(arguments, int) : 0;
    __builtin_va_end(arguments);
    return control(fd, command, value);
}

/* POSIX fsync, fdatasync: nothing is lost here. */
int fsync(int fd)
{
    __tpm_cancel_point();
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(fd);
    int error = !open ? EBADF : open->file->kind == REGULAR || open->file->kind == DIRECTORY ? 0 : EINVAL;
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

int fdatasync(int fd)
{
    return fsync(fd);
}

static int truncate_to(int fd, long long size)
{
    int error = 0;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(fd);
    if (!open)
        error = EBADF;
    else if (!can_write(open) || open->file->kind != REGULAR || size < 0)
        error = EINVAL;
    else if (!__tpm_resize(open->file, (size_t)size))
        error = ENOSPC;
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* POSIX ftruncate: makes a file shorter, or longer with zeros. */
int ftruncate(int fd, long size)
{
    return truncate_to(fd, size);
}

int ftruncate64(int fd, long long size)
{
    return truncate_to(fd, size);
}

/* For sizes beyond 2 GiB with 32-bit longs, which files in memory do not have. */
long pread64(int fd, void *to, size_t count, long long offset)
{
    return pread(fd, to, count, (long)offset);
}

long pwrite64(int fd, const void *from, size_t count, long long offset)
{
    return pwrite(fd, from, count, (long)offset);
}

TP_END

/* Opening and closing streams. */
#include "streams.h"

/* What a mode says, as flags of open; -1 if it is none. */
static int flags_of(const char *mode)
{
    int flags = mode[0] == 'r'   ? O_RDONLY
                : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                : mode[0] == 'a' ? O_WRONLY | O_CREAT | O_APPEND
                                 : -1;
    for (const char *m = mode + 1; flags >= 0 && *m; m++) {
        if (*m == '+')
            flags = (flags & ~O_ACCMODE) | O_RDWR;
        else if (*m == 'x')
            flags |= O_EXCL;
    }
    return flags;
}

static FILE *make(struct __tpm_open *open, int fd)
{
    struct __tpm_stream *s = __tp_alloc_record(sizeof *s, sizeof(void *));
    *s = (struct __tpm_stream){.head = {-1}, .fd = fd, .open = open};
    return &s->head;
}

static void *fail(int error)
{
    errno = error;
    return 0;
}

/* Opens a file and gives it the descriptor; an error number, or 0. In a step. */
static int open_at(char *name, int flags, int least, struct __tpm_open **open, int *fd)
{
    int error = 0;
    *open = __tpm_open_name(name, flags, &error);
    if (!*open)
        return error;
    *fd = __tpm_new_descriptor(*open, least);
    if (*fd >= 0)
        return 0;
    __tpm_close_description(*open);
    return EMFILE;
}

/* C11 7.21.5.3: opens a file as a stream; null with an error number. */
TP_DOES("file-names")
FILE *fopen(const char *path, const char *mode)
{
    int flags = flags_of(mode), fd = -1;
    if (flags < 0)
        return fail(EINVAL);
    char *name = __tpm_path(path);
    struct __tpm_open *open = 0;
    __tp_atomic_begin();
    int error = path[0] ? open_at(name, flags, 0, &open, &fd) : ENOENT;
    __tp_atomic_end();
    return error ? fail(error) : make(open, fd);
}

TP_DOES("file-names")
FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

/* POSIX fdopen: a stream for a descriptor that is open. */
TP_DOES("open")
FILE *fdopen(int fd, const char *mode)
{
    int flags = flags_of(mode), error = 0;
    if (flags < 0)
        return fail(EINVAL);
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(fd);
    if (!open)
        error = EBADF;
    else if ((open->flags & O_ACCMODE) != O_RDWR && (open->flags & O_ACCMODE) != ((unsigned)flags & O_ACCMODE))
        error = EINVAL;
    else if (flags & O_APPEND)
        open->flags |= O_APPEND;
    __tp_atomic_end();
    return error ? fail(error) : make(open, fd);
}

/* C11 7.21.4.3: a file without a name. */
TP_DOES("open")
FILE *tmpfile(void)
{
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_file(__tpm_make(0, REGULAR), O_RDWR);
    int fd = __tpm_new_descriptor(open, 0);
    __tp_atomic_end();
    return fd < 0 ? fail(EMFILE) : make(open, fd);
}

/* In a step: the descriptor is free, if it still refers to what the stream uses. */
static _Bool release(struct __tpm_stream *s)
{
    struct __tpm_open *open = __tpm_open_of(s);
    if (!open || __tpm_description(s->fd) != open)
        return 0;
    __tpm_set_descriptor(s->fd, 0);
    __tpm_close_description(open);
    return 1;
}

/* C11 7.21.5.1: closes the stream, which may not be used any more. */
int fclose(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    __tpm_enter(s);
    _Bool was_open = release(s);
    if (stream->fd < 0)
        __tp_free(s);
    __tp_atomic_end();
    return (int)__tpm_result(was_open ? 0 : EBADF, 0);
}

/* C11 7.21.5.4: the stream is another file from now on. */
TP_DOES("file-names")
TP_DOES("standard-streams")
FILE *freopen(const char *path, const char *mode, FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    int flags = flags_of(mode), fd = -1;
    if (flags < 0 || !path)
        return fail(path ? EINVAL : EBADF);
    char *name = __tpm_path(path);
    struct __tpm_open *open = 0;
    __tp_atomic_begin();
    __tpm_enter(s);
    int error = path[0] ? open_at(name, flags, 0, &open, &fd) : ENOENT;
    release(s);
    s->pushed = 0;
    s->ended = s->failed = 0;
    if (!error) {
        __tpm_set_descriptor(fd, 0);
        __tpm_set_descriptor(s->fd, open);
        if (stream->fd < 0)
            s->open = open;
    }
    if (error && stream->fd < 0)
        __tp_free(s);
    __tp_atomic_end();
    return error ? fail(error) : stream;
}

TP_DOES("file-names")
TP_DOES("standard-streams")
FILE *freopen64(const char *path, const char *mode, FILE *stream)
{
    return freopen(path, mode, stream);
}

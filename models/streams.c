/* Streams that have state: their locks, and reading and writing. */
#include "streams.h"

static struct __tpm_stream standard[3] = {{{0}, .fd = 0}, {{1}, .fd = 1}, {{2}, .fd = 2}};

struct __tpm_stream *__tpm_stream_of(FILE *stream)
{
    int fd = stream->fd;
    return fd < 0 ? (struct __tpm_stream *)stream : &standard[fd];
}

struct __tpm_open *__tpm_open_of(struct __tpm_stream *s)
{
    return s->open ? s->open : __tpm_description(s->fd);
}

/* The stream as reports name it. */
static const FILE *object_of(struct __tpm_stream *s)
{
    return s->head.fd == 0 ? &standard_input : s->head.fd == 1 ? &standard_output : s->head.fd == 2 ? &standard_error : &s->head;
}

void __tpm_enter(struct __tpm_stream *s)
{
    unsigned owner = s->owner;
    __tp_waiting(TP_WAIT_STREAM, object_of(s), owner - 1);
    __tp_await(owner == 0 || owner == __tpm_me());
}

void __tpm_lock_stream(struct __tpm_stream *s)
{
    __tpm_enter(s);
    if (s->owner != 0) {
        s->again++;
    } else {
        s->owner = __tpm_me();
        __tp_acquired((FILE *)object_of(s), TP_EXCLUSIVE);
    }
}

void __tpm_unlock_stream(struct __tpm_stream *s)
{
    if (s->again > 0) {
        s->again--;
    } else {
        s->owner = 0;
        __tp_released((FILE *)object_of(s));
    }
}

/* POSIX flockfile: the calling thread owns the stream until it has called funlockfile as often. */
TP_DOES("standard-streams")
void flockfile(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    __tpm_lock_stream(s);
    __tp_atomic_end();
}

/* POSIX ftrylockfile: the same, or not 0 if another thread owns it. */
TP_DOES("standard-streams")
int ftrylockfile(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    unsigned owner = __tpm_peek(&s->owner);
    _Bool free = owner == 0 || owner == __tpm_me();
    if (free) {
        __tpm_read_again(&s->owner);
        __tpm_lock_stream(s);
    }
    __tp_atomic_end();
    return free ? 0 : -1;
}

/* POSIX funlockfile: undoes a flockfile. A stream that the thread does not own: undefined, reported. */
TP_DOES("standard-streams")
void funlockfile(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    unsigned owner = s->owner;
    _Bool mine = owner == __tpm_me();
    __tp_assert(owner != 0, TP_LOCK, "unlock of a stream that is not locked");
    __tp_assert(owner == 0 || mine, TP_LOCK, "unlock of a stream that another thread holds");
    if (mine)
        __tpm_unlock_stream(s);
    __tp_atomic_end();
}

/* How many of the available bytes there are up to the first that is `stop`. */
static size_t up_to(const struct __tpm_open *open, size_t available, int stop)
{
    if (stop < 0)
        return available;
    const unsigned char *bytes = open->file->bytes + open->offset;
    size_t i = 0;
    while (i < available && bytes[i] != (unsigned char)stop)
        i++;
    return i < available ? i + 1 : available;
}

static _Bool is_done(const struct __tpm_taken *taken, size_t most, int stop)
{
    return taken->count == most || (stop >= 0 && taken->count > 0 && taken->bytes[taken->count - 1] == (unsigned char)stop);
}

static int cannot_read(const struct __tpm_open *open)
{
    if (!open || (open->flags & O_ACCMODE) == O_WRONLY)
        return EBADF;
    return open->file->kind == DIRECTORY ? EISDIR : 0;
}

/* Reads what is there now; the result is whether that is all. A pipe is waited for while somebody may write to it. */
static _Bool read_some(struct __tpm_stream *s, struct __tpm_taken *taken, size_t most, int stop, int *error)
{
    struct __tpm_open *open = __tpm_open_of(s);
    if (s->pushed && taken->count < most) {
        __tpm_make_room(taken, 1);
        taken->bytes[taken->count++] = (unsigned char)(s->pushed - 1);
        s->pushed = 0;
    }
    *error = cannot_read(open);
    if (*error)
        s->failed = 1;
    if (*error || is_done(taken, most, stop))
        return 1;
    if (__tpm_is_special(open) && !(open = __tpm_source(open))) {
        s->ended = 1;
        return 1;
    }
    if (open->file->kind == PIPE) {
        __tp_waiting(TP_WAIT_PIPE, open->file, TP_NOBODY);
        _Bool ready = __tpm_available(open) > 0 || open->file->writers == 0;
        __tp_await(ready || __tpm_is_cancelled());
        if (__tpm_ends_here(ready)) {
            *error = CANCELLED;
            return 1;
        }
    }
    size_t available = __tpm_available(open), left = most - taken->count;
    __tpm_take_more(taken, open, up_to(open, available < left ? available : left, stop));
    if (is_done(taken, most, stop))
        return 1;
    _Bool at_end = open->file->kind != PIPE || available == 0;
    if (at_end)
        s->ended = 1;
    return at_end;
}

struct __tpm_bytes __tpm_read_stream(FILE *stream, size_t most, int stop, struct __tpm_taken *taken)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    struct __tpm_bytes all = {0, 0};
    int error = 0;
    _Bool first = 1, done, ends;
    do {
        __tp_atomic_begin();
        __tpm_enter(s);
        if (first)
            __tpm_begin_taking(taken);
        done = most == 0 || read_some(s, taken, most, stop, &error);
        ends = error == CANCELLED;
        all.bytes = taken->bytes;
        all.count = taken->count;
        __tp_atomic_end();
        first = 0;
    } while (!done);
    if (__tp_option_cancel && ends)
        __tpm_end_cancelled();
    if (error)
        errno = error;
    return all;
}

static int put_on(struct __tpm_stream *s, const unsigned char *bytes, size_t count)
{
    struct __tpm_open *open = __tpm_open_of(s);
    if (!open || (open->flags & O_ACCMODE) == O_RDONLY)
        return EBADF;
    if (open->file->kind == CONSOLE) {
        __tpm_output_bytes(s->fd == 2 ? 2 : 1, bytes, count);
        return 0;
    }
    if (__tpm_is_special(open))
        return __tpm_write_special(open, bytes, &count);
    if (__tp_option_io_errors && open->file->kind == REGULAR && __tp_input_bool("no space left"))
        return ENOSPC;
    return __tpm_put(open, bytes, count);
}

_Bool __tpm_write_record(FILE *stream, unsigned char *bytes, size_t count)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    __tpm_enter(s);
    int error = put_on(s, bytes, count);
    if (error)
        s->failed = 1;
    __tp_free(bytes);
    __tp_atomic_end();
    if (error)
        errno = error;
    return error == 0;
}

_Bool __tpm_write_stream(FILE *stream, const void *from, size_t count)
{
    return __tpm_write_record(stream, __tpm_copy_of(from, count), count);
}

_Bool __tpm_is_console(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_of(s);
    _Bool result = open && open->file->kind == CONSOLE;
    __tp_atomic_end();
    return result;
}

int __tpm_take_pushed(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    int c = s->pushed - 1;
    s->pushed = 0;
    __tp_atomic_end();
    return c;
}

/* C11 7.21.7.10: the next character that is read. One can be pushed back. */
TP_DOES("standard-streams")
int ungetc(int c, FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    if (c == EOF)
        return EOF;
    __tp_atomic_begin();
    __tpm_enter(s);
    _Bool has_room = s->pushed == 0;
    if (has_room) {
        s->pushed = (unsigned char)c + 1;
        s->ended = 0;
    }
    __tp_atomic_end();
    return has_room ? (unsigned char)c : EOF;
}

_Bool __tpm_has_ended(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    __tpm_enter(s);
    _Bool result = s->ended != 0;
    __tp_atomic_end();
    return result;
}

_Bool __tpm_has_failed(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    __tpm_enter(s);
    _Bool result = s->failed != 0;
    __tp_atomic_end();
    return result;
}

void __tpm_clear(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    __tpm_enter(s);
    s->ended = s->failed = 0;
    __tp_atomic_end();
}

/* Defined nowhere: how much a format reads from a pipe is not known before. */
void scanf_from_pipe_without_model(void);

char *__tpm_begin_scan(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    char *text = 0;
    __tp_atomic_begin();
    __tpm_lock_stream(s);
    struct __tpm_open *open = __tpm_open_of(s);
    int error = cannot_read(open);
    _Bool is_pipe = !error && open->file->kind == PIPE;
    if (error) {
        s->failed = 1;
        __tpm_unlock_stream(s);
    } else {
        size_t pushed = s->pushed != 0, count = __tpm_available(open);
        text = __tp_alloc_record(pushed + count + 1, 1);
        if (pushed)
            text[0] = (char)(s->pushed - 1);
        if (count > 0)
            __builtin_memcpy(text + pushed, open->file->bytes + open->offset, count);
        text[pushed + count] = 0;
    }
    __tp_atomic_end();
    if (is_pipe)
        scanf_from_pipe_without_model();
    if (error)
        errno = error;
    return text;
}

void __tpm_end_scan(FILE *stream, char *text, size_t read)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_of(s);
    if (read == (size_t)-1) {
        s->ended = 1;
        open->offset += __tpm_available(open);
        s->pushed = 0;
    } else if (read > 0) {
        open->offset += read - (s->pushed != 0);
        s->pushed = 0;
    }
    __tp_free(text);
    __tpm_unlock_stream(s);
    __tp_atomic_end();
}

int __tpm_descriptor_of(FILE *stream)
{
    return __tpm_stream_of(stream)->fd;
}

void __tpm_use_stream(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    __tp_atomic_begin();
    __tpm_enter(s);
    __tp_atomic_end();
}

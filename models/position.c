/* Where a stream reads and writes next. */
#include "streams.h"

/* Moves in the file, and forgets that its end was met. A character that was pushed back is before the position. */
static long long seek(FILE *stream, long long distance, int from)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    int error = EBADF;
    long long result = -1;
    __tp_atomic_begin();
    __tpm_enter(s);
    struct __tpm_open *open = __tpm_open_of(s);
    if (open) {
        if (from == SEEK_CUR && s->pushed)
            distance--;
        result = __tpm_seek(open, distance, from, &error);
    }
    if (result >= 0) {
        s->pushed = 0;
        s->ended = 0;
    }
    __tp_atomic_end();
    if (result < 0)
        errno = error;
    return result;
}

/* C11 7.21.9.2, 7.21.9.4, 7.21.9.5 and POSIX's forms with off_t: where the next read or write begins. */
int fseek(FILE *stream, long distance, int from)
{
    return seek(stream, distance, from) < 0 ? -1 : 0;
}

int fseeko(FILE *stream, long distance, int from)
{
    return seek(stream, distance, from) < 0 ? -1 : 0;
}

int fseeko64(FILE *stream, long long distance, int from)
{
    return seek(stream, distance, from) < 0 ? -1 : 0;
}

static long long tell(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    int error = EBADF;
    long long result = -1;
    __tp_atomic_begin();
    __tpm_enter(s);
    struct __tpm_open *open = __tpm_open_of(s);
    if (open)
        result = __tpm_seek(open, 0, SEEK_CUR, &error);
    if (result > 0 && s->pushed)
        result--;
    __tp_atomic_end();
    if (result < 0)
        errno = error;
    return result;
}

long ftell(FILE *stream)
{
    return (long)tell(stream);
}

long ftello(FILE *stream)
{
    return (long)tell(stream);
}

long long ftello64(FILE *stream)
{
    return tell(stream);
}

void rewind(FILE *stream)
{
    struct __tpm_stream *s = __tpm_stream_of(stream);
    seek(stream, 0, SEEK_SET);
    __tp_atomic_begin();
    s->failed = 0;
    __tp_atomic_end();
}

/* Streams that have state: those that a program opens, and the standard ones where it locks or redirects them.
 *
 * A stream has no buffer: what is written is in the file at once, as C11 7.21.3 allows. Each function is one step, which
 * waits for the stream's lock: as glibc does, a function locks the stream while it works, and the lock is recursive. */
#ifndef TPM_STREAMS_H
#define TPM_STREAMS_H

#include "files.h"
#include "stream.h"

struct __tpm_stream {
    FILE head;
    int fd;
    struct __tpm_open *open; /* null for a standard stream: it is what its descriptor refers to */
    int pushed;              /* a character that was pushed back, plus 1; 0: none */
    unsigned ended, failed;
    unsigned owner; /* who holds the lock: the thread's number plus 1, or 0 */
    unsigned again; /* how often the owner has locked it, minus 1 */
};

/* The state of a stream. */
struct __tpm_stream *__tpm_stream_of(FILE *stream);

/* In a step: what it reads from and writes to, or null. */
struct __tpm_open *__tpm_open_of(struct __tpm_stream *s);

/* In a step: waits until the calling thread may use the stream. */
void __tpm_enter(struct __tpm_stream *s);

/* In a step, and to hold it beyond the step. */
void __tpm_lock_stream(struct __tpm_stream *s);
void __tpm_unlock_stream(struct __tpm_stream *s);

/* Bytes that were taken, as read in the step. */
struct __tpm_bytes {
    unsigned char *bytes;
    size_t count;
};

/* Reads at most this many bytes, up to the first that is `stop` (-1: none). */
struct __tpm_bytes __tpm_read_stream(FILE *stream, size_t most, int stop, struct __tpm_taken *taken);
/* Writes what is in a record, and frees it; false if that failed. */
_Bool __tpm_write_record(FILE *stream, unsigned char *bytes, size_t count);
/* Whether input from the stream is from the console, where each character is an input. */
_Bool __tpm_is_console(FILE *stream);
/* A character that was pushed back to the console, or EOF. */
int __tpm_take_pushed(FILE *stream);

/* What feof, ferror and clearerr say and do. */
_Bool __tpm_has_ended(FILE *stream);
_Bool __tpm_has_failed(FILE *stream);
void __tpm_clear(FILE *stream);

/* Locks a stream to read from it by a format: the rest of the file as a text, in a record, or null. Then goes on behind
 * this many characters of it (-1: the end was met), frees the text, and unlocks it. */
char *__tpm_begin_scan(FILE *stream);
void __tpm_end_scan(FILE *stream, char *text, size_t read);

#endif

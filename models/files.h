/* Files in memory, for the models of <fcntl.h>, <unistd.h>, <sys/stat.h>, <dirent.h>, <sys/mman.h> and <stdio.h>.
 *
 * A file is a name and bytes. An open file description (POSIX 3.258) is what open returns a descriptor of: a file and a
 * position in it. Both are only accessed in atomic steps: an operation on a file is one step, and happens before the
 * later operations on it. What goes to or comes from the user's memory passes through memory of the model, so that the
 * accesses to the user's memory are ordinary ones, outside of the step. */
#ifndef TPM_FILES_H
#define TPM_FILES_H

#include "internal.h"

enum { ENOENT = 2, EBADF = 9, EACCES = 13, EEXIST = 17, ENODEV = 19, ENOTDIR = 20, EISDIR = 21, EMFILE = 24, ENOSPC = 28,
       ESPIPE = 29, EPIPE = 32, ENOTEMPTY = 39 };

enum { O_RDONLY = 0, O_WRONLY = 1, O_RDWR = 2, O_ACCMODE = 3, O_CREAT = 0100, O_EXCL = 0200, O_TRUNC = 01000,
       O_APPEND = 02000, O_NONBLOCK = 04000, O_DIRECTORY = 0200000, O_CLOEXEC = 02000000 };

enum { SEEK_SET = 0, SEEK_CUR = 1, SEEK_END = 2 };

/* CONSOLE: what the standard streams are at first. The kinds after it are special (special.h). */
enum __tpm_kind { REGULAR = 0, DIRECTORY = 1, PIPE = 2, CONSOLE = 3, EVENTS = 4, TIMER = 5, EPOLL = 6, SOCKET = 7 };

/* The front end makes some, with the members in this order. */
struct __tpm_file {
    char *name;            /* as __tpm_path gives it; null: it has none (any more) */
    unsigned char *bytes;
    size_t size;           /* of a pipe: what was written since it was last empty */
    size_t room;           /* bytes that are there for it */
    size_t kind;
    size_t any;            /* its bytes are inputs that are still to be drawn */
    size_t is_ours;        /* the bytes are a record of the models */
    size_t is_mapped;      /* the program has a pointer to the bytes: they stay where they are */
    size_t readers;        /* open descriptions of a pipe */
    size_t writers;
    struct __tpm_file *next;
};

/* Made by the front end: the files that the user gives, in a list, with the directories that they are in; and what
 * standard input is: a file without a name, or the console. */
extern struct __tpm_file __tp_files[];
extern struct __tpm_file __tp_stdin[];

struct __tpm_open {
    struct __tpm_file *file;
    size_t offset; /* of a pipe: what was read since it was last empty */
    unsigned flags;
    unsigned uses; /* descriptors */
};

/* Outside of a step: the name that a path stands for, as a new record. There is one root and one current directory,
 * whose name is empty; `.`, `..` and needless slashes are resolved. */
char *__tpm_path(const char *path);

/* Among error numbers: the thread was cancelled while it waited; a handler has to run before the call goes on or fails. */
enum { CANCELLED = -2, BY_SIGNAL = -3 };

/* The rest is for atomic steps. */

/* The file of this name, or null; a directory that is always there has one, too. */
struct __tpm_file *__tpm_find(const char *name);
/* The bytes of a file that may be any are drawn. */
void __tpm_draw(struct __tpm_file *file);
/* The first of all files, those without a name, too. */
struct __tpm_file *__tpm_first_file(void);
/* Whether there is a directory that a file of this name can be made in. */
_Bool __tpm_has_parent(const char *name);
/* A new file; the name may be null. It is copied in the step, so that whoever reads it is ordered after that. */
struct __tpm_file *__tpm_make(const char *name, enum __tpm_kind kind);
/* Nobody has the file open, and it has no name: its bytes are not needed any more. */
void __tpm_forget(struct __tpm_file *file);
/* Sets the size; false if there is no room. New bytes are 0. */
_Bool __tpm_resize(struct __tpm_file *file, size_t size);
/* Makes room for `size` bytes, moving the others if need be; false if they may not move. */
_Bool __tpm_reserve(struct __tpm_file *file, size_t size);

/* New memory for at least this many bytes, and how many it is for. */
unsigned char *__tpm_new_bytes(size_t size, size_t *room);

/* A file opened anew; `uses` is 1. */
struct __tpm_open *__tpm_open_file(struct __tpm_file *file, unsigned flags);
/* A descriptor less refers to it. */
void __tpm_close_description(struct __tpm_open *open);
/* Opens by name, as POSIX open does; null with an error number in *error. Frees the name. */
struct __tpm_open *__tpm_open_name(char *name, int flags, int *error);
/* The lowest free descriptor from `least` on gets the description; -1 if there is none. */
int __tpm_new_descriptor(struct __tpm_open *open, int least);
void __tpm_set_descriptor(int fd, struct __tpm_open *open);
/* What a descriptor refers to, or null. */
struct __tpm_open *__tpm_description(int fd);

/* How many bytes can be read now. */
size_t __tpm_available(struct __tpm_open *open);
/* Reads `count` bytes that are available, and moves on. */
void __tpm_take(struct __tpm_open *open, void *to, size_t count);
/* Writes, and moves on; an error number, or 0. */
int __tpm_put(struct __tpm_open *open, const void *bytes, size_t count);
/* What lseek does: the new position, or -1 with an error number. */
long long __tpm_seek(struct __tpm_open *open, long long distance, int from, int *error);

/* Bytes on their way from a file to the user's memory: a few of them, or a record of the models. */
struct __tpm_taken {
    unsigned char *bytes;
    size_t count;
    size_t room;
    unsigned char few[64];
};

/* None yet. */
void __tpm_begin_taking(struct __tpm_taken *taken);
/* Takes this many more from what is open, which are available. */
void __tpm_take_more(struct __tpm_taken *taken, struct __tpm_open *open, size_t count);
/* Takes these bytes. */
void __tpm_take_bytes(struct __tpm_taken *taken, const void *bytes, size_t count);
/* Room for this many more. */
void __tpm_make_room(struct __tpm_taken *taken, size_t count);

/* Outside of a step, with what was read from `taken` in the step: copies the bytes to the user's memory. */
static inline void __tpm_hand_over(void *to, unsigned char *bytes, size_t count)
{
    if (count > 0)
        __builtin_memcpy(to, bytes, count);
    if (count > sizeof((struct __tpm_taken *)0)->few)
        __tp_free(bytes);
}

/* What can happen to a descriptor, as poll and epoll number it. */
enum { EPOLLIN = 1, EPOLLOUT = 4, EPOLLERR = 8, EPOLLHUP = 16, EPOLLRDNORM = 64, EPOLLWRNORM = 256, EPOLLRDHUP = 0x2000 };

/* What is neither a file nor a pipe (models/special.c), as read and write see it. In steps; an error number, or 0. */
static inline _Bool __tpm_is_special(const struct __tpm_open *open)
{
    return __tp_option_special && open->file->kind > CONSOLE;
}

int __tpm_read_special(struct __tpm_open *open, size_t most, struct __tpm_taken *taken);
int __tpm_write_special(struct __tpm_open *open, const unsigned char *bytes, size_t *count);
/* What a stream reads that is opened for a socket: the end of a pipe, or null. */
struct __tpm_open *__tpm_source(struct __tpm_open *open);
/* Nobody has it open any more. */
void __tpm_end_special(struct __tpm_file *file);
/* A description is closed: no epoll instance watches it from now on. */
void __tpm_unwatch(const struct __tpm_open *open);
/* Something has happened (EPOLLIN, EPOLLOUT) to what watchers of this file wait for. */
void __tpm_changed(const struct __tpm_file *file, unsigned events);

/* A pipe that holds more than this is full. */
enum { PIPE_ROOM = 65536, PIPE_BUF = 4096 };

/* Bytes, in a new record. */
static inline unsigned char *__tpm_copy_of(const void *from, size_t count)
{
    unsigned char *bytes = __tp_alloc_record(count, 1);
    if (count > 0)
        __builtin_memcpy(bytes, from, count);
    return bytes;
}

/* Outside of a step: sets errno to `error` unless that is 0, and gives the result then or -1. */
static inline long __tpm_result(int error, long result)
{
    if (error == 0)
        return result;
    errno = error;
    return -1;
}

/* Any bytes, where input comes from the console. Outside of a step. */
size_t __tpm_read_console(void *to, size_t count);

#endif

/* Open file descriptions and the table of descriptors. All functions are parts of atomic steps. */
#include "files.h"

enum { MOST_DESCRIPTORS = 1024 };

static struct __tpm_file console = {.kind = CONSOLE};
static struct __tpm_open standard[3] = {
    {__tp_stdin, 0, O_RDWR, 1},
    {&console, 0, O_RDWR, 1},
    {&console, 0, O_RDWR, 1},
};
static struct __tpm_open *descriptors[MOST_DESCRIPTORS] = {&standard[0], &standard[1], &standard[2]};

struct __tpm_open *__tpm_description(int fd)
{
    return fd < 0 || fd >= MOST_DESCRIPTORS ? 0 : descriptors[fd];
}

int __tpm_new_descriptor(struct __tpm_open *open, int least)
{
    int fd = least;
    while (fd < MOST_DESCRIPTORS && descriptors[fd])
        fd++;
    if (fd >= MOST_DESCRIPTORS)
        return -1;
    descriptors[fd] = open;
    return fd;
}

void __tpm_set_descriptor(int fd, struct __tpm_open *open)
{
    descriptors[fd] = open;
}

static _Bool can_read(const struct __tpm_open *open)
{
    return (open->flags & O_ACCMODE) != O_WRONLY;
}

static _Bool can_write(const struct __tpm_open *open)
{
    return (open->flags & O_ACCMODE) != O_RDONLY;
}

struct __tpm_open *__tpm_open_file(struct __tpm_file *file, unsigned flags)
{
    struct __tpm_open *open = __tp_alloc_record(sizeof *open, sizeof(void *));
    *open = (struct __tpm_open){file, 0, flags, 1};
    file->readers += can_read(open);
    file->writers += can_write(open);
    return open;
}

void __tpm_close_description(struct __tpm_open *open)
{
    if (--open->uses > 0 || open == &standard[0] || open == &standard[1] || open == &standard[2])
        return;
    struct __tpm_file *file = open->file;
    file->readers -= can_read(open);
    file->writers -= can_write(open);
    if (__tp_option_special) {
        __tpm_unwatch(open);
        __tpm_changed(file, EPOLLIN | EPOLLOUT);
    }
    if (__tpm_is_special(open))
        __tpm_end_special(file);
    else if (!file->name && file->readers == 0 && file->writers == 0)
        __tpm_forget(file);
    __tp_free(open);
}

static int why_not(const struct __tpm_file *file, const char *name, int flags)
{
    if (!file)
        return flags & O_CREAT && __tpm_has_parent(name) ? 0 : ENOENT;
    if ((flags & O_CREAT) && (flags & O_EXCL))
        return EEXIST;
    if (file->kind == DIRECTORY && ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT)))
        return EISDIR;
    return file->kind != DIRECTORY && (flags & O_DIRECTORY) ? ENOTDIR : 0;
}

struct __tpm_open *__tpm_open_name(char *name, int flags, int *error)
{
    struct __tpm_file *file = __tpm_find(name);
    *error = why_not(file, name, flags);
    if (!*error && !file)
        file = __tpm_make(name, REGULAR);
    __tp_free(name);
    if (*error)
        return 0;
    if ((flags & O_TRUNC) && file->kind == REGULAR)
        file->size = 0;
    return __tpm_open_file(file, (unsigned)flags & ~(unsigned)(O_CREAT | O_EXCL | O_TRUNC));
}

size_t __tpm_available(struct __tpm_open *open)
{
    return open->offset < open->file->size ? open->file->size - open->offset : 0;
}

void __tpm_take(struct __tpm_open *open, void *to, size_t count)
{
    struct __tpm_file *file = open->file;
    if (count > 0)
        __builtin_memcpy(to, file->bytes + open->offset, count);
    open->offset += count;
    if (file->kind == PIPE && open->offset == file->size)
        open->offset = file->size = 0;
}

int __tpm_put(struct __tpm_open *open, const void *bytes, size_t count)
{
    struct __tpm_file *file = open->file;
    size_t at = file->kind == PIPE || (open->flags & O_APPEND) ? file->size : open->offset;
    if (count == 0)
        return 0;
    if (at > file->size && !__tpm_resize(file, at))
        return ENOSPC;
    if (!__tpm_reserve(file, at + count))
        return ENOSPC;
    __builtin_memcpy(file->bytes + at, bytes, count);
    if (at + count > file->size)
        file->size = at + count;
    if (file->kind != PIPE)
        open->offset = at + count;
    return 0;
}

long long __tpm_seek(struct __tpm_open *open, long long distance, int from, int *error)
{
    if (open->file->kind >= PIPE) {
        *error = ESPIPE;
        return -1;
    }
    long long base = from == SEEK_SET ? 0 : from == SEEK_CUR ? (long long)open->offset : (long long)open->file->size;
    if (from < SEEK_SET || from > SEEK_END || base + distance < 0) {
        *error = EINVAL;
        return -1;
    }
    open->offset = (size_t)(base + distance);
    return base + distance;
}

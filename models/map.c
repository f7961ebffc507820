/* <sys/mman.h>: files as memory. */
#include "files.h"

enum { MAP_PRIVATE = 2, MAP_KINDS = 3, MAP_FIXED = 16, MAP_ANONYMOUS = 32, PAGE = 4096 };

#define FAILED ((void *)-1)

static size_t whole_pages(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

static void *fail(int error)
{
    errno = error;
    return FAILED;
}

/* The mappings that can be unmapped. */
struct mapping {
    unsigned char *address;
    size_t length;
    _Bool is_file;
    struct mapping *next;
};

static struct mapping *mappings;

static void remember(unsigned char *address, size_t length, _Bool is_file)
{
    struct mapping *m = __tp_alloc_record(sizeof *m, sizeof(void *));
    *m = (struct mapping){address, whole_pages(length), is_file, mappings};
    mappings = m;
}

/* The bytes of a shared file stay where they are from now on. There is room for whole pages, and zeros fill the rest of
 * the last one; a program must not touch pages that are wholly behind the end. */
static void pin(struct __tpm_file *file)
{
    if (file->is_mapped)
        return;
    size_t room = whole_pages(file->size + 1);
    unsigned char *bytes = __tp_alloc_record(room, PAGE);
    if (file->size > 0)
        __builtin_memcpy(bytes, file->bytes, file->size);
    __builtin_memset(bytes + file->size, 0, room - file->size);
    if (file->is_ours)
        __tp_free(file->bytes);
    file->bytes = bytes;
    file->room = room;
    file->is_ours = 1;
    file->is_mapped = 1;
}

/* Puts the bytes of a file into memory that is there, or finds those of a shared one. An error number, or 0. */
static int map_file(int fd, _Bool shared, size_t at, size_t length, unsigned char **memory)
{
    struct __tpm_open *open = __tpm_description(fd);
    if (!open)
        return EBADF;
    struct __tpm_file *file = open->file;
    if (file->kind != REGULAR)
        return ENODEV;
    if ((open->flags & O_ACCMODE) == O_WRONLY)
        return EACCES;
    if (shared) {
        pin(file);
        *memory = file->bytes + at;
        return 0;
    }
    size_t there = at >= file->size ? 0 : file->size - at < length ? file->size - at : length;
    if (there > 0)
        __builtin_memcpy(*memory, file->bytes + at, there);
    __builtin_memset(*memory + there, 0, length - there);
    return 0;
}

static void *map(size_t length, int flags, int fd, long long offset)
{
    int kind = flags & MAP_KINDS;
    _Bool anonymous = (flags & MAP_ANONYMOUS) != 0, is_file = !anonymous && kind != MAP_PRIVATE;
    int error = 0;
    if (length == 0 || kind == 0 || offset % PAGE != 0)
        return fail(EINVAL);
    if (flags & MAP_FIXED)
        return fail(ENOMEM);
    unsigned char *memory = is_file ? 0 : __tp_alloc_record(whole_pages(length), PAGE);
    if (anonymous)
        __builtin_memset(memory, 0, whole_pages(length));
    __tp_atomic_begin();
    if (!anonymous)
        error = map_file(fd, is_file, (size_t)offset, whole_pages(length), &memory);
    if (!error)
        remember(memory, length, is_file);
    __tp_atomic_end();
    return error ? fail(error) : memory;
}

/* POSIX mmap: memory that holds a file (MAP_SHARED), a copy of it (MAP_PRIVATE), or zeros (MAP_ANONYMOUS), at an address
 * of our choice. What is protected is not checked. */
void *mmap(void *address, size_t length, int protection, int flags, int fd, long offset)
{
    (void)address;
    (void)protection;
    return map(length, flags, fd, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, long long offset)
{
    (void)address;
    (void)protection;
    return map(length, flags, fd, offset);
}

/* POSIX munmap: the memory may not be used any more. Only whole mappings go away; a part of one stays, and so does
 * memory that holds a file. */
int munmap(void *address, size_t length)
{
    if (length == 0)
        return (int)__tpm_result(EINVAL, 0);
    __tp_atomic_begin();
    struct mapping **at = &mappings;
    while (*at && !((*at)->address == address && (*at)->length == whole_pages(length)))
        at = &(*at)->next;
    struct mapping *m = *at;
    if (m) {
        *at = m->next;
        if (!m->is_file)
            __tp_free(address);
        __tp_free(m);
    }
    __tp_atomic_end();
    return 0;
}

/* POSIX msync, posix_madvise; mprotect, madvise: nothing to do. */
int msync(void *address, size_t length, int flags)
{
    (void)address;
    (void)length;
    (void)flags;
    return 0;
}

int mprotect(void *address, size_t length, int protection)
{
    (void)address;
    (void)length;
    (void)protection;
    return 0;
}

int madvise(void *address, size_t length, int advice)
{
    (void)address;
    (void)length;
    (void)advice;
    return 0;
}

int posix_madvise(void *address, size_t length, int advice)
{
    return madvise(address, length, advice);
}

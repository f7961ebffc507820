/* <dirent.h>: what is in a directory. */
#include "files.h"

enum { DT_DIR = 4, DT_REG = 8 };

/* As the C library declares it. */
struct dirent {
    unsigned long number;
    long offset;
    unsigned short length;
    unsigned char type;
    char name[256];
};

struct dirent64 {
    unsigned long long number;
    long long offset;
    unsigned short length;
    unsigned char type;
    char name[256];
};

/* Programs know DIR only by its address. */
typedef struct directory {
    char *name;
    struct __tpm_open *open;
    int fd;
    unsigned next; /* how many entries were read */
    struct dirent entry;
    struct dirent64 large_entry;
} DIR;

/* POSIX opendir: opens a directory; null with an error number if it is none. */
TP_DOES("file-names")
DIR *opendir(const char *path)
{
    char *name = __tpm_path(path);
    int error = path[0] ? 0 : ENOENT;
    DIR *d = __tp_alloc_record(sizeof *d, sizeof(void *));
    d->name = __tpm_path(path);
    d->next = 0;
    __tp_atomic_begin();
    d->open = error ? 0 : __tpm_open_name(name, O_RDONLY | O_DIRECTORY, &error);
    d->fd = d->open ? __tpm_new_descriptor(d->open, 0) : -1;
    if (error) {
        __tp_free(d->name);
        __tp_free(d);
    }
    __tp_atomic_end();
    if (!error)
        return d;
    errno = error;
    return 0;
}

/* The name of a file within a directory, or null if it is not directly there. */
static const char *name_within(const struct __tpm_file *file, const char *directory)
{
    const char *name = file->name;
    if (!name || !*name || (*name == '/' && !name[1]))
        return 0;
    if (*directory == 0) {
        if (*name == '/')
            return 0;
    } else {
        for (; *directory && *name == *directory; directory++)
            name++;
        if (*directory)
            return 0;
        if (name[-1] != '/' && *name++ != '/')
            return 0;
    }
    const char *end = name;
    while (*end && *end != '/')
        end++;
    return *name && !*end ? name : 0;
}

struct found {
    const char *name;
    unsigned char type;
};

/* The entry with this number: first the two that are always there. */
static struct found entry(const DIR *d, unsigned number)
{
    if (number < 2)
        return (struct found){number == 0 ? "." : "..", DT_DIR};
    const struct __tpm_file *file = __tpm_first_file();
    unsigned passed = 2;
    while (file && !(name_within(file, d->name) && passed++ == number))
        file = file->next;
    if (!file)
        return (struct found){0, 0};
    return (struct found){name_within(file, d->name), file->kind == DIRECTORY ? DT_DIR : DT_REG};
}

#define READ(to)                                                                                                       \
    _Bool more = 0;                                                                                                    \
    __tp_atomic_begin();                                                                                               \
    struct found f = entry(d, d->next);                                                                                \
    if (f.name) {                                                                                                      \
        more = 1;                                                                                                      \
        d->next++;                                                                                                     \
        (to)->number = d->next;                                                                                        \
        (to)->offset = d->next;                                                                                        \
        (to)->length = sizeof *(to);                                                                                   \
        (to)->type = f.type;                                                                                           \
        size_t length = __tpm_strlen(f.name);                                                                          \
        length = length < sizeof (to)->name ? length : sizeof (to)->name - 1;                                          \
        __builtin_memcpy((to)->name, f.name, length);                                                                  \
        (to)->name[length] = 0;                                                                                        \
    }                                                                                                                  \
    __tp_atomic_end();                                                                                                 \
    return more ? (to) : 0

/* POSIX readdir: the next entry, or null. It is overwritten by the next call for the same directory. */
struct dirent *readdir(DIR *d)
{
    READ(&d->entry);
}

struct dirent64 *readdir64(DIR *d)
{
    READ(&d->large_entry);
}

/* POSIX rewinddir: begins again. */
void rewinddir(DIR *d)
{
    __tp_atomic_begin();
    d->next = 0;
    __tp_atomic_end();
}

/* POSIX dirfd: the descriptor of the directory. */
int dirfd(DIR *d)
{
    return d->fd;
}

/* POSIX closedir: the directory may not be used any more. */
int closedir(DIR *d)
{
    __tp_atomic_begin();
    __tpm_set_descriptor(d->fd, 0);
    __tpm_close_description(d->open);
    __tp_free(d->name);
    __tp_free(d);
    __tp_atomic_end();
    return 0;
}

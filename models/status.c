/* <sys/stat.h>, and what changes names. */
#include "files.h"

TP_ALL_DO("signal-safe")

enum { S_IFIFO = 0010000, S_IFCHR = 0020000, S_IFDIR = 0040000, S_IFREG = 0100000, S_IFSOCK = 0140000 };

struct moment {
    long seconds;
    long nanoseconds;
};

/* As the C library declares it, for each data model. */
#ifdef __LP64__
struct stat {
    unsigned long device, number, links;
    unsigned mode, user, group, unused;
    unsigned long special;
    long size, block_size, blocks;
    struct moment accessed, modified, changed;
    long reserved[3];
};
#else
struct stat {
    unsigned long long device;
    unsigned short unused;
    unsigned long number;
    unsigned mode, links, user, group;
    unsigned long long special;
    unsigned short unused_too;
    long size, block_size, blocks;
    struct moment accessed, modified, changed;
    unsigned long reserved[2];
};

struct stat64 {
    unsigned long long device;
    unsigned unused;
    unsigned long short_number;
    unsigned mode, links, user, group;
    unsigned long long special;
    unsigned unused_too;
    long long size;
    long block_size;
    long long blocks;
    struct moment accessed, modified, changed;
    unsigned long long number;
};
#endif

struct facts {
    int error;
    unsigned mode;
    size_t size;
    unsigned number;
};

static unsigned mode_of(const struct __tpm_file *file)
{
    switch (file->kind) {
    case DIRECTORY: return S_IFDIR | 0755;
    case PIPE: return S_IFIFO | 0600;
    case CONSOLE: return S_IFCHR | 0620;
    case SOCKET: return S_IFSOCK | 0777;
    case EVENTS:
    case TIMER:
    case EPOLL: return 0600;
    default: return S_IFREG | 0644;
    }
}

/* Files are numbered from the end of their list, where none is added. */
static struct facts facts_of(const struct __tpm_file *file)
{
    struct facts f = {0, mode_of(file), file->kind == REGULAR ? file->size : file->kind == DIRECTORY ? 4096 : 0, 1};
    for (const struct __tpm_file *next = file->next; next; next = next->next)
        f.number++;
    return f;
}

static struct facts facts_of_path(const char *path)
{
    struct facts f = {ENOENT, 0, 0, 0};
    char *name = __tpm_path(path);
    __tp_atomic_begin();
    const struct __tpm_file *file = __tpm_find(name);
    if (file && path[0])
        f = facts_of(file);
    __tp_free(name);
    __tp_atomic_end();
    return f;
}

static struct facts facts_of_descriptor(int fd)
{
    struct facts f = {EBADF, 0, 0, 0};
    __tp_atomic_begin();
    const struct __tpm_open *open = __tpm_description(fd);
    if (open)
        f = facts_of(open->file);
    __tp_atomic_end();
    return f;
}

/* The times are those of the beginning of the program. */
#define FILL(to, f)                                                                                                    \
    if (!(f).error) {                                                                                                  \
        __builtin_memset(to, 0, sizeof *(to));                                                                         \
        (to)->device = 1;                                                                                              \
        (to)->number = (f).number;                                                                                     \
        (to)->links = 1;                                                                                               \
        (to)->mode = (f).mode;                                                                                         \
        (to)->user = (to)->group = 1000;                                                                               \
        (to)->size = (long)(f).size;                                                                                   \
        (to)->block_size = 4096;                                                                                       \
        (to)->blocks = (long)(((f).size + 511) / 512);                                                                 \
        (to)->accessed.seconds = (to)->modified.seconds = (to)->changed.seconds = 1735689600;                          \
    }                                                                                                                  \
    return (int)__tpm_result((f).error, 0)

/* POSIX fstat, stat, lstat: the kind and size of a file. There are no symbolic links. */
int fstat(int fd, struct stat *to)
{
    struct facts f = facts_of_descriptor(fd);
    FILL(to, f);
}

TP_DOES("file-names")
int stat(const char *path, struct stat *to)
{
    struct facts f = facts_of_path(path);
    FILL(to, f);
}

TP_DOES("file-names")
int lstat(const char *path, struct stat *to)
{
    return stat(path, to);
}

/* The same for programs compiled with large files. */
#ifdef __LP64__
int fstat64(int fd, struct stat *to)
{
    return fstat(fd, to);
}

TP_DOES("file-names")
int stat64(const char *path, struct stat *to)
{
    return stat(path, to);
}

TP_DOES("file-names")
int lstat64(const char *path, struct stat *to)
{
    return stat(path, to);
}
#else
int fstat64(int fd, struct stat64 *to)
{
    struct facts f = facts_of_descriptor(fd);
    FILL(to, f);
}

TP_DOES("file-names")
int stat64(const char *path, struct stat64 *to)
{
    struct facts f = facts_of_path(path);
    FILL(to, f);
}

TP_DOES("file-names")
int lstat64(const char *path, struct stat64 *to)
{
    return stat64(path, to);
}
#endif

/* POSIX access: whether a file is there; everything is permitted but to execute a file. */
TP_DOES("file-names")
int access(const char *path, int mode)
{
    struct facts f = facts_of_path(path);
    if (!f.error && (mode & 1) && (f.mode & S_IFREG))
        f.error = EACCES;
    return (int)__tpm_result(f.error, 0);
}

static _Bool is_in(const char *name, const char *directory)
{
    for (; *directory && *name == *directory; directory++)
        name++;
    return *directory == 0 && *name == '/';
}

static _Bool is_empty(const struct __tpm_file *directory)
{
    const struct __tpm_file *file = __tpm_first_file();
    while (file && !(file->name && is_in(file->name, directory->name)))
        file = file->next;
    return !file;
}

enum what { A_FILE = 1, A_DIRECTORY = 2 };

/* What is open stays there without a name. */
static int remove_name(const char *path, enum what which)
{
    char *name = __tpm_path(path);
    int error = 0;
    __tp_atomic_begin();
    struct __tpm_file *file = __tpm_find(name);
    if (!file || !path[0]) {
        error = ENOENT;
    } else if (file->kind == DIRECTORY && !(which & A_DIRECTORY)) {
        error = EISDIR;
    } else if (file->kind != DIRECTORY && !(which & A_FILE)) {
        error = ENOTDIR;
    } else if (file->kind == DIRECTORY && !is_empty(file)) {
        error = ENOTEMPTY;
    } else {
        file->name = 0;
        if (file->readers == 0 && file->writers == 0)
            __tpm_forget(file);
    }
    __tp_free(name);
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* POSIX unlink, rmdir: removes the name of a file, or of an empty directory. */
TP_DOES("file-names")
int unlink(const char *path)
{
    return remove_name(path, A_FILE);
}

TP_DOES("file-names")
int rmdir(const char *path)
{
    return remove_name(path, A_DIRECTORY);
}

/* C11 7.21.4.1: removes either. */
TP_DOES("file-names")
int remove(const char *path)
{
    return remove_name(path, A_FILE | A_DIRECTORY);
}

/* C11 7.21.4.2, POSIX: gives a file another name, and removes what had it. A directory is renamed if it is empty. */
TP_DOES("file-names")
int rename(const char *from, const char *to)
{
    char *before = __tpm_path(from), *after = __tpm_path(to);
    int error = 0;
    __tp_atomic_begin();
    struct __tpm_file *file = __tpm_find(before), *other = __tpm_find(after);
    if (!file || !__tpm_has_parent(after) || !from[0] || !to[0]) {
        error = ENOENT;
    } else if (other && other->kind == DIRECTORY && file->kind != DIRECTORY) {
        error = EISDIR;
    } else if (other && other->kind != DIRECTORY && file->kind == DIRECTORY) {
        error = ENOTDIR;
    } else if ((other && other->kind == DIRECTORY && !is_empty(other)) || (file->kind == DIRECTORY && !is_empty(file))) {
        error = ENOTEMPTY;
    } else if (file != other) {
        if (other) {
            other->name = 0;
            if (other->readers == 0 && other->writers == 0)
                __tpm_forget(other);
        }
        file->name = (char *)__tpm_copy_of(after, __tpm_strlen(after) + 1);
    }
    __tp_free(before);
    __tp_free(after);
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* POSIX mkdir: makes a directory. */
TP_DOES("file-names")
int mkdir(const char *path, unsigned mode)
{
    (void)mode;
    char *name = __tpm_path(path);
    int error = 0;
    __tp_atomic_begin();
    if (!path[0] || !__tpm_has_parent(name))
        error = ENOENT;
    else if (__tpm_find(name))
        error = EEXIST;
    else
        __tpm_make(name, DIRECTORY);
    __tp_free(name);
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* POSIX truncate: as ftruncate, by name. */
TP_DOES("file-names")
int truncate(const char *path, long size)
{
    char *name = __tpm_path(path);
    int error = 0;
    __tp_atomic_begin();
    struct __tpm_file *file = __tpm_find(name);
    if (!file || !path[0])
        error = ENOENT;
    else if (file->kind == DIRECTORY)
        error = EISDIR;
    else if (size < 0)
        error = EINVAL;
    else if (!__tpm_resize(file, (size_t)size))
        error = ENOSPC;
    __tp_free(name);
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

/* POSIX chmod, fchmod; below, umask: modes are not kept. */
TP_DOES("file-names")
int chmod(const char *path, unsigned mode)
{
    (void)mode;
    return (int)__tpm_result(facts_of_path(path).error, 0);
}

int fchmod(int fd, unsigned mode)
{
    (void)mode;
    return (int)__tpm_result(facts_of_descriptor(fd).error, 0);
}

/* POSIX chown, lchown, fchown: who owns a file is not kept, and nobody asks. */
TP_DOES("file-names")
int chown(const char *path, unsigned user, unsigned group)
{
    return chmod(path, user | group);
}

TP_DOES("file-names")
int lchown(const char *path, unsigned user, unsigned group)
{
    return chmod(path, user | group);
}

int fchown(int fd, unsigned user, unsigned group)
{
    return fchmod(fd, user | group);
}

/* POSIX utimes, futimens: times of files are not kept. */
TP_DOES("file-names")
int utimes(const char *path, const void *times)
{
    (void)times;
    return chmod(path, 0);
}

int futimens(int fd, const void *times)
{
    (void)times;
    return fchmod(fd, 0);
}

unsigned umask(unsigned mask)
{
    (void)mask;
    return 022;
}

TP_END

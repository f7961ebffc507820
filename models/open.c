/* The functions by which a program gets descriptors. */
#include "files.h"

TP_ALL_DO("signal-safe")

enum { AT_FDCWD = -100 };

static int open_path(const char *path, int flags)
{
    __tpm_cancel_point();
    char *name = __tpm_path(path);
    int error = 0, fd = -1;
    __tp_atomic_begin();
    struct __tpm_open *open = path[0] ? __tpm_open_name(name, flags, &error) : 0;
    if (open && (fd = __tpm_new_descriptor(open, 0)) < 0) {
        __tpm_close_description(open);
        error = EMFILE;
    }
    __tp_atomic_end();
    return (int)__tpm_result(path[0] ? error : ENOENT, fd);
}

/* POSIX open: opens a file, or makes it (O_CREAT). Everything is permitted. */
TP_DOES("file-names")
int open(const char *path, int flags, ...)
{
    return open_path(path, flags);
}

/* POSIX creat: makes a file, or empties it. */
TP_DOES("file-names")
int creat(const char *path, unsigned mode)
{
    (void)mode;
    return open_path(path, O_CREAT | O_WRONLY | O_TRUNC);
}

/* POSIX openat: the same, relative to a directory that is open. */
TP_DOES("file-names")
int openat(int directory, const char *path, int flags, ...)
{
    if (directory == AT_FDCWD || path[0] == '/')
        return open_path(path, flags);
    int error = 0;
    char *joined = 0;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_description(directory);
    if (!open) {
        error = EBADF;
    } else if (open->file->kind != DIRECTORY) {
        error = ENOTDIR;
    } else {
        size_t length = __tpm_strlen(open->file->name);
        joined = __tp_alloc_record(length + __tpm_strlen(path) + 2, 1);
        __builtin_memcpy(joined, open->file->name, length);
        if (length > 0)
            joined[length++] = '/';
        __builtin_memcpy(joined + length, path, __tpm_strlen(path) + 1);
    }
    __tp_atomic_end();
    if (error)
        return (int)__tpm_result(error, 0);
    int fd = open_path(joined, flags);
    __tp_free(joined);
    return fd;
}

/* The same for programs compiled with large files. */
TP_DOES("file-names")
int open64(const char *path, int flags, ...)
{
    return open_path(path, flags);
}

TP_DOES("file-names")
int openat64(int directory, const char *path, int flags, ...)
{
    return openat(directory, path, flags);
}

TP_DOES("file-names")
int creat64(const char *path, unsigned mode)
{
    return creat(path, mode);
}

/* Under _FORTIFY_SOURCE. */
TP_DOES("file-names")
int __open_2(const char *path, int flags)
{
    return open_path(path, flags);
}

TP_DOES("file-names")
int __open64_2(const char *path, int flags)
{
    return open_path(path, flags);
}

static unsigned temporary_files;

/* POSIX mkstemp: makes a file of a new name: the last six characters, which are X, are replaced. */
TP_DOES("file-names")
int mkstemp(char *path)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = __tpm_strlen(path);
    size_t same = 0;
    while (same < 6 && same < length && path[length - 1 - same] == 'X')
        same++;
    if (same < 6)
        return (int)__tpm_result(EINVAL, 0);
    __tp_atomic_begin();
    unsigned number = ++temporary_files;
    __tp_atomic_end();
    for (size_t i = 1; i <= 6; i++, number /= 16)
        path[length - i] = digits[number % 16];
    return open_path(path, O_CREAT | O_EXCL | O_RDWR);
}

/* Linux pipe2: POSIX pipe with flags. */
TP_DOES("open")
int pipe2(int ends[2], int flags)
{
    unsigned kept = (unsigned)flags & O_NONBLOCK;
    __tp_atomic_begin();
    struct __tpm_file *file = __tpm_make(0, PIPE);
    int from = __tpm_new_descriptor(__tpm_open_file(file, O_RDONLY | kept), 0);
    int to = __tpm_new_descriptor(__tpm_open_file(file, O_WRONLY | kept), 0);
    __tp_atomic_end();
    if (to < 0)
        return (int)__tpm_result(EMFILE, 0);
    ends[0] = from;
    ends[1] = to;
    return 0;
}

/* POSIX pipe: two descriptors; what is written to the second can be read from the first. */
TP_DOES("open")
int pipe(int ends[2])
{
    return pipe2(ends, 0);
}

TP_END

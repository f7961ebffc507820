/* The files themselves: names, bytes, and directories. All functions but __tpm_path are parts of atomic steps. */
#include "files.h"

static void resolve(char *name, size_t length)
{
    size_t root = name[0] == '/', n = root;
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && name[end] != '/')
            end++;
        size_t part = end - i;
        if (part == 2 && name[i] == '.' && name[i + 1] == '.') {
            while (n > root && name[n - 1] != '/')
                n--;
            if (n > root)
                n--;
        } else if (part > 0 && !(part == 1 && name[i] == '.')) {
            if (n > root)
                name[n++] = '/';
            for (; i < end; i++)
                name[n++] = name[i];
        }
        i = end + 1;
    }
    name[n] = 0;
}

/* POSIX 4.13: which file a path stands for. The user's bytes are read at once, and resolved in one step. */
char *__tpm_path(const char *path)
{
    size_t length = __tpm_strlen(path);
    char *name = (char *)__tpm_copy_of(path, length + 1);
    __tp_atomic_begin();
    resolve(name, length);
    __tp_atomic_end();
    return name;
}

static char no_name[] = "";
static char root_name[] = "/";
static char temporary_name[] = "/tmp";

/* The directories that are always there, before the files that the user gives. */
static struct __tpm_file temporary = {.name = temporary_name, .kind = DIRECTORY, .next = __tp_files};
static struct __tpm_file root = {.name = root_name, .kind = DIRECTORY, .next = &temporary};
static struct __tpm_file here = {.name = no_name, .kind = DIRECTORY, .next = &root};

/* All files; after the current directory, those that the program has made come first. Who finds a file is ordered after its
 * maker: the list begins in `here`, whose address is known, and not in a variable of its own. */
static struct __tpm_file *const first = &here;

static _Bool same(const char *a, const char *b)
{
    for (; *a && *a == *b; a++)
        b++;
    return *a == *b;
}

struct __tpm_file *__tpm_first_file(void)
{
    return first;
}

/* The bytes of a file that may be any are drawn when it is first looked for. */
void __tpm_draw(struct __tpm_file *file)
{
    file->any = 0;
    for (size_t i = 0; i < file->size; i++)
        file->bytes[i] = __tp_input_u8(file->name);
}

struct __tpm_file *__tpm_find(const char *name)
{
    struct __tpm_file *file = first;
    while (file && !(file->name && same(file->name, name)))
        file = file->next;
    if (file && file->any)
        __tpm_draw(file);
    return file;
}

/* How long the name of the directory is that a file is in; 0: it is the current one, or the root. */
static size_t parent_length(const char *name)
{
    size_t slash = 0;
    for (size_t i = 0; name[i]; i++)
        if (name[i] == '/')
            slash = i;
    return slash;
}

static _Bool begins_with(const char *name, const char *directory, size_t length)
{
    size_t i = 0;
    while (i < length && directory[i] == name[i])
        i++;
    return i == length && directory[i] == 0;
}

_Bool __tpm_has_parent(const char *name)
{
    size_t length = parent_length(name);
    const struct __tpm_file *file = first;
    if (length == 0)
        return 1;
    while (file && !(file->name && file->kind == DIRECTORY && begins_with(name, file->name, length)))
        file = file->next;
    return file != 0;
}

struct __tpm_file *__tpm_make(const char *name, enum __tpm_kind kind)
{
    struct __tpm_file *file = __tp_alloc_record(sizeof *file, sizeof(void *));
    char *own = name ? (char *)__tpm_copy_of(name, __tpm_strlen(name) + 1) : 0;
    *file = (struct __tpm_file){.name = own, .kind = kind, .next = first->next};
    first->next = file;
    if (kind == REGULAR || kind == PIPE)
        __tpm_reserve(file, 1);
    return file;
}

/* The file itself stays in the list: it is small, and a description may still refer to it. */
void __tpm_forget(struct __tpm_file *file)
{
    if (file->is_ours && !file->is_mapped)
        __tp_free(file->bytes);
    file->is_ours = 0;
    file->bytes = 0;
    file->size = file->room = 0;
}

/* Sizes that do not depend on what other threads do: a proof needs to know how large an object is. */
unsigned char *__tpm_new_bytes(size_t size, size_t *room)
{
    if (size <= 256) {
        *room = 256;
        return __tp_alloc_record(256, 1);
    }
    if (size <= 4096) {
        *room = 4096;
        return __tp_alloc_record(4096, 1);
    }
    if (size <= 65536) {
        *room = 65536;
        return __tp_alloc_record(65536, 1);
    }
    *room = 2 * size;
    return __tp_alloc_record(2 * size, 1);
}

_Bool __tpm_reserve(struct __tpm_file *file, size_t size)
{
    if (size <= file->room)
        return 1;
    if (file->is_mapped)
        return 0;
    size_t room;
    unsigned char *bytes = __tpm_new_bytes(size, &room);
    if (file->size > 0)
        __builtin_memcpy(bytes, file->bytes, file->size);
    if (file->is_ours)
        __tp_free(file->bytes);
    file->bytes = bytes;
    file->room = room;
    file->is_ours = 1;
    return 1;
}

_Bool __tpm_resize(struct __tpm_file *file, size_t size)
{
    if (!__tpm_reserve(file, size))
        return 0;
    if (size > file->size)
        __builtin_memset(file->bytes + file->size, 0, size - file->size);
    file->size = size;
    return 1;
}

/* The files themselves: names, bytes, and directories. All functions but __tpm_path are parts of atomic steps. */
#include "files.h"

/* POSIX 4.13: which file a path stands for. */
char *__tpm_path(const char *path)
{
    size_t length = __tpm_strlen(path);
    char *name = __tp_alloc_record(length + 1, 1);
    size_t n = 0;
    _Bool absolute = path[0] == '/';
    if (absolute)
        name[n++] = '/';
    size_t root = n;
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length && path[end] != '/')
            end++;
        size_t part = end - i;
        if (part == 2 && path[i] == '.' && path[i + 1] == '.') {
            while (n > root && name[n - 1] != '/')
                n--;
            if (n > root)
                n--;
        } else if (part > 0 && !(part == 1 && path[i] == '.')) {
            if (n > root)
                name[n++] = '/';
            for (; i < end; i++)
                name[n++] = path[i];
        }
        i = end + 1;
    }
    name[n] = 0;
    return name;
}

static char no_name[] = "";
static char root_name[] = "/";
static char temporary_name[] = "/tmp";

/* The directories that are always there, before the files that the user gives. */
static struct __tpm_file temporary = {.name = temporary_name, .kind = DIRECTORY, .next = __tp_files};
static struct __tpm_file root = {.name = root_name, .kind = DIRECTORY, .next = &temporary};
static struct __tpm_file here = {.name = no_name, .kind = DIRECTORY, .next = &root};

/* All files; the program's own come first. */
static struct __tpm_file *first = &here;

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
static void draw(struct __tpm_file *file)
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
        draw(file);
    return file;
}

_Bool __tpm_has_parent(const char *name)
{
    size_t slash = 0;
    _Bool any = 0;
    for (size_t i = 0; name[i]; i++) {
        if (name[i] == '/') {
            slash = i;
            any = 1;
        }
    }
    if (!any || slash == 0)
        return 1;
    for (struct __tpm_file *file = first; file; file = file->next) {
        if (!file->name || file->kind != DIRECTORY)
            continue;
        size_t i = 0;
        while (i < slash && file->name[i] == name[i])
            i++;
        if (i == slash && file->name[i] == 0)
            return 1;
    }
    return 0;
}

struct __tpm_file *__tpm_make(char *name, enum __tpm_kind kind)
{
    struct __tpm_file *file = __tp_alloc_record(sizeof *file, sizeof(void *));
    *file = (struct __tpm_file){.name = name, .kind = kind, .next = first};
    first = file;
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

_Bool __tpm_reserve(struct __tpm_file *file, size_t size)
{
    if (size <= file->room)
        return 1;
    if (file->is_mapped)
        return 0;
    size_t room = 2 * file->room > 64 ? 2 * file->room : 64;
    if (room < size)
        room = size;
    unsigned char *bytes = __tp_alloc_record(room, 1);
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

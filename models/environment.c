/* The environment. It is a list of texts that `environ` points to; a change makes a new list, and old texts stay, since
 * pointers to them may be in use. As in the C library, getenv takes no lock; that this races with setenv is only noticed where
 * the program names `environ` itself. */
#include "internal.h"

char **environ = __tp_environ;
extern char **__environ __attribute__((alias("environ")));
extern char **_environ __attribute__((alias("environ")));

/* Whether a text of the environment is about this name of n characters. */
static _Bool names(const char *entry, const char *name, size_t n)
{
    size_t i = 0;
    while (i < n && entry[i] == name[i])
        i++;
    return i == n && entry[n] == '=';
}

/* C11 7.22.4.6: the value of an environment variable, or null. */
char *getenv(const char *name)
{
    size_t n = __tpm_strlen(name);
    if (!environ || n == 0)
        return 0;
    for (char **entry = environ; *entry; entry++)
        if (names(*entry, name, n))
            return *entry + n + 1;
    return 0;
}

/* The C library's secure_getenv: as getenv in a program without special rights. */
char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* A new list without the name, with `added` in its place if it is not null. */
static void change(const char *name, size_t n, char *added)
{
    size_t count = 0;
    while (environ && environ[count])
        count++;
    char **list = __tp_alloc_record((count + 2) * sizeof(char *), sizeof(char *));
    size_t to = 0;
    for (size_t i = 0; i < count; i++) {
        if (!names(environ[i], name, n)) {
            list[to++] = environ[i];
        } else if (added) {
            list[to++] = added;
            added = 0;
        }
    }
    if (added)
        list[to++] = added;
    list[to] = 0;
    environ = list;
}

/* The length of a name; 0 if it is not one. */
static size_t length_of_name(const char *name)
{
    if (!name)
        return 0;
    size_t n = 0;
    while (name[n] && name[n] != '=')
        n++;
    return name[n] == '=' ? 0 : n;
}

/* POSIX setenv: sets a variable, or leaves it if it is there and `overwrite` is 0; EINVAL for what is no name. */
int setenv(const char *name, const char *value, int overwrite)
{
    size_t n = length_of_name(name);
    if (n == 0) {
        errno = EINVAL;
        return -1;
    }
    size_t m = __tpm_strlen(value);
    char *text = __tp_alloc_record(n + m + 2, 1);
    for (size_t i = 0; i < n; i++)
        text[i] = name[i];
    text[n] = '=';
    for (size_t i = 0; i <= m; i++)
        text[n + 1 + i] = value[i];
    __tp_atomic_begin();
    if (overwrite || !getenv(name))
        change(name, n, text);
    __tp_atomic_end();
    return 0;
}

/* POSIX unsetenv: removes a variable; EINVAL for what is no name. */
int unsetenv(const char *name)
{
    size_t n = length_of_name(name);
    if (n == 0) {
        errno = EINVAL;
        return -1;
    }
    __tp_atomic_begin();
    if (getenv(name))
        change(name, n, 0);
    __tp_atomic_end();
    return 0;
}

/* POSIX putenv: the text itself becomes part of the environment; the C library takes one without `=` as a name to remove. */
int putenv(char *text)
{
    size_t n = 0;
    while (text[n] && text[n] != '=')
        n++;
    if (!text[n])
        return unsetenv(text);
    __tp_atomic_begin();
    change(text, n, text);
    __tp_atomic_end();
    return 0;
}

/* The C library's clearenv: removes all variables. */
int clearenv(void)
{
    __tp_atomic_begin();
    environ = 0;
    __tp_atomic_end();
    return 0;
}

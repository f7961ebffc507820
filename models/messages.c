/* Messages about errors: <err.h>, <error.h>, and the log of the system. */
#include "stream.h"

int dprintf(int fd, const char *format, ...);
int vdprintf(int fd, const char *format, va_list arguments);
int vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int fflush(FILE *stream);
char *strerror(int number);
_Noreturn void exit(int status);

/* The name of the program without its folder. */
static const char *program(void)
{
    const char *name = __tp_argv[0];
    for (const char *at = name; *at; at++)
        if (*at == '/')
            name = at + 1;
    return name;
}

/* The C library's warnx: a message on standard error, after the name of the program. */
void vwarnx(const char *format, va_list arguments)
{
    dprintf(2, "%s: ", program());
    if (format)
        vdprintf(2, format, arguments);
    dprintf(2, "\n");
}

/* The same with the text of errno. */
void vwarn(const char *format, va_list arguments)
{
    int number = errno;
    dprintf(2, "%s: ", program());
    if (format) {
        vdprintf(2, format, arguments);
        dprintf(2, ": ");
    }
    dprintf(2, "%s\n", strerror(number));
}

/* The same, then exit. */
_Noreturn void verr(int status, const char *format, va_list arguments)
{
    vwarn(format, arguments);
    exit(status);
}

_Noreturn void verrx(int status, const char *format, va_list arguments)
{
    vwarnx(format, arguments);
    exit(status);
}

/* The same with the arguments themselves. */
#define WITH_ARGUMENTS(call)                                                                                           \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    call;                                                                                                              \
    va_end(arguments)

void warn(const char *format, ...)
{
    WITH_ARGUMENTS(vwarn(format, arguments));
}

void warnx(const char *format, ...)
{
    WITH_ARGUMENTS(vwarnx(format, arguments));
}

_Noreturn void err(int status, const char *format, ...)
{
    WITH_ARGUMENTS(vwarn(format, arguments));
    exit(status);
}

_Noreturn void errx(int status, const char *format, ...)
{
    WITH_ARGUMENTS(vwarnx(format, arguments));
    exit(status);
}

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void begin_error(void)
{
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        dprintf(2, "%s:", __tp_argv[0]);
}

static void end_error(int status, int number)
{
    __tp_atomic_begin();
    error_message_count++;
    __tp_atomic_end();
    if (number)
        dprintf(2, ": %s", strerror(number));
    dprintf(2, "\n");
    if (status)
        exit(status);
}

/* The C library's error: a message on standard error, with the text of an error number if it is not 0; exits if the status is
 * not 0. */
void error(int status, int number, const char *format, ...)
{
    begin_error();
    if (!error_print_progname)
        dprintf(2, " ");
    WITH_ARGUMENTS(vdprintf(2, format, arguments));
    end_error(status, number);
}

/* The same about a line of a file; with error_one_per_line, once for each line. */
void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line) {
        if (last_file == file && last_line == line)
            return;
        last_file = file;
        last_line = line;
    }
    begin_error();
    if (file)
        dprintf(2, "%s:%u: ", file, line);
    else if (!error_print_progname)
        dprintf(2, " ");
    WITH_ARGUMENTS(vdprintf(2, format, arguments));
    end_error(status, number);
}

/* POSIX openlog, closelog, setlogmask: how messages are logged. */
enum { LOG_PID = 1, LOG_PERROR = 0x20, ALL_LEVELS = 0xff };

static const char *log_name;
static int log_options, log_mask = ALL_LEVELS;

void openlog(const char *name, int options, int facility)
{
    (void)facility;
    __tp_atomic_begin();
    if (name)
        log_name = name;
    log_options = options;
    __tp_atomic_end();
}

void closelog(void)
{
    __tp_atomic_begin();
    log_name = 0;
    __tp_atomic_end();
}

int setlogmask(int mask)
{
    __tp_atomic_begin();
    int old = log_mask;
    if (mask)
        log_mask = mask;
    __tp_atomic_end();
    return old;
}

/* POSIX syslog: a message for the log, which nobody here reads; with LOG_PERROR it is written to standard error too. The C
 * library's %m has no model. */
void vsyslog(int priority, const char *format, va_list arguments)
{
    __tp_atomic_begin();
    const char *name = log_name;
    int options = log_options;
    _Bool wanted = log_mask >> (priority & 7) & 1;
    __tp_atomic_end();
    if (!wanted)
        return;
    if (!(options & LOG_PERROR)) {
        vsnprintf(0, 0, format, arguments);
        return;
    }
    dprintf(2, "%s", name ? name : program());
    if (options & LOG_PID)
        dprintf(2, "[%d]", 1000); /* getpid */
    dprintf(2, ": ");
    size_t length = __tpm_strlen(format);
    vdprintf(2, format, arguments);
    if (length == 0 || format[length - 1] != '\n')
        dprintf(2, "\n");
}

void syslog(int priority, const char *format, ...)
{
    WITH_ARGUMENTS(vsyslog(priority, format, arguments));
}

// The environment, limits, names of threads, the locale.
#include "calls.h"
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/resource.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void environment(void) {
    clearenv();
    TEXT(getenv("A"));
    FAILS(setenv("A", "1", 0)); TEXT(getenv("A")); FAILS(setenv("A", "2", 0)); TEXT(getenv("A")); FAILS(setenv("A", "3", 1)); TEXT(getenv("A"));
    FAILS(setenv("", "x", 1)); FAILS(setenv("a=b", "x", 1)); FAILS(setenv("B", "", 1)); TEXT(getenv("B")); TEXT(getenv("")); TEXT(getenv("A="));
    static char text[] = "C=own";
    FAILS(putenv(text)); TEXT(getenv("C")); text[2] = 'O'; TEXT(getenv("C")); FAILS(putenv("A")); TEXT(getenv("A"));
    FAILS(setenv("AB", "5", 1)); TEXT(getenv("A")); TEXT(getenv("AB"));
    for (char **entry = environ; *entry; entry++)
        TEXT(*entry);
    FAILS(unsetenv("C")); TEXT(getenv("C")); FAILS(unsetenv("C")); FAILS(unsetenv("")); FAILS(unsetenv("x=")); TEXT(secure_getenv("AB"));
    FAILS(clearenv()); TEXT(getenv("AB")); INT(environ == NULL);
}

static void limits(void) {
    // Not those that depend on the machine.
    const int left_out[] = { _SC_CHILD_MAX, _SC_OPEN_MAX, _SC_SIGQUEUE_MAX, _SC_NPROCESSORS_CONF, _SC_NPROCESSORS_ONLN, _SC_PHYS_PAGES,
                             _SC_AVPHYS_PAGES, _SC_MINSIGSTKSZ, _SC_SIGSTKSZ };
    for (int name = -1; name <= _SC_SIGSTKSZ + 1; name++) {
        int leave = name >= _SC_LEVEL1_ICACHE_SIZE && name <= _SC_LEVEL4_CACHE_LINESIZE;
        for (size_t i = 0; i < COUNT(left_out); i++)
            leave |= name == left_out[i];
        if (!leave) {
            errno = 0;
            long result = sysconf(name);
            printf("call sysconf(%d) = %ld, errno %d\n", name, result, errno);
        }
    }
    struct rlimit limit = { 0, 0 };
    FAILS(getrlimit(99, &limit)); FAILS(getrlimit(-1, &limit)); FAILS(getrlimit(RLIMIT_NOFILE, &limit)); INT(limit.rlim_cur <= limit.rlim_max);
    limit.rlim_cur = 17;
    FAILS(setrlimit(RLIMIT_NOFILE, &limit)); limit.rlim_cur = 0; FAILS(getrlimit(RLIMIT_NOFILE, &limit)); LONG(limit.rlim_cur);
    LONG(sysconf(_SC_OPEN_MAX)); limit.rlim_cur = limit.rlim_max + 1; limit.rlim_max = 20;
    FAILS(setrlimit(RLIMIT_NOFILE, &limit)); FAILS(setrlimit(99, &limit)); INT(getpagesize());
}

static void names(void) {
    char name[16] = "";
    FAILS(prctl(PR_SET_NAME, "a long name of a thread")); FAILS(prctl(PR_GET_NAME, name)); TEXT(name);
    FAILS(pthread_setname_np(pthread_self(), "worker")); FAILS(pthread_getname_np(pthread_self(), name, 16)); TEXT(name);
    FAILS(pthread_setname_np(pthread_self(), "fifteen letters")); FAILS(pthread_getname_np(pthread_self(), name, 15));
    FAILS(pthread_setname_np(pthread_self(), "sixteen letters!")); FAILS(pthread_getname_np(pthread_self(), name, sizeof name)); TEXT(name);
    FAILS(prctl(12345)); INT(pthread_atfork(NULL, NULL, NULL));
}

static void locale(void) {
    TEXT(setlocale(LC_ALL, NULL)); TEXT(setlocale(LC_ALL, "")); TEXT(setlocale(LC_NUMERIC, "C")); TEXT(setlocale(LC_CTYPE, "POSIX"));
    TEXT(setlocale(LC_ALL, "xx_YY")); FAILS((long)setlocale(99, "C"));
    struct lconv *c = localeconv();
    TEXT(c->decimal_point); TEXT(c->thousands_sep); TEXT(c->grouping); TEXT(c->currency_symbol); INT(c->frac_digits); INT(c->int_n_sign_posn);
    const nl_item items[] = { CODESET, RADIXCHAR, THOUSEP, D_T_FMT, D_FMT, T_FMT, T_FMT_AMPM, AM_STR, PM_STR, DAY_1, DAY_7, ABDAY_2, MON_1, MON_12,
                              ABMON_3, YESEXPR, NOEXPR, CRNCYSTR, ERA, -1 };
    for (size_t i = 0; i < COUNT(items); i++)
        printf("call nl_langinfo(%zu) = \"%s\"\n", i, nl_langinfo(items[i]));
}

// What depends on the machine is only asked for, not shown.
static void identity(void) {
    struct utsname names;
    INT(uname(&names)); TEXT(names.sysname);
    INT(names.machine[0] != 0 && names.release[0] != 0);
    char name[256], one[1];
    INT(gethostname(name, sizeof name)); FAILS(gethostname(one, sizeof one));
    INT(gnu_get_libc_version()[0]);
    INT(getuid() == geteuid()); INT(getgid() == getegid());
    INT(PTHREAD_STACK_MIN >= 16384);
    FAILS(chown("nowhere", 1, 1)); FAILS(lchown("nowhere", 1, 1)); FAILS(fchown(-1, 1, 1));
}

int main(void) {
    environment();
    identity();
    limits();
    names();
    locale();
    openlog("system", 0, LOG_USER);
    INT(setlogmask(LOG_UPTO(LOG_ERR))); INT(setlogmask(0));
    closelog();
    return 0;
}

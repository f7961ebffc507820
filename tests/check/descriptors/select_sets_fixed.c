// check: --engine explore
// select leaves in the sets only what is ready, so a loop fills them again.
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int a[2], b[2];

static void *writer(void *unused) {
    (void)unused;
    write(a[1], "x", 1);
    write(b[1], "y", 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    fd_set set;
    pipe(a);
    pipe(b);
    pthread_create(&t, NULL, writer, NULL);
    for (int left = 2; left > 0;) {
        char c;
        FD_ZERO(&set);
        FD_SET(a[0], &set);
        FD_SET(b[0], &set);
        select(b[0] + 1, &set, NULL, NULL, NULL);
        if (FD_ISSET(a[0], &set))
            left -= (int)read(a[0], &c, 1);
        if (FD_ISSET(b[0], &set))
            left -= (int)read(b[0], &c, 1);
    }
    pthread_join(t, NULL);
    return 0;
}

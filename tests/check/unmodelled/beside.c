// check: --unmodelled pure
// What the function returns decides nothing of this race.
#include <pthread.h>

extern int note(const char *text);
static int count;

static void *work(void *unused) {
    note("work");
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    note("main");
    count++; //~ error[race]
    pthread_join(thread, 0);
    return 0;
}

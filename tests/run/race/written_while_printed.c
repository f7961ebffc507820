// run: --runs 50
// One thread writes a message while another hands it to write().
#include <pthread.h>
#include <unistd.h>

static char message[4] = "abc";

static void *change(void *unused) {
    (void)unused;
    message[1] = 'x'; //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    (void)!write(1, message, 3);
    pthread_join(thread, NULL);
    return 0;
}

// Two threads append to a text. Each looks how much room there is, and then appends, in two critical sections.
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[6] = "";

static void *append(void *word) {
    pthread_mutex_lock(&lock);
    size_t room = sizeof text - 1 - strlen(text);
    pthread_mutex_unlock(&lock);
    if (strlen(word) <= room) {
        pthread_mutex_lock(&lock);
        strcat(text, word);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, append, "left");
    pthread_create(&b, NULL, append, "right");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

// The repair: one critical section for both. One of the words is in the text.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[6] = "";

static void *append(void *word) {
    pthread_mutex_lock(&lock);
    if (strlen(word) <= sizeof text - 1 - strlen(text))
        strcat(text, word);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, append, "left");
    pthread_create(&b, NULL, append, "right");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(strcmp(text, "left") == 0 || strcmp(text, "right") == 0);
    return 0;
}

// A message shared by two readers, freed by the last one. The count is atomic to read and atomic to write, but "one less,
// and was it the last?" is two operations: both readers can find themselves not the last, or one can free under the other.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct message {
    atomic_int references;
    char text[16];
};

static void release(struct message *message) {
    message->references--;
    if (message->references == 0)
        free(message);
}

static void *reader(void *argument) {
    struct message *message = argument;
    size_t length = strlen(message->text);
    release(message);
    return (void *)length;
}

int main(void) {
    struct message *message = malloc(sizeof *message);
    pthread_t a, b;
    strcpy(message->text, "hello");
    atomic_init(&message->references, 2);
    pthread_create(&a, NULL, reader, message);
    pthread_create(&b, NULL, reader, message);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

// A message shared by two readers, freed by the last one. "One less, and was it the last?" is one atomic operation.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct message {
    atomic_int references;
    char text[16];
};

static void release(struct message *message) {
    if (atomic_fetch_sub(&message->references, 1) == 1)
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

// run: --runs 20 --seed 1 --file text=files/text.txt
// Threads count the words of the lines that they get from one file; each line goes to one of them.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *text;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int words;

static void *count(void *unused) {
    char line[64];
    (void)unused;
    while (fgets(line, sizeof line, text)) {
        int found = 0;
        char *rest;
        for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest))
            found++;
        pthread_mutex_lock(&lock);
        words += found;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    text = fopen("text", "r");
    if (!text) {
        perror("text");
        return 1;
    }
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(feof(text) && words == 9);
    fclose(text);
    FILE *result = fopen("result", "w");
    fprintf(result, "%d words\n", words);
    fclose(result);
    result = fopen("result", "r");
    int again = 0;
    assert(fscanf(result, "%d words", &again) == 1 && again == 9);
    fclose(result);
    return 0;
}

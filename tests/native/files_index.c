// Writes a small collection of files, builds an index of their words with threads and a pipe, and prints it.
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 4, MOST = 64 };

static const char *texts[FILES] = {
    "to be or not to be\n",
    "that is the question:\nwhether 'tis nobler\n",
    "",
    "in the mind to suffer\nthe slings and arrows\nof outrageous fortune",
};

static int ends[2];

static void make(void) {
    char path[32];
    mkdir("texts", 0755);
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "texts/%c.txt", 'a' + i);
        FILE *f = fopen(path, "w");
        fputs(texts[i], f);
        fclose(f);
    }
}

// Sends each word of a file through the pipe, with a newline.
static void *split(void *path) {
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, f) >= 0) {
        for (char *c = line; *c;) {
            char word[40];
            int n = 0;
            while (*c && !isalpha((unsigned char)*c))
                c++;
            while (isalpha((unsigned char)*c))
                word[n++] = *c++;
            word[n] = '\n';
            if (n > 0)
                write(ends[1], word, (size_t)n + 1);
        }
    }
    free(line);
    fclose(f);
    return NULL;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void *collect(void *result) {
    FILE *in = fdopen(ends[0], "r");
    FILE *out = fopen(result, "w");
    char line[64], *words[MOST];
    int count = 0;
    while (count < MOST && fgets(line, sizeof line, in))
        words[count++] = strndup(line, strcspn(line, "\n"));
    fclose(in);
    qsort(words, (size_t)count, sizeof *words, by_text);
    for (int i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && !strcmp(words[i], words[i + n]); n++)
            ;
        fprintf(out, "%-10s %d\n", words[i], n);
    }
    for (int i = 0; i < count; i++)
        free(words[i]);
    fclose(out);
    return NULL;
}

int main(void) {
    pthread_t collector, splitters[FILES];
    char paths[FILES][32];
    int count = 0;
    make();
    pipe(ends);
    pthread_create(&collector, NULL, collect, "index");
    DIR *d = opendir("texts");
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && count < FILES)
            snprintf(paths[count++], sizeof *paths, "texts/%s", e->d_name);
    closedir(d);
    for (int i = 0; i < count; i++)
        pthread_create(&splitters[i], NULL, split, paths[i]);
    for (int i = 0; i < count; i++)
        pthread_join(splitters[i], NULL);
    close(ends[1]);
    pthread_join(collector, NULL);
    FILE *f = fopen("index", "r");
    char word[32];
    int n, total = 0;
    while (fscanf(f, "%31s %d", word, &n) == 2) {
        printf("%s: %d\n", word, n);
        total += n;
    }
    struct stat s;
    fstat(fileno(f), &s);
    printf("%d words, %ld bytes, end %d\n", total, (long)s.st_size, feof(f) != 0);
    fclose(f);
    return 0;
}

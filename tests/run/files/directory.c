// run: --runs 1 --file logs/a.txt=files/text.txt --file logs/deep/b.txt=files/text.txt --file other.txt=?3
// What is in a directory that the user gives, and how large it is.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void list(const char *folder) {
    char path[256];
    DIR *d = opendir(folder);
    if (!d) {
        perror(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(d));) {
        struct stat s;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &s)) {
            perror(path);
        } else if (S_ISDIR(s.st_mode)) {
            printf("%s/\n", path);
            list(path);
        } else {
            printf("%s %lld\n", path, (long long)s.st_size);
        }
    }
    closedir(d);
}

int main(void) {
    list(".");
    list("missing");
    return 0;
}

// Files: descriptors and streams, in a folder of their own.
#include "calls.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char buffer[64];

static const char *bytes(long n) {
    static char text[80];
    if (n < 0)
        return "(error)";
    memcpy(text, buffer, (size_t)n);
    text[n] = 0;
    memset(buffer, '.', sizeof buffer);
    return text;
}

static void descriptors(void) {
    FAILS(open("none", O_RDONLY));
    FAILS(open("", O_RDONLY));
    FAILS(open("none/a", O_CREAT | O_WRONLY, 0644));
    INT(open("a", O_CREAT | O_RDWR, 0644));
    FAILS(open("a", O_CREAT | O_EXCL | O_RDWR, 0644));
    LONG(write(3, "hello world", 11));
    LONG(lseek(3, 0, SEEK_CUR));
    LONG(read(3, buffer, 10));
    LONG(lseek(3, 6, SEEK_SET));
    TEXT(bytes(read(3, buffer, 3)));
    TEXT(bytes(read(3, buffer, 30)));
    LONG(read(3, buffer, 30));
    LONG(lseek(3, -5, SEEK_END));
    TEXT(bytes(read(3, buffer, 2)));
    FAILS(lseek(3, -1, SEEK_SET));
    FAILS(lseek(3, 0, 77));
    FAILS(lseek(33, 0, SEEK_SET));
    TEXT(bytes(pread(3, buffer, 5, 0)));
    LONG(pread(3, buffer, 5, 11));
    FAILS(pread(3, buffer, 5, -1));
    LONG(pwrite(3, "HE", 2, 0));
    LONG(lseek(3, 0, SEEK_CUR));
    LONG(lseek(3, 14, SEEK_SET));
    LONG(write(3, "!", 1));
    LONG(lseek(3, 0, SEEK_END));
    LONG(pread(3, buffer, 15, 0));
    INT(memcmp(buffer, "HEllo world\0\0\0!", 15));
    INT(ftruncate(3, 5));
    LONG(lseek(3, 0, SEEK_END));
    TEXT(bytes(pread(3, buffer, 15, 0)));
    INT(ftruncate(3, 7));
    LONG(pread(3, buffer, 15, 0));
    FAILS(ftruncate(3, -1));
    FAILS(ftruncate(33, 1));
    INT(fsync(3));
    INT(dup(3));
    LONG(lseek(4, 2, SEEK_SET));
    LONG(lseek(3, 0, SEEK_CUR));
    INT(close(3));
    FAILS(close(3));
    FAILS(read(3, buffer, 1));
    FAILS(write(3, buffer, 1));
    TEXT(bytes(read(4, buffer, 3)));
    INT(open("a", O_WRONLY | O_APPEND));
    LONG(write(3, "end", 3));
    FAILS(read(3, buffer, 3));
    LONG(pread(4, buffer, 20, 0));
    INT(fcntl(3, F_GETFL) & (O_ACCMODE | O_APPEND));
    INT(fcntl(4, F_DUPFD, 10));
    FAILS(fcntl(33, F_GETFL));
    FAILS(dup(33));
    FAILS(dup2(33, 1));
    INT(dup2(4, 7));
    INT(close(7));
    INT(close(10));
    INT(close(4));
    INT(open("a", O_RDONLY | O_TRUNC));
    LONG(lseek(4, 0, SEEK_END));
    FAILS(write(4, "x", 1));
    INT(close(4));
    INT(close(3));
    INT(creat("b", 0600));
    struct iovec parts[2] = {{"ab", 2}, {"cde", 3}};
    LONG(writev(3, parts, 2));
    INT(close(3));
    INT(open("b", O_RDONLY));
    char one[3] = "", two[8] = "";
    struct iovec places[2] = {{one, 2}, {two, 7}};
    LONG(readv(3, places, 2));
    TEXT(one);
    TEXT(two);
    INT(close(3));
}

static void pipes(void) {
    int ends[2];
    INT(pipe(ends));
    LONG(write(ends[1], "through", 7));
    TEXT(bytes(read(ends[0], buffer, 4)));
    LONG(write(ends[1], "xy", 2));
    TEXT(bytes(read(ends[0], buffer, 40)));
    FAILS(lseek(ends[0], 0, SEEK_SET));
    FAILS(write(ends[0], "x", 1));
    FAILS(read(ends[1], buffer, 1));
    INT(fcntl(ends[0], F_SETFL, O_NONBLOCK));
    FAILS(read(ends[0], buffer, 1));
    LONG(write(ends[1], "last", 4));
    INT(close(ends[1]));
    TEXT(bytes(read(ends[0], buffer, 40)));
    LONG(read(ends[0], buffer, 40));
    INT(close(ends[0]));
}

static void names(void) {
    struct stat s;
    INT(stat("b", &s));
    LONG(s.st_size);
    INT(S_ISREG(s.st_mode));
    FAILS(stat("none", &s));
    FAILS(stat("", &s));
    INT(stat(".", &s));
    INT(S_ISDIR(s.st_mode));
    INT(mkdir("d", 0755));
    FAILS(mkdir("d", 0755));
    FAILS(mkdir("none/d", 0755));
    INT(open("d/../d/.//x", O_CREAT | O_WRONLY, 0644));
    LONG(write(3, "12345", 5));
    INT(fstat(3, &s));
    LONG(s.st_size);
    INT(close(3));
    FAILS(fstat(3, &s));
    INT(access("d/x", F_OK));
    INT(access("d/x", R_OK | W_OK));
    FAILS(access("d/x", X_OK));
    FAILS(access("d/y", F_OK));
    FAILS(rmdir("d"));
    FAILS(unlink("d"));
    FAILS(rmdir("d/x"));
    FAILS(open("d", O_WRONLY));
    INT(rename("d/x", "d/y"));
    FAILS(rename("d/x", "d/z"));
    FAILS(rename("d/y", "none/z"));
    FAILS(access("d/x", F_OK));
    INT(rename("d/y", "b"));
    INT(stat("b", &s));
    LONG(s.st_size);
    INT(open("b", O_RDONLY));
    INT(unlink("b"));
    FAILS(unlink("b"));
    TEXT(bytes(read(3, buffer, 20)));
    INT(close(3));
    INT(rmdir("d"));
    FAILS(remove("d"));
    INT(truncate("a", 3));
    FAILS(truncate("none", 3));
    INT(mkdir("e", 0755));
    INT(open("e", O_RDONLY | O_DIRECTORY));
    INT(openat(3, "in", O_CREAT | O_WRONLY, 0644));
    INT(close(4));
    INT(close(3));
    INT(access("e/in", F_OK));
    FAILS(openat(AT_FDCWD, "e/in", O_RDONLY | O_DIRECTORY));
    FAILS(opendir("e/in") != NULL);
    FAILS(opendir("none") != NULL);
    DIR *d = opendir("e");
    int count = 0, found = 0, kind = 0;
    for (struct dirent *entry; (entry = readdir(d));) {
        count++;
        if (!strcmp(entry->d_name, "in")) {
            found++;
            kind = entry->d_type;
        }
    }
    INT(count);
    INT(found);
    INT(kind == DT_REG);
    INT(closedir(d));
    INT(remove("e/in"));
    INT(remove("e"));
}

static void mapped(void) {
    int fd = open("m", O_CREAT | O_RDWR, 0644);
    LONG(write(fd, "mapped", 6));
    char *p = mmap(NULL, 6, PROT_READ, MAP_PRIVATE, fd, 0);
    INT(memcmp(p, "mapped", 7));
    INT(munmap(p, 6));
    p = mmap(NULL, 6, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    p[0] = 'M';
    TEXT(bytes(pread(fd, buffer, 20, 0)));
    LONG(pwrite(fd, "P", 1, 2));
    INT(p[2]);
    INT(munmap(p, 6));
    INT(close(fd));
    FAILS(mmap(NULL, 6, PROT_READ, MAP_PRIVATE, 33, 0) == MAP_FAILED);
    FAILS(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    p = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    INT(p[99]);
    p[4095] = 1;
    INT(munmap(p, 100));
    INT(unlink("m"));
}

static void streams(void) {
    char line[8];
    int number = 0, other = 0;
    char word[8];
    FAILS(fopen("none", "r") != NULL);
    FAILS(fopen("a", "q") != NULL);
    FILE *f = fopen("s", "w");
    INT(fileno(f));
    INT(fprintf(f, "%d %s\n", 42, "words"));
    INT(fputs("second line\n", f) >= 0);
    INT(fputc('x', f));
    INT(putc('y', f));
    LONG(fwrite("zzz\n", 2, 2, f));
    LONG(ftell(f));
    FAILS(fgetc(f));
    INT(ferror(f) != 0);
    clearerr(f);
    INT(ferror(f));
    INT(fflush(f));
    INT(fclose(f));
    f = fopen("s", "r");
    INT(fgetc(f));
    INT(ungetc('Z', f));
    INT(getc(f));
    LONG(ftell(f));
    TEXT(fgets(line, sizeof line, f));
    TEXT(fgets(line, sizeof line, f));
    TEXT(fgets(line, sizeof line, f));
    LONG(ftell(f));
    INT(feof(f));
    INT(fseek(f, 0, SEEK_SET));
    INT(fscanf(f, "%d %7s", &number, word));
    INT(number);
    TEXT(word);
    INT(fgetc(f));
    INT(fscanf(f, "%d", &other));
    TEXT(fgets(line, sizeof line, f));
    rewind(f);
    INT(fseek(f, -4, SEEK_END));
    LONG(fread(buffer, 1, 20, f));
    INT(feof(f) != 0);
    INT(fgetc(f));
    FAILS(fseek(f, -99, SEEK_CUR));
    FAILS(fputc('x', f));
    INT(fseek(f, 0, SEEK_SET));
    INT(feof(f));
    char *none = NULL;
    size_t nothing = 0;
    LONG(getline(&none, &nothing, f));
    INT(none == NULL);
    clearerr(f);
    char *text = NULL;
    size_t size = 0;
    LONG(getline(&text, &size, f));
    TEXT(text);
    LONG(getdelim(&text, &size, ' ', f));
    TEXT(text);
    LONG(getline(&text, &size, f));
    LONG(getline(&text, &size, f));
    TEXT(text);
    LONG(getline(&text, &size, f));
    free(text);
    INT(fclose(f));
    f = fopen("s", "a+");
    INT(fputs("more", f) >= 0);
    INT(fseek(f, 0, SEEK_SET));
    INT(fgetc(f));
    INT(fclose(f));
    f = fopen("s", "r+");
    INT(fputc('?', f));
    INT(fseek(f, 0, SEEK_SET));
    TEXT(fgets(line, sizeof line, f));
    INT(fclose(f));
    FAILS(fopen("s", "wx") != NULL);
    f = fopen("s", "w+");
    INT(fputs("1 2 -3 0x1f 4.5", f) >= 0);
    rewind(f);
    double real = 0;
    INT(fscanf(f, "%d%d%d%i%lf", &number, &other, &number, &other, &real));
    INT(number);
    INT(other);
    REAL(real);
    INT(feof(f) != 0);
    INT(fscanf(f, "%d", &number));
    INT(fclose(f));
    int fd = open("s", O_RDONLY);
    FAILS(fdopen(fd, "w") != NULL);
    f = fdopen(fd, "r");
    INT(fileno(f) == fd);
    INT(fgetc(f));
    INT(fclose(f));
    FAILS(close(fd));
    f = tmpfile();
    INT(fputs("nameless", f) >= 0);
    rewind(f);
    INT(fgetc(f));
    flockfile(f);
    INT(getc_unlocked(f));
    INT(ftrylockfile(f));
    funlockfile(f);
    funlockfile(f);
    INT(fclose(f));
    INT(remove("s"));
}

int main(void) {
    unlink("a"), unlink("b"), unlink("d/x"), unlink("d/y"), rmdir("d"), unlink("e/in"), rmdir("e"), unlink("m"), unlink("s");
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    descriptors();
    pipes();
    names();
    mapped();
    streams();
    unlink("a");
    return 0;
}

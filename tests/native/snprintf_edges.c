// snprintf and friends at the edges of the buffer: truncation, size zero, return values.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buffer[16];
    for (size_t size = 0; size <= 12; size++) {
        memset(buffer, '#', sizeof buffer);
        int n = snprintf(buffer, size, "%s=%d", "value", 1234);
        printf("%d %.*s\n", n, (int)sizeof buffer - 1, buffer[0] == '#' ? "untouched" : buffer);
        printf("%c%c\n", buffer[size] == '#' ? '#' : '!', buffer[15]);
    }
    printf("%d\n", snprintf(NULL, 0, "%05.1f|%-8s|%x", 3.14159, "left", 48879));
    char *grown = malloc(1);
    grown[0] = 0;
    for (int i = 0; i < 5; i++) {
        int more = snprintf(NULL, 0, "%d,", i * i * i);
        size_t length = strlen(grown);
        grown = realloc(grown, length + (size_t)more + 1);
        sprintf(grown + length, "%d,", i * i * i);
    }
    puts(grown);
    free(grown);
    char hex[33];
    for (int i = 0; i < 16; i++)
        sprintf(hex + 2 * i, "%02x", i * 17);
    puts(hex);
    printf("%d\n", sprintf(buffer, "%c%c%c", 'a', 0, 'b'));
    printf("%d %d %d\n", buffer[0], buffer[1], buffer[2]);
    return 0;
}

// qsort on ints, strings and structs; bsearch hits and misses. Keys are distinct where the order would be left open.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    const char *name;
    int age;
    double height;
};

static int by_int(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_int_down(const void *a, const void *b) { return by_int(b, a); }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_name(const void *a, const void *b) {
    return strcmp(((const struct person *)a)->name, ((const struct person *)b)->name);
}
static int by_age(const void *a, const void *b) {
    return ((const struct person *)a)->age - ((const struct person *)b)->age;
}
static int by_char(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(void) {
    int numbers[50];
    unsigned seed = 12345;
    for (int i = 0; i < 50; i++) {
        seed = seed * 1103515245u + 12345u;
        numbers[i] = (int)(seed >> 16 & 0x7fff) - 16384;
    }
    qsort(numbers, 50, sizeof *numbers, by_int);
    for (int i = 0; i < 50; i++)
        printf("%d%c", numbers[i], i % 10 == 9 ? '\n' : ' ');
    for (int i = 0; i < 50; i += 7) {
        int *found = bsearch(&numbers[i], numbers, 50, sizeof *numbers, by_int);
        printf("%d ", (int)(found - numbers));
    }
    int missing = 100000;
    printf("%d\n", bsearch(&missing, numbers, 50, sizeof *numbers, by_int) == NULL);
    qsort(numbers, 10, sizeof *numbers, by_int_down);
    for (int i = 0; i < 10; i++)
        printf("%d ", numbers[i]);
    printf("\n");
    const char *fruits[] = {"pear", "apple", "fig", "banana", "cherry", "date"};
    qsort(fruits, 6, sizeof *fruits, by_text);
    for (int i = 0; i < 6; i++)
        printf("%s ", fruits[i]);
    printf("\n");
    struct person people[] = {{"Eve", 31, 1.7}, {"Bob", 25, 1.8}, {"Dan", 60, 1.65}, {"Amy", 42, 1.6}};
    qsort(people, 4, sizeof *people, by_name);
    for (int i = 0; i < 4; i++)
        printf("%s:%d:%.2f ", people[i].name, people[i].age, people[i].height);
    qsort(people, 4, sizeof *people, by_age);
    for (int i = 0; i < 4; i++)
        printf("%s ", people[i].name);
    printf("\n");
    char letters[] = "thequickbrownfox";
    qsort(letters, strlen(letters), 1, by_char);
    puts(letters);
    qsort(letters, 0, 1, by_char);
    qsort(letters, 1, 1, by_char);
    puts(letters);
    return 0;
}

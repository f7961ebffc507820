// run: --runs 1
// A lookup that finds nothing returns NULL, and the caller does not check.
#include <stddef.h>

struct entry {
    int key, value;
};
static const struct entry table[] = {{1, 10}, {2, 20}};

static const struct entry *find(int key) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].key == key)
            return &table[i];
    return NULL;
}

int main(void) {
    const struct entry *entry = find(3);
    return entry->value; //~ error[memory]
}

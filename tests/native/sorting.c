// Seven sorting algorithms on the same numbers; all must agree.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void bubble(int *a, int n) {
    for (int i = n; i > 1; i--)
        for (int j = 1; j < i; j++)
            if (a[j - 1] > a[j])
                swap(&a[j - 1], &a[j]);
}

static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i;
        for (; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

static void selection(int *a, int n) {
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[least])
                least = j;
        swap(&a[i], &a[least]);
    }
}

static void shell(int *a, int n) {
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap && a[j - gap] > a[j]; j -= gap)
                swap(&a[j - gap], &a[j]);
}

static void quick(int *a, int n) {
    if (n < 2)
        return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j)
            swap(&a[i++], &a[j--]);
    }
    quick(a, j + 1);
    quick(a + i, n - i);
}

static void sift(int *a, int root, int n) {
    for (int child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[root] >= a[child])
            return;
        swap(&a[root], &a[child]);
    }
}

static void heap(int *a, int n) {
    for (int i = n / 2; i-- > 0;)
        sift(a, i, n);
    while (n-- > 1) {
        swap(&a[0], &a[n]);
        sift(a, 0, n);
    }
}

static void counting(int *a, int n) {
    int *counts = calloc(1000, sizeof *counts);
    for (int i = 0; i < n; i++)
        counts[a[i]]++;
    for (int v = 0, i = 0; v < 1000; v++)
        while (counts[v]-- > 0)
            a[i++] = v;
    free(counts);
}

int main(void) {
    void (*const algorithms[])(int *, int) = {bubble, insertion, selection, shell, quick, heap, counting};
    int original[N], reference[N], work[N];
    unsigned seed = 7;
    for (int i = 0; i < N; i++)
        original[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 20) % 1000;
    for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++) {
        memcpy(work, original, sizeof work);
        algorithms[k](work, N);
        if (k == 0)
            memcpy(reference, work, sizeof work);
        printf("%d %s\n", (int)k, memcmp(work, reference, sizeof work) ? "differs" : "agrees");
    }
    for (int i = 0; i < N; i++)
        printf("%d ", reference[i]);
    printf("\n");
    return 0;
}

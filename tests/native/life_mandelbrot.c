// Conway's life on a torus and a small Mandelbrot set: nested loops over arrays of chars, and doubles.
#include <stdio.h>
#include <string.h>

enum { H = 8, W = 16 };

static void step(char board[H][W]) {
    char old[H][W];
    memcpy(old, board, sizeof old);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dy || dx)
                        n += old[(y + dy + H) % H][(x + dx + W) % W] == '#';
            board[y][x] = n == 3 || (n == 2 && old[y][x] == '#') ? '#' : '.';
        }
}

int main(void) {
    char board[H][W];
    memset(board, '.', sizeof board);
    const char *glider[] = {".#.", "..#", "###"};
    for (int y = 0; y < 3; y++)
        memcpy(&board[y + 1][2], glider[y], 3);
    for (int generation = 0; generation <= 20; generation++) {
        if (generation % 10 == 0)
            for (int y = 0; y < H; y++)
                printf("%.*s\n", W, board[y]);
        step(board);
    }
    for (int row = 0; row < 12; row++) {
        for (int column = 0; column < 40; column++) {
            double cr = column * 3.0 / 40 - 2.1, ci = row * 2.4 / 12 - 1.2, r = 0, i = 0;
            int n = 0;
            while (n < 30 && r * r + i * i < 4) {
                double t = r * r - i * i + cr;
                i = 2 * r * i + ci;
                r = t;
                n++;
            }
            putchar(" .:-=+*#%@"[n / 3 > 9 ? 9 : n / 3]);
        }
        putchar('\n');
    }
    return 0;
}

// Arithmetic on locals that no other thread can see.
int main(void) {
    unsigned a = 1, b = 2, c = 3;
    for (unsigned i = 0; i < 5000000; i++) {
        a = a * 1664525u + 1013904223u;
        b ^= a >> 7;
        c += (b & 15) * i;
    }
    return (a ^ b ^ c) & 1;
}

// A stack machine with an assembler: labels, calls, conditional jumps; runs factorial, gcd and a prime counter.
#include <stdio.h>
#include <string.h>

enum opcode { PUSH, ADD, SUB, MUL, MOD, DUP, SWAP, OVER, DROP, LESS, ZERO, JUMP, BRANCH, CALL, RET, PRINT, LOAD, STORE, HALT };
static const char *const mnemonics[] = {"push", "add",  "sub",    "mul",  "mod", "dup",   "swap", "over",  "drop", "less",
                                        "zero", "jump", "branch", "call", "ret", "print", "load", "store", "halt"};

struct machine {
    int code[256], size;
    int stack[64], top;
    int calls[32], depth;
    int memory[16];
};

struct label {
    char name[12];
    int at;
};

static int word(const char **text, char *out) {
    while (**text == ' ')
        ++*text;
    int n = 0;
    while (**text && **text != ' ')
        out[n++] = *(*text)++;
    out[n] = 0;
    return n;
}

static void assemble(struct machine *m, const char *source) {
    struct label labels[8];
    int count = 0;
    char w[16];
    for (int pass = 0; pass < 2; pass++) {
        const char *p = source;
        m->size = 0;
        while (word(&p, w)) {
            if (w[0] == ':') {
                if (pass == 0) {
                    strcpy(labels[count].name, w + 1);
                    labels[count++].at = m->size;
                }
                continue;
            }
            int op = 0;
            while (op <= HALT && strcmp(mnemonics[op], w))
                op++;
            if (op <= HALT) {
                m->code[m->size++] = op;
                continue;
            }
            int value = 0;
            if (w[0] >= '0' && w[0] <= '9') {
                for (const char *d = w; *d; d++)
                    value = value * 10 + *d - '0';
            } else {
                for (int i = 0; i < count; i++)
                    if (!strcmp(labels[i].name, w))
                        value = labels[i].at;
            }
            m->code[m->size++] = value;
        }
    }
}

static long run(struct machine *m) {
    long steps = 0;
    int *s = m->stack;
    for (int pc = 0;;) {
        steps++;
        int t = m->top;
        switch ((enum opcode)m->code[pc++]) {
        case PUSH: s[m->top++] = m->code[pc++]; break;
        case ADD: s[t - 2] += s[t - 1], m->top--; break;
        case SUB: s[t - 2] -= s[t - 1], m->top--; break;
        case MUL: s[t - 2] *= s[t - 1], m->top--; break;
        case MOD: s[t - 2] %= s[t - 1], m->top--; break;
        case DUP: s[t] = s[t - 1], m->top++; break;
        case SWAP: { int x = s[t - 1]; s[t - 1] = s[t - 2]; s[t - 2] = x; break; }
        case OVER: s[t] = s[t - 2], m->top++; break;
        case DROP: m->top--; break;
        case LESS: s[t - 2] = s[t - 2] < s[t - 1], m->top--; break;
        case ZERO: s[t - 1] = !s[t - 1]; break;
        case JUMP: pc = m->code[pc]; break;
        case BRANCH: pc = s[--m->top] ? m->code[pc] : pc + 1; break;
        case CALL: m->calls[m->depth++] = pc + 1, pc = m->code[pc]; break;
        case RET: pc = m->calls[--m->depth]; break;
        case PRINT: printf("%d\n", s[--m->top]); break;
        case LOAD: s[t - 1] = m->memory[s[t - 1]]; break;
        case STORE: m->memory[s[t - 1]] = s[t - 2], m->top -= 2; break;
        case HALT: return steps;
        }
    }
}

int main(void) {
    static const char *const programs[] = {
        "push 10 call fact print halt :fact dup push 2 less branch base dup push 1 sub call fact mul ret "
        ":base drop push 1 ret",
        "push 1071 push 462 :loop dup zero branch done swap over mod jump loop :done drop print halt",
        "push 0 push 0 store push 2 push 1 store :next push 2 :try dup dup mul push 1 load swap less branch prime "
        "push 1 load over mod zero branch composite push 1 add jump try :prime push 0 load push 1 add push 0 store "
        ":composite drop push 1 load push 1 add dup push 1 store push 60 less branch next push 0 load print halt",
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct machine m = {.top = 0};
        assemble(&m, programs[i]);
        long steps = run(&m);
        printf("%d words, %ld steps, stack %d\n", m.size, steps, m.top);
    }
    return 0;
}

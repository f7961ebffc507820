// check: --unmodelled pure
// Whether the pointer leads anywhere is not known: that it does not is possible, no more.
struct device {
    int status;
};

extern struct device *probe(void);

int main(void) {
    struct device *device = probe();
    return device->status; //~ error[memory]
}

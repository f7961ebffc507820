// check: --unmodelled pure
// A pointer that is only passed on does no harm.
struct device;

extern struct device *probe(void);
extern int status(struct device *);

int main(void) {
    return status(probe()) == 3;
}

// run: --runs 1
// The remainder of a division by zero is as undefined as the quotient.
static unsigned bucket(unsigned hash, unsigned buckets) {
    return hash % buckets; //~ error[arithmetic]
}

int main(void) { return bucket(17, 0); }

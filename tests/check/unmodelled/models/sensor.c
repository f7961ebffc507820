/* A reading is any number from 0 to 999. */
#include <tp.h>

int read_sensor(void) {
    unsigned value = __tp_input_u32("sensor");
    __tp_assume(value < 1000);
    return value;
}

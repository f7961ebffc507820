// The temperature of a plate whose edges are held at given temperatures, by Jacobi's method: each inner point becomes the mean of
// its four neighbours, until nothing changes by more than a tolerance. Threads share the rows of the plate; two barriers separate
// the iterations.
//
//     solver [-j WORKERS] [-n SIZE] [-e TOLERANCE] [-m ITERATIONS] [-o FILE]
//
// SIGINT ends the work after the present iteration; the result up to there is written. Without arguments, the program solves a small
// problem, and compares the result with that of a single thread.
//
// Bugs to choose with -DBUG=N:
//     1  no barrier between the decision of one thread and the next iteration of the others
//     2  a thread whose own rows do not change any more leaves
//     3  the largest change is compared and stored in two critical sections
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef SIZE
#define SIZE 4 // rows and columns of the test's plate, with its edges
#endif
#ifndef TOLERANCE
#define TOLERANCE 0.1
#endif
#ifndef ITERATIONS
#define ITERATIONS 100 // at most
#endif

// ------------------------------------------------------------------------------------------------------------------ plate

struct plate {
    int size;
    double *values; // row after row
};

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        perror("solver: malloc");
        exit(1);
    }
    return memory;
}

static double *at(const struct plate *plate, int row, int column) {
    return &plate->values[row * plate->size + column];
}

// A plate with a hot upper and a warm lower edge; all else is cold.
static struct plate new_plate(int size) {
    struct plate plate = {.size = size, .values = allocate((size_t)size * (size_t)size * sizeof(double))};
    for (int i = 0; i < size * size; i++)
        plate.values[i] = 0;
    for (int column = 1; column < size - 1; column++) {
        *at(&plate, 0, column) = 1;
        *at(&plate, size - 1, column) = 0.25;
    }
    return plate;
}

static void free_plate(struct plate *plate) {
    free(plate->values);
}

static bool same_plates(const struct plate *left, const struct plate *right) {
    for (int i = 0; i < left->size * left->size; i++)
        if (left->values[i] != right->values[i])
            return false;
    return true;
}

static bool write_plate(const struct plate *plate, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "solver: %s: %s\n", path, strerror(errno));
        return false;
    }
    for (int row = 0; row < plate->size; row++)
        for (int column = 0; column < plate->size; column++)
            fprintf(file, "%.6f%c", *at(plate, row, column), column == plate->size - 1 ? '\n' : ' ');
    if (fclose(file) != 0) {
        fprintf(stderr, "solver: %s: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

// Computes rows from `begin` up to `end` of the next plate. Returns the largest change.
static double compute_rows(const struct plate *now, const struct plate *next, int begin, int end) {
    double largest = 0;
    for (int row = begin; row < end; row++) {
        for (int column = 1; column < now->size - 1; column++) {
            double around = *at(now, row - 1, column) + *at(now, row + 1, column) + *at(now, row, column - 1)
                            + *at(now, row, column + 1);
            *at(next, row, column) = around / 4;
            double change = fabs(around / 4 - *at(now, row, column));
            if (change > largest)
                largest = change;
        }
    }
    return largest;
}

// ----------------------------------------------------------------------------------------------------------------- solver

enum outcome { RUNNING, CONVERGED, TOO_SLOW, INTERRUPTED };

static const char *const outcome_names[] = {"running", "converged", "did not converge", "interrupted"};

struct solver {
    int workers, most_iterations;
    double tolerance;
    bool verbose;

    // These change between the two barriers of an iteration, by the thread that the first barrier has chosen.
    struct plate plates[2];
    int now; // which of them is complete
    int iterations;
    enum outcome outcome;

    pthread_barrier_t computed, decided;
    pthread_mutex_t lock; // protects `change`
    double change;        // the largest in this iteration
};

struct worker {
    struct solver *solver;
    int number;
    pthread_t thread;
};

static atomic_bool interrupted;

static void open_solver(struct solver *solver, int workers, int size, double tolerance, int most_iterations) {
    *solver = (struct solver){
        .workers = workers,
        .tolerance = tolerance,
        .most_iterations = most_iterations,
        .plates = {new_plate(size), new_plate(size)},
        .outcome = RUNNING,
    };
    pthread_barrier_init(&solver->computed, NULL, (unsigned)workers);
    pthread_barrier_init(&solver->decided, NULL, (unsigned)workers);
    pthread_mutex_init(&solver->lock, NULL);
}

static void close_solver(struct solver *solver) {
    pthread_mutex_destroy(&solver->lock);
    pthread_barrier_destroy(&solver->decided);
    pthread_barrier_destroy(&solver->computed);
    free_plate(&solver->plates[0]);
    free_plate(&solver->plates[1]);
}

static const struct plate *result_of(const struct solver *solver) {
    return &solver->plates[solver->now];
}

// The first row of a worker. Workers whose numbers follow each other have rows that do so.
static int first_row(const struct solver *solver, int worker) {
    int rows = result_of(solver)->size - 2;
    return 1 + rows * worker / solver->workers;
}

static void add_change(struct solver *solver, double change) {
#if BUG == 3
    pthread_mutex_lock(&solver->lock);
    double largest = solver->change;
    pthread_mutex_unlock(&solver->lock);
    if (change > largest) {
        pthread_mutex_lock(&solver->lock);
        solver->change = change;
        pthread_mutex_unlock(&solver->lock);
    }
#else
    pthread_mutex_lock(&solver->lock);
    if (change > solver->change)
        solver->change = change;
    pthread_mutex_unlock(&solver->lock);
#endif
}

// Ends an iteration: the plates change their roles.
static void decide(struct solver *solver) {
    solver->now = 1 - solver->now;
    solver->iterations++;
    if (solver->verbose)
        fprintf(stderr, "solver: iteration %d: change %g\n", solver->iterations, solver->change);
    if (solver->change < solver->tolerance)
        solver->outcome = CONVERGED;
    else if (atomic_load(&interrupted))
        solver->outcome = INTERRUPTED;
    else if (solver->iterations == solver->most_iterations)
        solver->outcome = TOO_SLOW;
    solver->change = 0;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct solver *solver = worker->solver;
    int begin = first_row(solver, worker->number), end = first_row(solver, worker->number + 1);
    while (solver->outcome == RUNNING) {
        const struct plate *now = &solver->plates[solver->now], *next = &solver->plates[1 - solver->now];
        double change = compute_rows(now, next, begin, end);
        add_change(solver, change);
#if BUG == 2
        if (change < solver->tolerance)
            break;
#endif
        if (pthread_barrier_wait(&solver->computed) == PTHREAD_BARRIER_SERIAL_THREAD)
            decide(solver);
#if BUG != 1
        pthread_barrier_wait(&solver->decided);
#endif
    }
    return NULL;
}

// Solves with as many threads as the solver has workers; the calling thread is one of them.
static enum outcome solve(struct solver *solver) {
    int count = solver->workers;
    struct worker *workers = allocate((size_t)count * sizeof *workers);
    for (int i = 0; i < count; i++)
        workers[i] = (struct worker){.solver = solver, .number = i};
    for (int i = 1; i < count; i++) {
        if ((errno = pthread_create(&workers[i].thread, NULL, work, &workers[i]))) {
            perror("solver: pthread_create");
            exit(1); // the others cannot pass the barrier
        }
    }
    work(&workers[0]);
    for (int i = 1; i < count; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    return solver->outcome;
}

// The same with one thread and no barriers, for comparison. Returns the number of iterations.
static int solve_alone(struct plate plates[2], double tolerance, int *now) {
    int iterations = 0;
    double change;
    *now = 0;
    do {
        change = compute_rows(&plates[*now], &plates[1 - *now], 1, plates[0].size - 1);
        *now = 1 - *now;
        iterations++;
    } while (change >= tolerance);
    return iterations;
}

// ------------------------------------------------------------------------------------------------------------------- main

static void on_interrupt(int signal) {
    (void)signal;
    atomic_store(&interrupted, true);
}

static int test(void) {
    struct solver solver;
    open_solver(&solver, WORKERS, SIZE, TOLERANCE, ITERATIONS);
    enum outcome outcome = solve(&solver);

    struct plate plates[2] = {new_plate(SIZE), new_plate(SIZE)};
    int now, iterations = solve_alone(plates, TOLERANCE, &now);
    assert(outcome == CONVERGED);
    assert(solver.iterations == iterations);
    assert(same_plates(result_of(&solver), &plates[now]));
    free_plate(&plates[0]);
    free_plate(&plates[1]);
    close_solver(&solver);
    return 0;
}

static int usage(void) {
    fprintf(stderr, "usage: solver [-j WORKERS] [-n SIZE] [-e TOLERANCE] [-m ITERATIONS] [-o FILE] [-v]\n");
    return 2;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return test();
    int workers = WORKERS, size = SIZE, most_iterations = ITERATIONS, option;
    double tolerance = TOLERANCE;
    const char *path = NULL;
    bool verbose = false;
    while ((option = getopt(argc, argv, "j:n:e:m:o:v")) != -1) {
        switch (option) {
        case 'j':
            workers = atoi(optarg);
            break;
        case 'n':
            size = atoi(optarg);
            break;
        case 'e':
            tolerance = atof(optarg);
            break;
        case 'm':
            most_iterations = atoi(optarg);
            break;
        case 'o':
            path = optarg;
            break;
        case 'v':
            verbose = true;
            break;
        default:
            return usage();
        }
    }
    if (workers < 1 || size < 3 || size > 10000 || most_iterations < 1 || optind < argc)
        return usage();
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, NULL) != 0)
        perror("solver: sigaction");

    struct solver solver;
    open_solver(&solver, workers, size, tolerance, most_iterations);
    solver.verbose = verbose;
    enum outcome outcome = solve(&solver);
    printf("%s after %d iterations; %.6f in the middle\n", outcome_names[outcome], solver.iterations,
           *at(result_of(&solver), size / 2, size / 2));
    bool written = !path || write_plate(result_of(&solver), path);
    close_solver(&solver);
    return outcome == CONVERGED && written ? 0 : 1;
}

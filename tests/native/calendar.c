// Dates without a clock: weekdays, leap years, Easter, roman numerals, and words for numbers.
#include <stdio.h>
#include <string.h>

static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }

static long days(int y, int m, int d) {
    y -= m <= 2;
    long era = (y >= 0 ? y : y - 399) / 400;
    unsigned yoe = (unsigned)(y - era * 400);
    unsigned doy = (153u * (unsigned)(m + (m > 2 ? -3 : 9)) + 2) / 5 + (unsigned)d - 1;
    return era * 146097 + (long)(yoe * 365 + yoe / 4 - yoe / 100 + doy) - 719468;
}

static void easter(int year, int *month, int *day) {
    int a = year % 19, b = year / 100, c = year % 100, d = b / 4, e = b % 4, f = (b + 8) / 25, g = (b - f + 1) / 3;
    int h = (19 * a + b - d - g + 15) % 30, i = c / 4, k = c % 4, l = (32 + 2 * e + 2 * i - h - k) % 7;
    int m = (a + 11 * h + 22 * l) / 451;
    *month = (h + l - 7 * m + 114) / 31;
    *day = (h + l - 7 * m + 114) % 31 + 1;
}

static const char *roman(int n) {
    static const struct {
        int value;
        const char *text;
    } digits[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
                  {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
    static char buffer[32];
    buffer[0] = 0;
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
        for (; n >= digits[i].value; n -= digits[i].value)
            strcat(buffer, digits[i].text);
    return buffer;
}

static void spell(int n) {
    static const char *const small[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
                                        "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
                                        "nineteen"};
    static const char *const tens[] = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
    if (n >= 1000)
        spell(n / 1000), printf(" thousand%s", n % 1000 ? " " : ""), n % 1000 ? spell(n % 1000) : (void)0;
    else if (n >= 100)
        printf("%s hundred%s", small[n / 100], n % 100 ? " " : ""), n % 100 ? spell(n % 100) : (void)0;
    else if (n >= 20)
        printf("%s%s%s", tens[n / 10], n % 10 ? "-" : "", n % 10 ? small[n % 10] : "");
    else
        printf("%s", small[n]);
}

int main(void) {
    static const char *const names[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    const int dates[][3] = {{1970, 1, 1}, {2000, 2, 29}, {1999, 12, 31}, {2024, 2, 28}, {1900, 3, 1}, {1600, 1, 1}, {-4, 7, 4}};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        long n = days(dates[i][0], dates[i][1], dates[i][2]);
        printf("%d-%02d-%02d %ld %s %d\n", dates[i][0], dates[i][1], dates[i][2], n, names[(n % 7 + 7) % 7], leap(dates[i][0]));
    }
    for (int year = 1999; year < 2026; year += 5) {
        int month, day;
        easter(year, &month, &day);
        printf("%d: %d/%d %s\n", year, day, month, roman(year));
    }
    int numbers[] = {0, 13, 42, 100, 219, 1000, 12345, 999999};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        spell(numbers[i]), printf("\n");
    return 0;
}

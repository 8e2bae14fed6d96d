// Runs the column kernels of a processor that this machine only emulates, and compares every value
// with exact arithmetic on whole numbers: without a C library, so that a cross compiler is enough.
//
// `.ci/check-neon` builds and runs it, for this machine, too: a digest says that both have the same bits.

#include "bare.h"
#include "conversion.h"

// What a factor leaves of n / d, as a fraction over d × 2^-place, if the factor is not above it.
static wide remainder_of(uint64_t n, uint64_t d, double factor, int *place) {
  uint64_t whole = mantissa(factor, place);
  return *place < 0 ? ((wide)n << -*place) - (wide)whole * d : 0;
}

static hk_conversion conversion_by(uint64_t n, uint64_t d) {
  hk_conversion made = {0};
  int place;
  double near = nearest(n, d, 0);
  wide rest = remainder_of(n, d, near, &place);
  bool is_above = (rest >> 127) != 0;
  double down = is_above ? double_of(bits_of(near) - 1) : near;
  rest = remainder_of(n, d, down, &place);
  double below = nearest(rest, d, place);
  made.factor = near;
  made.factor_tail = is_above ? -nearest(-remainder_of(n, d, near, &place), d, place) : below;
  double spread = near * 134217729.0;
  made.factor_high = spread - (spread - near);
  made.factor_low = near - made.factor_high;
  made.factor_down = down;
  made.tail_least = below * (1 - 0x1p-47);
  made.tail_most = below * (1 + 0x1p-47);
  return made;
}

static uint64_t odd_part(uint64_t value) {
  while ((value & 1) == 0) value >>= 1;
  return value;
}

// The sum of two doubles that needs no test, as `LinearConstants` finds it; none if there is none.
// The fraction must be in lowest terms.
static void split(hk_conversion *made, uint64_t n, uint64_t d) {
  uint64_t top = odd_part(n), bottom = odd_part(d);
  double factor = made->factor_down;
  for (int step = 0; step < 4; step++) {
    int place, rest_place;
    wide rest = remainder_of(n, d, factor, &place);
    double near = nearest(rest, d, place);
    wide left = (wide)mantissa(near, &rest_place) * d;
    wide right = rest << (place - rest_place);
    wide error = left > right ? left - right : right - left;
    bool is_near = rest < d || 2 * rest * bottom < (wide)d * top;
    if (top < bottom || (is_near && error << 54 < right)) {
      made->head = factor;
      made->tail = near;
      return;
    }
    factor = double_of(bits_of(factor) - 1);
  }
}

enum { COUNT = 4096 };

static double values[COUNT], results[COUNT], others[COUNT];

// Any mantissa at any place, decimal numbers, and every value in the middle that chance finds.
static void fill(uint64_t n, uint64_t d) {
  uint64_t odd = odd_part(d), top = odd_part(n);
  for (int i = 0; i < COUNT; i++) {
    uint64_t random = next();
    double value = (double)(random >> 11) * power_of_two((int)(next() % 400) - 200);
    if (i % 3 == 1) value = (double)(random % 100000) / 100;
    if (i % 3 == 2) {
      // value × n / d has 53 or 54 bits when this multiplier has what n leaves of them.
      int bits = 1;
      while ((top >> (54 - bits)) == 0) bits++;
      value = (double)(odd * ((random >> (64 - bits)) | 1));
    }
    values[i] = (next() & 1) != 0 ? -value : value;
  }
}

static double exact(double value, uint64_t n, uint64_t d) {
  if (value == 0) return value;
  int place;
  uint64_t whole = mantissa(value < 0 ? -value : value, &place);
  double size = nearest((wide)whole * n, d, place);
  return value < 0 ? -size : size;
}

static uint64_t wrong, compared, left;

// Kernels stop in front of a block in doubt: the block is left out and they go on behind it.
static void check_column(hk_instruction_set set, const hk_conversion *conversion, uint64_t n, uint64_t d) {
  size_t done = 0;
  while (done < COUNT) {
    size_t count = hk_convert(set, values + done, results + done, COUNT - done, conversion);
    for (size_t i = done; i < done + count; i++)
      if (bits_of(results[i]) != bits_of(exact(values[i], n, d))) wrong++;
    compared += count;
    done += count;
    // One at a time, so that a block in doubt loses as few as possible.
    if (done < COUNT) done++, left++;
  }
}

// With an offset: the instruction set against the plain one, which the tests hold to exact arithmetic.
static void check_sum(hk_instruction_set set, hk_conversion conversion) {
  conversion.offset = 32;
  conversion.tail = 0;
  for (int i = 0; i < COUNT; i++) results[i] = others[i] = 0;
  size_t done = 0;
  while (done < COUNT) {
    done += hk_convert(set, values + done, results + done, COUNT - done, &conversion);
    if (done < COUNT) results[done++] = 0;
  }
  done = 0;
  while (done < COUNT) {
    done += hk_convert(hk_plain, values + done, others + done, COUNT - done, &conversion);
    if (done < COUNT) others[done++] = 0;
  }
  for (int i = 0; i < COUNT; i++) {
    if (results[i] == 0 || others[i] == 0) { left++; continue; }
    compared++;
    if (bits_of(results[i]) != bits_of(others[i])) wrong++;
  }
}

static void check(hk_instruction_set set, const char *name) {
  // In lowest terms: pounds, miles, calories, columns of mercury, pints, feet, and others.
  static const uint64_t fractions[][2] = {
      {45359237, 100000000}, {201168, 125}, {523, 125}, {20265, 152}, {9, 5}, {50, 3},
      {473176473, 1000000000}, {381, 1250}, {523, 450}, {317514659, 50000000}, {1, 1000}};
  wrong = compared = left = 0;
  for (size_t i = 0; i < sizeof fractions / sizeof fractions[0]; i++) {
    for (int direction = 0; direction < 2; direction++) {
      uint64_t n = fractions[i][direction], d = fractions[i][1 - direction];
      const hk_conversion conversion = conversion_by(n, d);
      for (int round = 0; round < 8; round++) {
        fill(n, d);
        check_column(set, &conversion, n, d);
        check_sum(set, conversion);
        hk_conversion quick = conversion;
        split(&quick, n, d);
        check_column(set, &quick, n, d);
      }
    }
  }
  print(name);
  print(": ");
  print_count(compared);
  print(" values compared, ");
  print_count(left);
  print(" left to exact arithmetic, ");
  print_count(wrong);
  print(" wrong\n");
}

static uint64_t failures_of_all(void) {
  uint64_t failures = 0;
  check(hk_plain, "plain");
  failures += wrong;
  // The best of this processor: NEON, where it is ARM's.
  check(hk_best_instruction_set(), "vectors");
  failures += wrong + (compared == 0);
  return failures + wrong_in_intervals();
}

#if defined(__aarch64__)
void *memcpy(void *target, const void *source, size_t count) {
  for (size_t i = 0; i < count; i++) ((char *)target)[i] = ((const char *)source)[i];
  return target;
}

void *memset(void *target, int value, size_t count) {
  for (size_t i = 0; i < count; i++) ((char *)target)[i] = (char)value;
  return target;
}

void _start(void) { call(93, failures_of_all() == 0 ? 0 : 1, 0, 0); }
#else
int main(void) { return failures_of_all() == 0 ? 0 : 1; }
#endif

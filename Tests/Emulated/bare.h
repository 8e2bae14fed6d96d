// What the checks of kernels share: printing without a C library, the bits of doubles, and chance.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 wide;

#if defined(__aarch64__)
static inline long call(long number, long a, long b, long c) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}
#else
#include <unistd.h>
#endif

static inline void print(const char *text) {
  size_t count = 0;
  while (text[count] != 0) count++;
#if defined(__aarch64__)
  call(64, 1, (long)text, (long)count);
#else
  if (write(1, text, count) < 0) __builtin_trap();
#endif
}

static inline void print_count(uint64_t value) {
  char digits[24];
  int start = 23;
  digits[start] = 0;
  do digits[--start] = (char)('0' + value % 10); while ((value /= 10) != 0);
  print(digits + start);
}

static inline uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline double power_of_two(int exponent) { return double_of((uint64_t)(1023 + exponent) << 52); }

// The mantissa of a positive normal number as a whole number, and its place.
static inline uint64_t mantissa(double value, int *place) {
  *place = (int)(bits_of(value) >> 52 & 0x7FF) - 1075;
  return (bits_of(value) & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
}

// The double next to top / bottom × 2^exponent, ties to even, bit by bit; in the normal range.
static inline double nearest(wide top, wide bottom, int exponent) {
  if (top == 0) return 0;
  while (top >= bottom) bottom <<= 1, exponent++;
  while (top < bottom) top <<= 1, exponent--;
  uint64_t quotient = 0;
  for (int bit = 0; bit < 54; bit++) {
    quotient <<= 1;
    if (top >= bottom) top -= bottom, quotient |= 1;
    top <<= 1;
  }
  uint64_t rounded = quotient >> 1;
  if ((quotient & 1) != 0 && (top != 0 || (rounded & 1) != 0)) rounded++;
  return (double)rounded * power_of_two(exponent - 52);
}

// Differs from call to call, and is the same on every processor.
static inline uint64_t next(void) {
  static uint64_t state = 1;
  uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Compares the kernels of interval_kernels.c; how many values were wrong.
uint64_t wrong_in_intervals(void);

// The digest of what the kernels of analysis_kernels.c give.
uint64_t digest_of_analyses(void);

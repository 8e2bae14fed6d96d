#pragma once

// Building blocks of kernels with eight lanes, the same on every processor so that every
// instruction set gives the same bits. Compensated sums are TwoSum (Knuth) with a separate
// correction, as Sum2 of Ogita, Rump and Oishi (2005).

#include "dispatch.h"


#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// A fused multiply-add would round differently on some processors.
#pragma STDC FP_CONTRACT OFF

enum {
  LANES = 8,
  // The prefetch distance in rows, a page of doubles: the branch at the end of a run is
  // mispredicted, and must not also wait for memory.
  ROWS_AHEAD = 512,
};

// Whole vectors, halves and quarters; the compiler splits those that the processor does not
// support.
typedef double doubles8 __attribute__((vector_size(64)));
typedef double doubles4 __attribute__((vector_size(32)));
typedef double doubles2 __attribute__((vector_size(16)));
typedef int64_t masks8 __attribute__((vector_size(64)));
typedef int64_t masks4 __attribute__((vector_size(32)));
typedef int64_t masks2 __attribute__((vector_size(16)));
typedef uint32_t numbers8 __attribute__((vector_size(32)));
typedef bool bits8 __attribute__((ext_vector_type(8)));

#define LOW_HALF4(vector) __builtin_shufflevector(vector, vector, 0, 1, 2, 3)
#define HIGH_HALF4(vector) __builtin_shufflevector(vector, vector, 4, 5, 6, 7)
#define LOW_HALF2(vector) __builtin_shufflevector(vector, vector, 0, 1)
#define HIGH_HALF2(vector) __builtin_shufflevector(vector, vector, 2, 3)

// Adds a term to a compensated sum.
#define ADD(TYPE, sum, lost, term)                             \
  do {                                                         \
    const TYPE total_ = (sum) + (term);                        \
    const TYPE virtual_ = total_ - (sum);                      \
    (lost) += ((sum) - (total_ - virtual_)) + ((term)-virtual_); \
    (sum) = total_;                                            \
  } while (0)

// A bit for each lane of a mask.
#define BITS(bits, mask)                                          \
  do {                                                            \
    const bits8 bits_ = __builtin_convertvector(mask, bits8);     \
    memcpy(&(bits), &bits_, sizeof bits_);                        \
  } while (0)

#define SELECT(TYPE, MASKS, condition, yes, no) \
  ((TYPE)(((MASKS)(yes) & (condition)) | ((MASKS)(no) & ~(condition))))

// Keeps the smaller of two lows and the larger of two highs; the first of equals wins.
#define MERGE_EXTREMES(TYPE, MASKS, low, high, other_low, other_high) \
  do {                                                                \
    const MASKS less_ = (other_low) < (low), more_ = (other_high) > (high); \
    (low) = SELECT(TYPE, MASKS, less_, other_low, low);               \
    (high) = SELECT(TYPE, MASKS, more_, other_high, high);            \
  } while (0)

// Adds a compensated sum of eight lanes to a total: lane i takes lane i + 4, then i + 2, then i +
// 1, and the total takes lane 0.
INLINE void add_lanes(const doubles8 *sum, const doubles8 *lost, double *total,
                      double *total_lost) {
  doubles4 sum4 = LOW_HALF4(*sum), lost4 = LOW_HALF4(*lost);
  ADD(doubles4, sum4, lost4, HIGH_HALF4(*sum));
  lost4 += HIGH_HALF4(*lost);
  doubles2 sum2 = LOW_HALF2(sum4), lost2 = LOW_HALF2(lost4);
  ADD(doubles2, sum2, lost2, HIGH_HALF2(sum4));
  lost2 += HIGH_HALF2(lost4);
  double sum1 = sum2[0], lost1 = lost2[0];
  ADD(double, sum1, lost1, sum2[1]);
  lost1 += lost2[1];
  ADD(double, *total, *total_lost, sum1);
  *total_lost += lost1;
}

INLINE void fetch(const void *column, size_t bytes) {
  // A prefetch beyond the end of the column is harmless, but a pointer to it is undefined
  // behaviour.
  __builtin_prefetch((const void *)((uintptr_t)column + bytes));
}

#pragma once

#include <stdbool.h>

// The instruction sets that a kernel is compiled for; all give the same bits.
typedef enum {
  hk_plain = 0,
  hk_avx2 = 1,
  hk_avx512 = 2,
  hk_neon = 3,
} hk_instruction_set;

// Whether this processor has an instruction set, and the best that it has.
bool hk_is_available(hk_instruction_set set);
hk_instruction_set hk_best_instruction_set(void);

#include "include/instruction_set.h"

bool hk_is_available(hk_instruction_set set) {
  switch (set) {
    case hk_plain:
      return true;
#if defined(__x86_64__)
    case hk_avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case hk_avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && hk_is_available(hk_avx2);
#endif
#if defined(__aarch64__)
    case hk_neon:
      return true;
#endif
    default:
      return false;
  }
}

hk_instruction_set hk_best_instruction_set(void) {
  if (hk_is_available(hk_neon)) return hk_neon;
  if (hk_is_available(hk_avx512)) return hk_avx512;
  return hk_is_available(hk_avx2) ? hk_avx2 : hk_plain;
}

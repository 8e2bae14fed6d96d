#pragma once

// Compiles a kernel once for each instruction set of the processor's family, and calls the one
// asked for. `instruction_set.c` says which of them a processor has.

#include "include/instruction_set.h"

#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,fma")))

// DEFINE(NAME, ATTRIBUTES) defines the functions of one instruction set.
#define FOR_INSTRUCTION_SETS(DEFINE) DEFINE(plain, ) DEFINE(avx2, AVX2) DEFINE(avx512, AVX512)

// The result of NAME_plain(arguments), NAME_avx2(arguments) or NAME_avx512(arguments).
#define DISPATCH(set, name, ...)                     \
  ((set) == hk_avx512 ? name##_avx512(__VA_ARGS__)   \
   : (set) == hk_avx2 ? name##_avx2(__VA_ARGS__)     \
                      : name##_plain(__VA_ARGS__))
#elif defined(__aarch64__)
#define FOR_INSTRUCTION_SETS(DEFINE) DEFINE(plain, ) DEFINE(neon, )

#define DISPATCH(set, name, ...) \
  ((set) == hk_neon ? name##_neon(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define FOR_INSTRUCTION_SETS(DEFINE) DEFINE(plain, )

#define DISPATCH(set, name, ...) name##_plain(__VA_ARGS__)
#endif

#include "instruction_sets.h"

// CKernels is no product of the package, so that its header is out of reach.
bool hk_is_available(instruction_set set);
// The linker gives each call of hk_best_instruction_set to __wrap_hk_best_instruction_set, and this
// name to the function itself (--wrap in Package.swift).
instruction_set __real_hk_best_instruction_set(void);
instruction_set __wrap_hk_best_instruction_set(void);

static instruction_set forced = instruction_set_count;

const char *instruction_set_name(instruction_set set) {
  static const char *const names[] = {"plain", "avx2", "avx512", "neon"};
  return set < instruction_set_count ? names[set] : "";
}

bool instruction_set_is_available(instruction_set set) { return hk_is_available(set); }

instruction_set instruction_set_in_use(void) { return __wrap_hk_best_instruction_set(); }

void instruction_set_use(instruction_set set) { forced = set; }

instruction_set __wrap_hk_best_instruction_set(void) {
  return forced < instruction_set_count ? forced : __real_hk_best_instruction_set();
}

#ifndef HKSTATS_INSTRUCTION_SETS_H
#define HKSTATS_INSTRUCTION_SETS_H

#include <stdbool.h>

/// The instruction sets for which `CKernels` compiles its kernels, in the order of
/// `hk_instruction_set`.
typedef enum { plain, avx2, avx512, neon, instruction_set_count } instruction_set;

/// Its name.
const char *instruction_set_name(instruction_set set);

/// Whether this processor has it.
bool instruction_set_is_available(instruction_set set);

/// The one that kernels run with.
instruction_set instruction_set_in_use(void);

/// Makes kernels run with one that this processor has. They ask once, when the first of them runs.
void instruction_set_use(instruction_set set);

#endif

#pragma once

// The functions of LAPACKE that the analysis calls, with 32-bit integers (LP64), as a table that
// is filled from a loaded library. Nothing of it is linked.
//
// The prototypes are those of LAPACK 3.12. Where `lapacke.h` is installed, as it is where this
// project is tested, the compiler compares each with the header's: two that differ are an error.

#include <stddef.h>
#include <stdint.h>

#if __has_include(<lapacke.h>)
#include <lapacke.h>
#endif

#pragma clang assume_nonnull begin

int32_t LAPACKE_dgelsy(int layout, int32_t m, int32_t n, int32_t nrhs, double *a, int32_t lda,
                       double *b, int32_t ldb, int32_t *jpvt, double rcond, int32_t *rank);
int32_t LAPACKE_dgelsd(int layout, int32_t m, int32_t n, int32_t nrhs, double *a, int32_t lda,
                       double *b, int32_t ldb, double *s, double rcond, int32_t *rank);
int32_t LAPACKE_dpbsv(int layout, char uplo, int32_t n, int32_t kd, int32_t nrhs, double *ab,
                      int32_t ldab, double *b, int32_t ldb);
int32_t LAPACKE_dsyevd(int layout, char jobz, char uplo, int32_t n, double *a, int32_t lda,
                       double *w);

#define HK_LAPACK_FUNCTIONS(EACH) EACH(dgelsy) EACH(dgelsd) EACH(dpbsv) EACH(dsyevd)

struct hk_lapack {
#define HK_MEMBER(name) __typeof__(&LAPACKE_##name) name;
  HK_LAPACK_FUNCTIONS(HK_MEMBER)
#undef HK_MEMBER
};

// Fills the table from a library that `dlopen` gave; the name of the first function that the
// library lacks, or null. The library of Python's package scipy-openblas32 has a prefix of its own.
const char *_Nullable hk_find_lapack(void *library, struct hk_lapack *functions);

// Sets how many threads OpenBLAS works on; other libraries have no such function.
void hk_bound_threads(void *library, int count);

// The path of the program or library that holds this code, or null.
const char *_Nullable hk_own_file(void);

// Values of LAPACKE's arguments and results.
enum {
  hk_column_major = 102,
  hk_out_of_work_memory = -1010,
  hk_out_of_transpose_memory = -1011,
};

#pragma clang assume_nonnull end

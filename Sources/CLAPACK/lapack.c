#define _GNU_SOURCE
#include "CLAPACK.h"

#include <dlfcn.h>

// The address of a function of OpenBLAS or LAPACKE, or null.
static void *address(void *library, const char *name, const char *prefixed) {
  void *found = dlsym(library, name);
  return found != NULL ? found : dlsym(library, prefixed);
}

const char *hk_find_lapack(void *library, struct hk_lapack *functions) {
  void *found;
#define HK_FIND(name)                                                         \
  found = address(library, "LAPACKE_" #name, "scipy_LAPACKE_" #name);         \
  if (found == NULL) return "LAPACKE_" #name;                                 \
  functions->name = (__typeof__(functions->name))found;
  HK_LAPACK_FUNCTIONS(HK_FIND)
#undef HK_FIND
  return NULL;
}

void hk_bound_threads(void *library, int count) {
  void (*set)(int) = (void (*)(int))address(
      library, "openblas_set_num_threads", "scipy_openblas_set_num_threads");
  if (set != NULL) set(count);
}

const char *hk_own_file(void) {
  Dl_info found;
  return dladdr((const void *)hk_own_file, &found) != 0 ? found.dli_fname : NULL;
}

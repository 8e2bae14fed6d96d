// The program `hkstats` where a library holds its code: finds libhkstats.so beside it and calls
// hkstats_main. So one file of code serves the command, C and Python, and a wheel, whose programs
// and libraries lie in two folders, starts the command without Python.
//
//   clang -DHKSTATS_VERSION='"1.2.3"' -DHKSTATS_SONAME='"libhkstats.so.2"' -o hkstats launcher.c
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

// What the dynamic linker ends with when it does not find a library.
enum { hk_not_found = 127 };

// Where the library lies as seen from the program's folder, in the order in which it is looked for.
static const char *const places[] = {
    "../lib/" HKSTATS_SONAME,    // make install; the folder
    "../lib/*/" HKSTATS_SONAME,  // Debian's package
    // A wheel: in a virtual environment or for one user, also of PyPy, for all users of Debian, with
    // --target.
    "../lib/py*3*/site-packages/hkstats/libhkstats.so",
    "../lib64/py*3*/site-packages/hkstats/libhkstats.so",
    "../lib/python3*/dist-packages/hkstats/libhkstats.so",
    "../hkstats/libhkstats.so",
};

typedef void program(void);
typedef const char *version(void);

// Stores the path of the program's folder without links; whether it is known.
static int find_folder(char folder[PATH_MAX]) {
  const char *name = (const char *)getauxval(AT_EXECFN);
  if (realpath("/proc/self/exe", folder) == NULL && (name == NULL || realpath(name, folder) == NULL))
    return 0;
  char *end = strrchr(folder, '/');
  if (end == NULL) return 0;
  *end = '\0';
  return 1;
}

// The program in a library, and whether it has this version; null where there is none, with the
// reason in `why`.
static program *load(const char *path, int *is_own, char *why, size_t room) {
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  program *found = library == NULL ? NULL : (program *)dlsym(library, "hkstats_main");
  if (found == NULL) {
    snprintf(why, room, "cannot be loaded: %s", dlerror());
    return NULL;
  }
  version *its_version = (version *)dlsym(library, "hkstats_version");
  *is_own = its_version != NULL && strcmp(its_version(), HKSTATS_VERSION) == 0;
  return found;
}

// The text with a backslash before what a pattern gives a meaning; whether it fits.
static int quote(const char *text, char *quoted, size_t room) {
  size_t used = 0;
  for (; *text != '\0'; text++) {
    if (used + 3 > room) return 0;
    if (strchr("*?[]\\{}~", *text) != NULL) quoted[used++] = '\\';
    quoted[used++] = *text;
  }
  quoted[used] = '\0';
  return 1;
}

// Of several libraries the one of this version runs: pip and make may have put one each beside the
// program. By itself any does.
int main(void) {
  char folder[PATH_MAX], quoted[PATH_MAX];
  char why[2 * PATH_MAX] = "was not found beside it";
  // The dynamic linker replaces $ORIGIN, $LIB and $PLATFORM in paths.
  if (!find_folder(folder) || strchr(folder, '$') != NULL ||
      !quote(folder, quoted, sizeof quoted)) {
    fprintf(stderr, "hkstats: The folder of the program has a name that cannot be used: it is too "
                    "long or has a $. Move hkstats to another one.\n");
    return hk_not_found;
  }
  program *other = NULL;
  for (size_t place = 0; place < sizeof places / sizeof *places; place++) {
    char pattern[PATH_MAX + 64];
    snprintf(pattern, sizeof pattern, "%s/%s", quoted, places[place]);
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) continue;
    for (size_t index = 0; index < found.gl_pathc; index++) {
      int is_own = 0;
      program *run = load(found.gl_pathv[index], &is_own, why, sizeof why);
      if (run != NULL && is_own) {
        run();
        return 0;
      }
      if (other == NULL) other = run;
    }
    globfree(&found);
  }
  if (other != NULL) {
    other();
    return 0;
  }
  fprintf(stderr, "hkstats: The library of %s/hkstats %s.\n", folder, why);
  return hk_not_found;
}

// The destructor of the Python capsules that hold Arrow structures. It is C, without Python's
// headers or a callback into it: a capsule may outlive the module that made it.
#define _GNU_SOURCE
#include "hkstats.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// A function of the Python in this process; ISO C has no cast from an object's pointer to it.
typedef union {
  void *symbol;
  const char *(*name)(void *capsule);
  void *(*pointer)(void *capsule, const char *name);
} python_function;

void hkstats_capsule_destructor(void *capsule) {
  const python_function get_name = {dlsym(RTLD_DEFAULT, "PyCapsule_GetName")};
  const python_function get_pointer = {dlsym(RTLD_DEFAULT, "PyCapsule_GetPointer")};
  if (!capsule || !get_name.symbol || !get_pointer.symbol) return;
  const char *name = get_name.name(capsule);
  if (!name) return;
  if (strcmp(name, "arrow_schema") == 0) {
    struct ArrowSchema *schema = get_pointer.pointer(capsule, name);
    if (schema && schema->release) schema->release(schema);
    free(schema);
  } else if (strcmp(name, "arrow_array") == 0) {
    struct ArrowArray *array = get_pointer.pointer(capsule, name);
    if (array && array->release) array->release(array);
    free(array);
  } else if (strcmp(name, "arrow_array_stream") == 0) {
    struct ArrowArrayStream *stream = get_pointer.pointer(capsule, name);
    if (stream && stream->release) stream->release(stream);
    free(stream);
  }
}

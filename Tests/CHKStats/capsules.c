// What `capsules.py` puts in its capsules: streams that say when they are released.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STRUCTURE(name, before)      \
  struct name {                      \
    int64_t other[before];           \
    void (*release)(struct name *);  \
    void *private_data;              \
  }

STRUCTURE(schema, 7);
STRUCTURE(array, 8);
STRUCTURE(stream, 3);

static int released;
static int says_so;

static void count(const char *name) {
  released += 1;
  if (says_so && write(1, name, strlen(name)) < 0) abort();
}

static void release_schema(struct schema *it) { it->release = NULL, count("schema "); }
static void release_array(struct array *it) { it->release = NULL, count("array "); }
static void release_stream(struct stream *it) { it->release = NULL, count("stream "); }

#define MAKE(name)                                                      \
  struct name *make_##name(void) {                                      \
    struct name *it = calloc(1, sizeof *it);                            \
    if (it) it->release = release_##name;                               \
    return it;                                                          \
  }                                                                     \
  void take_##name(struct name *it) { it->release = NULL; }

// Called by name.
struct schema *make_schema(void);
struct array *make_array(void);
struct stream *make_stream(void);
void take_schema(struct schema *), take_array(struct array *), take_stream(struct stream *);
int released_count(void);
void say_so(void);

MAKE(schema)
MAKE(array)
MAKE(stream)

int released_count(void) { return released; }
void say_so(void) { says_so = 1; }

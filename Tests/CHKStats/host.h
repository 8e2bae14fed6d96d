// What the trials of the C library share.
#ifndef HOST_H
#define HOST_H

#include "hkstats.h"

#include <stddef.h>
#include <stdint.h>

/// Says where something is not as expected, and counts it.
#define EXPECT(condition, ...)                                          \
  do {                                                                  \
    if (!(condition)) fail(__FILE__, __LINE__, __VA_ARGS__);            \
  } while (0)

/// Prints a failure and counts it; may be called by any thread.
void fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// How many failures were counted.
int failure_count(void);

/// Adds bytes to a digest, each of which it reads.
uint64_t digest(uint64_t before, const void *bytes, size_t count);

// MARK: Arrow

/// Checks a schema against the C data interface: formats, names, metadata, and how many children.
///
/// Returns a digest of all of it.
uint64_t check_schema(const struct ArrowSchema *schema);

/// Checks an array against the C data interface and its schema, and reads every byte of it.
///
/// Returns a digest of the values.
uint64_t check_array(const struct ArrowSchema *schema, const struct ArrowArray *array);

/// Reads what is left of a stream, checks it and releases each array.
///
/// Returns the number of rows, or -1 after an error of the stream, which must have a sentence.
int64_t read_stream(struct ArrowArrayStream *stream, uint64_t *sum);

// MARK: Questions

/// A function that gives a table.
typedef int32_t table_function(hkstats_store *store, const char *question,
                               hkstats_progress progress, void *context, hkstats_table **table,
                               char **error);

/// A function that asks a store for one of the tables.
#define ASKS(name)                                                                             \
  static inline int32_t ask_##name(hkstats_store *store, const char *question,                        \
                            hkstats_progress progress, void *context, hkstats_table **table,   \
                            char **error) {                                                    \
    return hkstats_ask(store, #name, question, progress, context, table, error);               \
  }
ASKS(statistics)
ASKS(explain)
ASKS(analysis)
ASKS(samples)
ASKS(elements)
ASKS(workouts)
ASKS(sleep)
ASKS(types)
ASKS(sources)

/// A table function with questions that a store of a watch answers with rows.
struct asked {
  const char *name;
  table_function *ask;
  const char *question;
};

/// All table functions; `hkstats_merge` with columns of its own.
extern const struct asked all_asked[];
extern const size_t asked_count;

/// Opens a store, or ends the program.
hkstats_store *opened(const char *path, int32_t mode);

/// Asks, or counts a failure and gives NULL.
hkstats_table *table_of(hkstats_store *store, const struct asked *asked);

/// Milliseconds of a clock that only advances.
double milliseconds(void);

/// Calls every function at random with right and wrong arguments.
void fuzz(const char *store, const char *export_path, const char *folder, uint64_t seed,
          long count);

#endif

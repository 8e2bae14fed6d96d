// A program in C that uses the library as programs of other languages do, and its trials.
//
//   host TRIAL STORE EXPORT FOLDER [SEED COUNT]
//
// STORE and FOLDER may be written to. Exit status 1 if what a trial expects is not so.
#define _GNU_SOURCE
#include "host.h"

#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failures;

void fail(const char *file, int line, const char *format, ...) {
  const int count = __atomic_add_fetch(&failures, 1, __ATOMIC_SEQ_CST);
  if (count > 20) return;
  va_list arguments;
  va_start(arguments, format);
  flockfile(stdout);
  printf("  %s:%d: ", file, line);
  vprintf(format, arguments);
  printf("\n");
  fflush(stdout);
  funlockfile(stdout);
  va_end(arguments);
}

int failure_count(void) { return __atomic_load_n(&failures, __ATOMIC_SEQ_CST); }

double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/// A call must be refused by a code, with a sentence.
#define REFUSED(expected, call)                                                      \
  do {                                                                               \
    char *error = NULL;                                                              \
    const int32_t code = call;                                                       \
    EXPECT(code == (expected), "%s: code %d: %s", #call, code, error ? error : "-"); \
    EXPECT(!code || (error && strlen(error) > 10), "%s has no sentence", #call);     \
    hkstats_free(error);                                                             \
  } while (0)

/// A call must succeed.
#define DONE(call)                                                               \
  do {                                                                           \
    char *error = NULL;                                                          \
    const int32_t code = call;                                                   \
    EXPECT(code == 0 && !error, "%s: %d: %s", #call, code, error ? error : "-"); \
    hkstats_free(error);                                                         \
  } while (0)

#define NO_LIVE_OBJECT(what)                                                                \
  EXPECT(hkstats_live_objects() == 0, "%" PRId64 " live objects after %s", hkstats_live_objects(), \
         what)

// MARK: - Questions

enum { MERGED_ROWS = 3000 };

/// Merges columns of three sources that overlap.
static int32_t merge(hkstats_store *store, const char *question, hkstats_progress progress,
                     void *context, hkstats_table **table, char **error) {
  (void)store, (void)question;
  static const char *const names[] = {"Watch", "Phone", "Ring"};
  double starts[MERGED_ROWS], ends[MERGED_ROWS], values[MERGED_ROWS];
  int32_t sources[MERGED_ROWS];
  for (int32_t row = 0; row < MERGED_ROWS; row++) {
    starts[row] = 60.0 * (row / 3);
    ends[row] = starts[row] + 45 + 10 * (row % 4);
    values[row] = row % 17;
    sources[row] = row % 3;
  }
  return hkstats_merge("steps", starts, ends, values, sources, MERGED_ROWS, names, 3, NULL,
                       progress, context, table, error);
}

#define IN_PARIS "\"timezone\": \"Europe/Paris\""

const struct asked all_asked[] = {
    {"statistics", ask_statistics,
     "{\"type\": \"steps\", \"by\": \"day\", \"bySource\": true, " IN_PARIS "}"},
    {"statistics", ask_statistics,
     "{\"type\": \"heartRate\", \"by\": \"hour\", \"stat\": \"min,p90,recent\", " IN_PARIS "}"},
    {"statistics", ask_statistics,
     "{\"type\": \"sleepAnalysis\", \"by\": \"day\", " IN_PARIS "}"},
    {"statistics", ask_statistics,
     "{\"type\": [\"steps\", \"heartRate.max\"], \"by\": \"day\", "
     "\"compare\": \"previous\", " IN_PARIS "}"},
    {"explain", ask_explain, "{\"type\": \"steps\", \"by\": \"day\", " IN_PARIS "}"},
    {"analysis", ask_analysis,
     "{\"analysis\": \"trend\", \"type\": \"restingHeartRate\", " IN_PARIS "}"},
    {"samples", ask_samples, "{\"type\": \"steps\", \"rows\": 300, " IN_PARIS "}"},
    {"samples", ask_samples,
     "{\"type\": [\"heartRate\", \"bodyMass\"], \"order\": \"newest\", \"rows\": 1000, " IN_PARIS
     "}"},
    {"elements", ask_elements, "{\"kind\": \"workoutRoute\", " IN_PARIS "}"},
    {"elements", ask_elements, "{\"kind\": \"workout\", \"order\": \"newest\", " IN_PARIS "}"},
    {"workouts", ask_workouts, "{\"heartRateZones\": [120, 140], " IN_PARIS "}"},
    {"sleep", ask_sleep, "{\"by\": \"night\", " IN_PARIS "}"},
    {"sleep", ask_sleep, "{\"by\": \"week\", " IN_PARIS "}"},
    {"types", ask_types, NULL},
    {"sources", ask_sources, "{\"type\": \"steps\", " IN_PARIS "}"},
    {"merge", merge, NULL},
};
const size_t asked_count = sizeof all_asked / sizeof *all_asked;

hkstats_store *opened(const char *path, int32_t mode) {
  hkstats_store *store = NULL;
  char *error = NULL;
  if (hkstats_store_open(path, mode, HKSTATS_NO_KEY, NULL, &store, &error) != HKSTATS_OK) {
    printf("%s: %s\n", path, error);
    exit(1);
  }
  return store;
}

hkstats_table *table_of(hkstats_store *store, const struct asked *asked) {
  hkstats_table *table = NULL;
  char *error = NULL;
  const int32_t code = asked->ask(store, asked->question, NULL, NULL, &table, &error);
  EXPECT(code == HKSTATS_OK && table && !error, "%s: %d: %s", asked->name, code,
         error ? error : "-");
  hkstats_free(error);
  return table;
}

/// A stream of a table; ends the program where there is none.
static struct ArrowArrayStream stream_of(hkstats_table *table) {
  struct ArrowArrayStream stream;
  memset(&stream, 0xa5, sizeof stream);
  DONE(hkstats_table_stream(table, &stream, &error));
  if (failure_count()) exit(1);
  return stream;
}

// MARK: - Lifetimes

enum { MOST_KEPT = 64 };

/// Arrays and schema that are kept after everything else is closed.
struct kept {
  struct ArrowSchema schema;
  struct ArrowArray arrays[MOST_KEPT];
  uint64_t sums[MOST_KEPT];
  int count;
};

/// Takes the first batches of a stream, and releases the stream early.
static void keep(struct kept *kept, struct ArrowArrayStream *stream, int most) {
  EXPECT(stream->get_schema(stream, &kept->schema) == 0, "no schema");
  for (kept->count = 0; kept->count < most; kept->count++) {
    struct ArrowArray *array = &kept->arrays[kept->count];
    EXPECT(stream->get_next(stream, array) == 0, "%s", stream->get_last_error(stream));
    if (!array->release) break;
    kept->sums[kept->count] = check_array(&kept->schema, array);
  }
  stream->release(stream);
  EXPECT(!stream->release, "a released stream says that it is not");
}

/// Checks that what was kept has not changed, and releases it from the middle on.
static void let_go(struct kept *kept) {
  for (int i = 0; i < kept->count; i++) {
    struct ArrowArray *array = &kept->arrays[(i + kept->count / 2) % kept->count];
    EXPECT(check_array(&kept->schema, array) == kept->sums[array - kept->arrays],
           "an array has changed");
    array->release(array);
  }
  check_schema(&kept->schema);
  kept->schema.release(&kept->schema);
}

static void outlive(const char *path, const struct asked *asked) {
  hkstats_store *store = opened(path, HKSTATS_READ_ONLY);
  hkstats_table *table = table_of(store, asked);
  if (!table) return;
  struct kept kept;
  struct ArrowSchema schema;
  DONE(hkstats_table_schema(table, &schema, &error));
  struct ArrowArrayStream whole = stream_of(table), early = stream_of(table);
  struct ArrowArrayStream unread = stream_of(table), moved = stream_of(table);
  int64_t rows = 0;
  char *info = NULL;
  DONE(hkstats_table_rows(table, &rows, &error));
  DONE(hkstats_table_info(table, &info, &error));
  EXPECT(info && strstr(info, "\"schema\""), "the table is %s", info);
  hkstats_free(info);
  DONE(hkstats_table_close(table, &error));
  REFUSED(HKSTATS_USAGE, hkstats_table_stream(table, &(struct ArrowArrayStream){0}, &error));
  REFUSED(HKSTATS_USAGE, hkstats_table_close(table, &error));
  DONE(hkstats_store_set_now(store, "2026-10-31T12:00:00+01:00", &error));
  REFUSED(HKSTATS_USAGE, hkstats_store_set_now(store, "2026-10-31T12:00:00", &error));
  REFUSED(HKSTATS_USAGE, hkstats_store_set_now(NULL, NULL, &error));
  DONE(hkstats_store_set_now(store, NULL, &error));
  DONE(hkstats_store_close(store, &error));
  REFUSED(HKSTATS_USAGE, hkstats_store_set_now(store, NULL, &error));
  REFUSED(HKSTATS_USAGE, hkstats_store_close(store, &error));
  REFUSED(HKSTATS_USAGE, ask_types(store, NULL, NULL, NULL, &table, &error));

  unread.release(&unread);
  uint64_t sum, again;
  const int64_t found = read_stream(&whole, &sum);
  EXPECT(found > 0 && (rows == found || rows == -1), "%s: %" PRId64 " of %" PRId64 " rows",
         asked->name, found, rows);
  // A stream at its end stays there.
  struct ArrowArray array;
  EXPECT(whole.get_next(&whole, &array) == 0 && !array.release, "an array after the end");
  whole.release(&whole);
  keep(&kept, &early, MOST_KEPT);
  // Structures may be moved as memory is.
  struct ArrowArrayStream *other = malloc(sizeof *other);
  memcpy(other, &moved, sizeof moved);
  memset(&moved, 0xa5, sizeof moved);
  EXPECT(read_stream(other, &again) == found && again == sum, "a moved stream has other rows");
  other->release(other);
  free(other);
  let_go(&kept);
  check_schema(&schema);
  schema.release(&schema);
}

static void move_schemas_out(const struct ArrowSchema *from, struct ArrowSchema *schema) {
  struct ArrowSchema children[64];
  const int64_t count = schema->n_children;
  if (count > 64) return;
  struct ArrowSchema words;
  const int has_words = schema->dictionary != NULL;
  for (int64_t i = 0; i < count; i++) {
    children[i] = *schema->children[i];
    schema->children[i]->release = NULL;
  }
  if (has_words) {
    words = *schema->dictionary;
    schema->dictionary->release = NULL;
  }
  schema->release(schema);
  for (int64_t i = count - 1; i >= 0; i--) {
    EXPECT(check_schema(&children[i]) == check_schema(from->children[i]), "a schema has changed");
    move_schemas_out(from->children[i], &children[i]);
  }
  if (has_words) {
    EXPECT(check_schema(&words) == check_schema(from->dictionary), "a dictionary has changed");
    words.release(&words);
  }
}

/// Moves children and dictionaries out of an array, releases it, and goes on with each of them.
static void move_arrays_out(const struct ArrowSchema *schema, struct ArrowArray *array) {
  struct ArrowArray children[64];
  uint64_t sums[64];
  const int64_t count = array->n_children;
  if (count > 64) return;
  struct ArrowArray words;
  uint64_t words_sum = 0;
  const int has_words = array->dictionary != NULL;
  for (int64_t i = 0; i < count; i++) {
    sums[i] = check_array(schema->children[i], array->children[i]);
    // Every other child stays, and goes with its parent.
    children[i].release = NULL;
    if (i % 2 == 1 && count > 1) continue;
    children[i] = *array->children[i];
    array->children[i]->release = NULL;
  }
  if (has_words) {
    words_sum = check_array(schema->dictionary, array->dictionary);
    words = *array->dictionary;
    array->dictionary->release = NULL;
  }
  array->release(array);
  for (int64_t i = 0; i < count; i++) {
    if (!children[i].release) continue;
    EXPECT(check_array(schema->children[i], &children[i]) == sums[i], "a moved child has changed");
    move_arrays_out(schema->children[i], &children[i]);
  }
  if (has_words) {
    EXPECT(check_array(schema->dictionary, &words) == words_sum, "a moved dictionary has changed");
    words.release(&words);
  }
}

static void move_out(const char *path, const struct asked *asked) {
  hkstats_store *store = opened(path, HKSTATS_READ_ONLY);
  hkstats_table *table = table_of(store, asked);
  if (!table) return;
  struct ArrowSchema schema, copy;
  struct ArrowArray array;
  struct ArrowArrayStream stream = stream_of(table);
  EXPECT(stream.get_next(&stream, &array) == 0, "%s", stream.get_last_error(&stream));
  DONE(hkstats_table_schema(table, &schema, &error));
  DONE(hkstats_table_schema(table, &copy, &error));
  DONE(hkstats_table_close(table, &error));
  DONE(hkstats_store_close(store, &error));
  stream.release(&stream);
  EXPECT(array.release, "%s has no row", asked->name);
  if (array.release) move_arrays_out(&schema, &array);
  move_schemas_out(&schema, &copy);
  schema.release(&schema);
}

struct reader {
  struct ArrowArrayStream stream;
  uint64_t sum;
  int64_t rows;
};

static void *read_one(void *reader) {
  struct reader *it = reader;
  it->rows = read_stream(&it->stream, &it->sum);
  it->stream.release(&it->stream);
  return NULL;
}

/// Reads two streams of one table, in turn and then on two threads.
static void alternate(const char *path, const struct asked *asked) {
  hkstats_store *store = opened(path, HKSTATS_READ_ONLY);
  hkstats_table *table = table_of(store, asked);
  if (!table) return;
  struct ArrowSchema schema;
  DONE(hkstats_table_schema(table, &schema, &error));
  struct ArrowArrayStream streams[2] = {stream_of(table), stream_of(table)};
  uint64_t sums[2] = {0, 0};
  for (int is_over = 0; !is_over;) {
    for (int i = 0; i < 2; i++) {
      struct ArrowArray array;
      EXPECT(streams[i].get_next(&streams[i], &array) == 0, "no batch");
      is_over = !array.release;
      if (!array.release) continue;
      sums[i] = digest(sums[i], &(uint64_t){check_array(&schema, &array)}, 8);
      array.release(&array);
    }
    EXPECT(sums[0] == sums[1], "streams of one table differ");
  }
  for (int i = 0; i < 2; i++) streams[i].release(&streams[i]);

  struct reader readers[2] = {{stream_of(table), 0, 0}, {stream_of(table), 0, 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, read_one, &readers[i]);
  schema.release(&schema);
  DONE(hkstats_table_close(table, &error));
  DONE(hkstats_store_close(store, &error));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  EXPECT(readers[0].rows == readers[1].rows && readers[0].sum == readers[1].sum,
         "streams on two threads differ");
}

static void lifetimes(const char *path) {
  for (size_t i = 0; i < asked_count; i++) {
    outlive(path, &all_asked[i]);
    NO_LIVE_OBJECT(all_asked[i].name);
    move_out(path, &all_asked[i]);
    NO_LIVE_OBJECT(all_asked[i].name);
    alternate(path, &all_asked[i]);
    NO_LIVE_OBJECT(all_asked[i].name);
  }
  // What a capsule's destructor would free, and what is given for no table.
  free(hkstats_stream_allocate());
  free(hkstats_schema_allocate());
  hkstats_free(NULL);
  hkstats_capsule_destructor(NULL);
  printf("  %zu questions\n", asked_count);
}

// MARK: - Threads

enum { THREADS = 8, ROUNDS = 50 };

static hkstats_store *shared_store;
static uint64_t expected_sums[64];

static uint64_t sum_of(const struct asked *asked) {
  uint64_t sum = 0;
  hkstats_table *table = table_of(shared_store, asked);
  if (!table) return 0;
  struct ArrowArrayStream stream = stream_of(table);
  DONE(hkstats_table_close(table, &error));
  EXPECT(read_stream(&stream, &sum) > 0, "%s has no row", asked->name);
  stream.release(&stream);
  return sum;
}

static void *ask_often(void *first) {
  for (size_t round = 0; round < ROUNDS; round++) {
    const size_t i = ((uintptr_t)first * 5 + round) % asked_count;
    EXPECT(sum_of(&all_asked[i]) == expected_sums[i], "%s: another answer", all_asked[i].name);
  }
  return NULL;
}

static void threads(const char *path) {
  shared_store = opened(path, HKSTATS_READ_WRITE);
  for (size_t i = 0; i < asked_count; i++) expected_sums[i] = sum_of(&all_asked[i]);
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, ask_often, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  DONE(hkstats_store_close(shared_store, &error));
  printf("  %d answers on %d threads\n", THREADS * ROUNDS, THREADS);
}

// MARK: - Memory

/// One call of each kind, some of which are refused.
static void call_each(hkstats_store *store) {
  static const struct asked cheap[] = {
      {"statistics", ask_statistics, "{\"type\": \"bodyMass\", \"by\": \"week\"}"},
      {"samples", ask_samples, "{\"type\": \"bodyMass\"}"},
      {"elements", ask_elements, "{\"kind\": \"activitySummary\"}"},
      {"sources", ask_sources, "{\"type\": \"bodyMass\"}"},
      {"merge", merge, NULL},
  };
  static unsigned next;
  const struct asked *asked = &cheap[next++ % 5];
  hkstats_table *table = table_of(store, asked);
  struct ArrowArrayStream stream = stream_of(table);
  struct ArrowSchema schema;
  uint64_t sum;
  char *text = NULL;
  hkstats_conversion *conversion = NULL;
  double number = 1;
  read_stream(&stream, &sum);
  stream.release(&stream);
  DONE(hkstats_table_schema(table, &schema, &error));
  schema.release(&schema);
  DONE(hkstats_table_info(table, &text, &error));
  hkstats_free(text);
  DONE(hkstats_table_close(table, &error));
  DONE(hkstats_describe(&text, &error));
  hkstats_free(text);
  DONE(hkstats_unit("lb/ft^2", &text, &error));
  hkstats_free(text);
  DONE(hkstats_conversion_open("mg/dL", "mmol/L", "bloodGlucose", &conversion, &error));
  DONE(hkstats_convert(conversion, &number, &number, 1, &error));
  DONE(hkstats_conversion_close(conversion, &error));
  REFUSED(HKSTATS_USAGE, ask_types(NULL, NULL, NULL, NULL, &table, &error));
  REFUSED(HKSTATS_USAGE, ask_statistics(store, "{\"tpye\": 1}", NULL, NULL, &table, &error));
  REFUSED(HKSTATS_NO_INPUT, hkstats_store_open("/proc/no/store", HKSTATS_READ_ONLY, 0, NULL,
                                               &(hkstats_store *){NULL}, &error));
}

/// Bytes that are allocated now.
static int64_t allocated(void) { return (int64_t)mallinfo2().uordblks; }

static int64_t resident(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1) abort();
  fclose(file);
  return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

static void memory(const char *path) {
  enum { WARM = 100, CALLS = 10000, EACH = 11 };
  hkstats_store *store = opened(path, HKSTATS_READ_ONLY);
  for (int i = 0; i < WARM; i++) call_each(store);
  const int64_t before = allocated(), resident_before = resident();
  for (int i = 0; i < CALLS / EACH; i++) call_each(store);
  const int64_t more = allocated() - before, resident_more = resident() - resident_before;
  // Less than a byte for each call; of the memory of the process, the pieces between.
  EXPECT(more < 8192, "%" PRId64 " bytes more", more);
  EXPECT(resident_more < 8 << 20, "%" PRId64 " bytes more are resident", resident_more);
  DONE(hkstats_store_close(store, &error));
  printf("  %d calls: %" PRId64 " bytes more, resident %" PRId64 "\n", CALLS, more, resident_more);
}

// MARK: - Cancellation

/// Where a progress function says stop, and when it did.
struct stop {
  int calls, at;
  double said;
  double last_share;
};

static int32_t stop_at(void *context, const char *phase, double share) {
  struct stop *stop = context;
  EXPECT(phase && *phase && share <= 1, "%s, %g", phase ? phase : "NULL", share);
  stop->last_share = share;
  stop->calls += 1;
  EXPECT(stop->at == 0 || stop->calls <= stop->at, "asked after it said stop");
  if (stop->calls != stop->at) return 0;
  stop->said = milliseconds();
  return 1;
}

/// Checks that a call ended soon and by its code.
static void check_stopped(const struct stop *stop, int32_t code, const char *what, char *error) {
  const double took = milliseconds() - stop->said;
  EXPECT(code == HKSTATS_INTERRUPTED && error, "%s ends with %d", what, code);
  EXPECT(took < 1000, "%s ends after %.0f ms", what, took);
  hkstats_free(error);
}

/// The rows of all types.
static uint64_t contents(hkstats_store *store) {
  shared_store = store;
  hkstats_table *table = NULL;
  uint64_t sum = 0;
  DONE(ask_types(store, NULL, NULL, NULL, &table, &error));
  struct ArrowArrayStream stream = stream_of(table);
  read_stream(&stream, &sum);
  stream.release(&stream);
  DONE(hkstats_table_close(table, &error));
  return sum;
}

/// What a progress function uses.
struct within {
  hkstats_store *store;
  const char *export_path;
  int calls;
};

/// Asks the store that is being read or written, and is refused to write to it.
static int32_t ask_within(void *context, const char *phase, double share) {
  struct within *within = context;
  (void)phase, (void)share;
  if (within->calls++ > 6) return 0;
  contents(within->store);
  uint64_t sum;
  hkstats_table *table = table_of(within->store, &all_asked[6]);
  if (!table) return 1;
  struct ArrowArrayStream stream = stream_of(table);
  read_stream(&stream, &sum);
  stream.release(&stream);
  DONE(hkstats_table_close(table, &error));
  REFUSED(HKSTATS_USAGE, hkstats_import(within->store, within->export_path, NULL, NULL, NULL, NULL,
                                        &error));
  return 0;
}

/// Calls the library from progress functions of each of its functions.
static void call_within(const char *export_path, const char *folder) {
  char name[4096];
  snprintf(name, sizeof name, "%s/within.sqlite", folder);
  for (int is_temporary = 0; is_temporary < 2; is_temporary++) {
    struct within within = {NULL, export_path, 0};
    hkstats_table *table = NULL;
    if (is_temporary)
      DONE(hkstats_store_temporary(&within.store, &error));
    else
      within.store = opened(name, HKSTATS_READ_WRITE);
    for (int is_again = 0; is_again < 2; is_again++) {
      within.calls = 0;
      DONE(hkstats_import(within.store, export_path, "{\"replacing\": true}", ask_within, &within,
                          NULL, &error));
      EXPECT(within.calls > 1, "%d calls within an import", within.calls);
    }
    for (size_t i = 0; i < asked_count; i++) {
      within.calls = 0;
      DONE(all_asked[i].ask(within.store, all_asked[i].question, ask_within, &within, &table,
                            &error));
      EXPECT(within.calls > 0, "no call within %s", all_asked[i].name);
      if (table) DONE(hkstats_table_close(table, &error));
    }
    DONE(hkstats_store_close(within.store, &error));
  }
}

static void cancel(const char *path, const char *export_path, const char *folder) {
  enum { MOMENTS = 8 };
  static const struct asked slow = {
      "statistics", ask_statistics,
      "{\"type\": \"heartRate\", \"by\": \"1min\", \"from\": \"2026\", \"stat\": "
      "\"mean,min,max,median,p1,p10,p90,p99\"}"};
  hkstats_store *store = opened(path, HKSTATS_READ_ONLY);
  double slowest = 0;
  struct stop whole = {0, 0, 0, 0};
  hkstats_table *table = NULL;
  DONE(slow.ask(store, slow.question, stop_at, &whole, &table, &error));
  DONE(hkstats_table_close(table, &error));
  EXPECT(whole.calls >= 3, "%d calls of the progress function", whole.calls);
  for (int i = 1; i <= MOMENTS; i++) {
    struct stop stop = {0, 1 + (whole.calls - 1) * i / MOMENTS, 0, 0};
    char *error = NULL;
    const int32_t code = slow.ask(store, slow.question, stop_at, &stop, &table, &error);
    const double took = milliseconds() - stop.said;
    slowest = took > slowest ? took : slowest;
    EXPECT(!table, "a table of a stopped call");
    check_stopped(&stop, code, "statistics", error);
  }
  for (size_t i = 0; i < asked_count; i++) {
    struct stop stop = {0, 1, 0, 0};
    char *error = NULL;
    const int32_t code =
        all_asked[i].ask(store, all_asked[i].question, stop_at, &stop, &table, &error);
    check_stopped(&stop, code, all_asked[i].name, error);
  }
  DONE(hkstats_store_close(store, &error));

  char name[4096];
  snprintf(name, sizeof name, "%s/cancelled.sqlite", folder);
  for (int is_temporary = 0; is_temporary < 2; is_temporary++) {
    store = NULL;
    if (is_temporary)
      DONE(hkstats_store_temporary(&store, &error));
    else
      store = opened(name, HKSTATS_READ_WRITE);
    const uint64_t empty = contents(store);
    int calls = 40;
    for (int i = 0; i <= MOMENTS; i++) {
      struct stop stop = {0, i < MOMENTS ? 1 + (calls - 1) * i / MOMENTS : 0, 0, 0};
      char *error = NULL, *report = NULL;
      const int32_t code = hkstats_import(store, export_path, "{\"jobs\": 2}", stop_at, &stop,
                                          &report, &error);
      if (i == MOMENTS || code == HKSTATS_OK) {
        EXPECT(code == HKSTATS_OK && report, "the import ends with %d: %s", code, error);
        EXPECT(i > MOMENTS / 2, "moment %d of the import comes too late", i);
        EXPECT(contents(store) != empty, "nothing is imported");
        hkstats_free(report);
        break;
      }
      EXPECT(!report, "a report of a stopped import");
      const double took = milliseconds() - stop.said;
      slowest = took > slowest ? took : slowest;
      check_stopped(&stop, code, "import", error);
      EXPECT(contents(store) == empty, "a stopped import leaves samples");
    }
    DONE(hkstats_store_close(store, &error));
  }
  printf("  %d calls of one progress function; the slowest end after %.0f ms\n", whole.calls,
         slowest);
}

// MARK: - Forks

/// What a parent has open when it forks.
struct handles {
  const char *path, *export_path, *folder;
  hkstats_store *store;
  hkstats_table *table;
  hkstats_conversion *conversion;
  struct ArrowArrayStream stream;
  struct kept kept;
};

static int in_child(void (*does)(struct handles *), struct handles *handles) {
  fflush(stdout);
  const pid_t id = fork();
  if (id == 0) {
    alarm(60);
    failures = 0;
    does(handles);
    fflush(stdout);
    _exit(failures > 0);
  }
  int status = 0;
  waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Each call with a handle of the parent's says that it is one.
static void use_inherited(struct handles *it) {
  hkstats_table *table = NULL;
  struct ArrowSchema schema;
  struct ArrowArrayStream stream;
  struct ArrowArray array;
  double number = 1;
  int64_t rows;
  for (size_t i = 0; i < asked_count; i++) {
    if (all_asked[i].ask == merge) continue;
    REFUSED(HKSTATS_FORKED,
            all_asked[i].ask(it->store, all_asked[i].question, NULL, NULL, &table, &error));
    EXPECT(!table, "a table");
  }
  REFUSED(HKSTATS_FORKED,
          hkstats_import(it->store, it->export_path, NULL, NULL, NULL, NULL, &error));
  REFUSED(HKSTATS_FORKED, hkstats_table_rows(it->table, &rows, &error));
  REFUSED(HKSTATS_FORKED, hkstats_table_info(it->table, &(char *){NULL}, &error));
  REFUSED(HKSTATS_FORKED, hkstats_table_schema(it->table, &schema, &error));
  REFUSED(HKSTATS_FORKED, hkstats_table_stream(it->table, &stream, &error));
  REFUSED(HKSTATS_FORKED, hkstats_convert(it->conversion, &number, &number, 1, &error));
  REFUSED(HKSTATS_FORKED, hkstats_conversion_close(it->conversion, &error));
  REFUSED(HKSTATS_FORKED, hkstats_table_close(it->table, &error));
  REFUSED(HKSTATS_FORKED, hkstats_store_close(it->store, &error));
  EXPECT(it->stream.get_schema(&it->stream, &schema) != 0, "a schema of the parent's stream");
  EXPECT(it->stream.get_next(&it->stream, &array) != 0, "a batch of the parent's stream");
  const char *sentence = it->stream.get_last_error(&it->stream);
  EXPECT(sentence && strstr(sentence, "fork"), "the stream says: %s", sentence ? sentence : "-");
  it->stream.release(&it->stream);
  // Memory is the child's own.
  let_go(&it->kept);
}

/// Everything that a child opens itself works.
static void open_own(struct handles *it) {
  static int number;
  char name[4096];
  snprintf(name, sizeof name, "%s/child-%d-%d.sqlite", it->folder, (int)getppid(), number++);
  hkstats_store *own = opened(it->path, HKSTATS_READ_ONLY);
  shared_store = own;
  for (size_t i = 0; i < asked_count; i++)
    EXPECT(sum_of(&all_asked[i]) == expected_sums[i], "%s: another answer", all_asked[i].name);
  DONE(hkstats_store_close(own, &error));
  hkstats_store *new = opened(name, HKSTATS_READ_WRITE);
  DONE(hkstats_import(new, it->export_path, NULL, NULL, NULL, NULL, &error));
  contents(new);
  DONE(hkstats_store_close(new, &error));
}

static void be_child(struct handles *it) {
  use_inherited(it);
  open_own(it);
}

/// Each function says that the library cannot be used.
static void be_refused(struct handles *it) {
  hkstats_store *store = NULL;
  hkstats_table *table = NULL;
  hkstats_conversion *conversion = NULL;
  use_inherited(it);
  REFUSED(HKSTATS_FORKED, hkstats_store_open(it->path, 0, 0, NULL, &store, &error));
  REFUSED(HKSTATS_FORKED, hkstats_store_temporary(&store, &error));
  REFUSED(HKSTATS_FORKED, hkstats_describe(&(char *){NULL}, &error));
  REFUSED(HKSTATS_FORKED, hkstats_unit("m", &(char *){NULL}, &error));
  REFUSED(HKSTATS_FORKED, hkstats_conversion_open("m", "km", NULL, &conversion, &error));
  REFUSED(HKSTATS_FORKED, merge(NULL, NULL, NULL, NULL, &table, &error));
  EXPECT(!store && !table && !conversion, "something is opened");
  EXPECT(strlen(hkstats_version()) > 2 && hkstats_abi_version() == HKSTATS_ABI_VERSION, "version");
  EXPECT(hkstats_live_objects() > 0, "no live objects");
}

static int is_amid, may_end;

/// Keeps a call running until it may end.
static int32_t wait_amid(void *context, const char *phase, double share) {
  (void)context, (void)phase, (void)share;
  __atomic_store_n(&is_amid, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&may_end, __ATOMIC_SEQ_CST)) usleep(1000);
  return 0;
}

static void *ask_long(void *handles) {
  hkstats_table *table = NULL;
  DONE(ask_types(((struct handles *)handles)->store, NULL, wait_amid, NULL, &table, &error));
  if (table) DONE(hkstats_table_close(table, &error));
  return NULL;
}

static int32_t fork_amid(void *context, const char *phase, double share) {
  (void)phase, (void)share;
  static int was_forked;
  if (was_forked++) return 0;
  const int status = in_child(be_refused, context);
  EXPECT(status == 0, "a child of a progress function ends with %d", status);
  return 0;
}

static void *release_often(void *handles) {
  struct handles *it = handles;
  while (!__atomic_load_n(&may_end, __ATOMIC_SEQ_CST)) {
    hkstats_table *table = table_of(it->store, &all_asked[6]);
    struct ArrowArrayStream stream = stream_of(table);
    struct ArrowArray array;
    if (stream.get_next(&stream, &array) == 0 && array.release) array.release(&array);
    DONE(hkstats_table_close(table, &error));
    stream.release(&stream);
  }
  return NULL;
}

/// A child that is not refused can open the store.
static void open_or_be_refused(struct handles *it) {
  hkstats_store *store = NULL;
  alarm(10);
  const int32_t code = hkstats_store_open(it->path, HKSTATS_READ_ONLY, 0, NULL, &store, NULL);
  EXPECT(code == HKSTATS_OK || code == HKSTATS_FORKED, "code %d", code);
  if (code != HKSTATS_OK) return;
  contents(store);
  DONE(hkstats_store_close(store, &error));
}

static void forks(const char *path, const char *export_path, const char *folder) {
  enum { CHILDREN = 8, BESIDE = 60 };
  static struct handles it;
  it.path = path, it.export_path = export_path, it.folder = folder;
  shared_store = it.store = opened(path, HKSTATS_READ_WRITE);
  for (size_t i = 0; i < asked_count; i++) expected_sums[i] = sum_of(&all_asked[i]);
  it.table = table_of(it.store, &all_asked[6]);
  it.stream = stream_of(it.table);
  struct ArrowArrayStream stream = stream_of(it.table);
  keep(&it.kept, &stream, 3);
  DONE(hkstats_conversion_open("m", "km", NULL, &it.conversion, &error));

  for (int i = 0; i < CHILDREN; i++) {
    const int status = in_child(be_child, &it);
    EXPECT(status == 0, "a child ends with %d", status);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, ask_long, &it);
  while (!__atomic_load_n(&is_amid, __ATOMIC_SEQ_CST)) usleep(1000);
  for (int i = 0; i < CHILDREN; i++) {
    const int status = in_child(be_refused, &it);
    EXPECT(status == 0, "a child amid a call ends with %d", status);
  }
  __atomic_store_n(&may_end, 1, __ATOMIC_SEQ_CST);
  pthread_join(thread, NULL);
  hkstats_table *table = NULL;
  DONE(ask_types(it.store, NULL, fork_amid, &it, &table, &error));
  DONE(hkstats_table_close(table, &error));

  // Streams are released beside forks: what that locks must not stay locked in a child.
  __atomic_store_n(&may_end, 0, __ATOMIC_SEQ_CST);
  pthread_create(&thread, NULL, release_often, &it);
  for (int i = 0; i < BESIDE; i++) {
    const int status = in_child(open_or_be_refused, &it);
    EXPECT(status == 0, "a child beside short calls ends with %d", status);
  }
  __atomic_store_n(&may_end, 1, __ATOMIC_SEQ_CST);
  pthread_join(thread, NULL);

  // The parent goes on.
  uint64_t sum;
  EXPECT(read_stream(&it.stream, &sum) > 0, "the parent's stream has no row");
  it.stream.release(&it.stream);
  let_go(&it.kept);
  DONE(hkstats_conversion_close(it.conversion, &error));
  DONE(hkstats_table_close(it.table, &error));
  DONE(hkstats_store_close(it.store, &error));
  printf("  %d children\n", 2 * CHILDREN + 1 + BESIDE);
}

// MARK: - Controls, which must be caught

/// Reads a number of a released array.
static void read_after_release(const char *path) {
  hkstats_store *store = opened(path, HKSTATS_READ_ONLY);
  hkstats_table *table = table_of(store, &all_asked[6]);
  struct ArrowArrayStream stream = stream_of(table);
  struct ArrowArray array;
  if (stream.get_next(&stream, &array) != 0) exit(0);
  DONE(hkstats_table_close(table, &error));
  stream.release(&stream);
  const volatile int64_t *starts = array.children[0]->buffers[1];
  array.release(&array);
  printf("  %" PRId64 "\n", starts[0]);
  DONE(hkstats_store_close(store, &error));
}

static void never_release(const char *path) {
  hkstats_store *store = opened(path, HKSTATS_READ_ONLY);
  hkstats_table *table = table_of(store, &all_asked[6]);
  stream_of(table);
  DONE(hkstats_table_close(table, &error));
  DONE(hkstats_store_close(store, &error));
}

int main(int count, char **arguments) {
  if (count < 5) return 64;
  const char *trial = arguments[1], *store = arguments[2], *folder = arguments[4];
  const char *export_path = arguments[3];
  // A FIFO or a pipe without reader is no reason to end.
  alarm(strcmp(trial, "fuzz") == 0 ? 0 : 300);
  if (strcmp(trial, "lifetimes") == 0) lifetimes(store);
  else if (strcmp(trial, "within") == 0) call_within(export_path, folder);
  else if (strcmp(trial, "threads") == 0) threads(store);
  else if (strcmp(trial, "memory") == 0) memory(store);
  else if (strcmp(trial, "cancel") == 0) cancel(store, export_path, folder);
  else if (strcmp(trial, "forks") == 0) forks(store, export_path, folder);
  else if (strcmp(trial, "read-after-release") == 0) read_after_release(store);
  else if (strcmp(trial, "never-release") == 0) never_release(store);
  else if (strcmp(trial, "fuzz") == 0 && count > 6)
    fuzz(store, export_path, folder, strtoull(arguments[5], NULL, 10), atol(arguments[6]));
  else return 64;
  NO_LIVE_OBJECT(trial);
  return failures > 0;
}

/*
 * hkstats: statistics over Apple Health data, merged as HealthKit merges it.
 *
 * C99 and C++. Link with -lhkstats.
 *
 *   hkstats_store *store = NULL;
 *   hkstats_table *days = NULL;
 *   struct ArrowArrayStream stream;
 *   char *error = NULL;
 *   int32_t code = hkstats_store_open("health.sqlite", HKSTATS_READ_ONLY, HKSTATS_NO_KEY, NULL,
 *                                     &store, &error);
 *   if (code == HKSTATS_OK)
 *     code = hkstats_ask(store, "statistics", "{\"type\": \"steps\", \"by\": \"day\"}", NULL, NULL,
 *                        &days, &error);
 *   if (code == HKSTATS_OK) code = hkstats_table_stream(days, &stream, &error);
 *   if (code != HKSTATS_OK) fprintf(stderr, "%s\n", error);
 *   hkstats_free(error);
 *
 * Rules of all functions
 *
 * - A function that can fail returns HKSTATS_OK or another code of enum hkstats_code. Its last
 *   parameter gets an object of JSON, or NULL on success; the caller frees it with hkstats_free. It
 *   may be NULL. No error has a measured value.
 * - The object is {"code": 64, "where": "question.by", "reason": "unknownWord", "message": …}. where
 *   is the argument, or the member of a question; null for none. A reason keeps its name. message
 *   is a sentence for people. explanation, if there is one, says why without names of files.
 * - On failure what the function gives stays NULL, and a stream stays unreleased memory of the
 *   caller that must not be released.
 * - Text is UTF-8 that ends with NUL; other bytes are refused. Numbers that are not finite are
 *   refused, except by hkstats_convert, which passes them on.
 * - Handles may be used by several threads at once, and closed once, while no other thread uses
 *   them. NULL is refused by code. A handle that is closed must not be used.
 * - After fork a child cannot use the handles of its parent: each call says HKSTATS_FORKED. A child
 *   may open its own, unless it was forked while another thread was in a call. A child that is forked
 *   inside a progress function must leave by _exit or exec, and not return from that function.
 * - Tables, and the streams and arrays taken from them, outlive the store; streams and arrays
 *   outlive the table.
 *
 * The documentation page "The C library" has the JSON forms and the columns of each table.
 */
#ifndef HKSTATS_H
#define HKSTATS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The Arrow C data interface, https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* The version of this interface. It changes when a caller must be compiled again. */
#define HKSTATS_ABI_VERSION 2

/* What went wrong; the exit codes of the program, and one more. */
enum hkstats_code {
  HKSTATS_OK = 0,
  /* Another reason. */
  HKSTATS_FAILED = 1,
  /* An argument is wrong: a name, a date, a unit, a member of JSON, NULL. */
  HKSTATS_USAGE = 64,
  /* A file is damaged, or of another kind. */
  HKSTATS_BAD_DATA = 65,
  /* There is no such file. */
  HKSTATS_NO_INPUT = 66,
  /* The disk is full, or a file cannot be read or written. */
  HKSTATS_INPUT_OUTPUT = 74,
  /* Another process or thread writes to the store. */
  HKSTATS_BUSY = 75,
  /* The store is encrypted, and the key is missing or wrong. */
  HKSTATS_NOT_PERMITTED = 77,
  /* The progress function returned another number than 0. */
  HKSTATS_INTERRUPTED = 130,
  /* The process was forked: the handle is another process's, or a call was running. */
  HKSTATS_FORKED = 200
};

/* Whether a store is opened for writing. */
enum hkstats_mode { HKSTATS_READ_ONLY = 0, HKSTATS_READ_WRITE = 1 };

/* What opens an encrypted store. */
enum hkstats_key { HKSTATS_NO_KEY = 0, HKSTATS_PASSPHRASE = 1, HKSTATS_KEY_FILE = 2 };

typedef struct hkstats_store hkstats_store;
typedef struct hkstats_table hkstats_table;
typedef struct hkstats_conversion hkstats_conversion;

/*
 * Gets the progress of a call, on the thread of the call: what is done ("reading", "storing"), and
 * the share that is done, from 0 to 1, or below 0 where the whole is not known. Returns 0 to go on;
 * another number ends the call with HKSTATS_INTERRUPTED, and changes nothing. It may ask stores,
 * but not import.
 */
typedef int32_t (*hkstats_progress)(void *context, const char *phase, double share);

/* MARK: The library */

/* HKSTATS_ABI_VERSION of the library; compare it with that of this header. */
int32_t hkstats_abi_version(void);

/* The version of the library, after Semantic Versioning. Do not free it. */
const char *hkstats_version(void);

/* Frees a text that a function gave. NULL does nothing. */
void hkstats_free(char *text);

/* How many handles, streams, schemas and arrays are alive; 0 when all are closed and released. */
int64_t hkstats_live_objects(void);

/* MARK: Stores */

/*
 * Opens the store at a path; one of HKSTATS_READ_WRITE is made if there is none. The key is a
 * passphrase or the path of a key file; NULL for HKSTATS_NO_KEY.
 */
int32_t hkstats_store_open(const char *path, int32_t mode, int32_t key_kind, const char *key,
                           hkstats_store **store, char **error);

/*
 * Makes an empty store in a file of mode 0600 that no path leads to, and that is gone when the
 * store and the streams of its samples are closed. Its calls wait for each other.
 */
int32_t hkstats_store_temporary(hkstats_store **store, char **error);

/*
 * Sets what now is for later questions and imports of a store: a moment in ISO 8601 with its offset
 * from UTC, such as "2026-11-28T03:06:00+01:00", so that "today" and "-7d" mean the same on every
 * day. NULL sets it to the clock of the system, as it is at first.
 */
int32_t hkstats_store_set_now(hkstats_store *store, const char *now, char **error);

/* Closes a store. */
int32_t hkstats_store_close(hkstats_store *store, char **error);

/*
 * Imports an export of the Health app (zip, folder, xml) or of another program: completely, or not
 * at all. What the store has already is counted and stays. Files of another program in a folder that
 * tell one time differently are exports of their own, imported one by one.
 *
 * Options, NULL for none: {"jobs": 2, "dryRun": false, "replacing": false, "restoring": false}.
 * The report is the JSON of `hkstats import --format json`; NULL if it is not wanted.
 */
int32_t hkstats_import(hkstats_store *store, const char *path, const char *options,
                       hkstats_progress progress, void *context, char **report, char **error);

/* MARK: Questions */

/*
 * Asks one snapshot of the store for a table:
 *
 * statistics  of intervals: {"type": "steps", "by": "day", "from": "-30d", "stat": "sum"}
 * explain     what each source counted, and which one masked it: {"type": "steps", "by": "day"}
 * analysis    what the numbers mean: {"analysis": "trend", "type": "restingHeartRate"}
 * samples     the samples themselves: {"type": "heartRate", "from": "2026"}
 * elements    those of a kind: {"kind": "workoutRoute", "from": "2026"}
 * workouts    with distance, energy and heart rate: {"activity": "running", "from": "2026"}; or
 *             totals: {"by": "month", "stat": "count,distance,pace"}
 * rings       of activity, a row a day: {"from": "-30d"}; or runs of days: {"streaks": true}
 * sleep       nights, or their means: {"from": "-30d", "by": "night"}
 * types       of the store, with counts, units and dates: {"timezone": "Europe/Paris"}
 * sources     of a type, the highest rank first: {"type": "steps"}
 *
 * A member of the question that is not known is refused. NULL for `question` asks with all defaults,
 * where no type is needed. Samples and elements are read while the stream is: their table and its
 * streams have one snapshot of the store, until all are closed and released.
 */
int32_t hkstats_ask(hkstats_store *store, const char *table, const char *question,
                    hkstats_progress progress, void *context, hkstats_table **out, char **error);

/*
 * What can be asked, as JSON: {"tables": [{"name": "sleep", "members": [{"name": "by", "kind": "word",
 * "words": ["night", "week", "month"], "about": …}, …]}, …], "functions": […], "analyses": [{"name":
 * "correlate", "about": …, "takesTypes": true, "lists": ["relations", "pairs"], "parameters":
 * [{"name": "lags", "kind": "count", "minimum": 0, "maximum": 366, "default": 3, "unit": "d",
 * "about": …}, …]}, …]}.
 *
 * tables has the members of questions, and functions those of the options of hkstats_import and
 * hkstats_merge. A kind of a member is types, text, texts, word, words, date, zone, zones, truth,
 * count, number, numbers or duration; one of a parameter number, count, truth, word, numbers or words.
 * words has the values of word and words. Ends of a range are minimum and maximum, or
 * exclusiveMinimum and exclusiveMaximum. A default is null where a rule is in its place. Where a
 * question with a type, or with intervals, has other lists, these are listsOfTypes and
 * listsOfIntervals. A question of analysis also has the parameters of its analysis.
 */
int32_t hkstats_describe(char **json, char **error);

/* MARK: Tables */

/* The number of rows; -1 for samples and elements, which are counted when they are read. */
int32_t hkstats_table_rows(hkstats_table *table, int64_t *rows, char **error);

/*
 * What a table is, as JSON: its name, the version of its schema, its columns and the rules of the
 * answer. A column has its name, the key of its values in the command's json (objects within each other
 * with points between), its form, unit and meaning; null where there is none.
 */
int32_t hkstats_table_info(hkstats_table *table, char **json, char **error);

/* The schema of a table; the caller releases it. */
int32_t hkstats_table_schema(hkstats_table *table, struct ArrowSchema *schema, char **error);

/* A new stream of all rows; any number of them can be taken. The caller releases it. */
int32_t hkstats_table_stream(hkstats_table *table, struct ArrowArrayStream *stream, char **error);

/* Closes a table. */
int32_t hkstats_table_close(hkstats_table *table, char **error);

/* MARK: Units and merging, without a store */

/* What a unit is, as JSON: {"unit": "lb/ft^2", "dimension": …, "factor": …}. */
int32_t hkstats_unit(const char *unit, char **json, char **error);

/*
 * The exact conversion from one unit to another. A type such as "bloodGlucose" says what a mole
 * weighs; NULL for none.
 */
int32_t hkstats_conversion_open(const char *from, const char *to, const char *type,
                                hkstats_conversion **conversion, char **error);

/* Converts numbers; `input` and `output` may be the same, and must not overlap otherwise. */
int32_t hkstats_convert(hkstats_conversion *conversion, const double *input, double *output,
                        size_t count, char **error);

/* Closes a conversion. */
int32_t hkstats_conversion_close(hkstats_conversion *conversion, char **error);

/*
 * Merges overlapping samples of several sources, as statistics do, into the parts that count.
 *
 * Times are seconds since one epoch of the caller; rows may be in any order. `sources` has an index
 * into `names` for each row, which rank in their order, the highest first. Options, NULL for none:
 * {"merge": "hk", "times": "seconds"}; with "timestamp" in place of "seconds", times are since
 * 2001-01-01 UTC, and the table has instants. The columns are only read during the call. The table
 * has the columns start, end, value, source, and row: the number of the sample that the part is of;
 * the parts of one source stand together, in the order of `names`, each in the order of time.
 */
int32_t hkstats_merge(const char *type, const double *starts, const double *ends,
                      const double *values, const int32_t *sources, size_t count,
                      const char *const *names, size_t name_count, const char *options,
                      hkstats_progress progress, void *context, hkstats_table **table,
                      char **error);

/* MARK: Python */

/* An empty stream to be filled, which hkstats_capsule_destructor frees; NULL without memory. */
struct ArrowArrayStream *hkstats_stream_allocate(void);

/* The same of a schema. */
struct ArrowSchema *hkstats_schema_allocate(void);

/*
 * The destructor of a PyCapsule named "arrow_array_stream" or "arrow_schema" that holds what one of
 * these gave: releases it if no reader has moved it, and frees it.
 */
void hkstats_capsule_destructor(void *capsule);

#ifdef __cplusplus
}
#endif

#endif /* HKSTATS_H */

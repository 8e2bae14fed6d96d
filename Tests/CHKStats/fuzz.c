// Calls every function of the library at random with right and wrong arguments. What is answered
// is checked and read as a whole; what is refused must be so by a code with a sentence.
#define _GNU_SOURCE
#include "host.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SECONDS = 10 };

// MARK: - Chance

static uint64_t state;

static uint64_t chance(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1du;
}

static size_t below(size_t count) { return (size_t)(chance() >> 33) % count; }
static int one_in(size_t count) { return below(count) == 0; }

#define ANY_OF(list) ((list)[below(sizeof(list) / sizeof *(list))])

// MARK: - What is running

/// Each function with how often it answered and refused.
enum function {
  STORE_OPEN, STORE_TEMPORARY, STORE_SET_NOW, STORE_CLOSE, IMPORT, STATISTICS, EXPLAIN, ANALYSIS, SAMPLES,
  ELEMENTS, WORKOUTS, SLEEP, TYPES, SOURCES, TABLE_ROWS, TABLE_INFO, TABLE_SCHEMA, TABLE_STREAM,
  TABLE_CLOSE, DESCRIBE, UNIT, CONVERSION_OPEN, CONVERT, CONVERSION_CLOSE, MERGE, FUNCTIONS
};

static struct tally {
  const char *name;
  long answered, refused, by_code[256];
  double slowest;
  char what[160];
} tallies[FUNCTIONS] = {
    {.name = "store_open"}, {.name = "store_temporary"}, {.name = "store_set_now"},
    {.name = "store_close"},
    {.name = "import"}, {.name = "statistics"}, {.name = "explain"}, {.name = "analysis"},
    {.name = "samples"}, {.name = "elements"}, {.name = "workouts"}, {.name = "sleep"},
    {.name = "types"}, {.name = "sources"}, {.name = "table_rows"}, {.name = "table_info"},
    {.name = "table_schema"}, {.name = "table_stream"}, {.name = "table_close"},
    {.name = "describe"}, {.name = "unit"}, {.name = "conversion_open"}, {.name = "convert"},
    {.name = "conversion_close"}, {.name = "merge"},
};

static enum function running;
static char running_text[512];
static uint64_t running_seed;
static long running_number;
static double began;

/// Says in which call the process ends.
static void say_and_end(int number) {
  char line[1024];
  const int count = snprintf(
      line, sizeof line, "  signal %d in call %ld of seed %" PRIu64 ": hkstats_%s(%s)\n", number,
      running_number, running_seed, tallies[running].name, running_text);
  if (write(1, line, (size_t)count) < 0) _exit(3);
  if (number == SIGALRM) _exit(2);
  signal(number, SIG_DFL);
  raise(number);
}

/// Begins a call; the text says what it was asked.
static void begin(enum function function, const char *text) {
  running = function;
  snprintf(running_text, sizeof running_text, "%.400s", text ? text : "NULL");
  began = milliseconds();
  alarm(MOST_SECONDS);
}

/// Ends a call: its code is one of the header's, with a sentence, and it gives something or NULL.
static int ended(int32_t code, char *error, int is_given, int gets_sentence) {
  static const int32_t codes[] = {HKSTATS_OK, HKSTATS_FAILED, HKSTATS_USAGE, HKSTATS_BAD_DATA,
      HKSTATS_NO_INPUT, HKSTATS_INPUT_OUTPUT, HKSTATS_BUSY, HKSTATS_NOT_PERMITTED,
      HKSTATS_INTERRUPTED};
  static const char *const internal[] = {"unknown reason", "Error Domain", "Optional(",
      "DecodingError", "(Foundation", "Swift."};
  alarm(0);
  struct tally *tally = &tallies[running];
  const double took = milliseconds() - began;
  if (took > tally->slowest) {
    tally->slowest = took;
    snprintf(tally->what, sizeof tally->what, "%.150s", running_text);
  }
  int is_known = 0;
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) is_known |= code == codes[i];
  const char *name = tally->name;
  EXPECT(is_known, "%s(%.300s): code %d", name, running_text, code);
  if (code == HKSTATS_OK) {
    tally->answered += 1;
    EXPECT(is_given && !error, "%s(%.300s) answers nothing, or with a sentence: %s", name,
           running_text, error ? error : "-");
  } else {
    tally->refused += 1;
    tally->by_code[code & 255] += 1;
    EXPECT(!is_given, "%s(%.300s) is refused, and gives something", name, running_text);
    // What a sentence quotes has at most six bytes for each of its own in JSON.
    EXPECT(!gets_sentence || (error && !strncmp(error, "{\"code\":", 8) &&
                              strstr(error, "\"reason\":\"") && strlen(error) < 6 * 4000),
           "%s(%.300s): code %d with the error %.200s", name, running_text, code,
           error ? error : "NULL");
    for (size_t i = 0; error && i < sizeof internal / sizeof *internal; i++)
      EXPECT(!strstr(error, internal[i]), "%s(%.300s): %.300s", name, running_text, error);
  }
  hkstats_free(error);
  return code == HKSTATS_OK;
}

// MARK: - Texts

/// A text that grows.
static struct text {
  char *bytes;
  size_t count, room;
} text;

static void put_bytes(const char *bytes, size_t count) {
  if (text.count + count + 1 > text.room) {
    text.room = 2 * (text.count + count + 1);
    text.bytes = realloc(text.bytes, text.room);
    if (!text.bytes) abort();
  }
  memcpy(text.bytes + text.count, bytes, count);
  text.count += count;
  text.bytes[text.count] = 0;
}

static void put_text(const char *bytes) { put_bytes(bytes, strlen(bytes)); }

static const char *const types[] = {"steps", "steps", "heartRate", "heartRate", "bodyMass",
    "restingHeartRate", "activeEnergyBurned", "sleepAnalysis", "distanceWalkingRunning",
    "oxygenSaturation", "bloodGlucose", "appleStandHour", "vo2Max", "sleepDurationGoal",
    "HKQuantityTypeIdentifierStepCount", "heartRate.max", "stpes", "flightsClimbed"};
static const char *const statistics[] = {"sum", "mean", "min", "max", "count", "duration", "p90",
    "median", "stddev", "recent", "first", "coverage", "timeP50", "timeMedian", "p0", "p100",
    "p101",
    "sum,count", "mean,min,max", "avg"};
static const char *const zones[] = {"UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata",
    "Pacific/Apia", "GMT+0530", "GMT-1800", "America/Sao_Paulo", "Australia/Lord_Howe",
    "Mars/Base"};
static const char *const units[] = {"count", "m", "km", "count/min", "mg/dL", "mmol/L", "kg", "lb",
    "kcal", "kJ", "s", "min", "%", "degC", "degF", "mL/min·kg", "ms", "lb/ft^2", "recorded",
    "count/s", "mol<180.15588>", "furlong", "m^2", "ft", "mi/h", "inHg"};
static const char *const intervals[] = {"day", "day", "week", "month", "year", "hour", "15min",
    "quarter", "90min", "7d", "36h", "3mo", "10min", "night", "daily", "0min", "999999999999y"};
static const char *const policies[] = {"hk", "hc", "subtractive", "drop", "highest", "none", "max"};
static const char *const sources[] = {"Anna’s Apple Watch", "Anna’s iPhone", "Apple Watch", "*",
    "Garmin", "Watch*", "",
    "\\u00e9", "a.b/c"};
static const char *const styles[] = {"sdk18", "sdk17", "arithmetic", "temporallyWeighted",
    "temporally-weighted", "discrete"};
static const char *const kinds[] = {"workout", "workoutRoute", "correlation", "activitySummary",
    "heartRateVariabilityMetadataList", "electrocardiogram", "audiogram", "visionPrescription",
    "clinicalRecord", "me", "characteristic", "savedObject", "bloodPressure", "wrokout"};
static const char *const conditions[] = {"value>10", "value>=60 count/min", "device=Watch",
    "source!=iPhone", "uuid=1", "metadata.HKWasUserEntered=1",
    "value<", "=", "start>2026", "value=1e999"};
static const char *const analyses[] = {"trend", "anomalies", "typical", "changes", "course",
    "correlate", "components", "rhythm", "training", "glucose", "hrv", "pressure", "cycles",
    "trnd"};
static const char *const columns[] = {"start", "end", "value", "unit", "source", "type", "metadata",
    "entered_by_hand", "source_version", "device", "created", "copies", "product_type",
    "operating_system", "vlaue"};
static const char *const wrong[] = {"null", "true", "false", "-1", "0", "1e400", "1e308", "-1e-320",
    "18446744073709551616", "9223372036854775807", "\"\"", "\"\\u0000\"", "\"\\ud800\"", "[]", "{}",
    "[[]]", "[null]", "\"NaN\"", "0.5", "NaN", "\"\\u202e\\u0000x\"", "[1,2,3]", "{\"type\":1}",
    "\"-\"", "\"1e999\"", "[\"\",\"\"]", "\"2026-13-45T99:99\"", "-0", "01", "'day'", "\"\xff\"",
    "\"\xed\xa0\x80\"", "\"\xf0\x9f\x98\x80\"", "99999999999999999999999999"};

/// Whether words are taken from the first of each list, which are right.
static int is_calm;

#define WORD_OF(list, right) ((list)[below(is_calm ? (right) : sizeof(list) / sizeof *(list))])

static void put_date(void) {
  static const char *const words[] = {"2026", "2026-10", "2026-10-15", "-30d", "-1y", "-2w",
    "today",
      "yesterday", "2026-10-15T12:00", "2026-10-15T12:00:00Z", "2026-W42", "now", "-0d",
    "-999999999d",
      "2026-03-29T02:30", "99999", "0000"};
  char date[64];
  if (is_calm || !one_in(4)) {
    put_text(WORD_OF(words, 11));
    return;
  }
  const unsigned year = one_in(2) ? 2020 + (unsigned)below(10) : (unsigned)below(100000);
  snprintf(date, sizeof date, "%04u-%02u-%02u", year, (unsigned)below(14), (unsigned)below(33));
  put_text(date);
}

/// Appends a pattern, in which @ and a letter stand for something of that kind.
static void put(const char *pattern) {
  char number[32];
  for (const char *next = pattern; *next; next++) {
    if (*next != '@') {
      put_bytes(next, 1);
      continue;
    }
    switch (*++next) {
    case 't': put_text(WORD_OF(types, 14)); break;
    case 's': put_text(WORD_OF(statistics, 6)); break;
    case 'z': put_text(WORD_OF(zones, 9)); break;
    case 'u': put_text(WORD_OF(units, 3)); break;
    case 'b': put_text(WORD_OF(intervals, 13)); break;
    case 'p': put_text(WORD_OF(policies, 6)); break;
    case 'o': put_text(WORD_OF(sources, 2)); break;
    case 'y': put_text(WORD_OF(styles, 3)); break;
    case 'k': put_text(WORD_OF(kinds, 10)); break;
    case 'w': put_text(WORD_OF(conditions, 3)); break;
    case 'a': put_text(WORD_OF(analyses, 13)); break;
    case 'c': put_text(WORD_OF(columns, 12)); break;
    case 'd': put_date(); break;
    case 'n':
      snprintf(number, sizeof number, "%d", (int)below(one_in(4) ? 100000 : 30) - one_in(20));
      put_text(number);
      break;
    default: abort();
    }
  }
}

/// A member with the pattern of its value; the first of a function is what it needs.
struct member {
  const char *name, *value;
};

static const struct member statistics_members[] = {{"type", "\"@t\""},
    {"type", "[\"@t\", \"@t\"]"},
    {"type", "[{\"type\": \"@t\", \"stat\": \"@s\", \"merge\": \"@p\"}]"},
    {"type", "{\"type\": \"@t\", \"unit\": \"@u\", \"prefer\": [\"@o\"]}"}, {"type", "\"@t,@t\""},
    {"by", "\"@b\""}, {"by", "\"@b\""}, {"from", "\"@d\""}, {"to", "\"@d\""}, {"anchor", "\"@d\""},
    {"timezone", "\"@z\""}, {"zones", "[{\"from\": null, \"zone\": \"@z\"}, "
    "{\"from\": \"2026-10-0@n\", \"zone\": \"@z\"}]"}, {"zones", "[{\"zone\": \"@z\"}]"},
    {"stat", "\"@s\""}, {"stat", "[\"@s\", \"@s\"]"}, {"per", "\"day\""}, {"per", "\"week\""},
    {"clip", "true"}, {"merge", "\"@p\""}, {"prefer", "\"@o\""}, {"source", "\"@o\""},
    {"exclude", "[\"@o\", \"@o\"]"}, {"style", "\"@y\""}, {"hold", "@n"}, {"hold", "\"5min\""},
    {"bySource", "true"}, {"explain", "true"}, {"exact", "true"}, {"unit", "\"@u\""},
    {"group", "\"weekday\""}, {"group", "\"hour\""}, {"rolling", "@n"}, {"top", "@n"},
    {"least", "true"}, {"above", "@n"}, {"below", "\"@n @u\""}, {"streaks", "true"},
    {"gaps", "true"},
    {"spread", "true"}, {"compare", "\"previous\""}, {"compare", "\"year\""}};
static const struct member explain_members[] = {{"type", "\"steps\""}, {"type", "\"@t\""},
    {"by", "\"@b\""}, {"by", "\"day\""}, {"from", "\"@d\""}, {"to", "\"@d\""},
    {"timezone", "\"@z\""}, {"zones", "[{\"zone\": \"@z\"}]"}, {"clip", "true"},
    {"merge", "\"@p\""},
    {"prefer", "[\"@o\"]"}, {"source", "\"@o\""}, {"exclude", "\"@o\""}, {"stat", "\"sum\""},
    {"unit", "\"@u\""}, {"explain", "true"}, {"exact", "true"}, {"top", "@n"},
    {"bySource", "true"}};
static const struct member analysis_members[] = {
    // Most need a type.
    {"analysis", "\"@a\", \"type\": \"@t\""}, {"analysis", "\"@a\""},
    {"analysis", "\"trend\", \"type\": \"steps\""}, {"analysis", "\"course\", \"type\": \"steps\""},
    {"analysis", "\"anomalies\", \"type\": \"steps\""},
    {"type", "\"@t\""},
    {"type", "[\"@t\", \"@t\"]"}, {"by", "\"@b\""}, {"from", "\"@d\""}, {"to", "\"@d\""},
    {"timezone", "\"@z\""}, {"stat", "\"@s\""}, {"model", "\"theilSen\""}, {"model", "\"line\""},
    {"confidence", "0.9"}, {"baseline", "@n"}, {"warmUp", "@n"}, {"threshold", "@n"},
    {"days", "@n"}, {"atLeast", "@n"}, {"within", "@n"}, {"share", "0.5"}, {"leastLength", "@n"},
    {"factor", "@n"}, {"penalty", "@n"}, {"lags", "@n"}, {"rate", "0.1"}, {"periods", "\"24h\""},
    {"search", "\"20h-28h\""}, {"freeDays", "\"sat,sun\""}, {"resting", "@n"}, {"maximum", "@n"},
    {"weighting", "\"men\""}, {"guideline", "\"aha\""}, {"place", "\"home\""}, {"gap", "@n"},
    {"longest", "@n"}, {"shortest", "@n"}, {"merge", "\"@p\""}, {"unit", "\"@u\""}};
static const struct member samples_members[] = {{"type", "\"@t\""}, {"type", "[\"@t\", \"@t\"]"},
    {"from", "\"@d\""}, {"to", "\"@d\""}, {"timezone", "\"@z\""}, {"zones", "[{\"zone\": \"@z\"}]"},
    {"source", "\"@o\""}, {"exclude", "\"@o\""}, {"unit", "\"@u\""},
    {"columns", "[\"@c\", \"@c\"]"},
    {"columns", "\"@c\""}, {"order", "\"newest\""}, {"order", "\"time\""}, {"limit", "@n"},
    {"rows", "@n"}, {"times", "\"seconds\""}, {"where", "\"@w\""}, {"where", "[\"@w\", \"@w\"]"}};
static const struct member elements_members[] = {{"kind", "\"@k\""}, {"from", "\"@d\""},
    {"to", "\"@d\""}, {"timezone", "\"@z\""}, {"source", "\"@o\""}, {"exclude", "\"@o\""},
    {"order", "\"newest\""}, {"limit", "@n"}, {"times", "\"seconds\""}};
static const struct member workouts_members[] = {{"activity", "\"running\""}, {"from", "\"@d\""},
    {"to", "\"@d\""}, {"timezone", "\"@z\""}, {"source", "\"@o\""}, {"exclude", "\"@o\""},
    {"activity", "\"rnning\""}, {"heartRateZones", "[100, 120, 140]"},
    {"heartRateZones", "[@n, @n]"}};
static const struct member sleep_members[] = {{"from", "\"@d\""}, {"to", "\"@d\""},
    {"timezone", "\"@z\""}, {"source", "\"@o\""}, {"prefer", "\"@o\""}, {"gap", "\"@nmin\""},
    {"gap", "@n"}, {"by", "\"night\""}, {"by", "\"week\""}, {"by", "\"month\""}, {"by", "\"@b\""}};
static const struct member types_members[] = {{"timezone", "\"@z\""},
    {"zones", "[{\"zone\": \"@z\"}, {\"from\": \"@d\", \"zone\": \"@z\"}]"}};
static const struct member sources_members[] = {{"type", "\"@t\""}, {"type", "[\"@t\", \"@t\"]"},
    {"type", "\"@t,@t\""}, {"timezone", "\"@z\""}};
static const struct member import_members[] = {{"jobs", "@n"}, {"jobs", "1"}, {"dryRun", "true"},
    {"replacing", "true"}, {"restoring", "true"}};
static const struct member merge_members[] = {{"merge", "\"@p\""}, {"times", "\"timestamp\""}};

/// The functions that ask a store, and what their questions have.
static const struct question {
  enum function function;
  table_function *ask;
  const struct member *members;
  size_t count;
  /// How many of the first members every question needs one of.
  size_t needed;
} questions[] = {
#define COUNTED(list) list, sizeof list / sizeof *list
    {STATISTICS, ask_statistics, COUNTED(statistics_members), 5},
    {EXPLAIN, ask_explain, COUNTED(explain_members), 2},
    {ANALYSIS, ask_analysis, COUNTED(analysis_members), 5},
    {SAMPLES, ask_samples, COUNTED(samples_members), 2},
    {ELEMENTS, ask_elements, COUNTED(elements_members), 1},
    {WORKOUTS, ask_workouts, COUNTED(workouts_members), 0},
    {SLEEP, ask_sleep, COUNTED(sleep_members), 0},
    {TYPES, ask_types, COUNTED(types_members), 0},
    {SOURCES, ask_sources, COUNTED(sources_members), 0},
};
static const struct question import_options = {IMPORT, NULL, COUNTED(import_members), 0};
static const struct question merge_options = {MERGE, NULL, COUNTED(merge_members), 0};

static void put_member(const struct member *member, int is_wrong) {
  put_text(text.count > 1 ? ", \"" : "\"");
  put_text(is_wrong && one_in(10) ? "tpye" : member->name);
  put_text("\": ");
  if (is_wrong && one_in(2)) put_text(ANY_OF(wrong));
  else put(member->value);
}

/// A text that is too much in one way.
static const char *monster(void) {
  const size_t kind = below(8);
  const size_t count = kind == 7 ? 20 << 20 : kind == 6 ? 15 << 20 : 100000;
  text.count = 0;
  if (kind > 3) put_text(one_in(2) ? "{\"type\": \"" : "");
  for (size_t i = 0; text.count < count; i++) {
    switch (kind) {
    case 0: put_text("["); break;
    case 1: put_text("{\"type\":"); break;
    case 2: put_text(i ? ",\"Watch\"" : "{\"source\":[\"x\""); break;
    case 3: put_text(i ? "0" : "{\"limit\":1"); break;
    case 4: put_text("steps,"); break;
    default: put_text("heart rate of the left hand "); break;
    }
  }
  if (kind == 2) put_text("]");
  if (kind > 3) put_text("\"}");
  else if (kind > 1) put_text("}");
  return text.bytes;
}

/// Changes bytes of the text.
static void mutate(char *bytes, size_t *count) {
  for (size_t left = 1 + below(4); left > 0 && *count > 0; left--) {
    const size_t place = below(*count);
    switch (below(4)) {
    case 0: bytes[place] ^= (char)(1 << below(8)); break;
    case 1: bytes[place] = (char)chance(); break;
    case 2:
      memmove(bytes + place, bytes + place + 1, *count - place - 1);
      *count -= 1;
      break;
    default: if (one_in(3)) *count = place;
    }
  }
}

/// A question in JSON, right or wrong; may be NULL.
static const char *question_of(const struct question *question) {
  const size_t mood = below(20);
  if (mood == 0) return NULL;
  if (mood == 1 && one_in(40)) return monster();
  const int is_wild = mood < 5;
  is_calm = mood > 7;
  text.count = 0;
  put_text("{");
  if (question->needed && (!is_wild || !one_in(4)))
    put_member(&question->members[below(question->needed)], is_wild && one_in(4));
  if (is_calm && question->members == statistics_members && one_in(2)) put_text(", \"by\": \"day\"");
  size_t more = is_wild ? below(8) : below(one_in(2) ? 2 : 6);
  // Most members of analyses are those of one of them.
  if (is_calm && question->function == ANALYSIS) more = one_in(3);
  while (more-- > 0) {
    const size_t others = question->count - question->needed;
    if (others) put_member(&question->members[question->needed + below(others)], is_wild);
  }
  put_text("}");
  if (mood < 8 && mood > 5) mutate(text.bytes, &text.count);
  text.bytes[text.count] = 0;
  return text.bytes;
}

/// A text of pieces of units.
static const char *unit_text(void) {
  static const char *const pieces[] = {"/", "*", "·", "^2", "^-1", "(", ")", "^999999", "10", "k",
      "<1e999>", "^", " ", "\xff", "²", "1e400", "Ym^1000000", "%", "mol<", "0"};
  if (one_in(300)) return monster();
  text.count = 0;
  put_text(ANY_OF(units));
  if (one_in(2)) return text.bytes;
  for (size_t left = 1 + below(6); left > 0; left--)
    put_text(one_in(2) ? ANY_OF(pieces) : ANY_OF(units));
  return text.bytes;
}

// MARK: - Handles

enum { MOST_OPEN = 6, MOST_CLOSED = 16 };

/// The open handles of each kind, and some of those that were closed.
static struct pool {
  void *open[MOST_OPEN];
  size_t count;
} stores, tables, conversions;
static void *closed[MOST_CLOSED];

static void *any_handle(struct pool *pool) {
  static const uintptr_t garbage[] = {1, 2, 3, 15, 16, 17, 0xdead, 0xffffffff, UINTPTR_MAX,
      (uintptr_t)1 << 63, UINTPTR_MAX - 14};
  struct pool *const others[] = {&stores, &tables, &conversions};
  struct pool *other = ANY_OF(others);
  switch (below(40)) {
  case 0: return NULL;
  case 1: return (void *)ANY_OF(garbage);
  case 2: return (void *)(uintptr_t)chance();
  case 3: return ANY_OF(closed);
  // A handle of another kind may have the number of one of this kind.
  case 4: return other->count && other != pool ? other->open[below(other->count)] : NULL;
  default: return pool->count ? pool->open[below(pool->count)] : NULL;
  }
}

static void *opened_handle(struct pool *pool) {
  return pool->count ? pool->open[below(pool->count)] : NULL;
}

static void add(struct pool *pool, void *handle) {
  EXPECT(pool->count < MOST_OPEN, "too many handles");
  pool->open[pool->count++] = handle;
}

static void take_out(struct pool *pool, void *handle) {
  closed[below(MOST_CLOSED)] = handle;
  for (size_t i = 0; i < pool->count; i++)
    if (pool->open[i] == handle) pool->open[i--] = pool->open[--pool->count];
}

/// A place for the sentence, or none.
static char *sentence;
static char **place_of_sentence(void) {
  sentence = (char *)"not set";
  if (!one_in(12)) return &sentence;
  sentence = NULL;
  return NULL;
}

// MARK: - Progress

struct visit {
  hkstats_store *store;
  long left;
  int calls_back, is_slow;
};

static int32_t visit(void *context, const char *phase, double share) {
  struct visit *visit = context;
  EXPECT(phase && *phase && share <= 1, "%s, %g", phase ? phase : "NULL", share);
  if (visit->is_slow) usleep(200);
  if (visit->calls_back) {
    char *json = NULL;
    hkstats_table *table = NULL;
    EXPECT(hkstats_unit("km", &json, NULL) == HKSTATS_OK, "no unit within a call");
    hkstats_free(json);
    if (visit->calls_back > 1) {
      ask_types(visit->store, NULL, NULL, NULL, &table, NULL);
      if (table) hkstats_table_close(table, NULL);
    }
  }
  return visit->left-- == 0;
}

// MARK: - Calls

static const char *store_path, *work_folder;

static void close_one(enum function function, struct pool *pool, void *handle) {
  char **place = place_of_sentence();
  begin(function, "");
  const int32_t code = function == STORE_CLOSE ? hkstats_store_close(handle, place)
      : function == TABLE_CLOSE ? hkstats_table_close(handle, place)
                                : hkstats_conversion_close(handle, place);
  if (ended(code, sentence, code == HKSTATS_OK, place != NULL)) take_out(pool, handle);
}

static void open_store(void) {
  static const char *const keys[] = {NULL, "", "secret", "/dev/null", "/proc/no/file", "\xff\xfe"};
  char name[4096];
  hkstats_store *store = (hkstats_store *)&store;
  const char *path = store_path;
  int32_t mode = one_in(2) ? HKSTATS_READ_ONLY : HKSTATS_READ_WRITE;
  int32_t kind = HKSTATS_NO_KEY;
  const char *key = NULL;
  if (one_in(3)) {
    const char *const paths[] = {"", "/", "/dev/null", "/proc/no/store", "\xff", work_folder, NULL,
        "/proc/self/mem", "."};
    path = ANY_OF(paths);
    if (one_in(4)) {
      snprintf(name, sizeof name, "%s/damaged.sqlite", work_folder);
      path = name;
    }
  }
  if (one_in(6)) mode = (int32_t)below(5) - 1;
  if (one_in(6)) kind = (int32_t)below(5) - 1, key = ANY_OF(keys);
  const int is_null = one_in(12);
  char **place = place_of_sentence();
  begin(STORE_OPEN, path);
  const int32_t code =
      hkstats_store_open(path, mode, kind, key, is_null ? NULL : &store, place);
  if (ended(code, sentence, !is_null && store, place != NULL)) add(&stores, store);
}

static void open_temporary(void) {
  hkstats_store *store = NULL;
  const int is_null = one_in(4);
  char **place = place_of_sentence();
  begin(STORE_TEMPORARY, "");
  const int32_t code = hkstats_store_temporary(is_null ? NULL : &store, place);
  if (ended(code, sentence, store != NULL, place != NULL)) add(&stores, store);
}

static void set_now(void) {
  static const char *const moments[] = {
      NULL, "2026-11-28T03:06:00+01:00", "2024-02-29T23:59:59.999Z", "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59-23:59", "0000-12-31T00:00+23:59", "", "today", "2026-11-28", "\xff\xfe"};
  const char *now = ANY_OF(moments);
  char **place = place_of_sentence();
  begin(STORE_SET_NOW, now ? now : "");
  const int32_t code = hkstats_store_set_now(any_handle(&stores), now, place);
  ended(code, sentence, code == HKSTATS_OK, place != NULL);
}

static void ask(void) {
  const struct question *question = &ANY_OF(questions);
  hkstats_table *table = (hkstats_table *)&table;
  hkstats_store *store = any_handle(&stores);
  const char *json = question_of(question);
  struct visit it = {store, one_in(3) ? (long)below(6) : -1, (int)below(3), 0};
  const int is_null = one_in(40);
  char **place = place_of_sentence();
  begin(question->function, json);
  const int32_t code = question->ask(store, json, one_in(3) ? visit : NULL, &it,
                                     is_null ? NULL : &table, place);
  if (ended(code, sentence, !is_null && table, place != NULL)) add(&tables, table);
}

static void read_table(void) {
  hkstats_table *table = any_handle(&tables);
  const int is_null = one_in(12);
  char **place = place_of_sentence();
  const enum function function = TABLE_ROWS + below(4);
  begin(function, "");
  if (function == TABLE_ROWS) {
    int64_t rows = -7;
    const int32_t code = hkstats_table_rows(table, is_null ? NULL : &rows, place);
    ended(code, sentence, code == HKSTATS_OK && rows >= -1, place != NULL);
  } else if (function == TABLE_INFO) {
    char *json = (char *)&json;
    const int32_t code = hkstats_table_info(table, is_null ? NULL : &json, place);
    if (ended(code, sentence, !is_null && json, place != NULL)) {
      EXPECT(json[0] == '{' && json[strlen(json) - 1] == '}', "info is %.200s", json);
      hkstats_free(json);
    }
  } else if (function == TABLE_SCHEMA) {
    struct ArrowSchema schema;
    memset(&schema, 0xa5, sizeof schema);
    const int32_t code = hkstats_table_schema(table, is_null ? NULL : &schema, place);
    if (!ended(code, sentence, code == HKSTATS_OK, place != NULL)) return;
    check_schema(&schema);
    schema.release(&schema);
  } else {
    struct ArrowArrayStream stream;
    memset(&stream, 0xa5, sizeof stream);
    int64_t rows = -1;
    hkstats_table_rows(table, &rows, NULL);
    const int32_t code = hkstats_table_stream(table, is_null ? NULL : &stream, place);
    if (!ended(code, sentence, code == HKSTATS_OK, place != NULL)) return;
    alarm(MOST_SECONDS);
    EXPECT(stream.get_schema(&stream, NULL) != 0, "a schema to nowhere");
    EXPECT(stream.get_next(&stream, NULL) != 0, "an array to nowhere");
    if (!one_in(8)) {
      uint64_t sum;
      const int64_t found = read_stream(&stream, &sum);
      EXPECT(found < 0 || rows < 0 || rows == found,
    "%" PRId64 " of %" PRId64 " rows", found, rows);
    }
    stream.release(&stream);
    alarm(0);
  }
}

static void describe(void) {
  char *json = (char *)&json;
  const int is_null = one_in(20);
  char **place = place_of_sentence();
  begin(DESCRIBE, "");
  const int32_t code = hkstats_describe(is_null ? NULL : &json, place);
  if (!ended(code, sentence, !is_null && json, place != NULL)) return;
  EXPECT(strstr(json, "\"correlate\""), "the description is %.200s", json);
  hkstats_free(json);
}

static void ask_unit(void) {
  char *json = (char *)&json;
  const char *name = one_in(20) ? NULL : unit_text();
  const int is_null = one_in(20);
  char **place = place_of_sentence();
  begin(UNIT, name);
  const int32_t code = hkstats_unit(name, is_null ? NULL : &json, place);
  if (!ended(code, sentence, !is_null && json, place != NULL)) return;
  EXPECT(strstr(json, "\"factor\""), "the unit %s is %.200s", name, json);
  hkstats_free(json);
}

static void open_conversion(void) {
  static const char *const pairs[][3] = {{"lb", "kg", NULL}, {"mg/dL", "mmol/L", "bloodGlucose"},
      {"degC", "degF", NULL}, {"count/s", "count/min", "heartRate"}, {"km", "mi", NULL},
      {"mol<180.15588>", "g", NULL}, {"%", "1", NULL}};
  hkstats_conversion *conversion = (hkstats_conversion *)&conversion;
  const char *const *pair = ANY_OF(pairs);
  const char *from = pair[0], *to = pair[1], *type = pair[2];
  if (one_in(3)) {
    from = one_in(10) ? NULL : ANY_OF(units);
    to = one_in(10) ? NULL : one_in(2) ? ANY_OF(units) : unit_text();
    type = one_in(2) ? NULL : ANY_OF(types);
  }
  const int is_null = one_in(20);
  char **place = place_of_sentence();
  begin(CONVERSION_OPEN, to);
  const int32_t code =
      hkstats_conversion_open(from, to, type, is_null ? NULL : &conversion, place);
  if (ended(code, sentence, !is_null && conversion, place != NULL)) add(&conversions, conversion);
}

/// A number, often one that is rare.
static double number(void) {
  static const double rare[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, -0.0, 0, 1e17};
  return one_in(20) ? ANY_OF(rare) : (double)(int64_t)chance() / 1e15;
}

static void convert(void) {
  enum { MOST = 1000 };
  double *input = malloc(MOST * sizeof *input), *output = malloc(MOST * sizeof *output);
  size_t count = below(MOST + 1);
  for (size_t i = 0; i < MOST; i++) input[i] = output[i] = number();
  double *to = one_in(2) ? input : output;
  const int is_null = one_in(12), is_huge = one_in(20);
  const size_t huge = one_in(2) ? SIZE_MAX : SIZE_MAX / 2;
  void *handle = any_handle(&conversions);
  char **place = place_of_sentence();
  begin(CONVERT, "");
  if (is_huge) count = huge;
  const int32_t code = hkstats_convert(handle, is_null && one_in(2) ? NULL : input,
                                       is_null || is_huge ? NULL : to, count, place);
  ended(code, sentence, code == HKSTATS_OK, place != NULL);
  free(input);
  free(output);
}

static void merge(void) {
  static const char *const quantities[] = {"steps", "activeEnergyBurned", "heartRate", "bodyMass",
      "distanceWalkingRunning", "oxygenSaturation"};
  static const char *known[] = {"Watch", "Phone", "Ring", "Scale", "App", ""};
  const size_t count = one_in(10) ? 0 : one_in(50) ? 20000 : below(300);
  size_t name_count = 1 + below(5);
  const char *const *names = known;
  const char **many = NULL;
  char *letters = NULL;
  const int is_wrong = one_in(2);
  if (one_in(100)) {
    name_count = one_in(3) ? 65536 : 65535;
    many = malloc(name_count * sizeof *many);
    letters = malloc(8 * name_count);
    for (size_t i = 0; i < name_count; i++) {
      snprintf(letters + 8 * i, 8, "%zu", i);
      many[i] = letters + 8 * i;
    }
    names = many;
  }
  double *columns[3];
  int32_t *indices = malloc((count + 1) * sizeof *indices);
  for (int i = 0; i < 3; i++) columns[i] = malloc((count + 1) * sizeof **columns);
  double time = 1e9 * (double)below(3) - 1e9;
  for (size_t row = 0; row < count; row++) {
    time += (double)below(600) - (one_in(4) ? 2000 : 100);
    columns[0][row] = time;
    columns[1][row] = time + (double)below(900);
    columns[2][row] = (double)below(100) / 4;
    indices[row] = (int32_t)below(name_count);
    if (!is_wrong || !one_in(4 * count)) continue;
    // One row that is not right.
    switch (below(5)) {
    case 0: indices[row] = one_in(2) ? -1 - (int32_t)below(9) : INT32_MAX - (int32_t)below(9); 
    break;
    case 1: columns[1][row] = columns[0][row] - 1; break;
    default: columns[below(3)][row] = number();
    }
  }
  const int null_at = is_wrong && one_in(3) ? (int)below(8) : -1;
  if (is_wrong && one_in(6)) known[0] = one_in(2) ? "Phone" : "\xff";
  const char *type = one_in(8) ? ANY_OF(types) : ANY_OF(quantities);
  const char *options = is_wrong || one_in(2) ? question_of(&merge_options) : NULL;
  hkstats_table *table = (hkstats_table *)&table;
  struct visit it = {NULL, one_in(8) ? (long)below(3) : -1, 1, 0};
  size_t given = is_wrong && one_in(20) ? SIZE_MAX - below(100) : count;
  size_t named = is_wrong && one_in(20) ? (one_in(2) ? SIZE_MAX : 65536) : name_count;
  // What is too much is refused before it is read.
  if (named == name_count && given == count) named = name_count;
  else if (named != name_count) named = named > 65536 ? named : 65536;
  char **place = place_of_sentence();
  begin(MERGE, options);
  const int32_t code = hkstats_merge(
      null_at == 0 ? NULL : type, null_at == 1 ? NULL : columns[0], null_at == 2 ? NULL : columns[1],
      null_at == 3 ? NULL : columns[2], null_at == 4 ? NULL : indices, given,
      null_at == 5 ? NULL : names, named, options, one_in(2) ? visit : NULL, &it,
      null_at == 6 ? NULL : &table, place);
  if (ended(code, sentence, null_at != 6 && table, place != NULL)) add(&tables, table);
  known[0] = "Watch";
  for (int i = 0; i < 3; i++) free(columns[i]);
  free(indices);
  free(many);
  free(letters);
}

// MARK: - Imports

/// The bytes of a file.
static struct text bytes_of(const char *name) {
  struct text file = {NULL, 0, 0};
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", work_folder, name);
  FILE *from = fopen(path, "rb");
  if (!from || fseek(from, 0, SEEK_END) != 0) abort();
  file.count = file.room = (size_t)ftell(from);
  rewind(from);
  file.bytes = malloc(file.room + 1);
  if (fread(file.bytes, 1, file.count, from) != file.count) abort();
  fclose(from);
  return file;
}

static void write_mutated(const struct text *file, const char *path) {
  struct text copy = {malloc(file->room + 1), file->count, file->room};
  memcpy(copy.bytes, file->bytes, file->count);
  if (!one_in(6)) mutate(copy.bytes, &copy.count);
  FILE *to = fopen(path, "wb");
  if (!to || fwrite(copy.bytes, 1, copy.count, to) != copy.count || fclose(to) != 0) abort();
  free(copy.bytes);
}

/// A digest of the types of a store with their counts.
static uint64_t contents(hkstats_store *store) {
  hkstats_table *table = NULL;
  struct ArrowArrayStream stream;
  uint64_t sum = 0;
  if (ask_types(store, NULL, NULL, NULL, &table, NULL) != HKSTATS_OK) return 0;
  EXPECT(hkstats_table_stream(table, &stream, NULL) == HKSTATS_OK, "no stream");
  read_stream(&stream, &sum);
  stream.release(&stream);
  hkstats_table_close(table, NULL);
  return sum;
}

static void import(void) {
  static struct text archive, document;
  if (!archive.bytes) archive = bytes_of("export.zip"), document = bytes_of("export.xml");
  char name[4096];
  const char *path = name;
  int needs_stop = 0;
  snprintf(name, sizeof name, "%s/export.%s", work_folder, one_in(2) ? "zip" : "xml");
  switch (below(10)) {
  case 0: case 1: case 2:
    snprintf(name, sizeof name, "%s/mutated.zip", work_folder);
    write_mutated(&archive, name);
    break;
  case 3: case 4:
    snprintf(name, sizeof name, "%s/mutated.xml", work_folder);
    write_mutated(&document, name);
    break;
  case 5:
    // Each report of its progress is a tenth of a second later.
    if (!one_in(4)) break;
    snprintf(name, sizeof name, "%s/fifo", work_folder);
    needs_stop = 1;
    break;
  case 6: {
    const char *const paths[] = {"/dev/null", "/proc/no/file", "", "\xff", work_folder, NULL,
        store_path, "/proc/self/status", "/proc/self/mem", "/dev/zero"};
    path = ANY_OF(paths);
    // It has no end.
    needs_stop = path && strcmp(path, "/dev/zero") == 0;
    break;
  }
  default: break;
  }
  char *report = (char *)&report;
  hkstats_store *store = any_handle(&stores);
  // The store of the questions stays as it is.
  for (size_t i = 0; i < stores.count && one_in(2); i++) store = stores.open[i];
  const uint64_t before = contents(store);
  struct visit it = {store, needs_stop ? (long)below(5) : one_in(3) ? (long)below(30) : -1,
      one_in(10), needs_stop};
  const char *options = needs_stop ? NULL : question_of(&import_options);
  const int is_wanted = !one_in(4);
  char **place = place_of_sentence();
  begin(IMPORT, path);
  const int32_t code =
      hkstats_import(store, path, options, needs_stop || one_in(2) ? visit : NULL, &it,
                     is_wanted ? &report : NULL, place);
  const int is_done =
      ended(code, sentence, is_wanted ? report != NULL : code == HKSTATS_OK, place != NULL);
  if (is_done && is_wanted) hkstats_free(report);
  EXPECT(is_done || contents(store) == before, "an import of %s with code %d leaves something",
         path ? path : "NULL", code);
}

// MARK: - All of it

static void call_any(void) {
  const size_t kind = below(100);
  // Something must be there to be asked.
  if (!stores.count) open_store();
  if (tables.count == MOST_OPEN) close_one(TABLE_CLOSE, &tables, opened_handle(&tables));
  if (conversions.count == MOST_OPEN)
    close_one(CONVERSION_CLOSE, &conversions, opened_handle(&conversions));
  if (stores.count == MOST_OPEN) close_one(STORE_CLOSE, &stores, opened_handle(&stores));
  if (kind < 6) open_store();
  else if (kind < 7) open_temporary();
  else if (kind < 8) import();
  else if (kind < 9) set_now();
  else if (kind < 50) ask();
  else if (kind < 71) read_table();
  else if (kind < 72) describe();
  else if (kind < 78) ask_unit();
  else if (kind < 82) open_conversion();
  else if (kind < 88) convert();
  else if (kind < 94) merge();
  else if (kind < 96) close_one(STORE_CLOSE, &stores, any_handle(&stores));
  else if (kind < 98) close_one(TABLE_CLOSE, &tables, any_handle(&tables));
  else close_one(CONVERSION_CLOSE, &conversions, any_handle(&conversions));
}

void fuzz(const char *store, const char *export_path, const char *folder, uint64_t seed,
          long count) {
  static const int signals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
  (void)export_path;
  char fifo[4096];
  snprintf(fifo, sizeof fifo, "%s/fifo", folder);
  unlink(fifo);
  if (mkfifo(fifo, 0600) != 0) abort();
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], say_and_end);
  store_path = store, work_folder = folder;
  running_seed = seed;
  state = seed * 0x9e3779b97f4a7c15u + 1;
  for (running_number = 0; running_number < count && failure_count() < 20; running_number++)
    call_any();
  while (tables.count) close_one(TABLE_CLOSE, &tables, tables.open[0]);
  while (conversions.count) close_one(CONVERSION_CLOSE, &conversions, conversions.open[0]);
  while (stores.count) close_one(STORE_CLOSE, &stores, stores.open[0]);

  printf("  %-17s %8s %8s  %s\n", "function", "answered", "refused", "slowest");
  for (size_t i = 0; i < FUNCTIONS; i++) {
    const struct tally *it = &tallies[i];
    printf("  %-17s %8ld %8ld  %5.0f ms  codes", it->name, it->answered, it->refused, it->slowest);
    for (int code = 1; code < 256; code++)
      if (it->by_code[code]) printf(" %d: %ld", code, it->by_code[code]);
    printf("%s%.60s\n", it->slowest > 1000 ? "  " : "", it->slowest > 1000 ? it->what : "");
    // Functions that hardly ever answer are not tried.
    EXPECT(count < 2000 || it->answered * 10 >= it->answered + it->refused,
           "%s answered %ld of %ld", it->name, it->answered, it->answered + it->refused);
  }
}

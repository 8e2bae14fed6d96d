// The example of hkstats.h, made whole: prints the steps of each day as "microseconds,sum".
//
//   example STORE QUESTION
#include "hkstats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// The place of a column by its name; -1 for none.
static int64_t column(const struct ArrowSchema *schema, const char *name) {
  for (int64_t i = 0; i < schema->n_children; i++)
    if (strcmp(schema->children[i]->name, name) == 0) return i;
  return -1;
}

/// Prints two columns of the rows of a stream, and releases it.
static int print(struct ArrowArrayStream *stream) {
  struct ArrowSchema schema;
  struct ArrowArray days;
  int status = stream->get_schema(stream, &schema);
  if (status == 0) {
    const int64_t start = column(&schema, "start"), sum = column(&schema, "sum");
    if (start < 0 || sum < 0) status = -1;
    while (status == 0 && (status = stream->get_next(stream, &days)) == 0 && days.release) {
      const int64_t *starts = days.children[start]->buffers[1];
      const uint8_t *known = days.children[sum]->buffers[0];
      const double *sums = days.children[sum]->buffers[1];
      for (int64_t row = 0; row < days.length; row++) {
        printf("%" PRId64 ",", starts[row]);
        if (!known || (known[row / 8] >> row % 8 & 1)) printf("%.17g", sums[row]);
        printf("\n");
      }
      days.release(&days);
    }
    if (status != 0 && status != -1) fprintf(stderr, "%s\n", stream->get_last_error(stream));
    schema.release(&schema);
  }
  stream->release(stream);
  return status;
}

int main(int count, char **arguments) {
  hkstats_store *store = NULL;
  hkstats_table *days = NULL;
  struct ArrowArrayStream stream;
  char *error = NULL;
  if (count != 3 || hkstats_abi_version() != HKSTATS_ABI_VERSION) return 64;
  int32_t code = hkstats_store_open(arguments[1], HKSTATS_READ_ONLY, HKSTATS_NO_KEY, NULL, &store,
                                    &error);
  if (code == HKSTATS_OK) code = hkstats_ask(store, "statistics", arguments[2], NULL, NULL, &days, &error);
  if (code == HKSTATS_OK) code = hkstats_table_stream(days, &stream, &error);
  if (code != HKSTATS_OK) fprintf(stderr, "%s\n", error);
  hkstats_free(error);
  if (code == HKSTATS_OK && print(&stream) != 0) code = HKSTATS_FAILED;
  if (days) hkstats_table_close(days, NULL);
  if (store) hkstats_store_close(store, NULL);
  return (int)code;
}

// Checks structures of Arrow against the C data interface, and reads each byte that they promise.
#include "host.h"

#include <inttypes.h>
#include <string.h>

uint64_t digest(uint64_t before, const void *bytes, size_t count) {
  const unsigned char *byte = bytes;
  uint64_t sum = before ^ 0x9e3779b97f4a7c15u;
  for (; count >= 8; byte += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, byte, 8);
    sum = (sum ^ word) * 0x9fb21c651e98df25u;
    sum ^= sum >> 29;
  }
  for (; count > 0; byte++, count--) sum = (sum ^ *byte) * 0x100000001b3u;
  return sum;
}

/// Whether bytes are UTF-8, without surrogates and longer forms than needed.
static int is_utf8(const unsigned char *text, size_t count) {
  size_t i = 0;
  while (i < count) {
    if (text[i] < 0x80) {
      i += 1;
      continue;
    }
    const size_t more = text[i] >= 0xf0 ? 3 : text[i] >= 0xe0 ? 2 : 1;
    if (text[i] < 0xc2 || text[i] > 0xf4 || count - i <= more) return 0;
    uint32_t scalar = text[i] & (0x3fu >> more);
    for (size_t k = 1; k <= more; k++) {
      if ((text[i + k] & 0xc0) != 0x80) return 0;
      scalar = scalar << 6 | (text[i + k] & 0x3fu);
    }
    const uint32_t least[] = {0x80, 0x800, 0x10000};
    if (scalar < least[more - 1] || scalar > 0x10ffff || (scalar >= 0xd800 && scalar < 0xe000))
      return 0;
    i += more + 1;
  }
  return 1;
}

// MARK: - Schemas

static int64_t child_count_of(const char *format) {
  return strcmp(format, "+l") == 0 ? 1 : strcmp(format, "+s") == 0 ? -1 : 0;
}

/// Reads pairs of texts, each after its length.
static uint64_t check_metadata(const char *metadata) {
  int32_t left, length;
  memcpy(&left, metadata, 4);
  const char *next = metadata + 4;
  EXPECT(left > 0 && left < 100, "metadata of %d pairs", left);
  for (left *= 2; left > 0; left--) {
    memcpy(&length, next, 4);
    EXPECT(length >= 0, "a text of %d bytes in metadata", length);
    if (length < 0) return 0;
    EXPECT(is_utf8((const unsigned char *)next + 4, (size_t)length), "metadata is no UTF-8");
    next += 4 + length;
  }
  return digest(1, metadata, (size_t)(next - metadata));
}

uint64_t check_schema(const struct ArrowSchema *schema) {
  static const char *const formats[] = {"g", "l", "b", "i", "u", "tdD", "+s", "+l"};
  EXPECT(schema->release, "a schema is released already");
  EXPECT(schema->format, "a schema without format");
  if (!schema->release || !schema->format) return 0;
  const char *format = schema->format;
  int is_known = strncmp(format, "tsu:", 4) == 0 && strlen(format) > 4;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    is_known |= strcmp(format, formats[i]) == 0;
  EXPECT(is_known, "the format \"%s\"", format);
  EXPECT(schema->name && is_utf8((const unsigned char *)schema->name, strlen(schema->name)),
         "a name is no UTF-8");
  EXPECT((schema->flags & ~ARROW_FLAG_NULLABLE) == 0, "flags %" PRId64, schema->flags);
  EXPECT((schema->dictionary != NULL) == (strcmp(format, "i") == 0), "a dictionary of \"%s\"",
         format);
  const int64_t children = child_count_of(format);
  EXPECT(schema->n_children == children || (children < 0 && schema->n_children > 0),
         "%" PRId64 " children of \"%s\"", schema->n_children, format);
  uint64_t sum = digest((uint64_t)schema->flags, format, strlen(format));
  if (schema->name) sum = digest(sum, schema->name, strlen(schema->name));
  if (schema->metadata) sum ^= check_metadata(schema->metadata);
  for (int64_t i = 0; i < schema->n_children; i++) {
    const uint64_t child = check_schema(schema->children[i]);
    sum = digest(sum, &child, sizeof child);
  }
  if (schema->dictionary) {
    EXPECT(strcmp(schema->dictionary->format, "u") == 0, "a dictionary of no texts");
    sum ^= check_schema(schema->dictionary);
  }
  return sum;
}

// MARK: - Arrays

static int is_valid(const uint8_t *bits, int64_t row) {
  return !bits || (bits[row >> 3] >> (row & 7) & 1);
}

/// Checks that offsets ascend from 0, and gives the last one.
static int64_t check_offsets(const int32_t *offsets, int64_t length) {
  EXPECT(offsets[0] == 0, "the first offset is %d", offsets[0]);
  for (int64_t row = 0; row < length; row++) {
    EXPECT(offsets[row] <= offsets[row + 1], "offset %d before %d", offsets[row],
           offsets[row + 1]);
    if (offsets[row] > offsets[row + 1]) return 0;
  }
  return offsets[length];
}

static uint64_t check_texts(const struct ArrowArray *array) {
  const int32_t *offsets = array->buffers[1];
  const unsigned char *bytes = array->buffers[2];
  const int64_t end = check_offsets(offsets, array->length);
  for (int64_t row = 0; row < array->length; row++) {
    const size_t count = (size_t)(offsets[row + 1] - offsets[row]);
    EXPECT(is_utf8(bytes + offsets[row], count), "text %" PRId64 " is no UTF-8", row);
  }
  return digest(digest(2, offsets, 4 * (size_t)(array->length + 1)), bytes, (size_t)end);
}

static uint64_t check_indices(const struct ArrowSchema *schema, const struct ArrowArray *array) {
  EXPECT(array->dictionary, "an array without its dictionary");
  if (!array->dictionary) return 0;
  const int32_t *indices = array->buffers[1];
  for (int64_t row = 0; row < array->length; row++) {
    if (!is_valid(array->buffers[0], row)) continue;
    EXPECT(indices[row] >= 0 && indices[row] < array->dictionary->length,
           "index %d into %" PRId64 " words", indices[row], array->dictionary->length);
  }
  const uint64_t words = check_array(schema->dictionary, array->dictionary);
  return words ^ digest(3, indices, 4 * (size_t)array->length);
}

uint64_t check_array(const struct ArrowSchema *schema, const struct ArrowArray *array) {
  EXPECT(array->release, "an array is released already");
  if (!array->release) return 0;
  const char *format = schema->format;
  const int is_structure = strcmp(format, "+s") == 0;
  const int64_t buffers = is_structure ? 1 : strcmp(format, "u") == 0 ? 3 : 2;
  EXPECT(array->length >= 0 && array->offset == 0, "length %" PRId64 " from %" PRId64,
         array->length, array->offset);
  EXPECT(array->n_buffers == buffers, "%" PRId64 " buffers of \"%s\"", array->n_buffers, format);
  EXPECT(array->n_children == schema->n_children, "%" PRId64 " children of %" PRId64,
         array->n_children, schema->n_children);
  EXPECT((array->dictionary != NULL) == (schema->dictionary != NULL), "a dictionary of \"%s\"",
         format);
  if (array->n_buffers != buffers || array->n_children != schema->n_children || array->length < 0)
    return 0;
  for (int64_t i = 1; i < buffers; i++) {
    EXPECT(array->buffers[i], "buffer %" PRId64 " of \"%s\" is missing", i, format);
    EXPECT((uintptr_t)array->buffers[i] % 8 == 0, "buffer %" PRId64 " is not aligned", i);
    if (!array->buffers[i]) return 0;
  }
  const uint8_t *bits = array->buffers[0];
  int64_t missing = 0;
  for (int64_t row = 0; row < array->length; row++) missing += !is_valid(bits, row);
  EXPECT(missing == array->null_count, "%" PRId64 " of %" PRId64 " missing rows", missing,
         array->null_count);
  EXPECT(missing == 0 || schema->flags & ARROW_FLAG_NULLABLE, "%s may not be missing",
         schema->name);

  uint64_t sum = digest((uint64_t)array->length, &array->null_count, 8);
  if (bits) sum = digest(sum, bits, (size_t)(array->length + 7) / 8);
  const size_t length = (size_t)array->length;
  int64_t end = array->length;
  switch (format[0]) {
  case 'g': case 'l': sum = digest(sum, array->buffers[1], 8 * length); break;
  case 't':
    sum = digest(sum, array->buffers[1], (format[1] == 's' ? 8 : 4) * length);
    break;
  case 'b': sum = digest(sum, array->buffers[1], (length + 7) / 8); break;
  case 'i': sum ^= check_indices(schema, array); break;
  case 'u': sum ^= check_texts(array); break;
  default:
    if (!is_structure) {
      end = check_offsets(array->buffers[1], array->length);
      sum = digest(sum, array->buffers[1], 4 * (length + 1));
    }
    for (int64_t i = 0; i < array->n_children; i++) {
      EXPECT(array->children[i]->length == end, "child %s has %" PRId64 " rows of %" PRId64,
             schema->children[i]->name, array->children[i]->length, end);
      const uint64_t child = check_array(schema->children[i], array->children[i]);
      sum = digest(sum, &child, sizeof child);
    }
  }
  return sum;
}

// MARK: - Streams

int64_t read_stream(struct ArrowArrayStream *stream, uint64_t *sum) {
  struct ArrowSchema schema;
  int64_t rows = 0;
  *sum = 0;
  const int status = stream->get_schema(stream, &schema);
  EXPECT(status == 0, "get_schema returns %d: %s", status, stream->get_last_error(stream));
  if (status != 0) return -1;
  *sum = check_schema(&schema);
  for (;;) {
    struct ArrowArray array;
    if (stream->get_next(stream, &array) != 0) {
      const char *sentence = stream->get_last_error(stream);
      EXPECT(sentence && strlen(sentence) > 10, "an error of a stream without a sentence");
      rows = -1;
      break;
    }
    if (!array.release) break;
    EXPECT(array.length > 0, "an empty batch");
    *sum = digest(*sum, &(uint64_t){check_array(&schema, &array)}, 8);
    rows += array.length;
    array.release(&array);
    EXPECT(!array.release, "a released array says that it is not");
  }
  schema.release(&schema);
  EXPECT(!schema.release, "a released schema says that it is not");
  return rows;
}

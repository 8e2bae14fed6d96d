#include "floors.h"

#include <expat.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { block_size = 1 << 20 };

struct counter {
  long records;
  int depth;
};

static void start(void *context, const XML_Char *name, const XML_Char **attributes) {
  (void)attributes;
  struct counter *counter = context;
  if (counter->depth == 1 && strcmp(name, "Record") == 0) counter->records += 1;
  counter->depth += 1;
}

static void end(void *context, const XML_Char *name) {
  (void)name;
  struct counter *counter = context;
  counter->depth -= 1;
}

long floor_count_records(const char *path) {
  int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  XML_Parser parser = XML_ParserCreate(NULL);
  struct counter counter = {0, 0};
  XML_SetUserData(parser, &counter);
  XML_SetElementHandler(parser, start, end);
  enum XML_Status status = XML_STATUS_OK;
  ssize_t length;
  do {
    void *block = XML_GetBuffer(parser, block_size);
    length = block == NULL ? -1 : read(file, block, block_size);
    if (length < 0) break;
    status = XML_ParseBuffer(parser, (int)length, length == 0);
  } while (status == XML_STATUS_OK && length > 0);
  XML_ParserFree(parser);
  close(file);
  return status == XML_STATUS_OK && length == 0 ? counter.records : -1;
}

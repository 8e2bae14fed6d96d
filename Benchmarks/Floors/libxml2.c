#include <fcntl.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "floors.h"

enum { block_size = 1 << 20 };

struct counter {
  long records;
  int depth;
};

static void start(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
    int namespace_count, const xmlChar **namespaces, int attribute_count, int defaulted_count,
    const xmlChar **attributes) {
  (void)prefix, (void)uri, (void)namespace_count, (void)namespaces;
  (void)attribute_count, (void)defaulted_count, (void)attributes;
  struct counter *counter = context;
  if (counter->depth == 1 && strcmp((const char *)name, "Record") == 0) counter->records += 1;
  counter->depth += 1;
}

static void end(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  (void)name, (void)prefix, (void)uri;
  struct counter *counter = context;
  counter->depth -= 1;
}

long floor_count_records_libxml2(const char *path) {
  int file = open(path, O_RDONLY);
  char *block = malloc(block_size);
  if (file < 0 || block == NULL) return -1;
  xmlSAXHandler handler = {
      .initialized = XML_SAX2_MAGIC, .startElementNs = start, .endElementNs = end};
  struct counter counter = {0, 0};
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, &counter, NULL, 0, path);
  xmlCtxtUseOptions(parser, XML_PARSE_HUGE);
  int error = 0;
  ssize_t length;
  do {
    length = read(file, block, block_size);
    if (length >= 0) error = xmlParseChunk(parser, block, (int)length, length == 0);
  } while (error == 0 && length > 0);
  xmlFreeParserCtxt(parser);
  free(block);
  close(file);
  return error == 0 && length == 0 ? counter.records : -1;
}

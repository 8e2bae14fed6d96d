#ifndef HKSTATS_FLOORS_H
#define HKSTATS_FLOORS_H

/// Reads the file at `path` block by block and counts its bytes: no import can be faster.
///
/// Returns -1 when it cannot be read.
long floor_count_bytes(const char *path);

/// Parses the export at `path` with expat and counts its `Record` elements, children of
/// `HealthData` only. Looks at no attribute, so that it is the least that a program built on
/// expat can do.
///
/// Returns -1 when the file cannot be read or is not well-formed.
long floor_count_records(const char *path);

/// The same with the SAX interface of libxml2.
long floor_count_records_libxml2(const char *path);

#endif

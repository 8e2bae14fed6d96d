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

/// Prints `count` heart rates as comma-separated text into the file at `path`, each with its dates,
/// source and device, by `fprintf`.
///
/// Returns how many were printed, or -1 when the file cannot be written.
long floor_print_samples(const char *path, const double *starts, const double *values, long count);

/// The same of the sum and count of `count` hours: as comma-separated text, or as a table for people.
long floor_print_hours(const char *path, long count, int is_table);

/// Keeps the memory of columns for the next ones. To get it from the system takes longer than most
/// kernels, and now and then several times as long.
void floor_keep_memory(void);

#endif

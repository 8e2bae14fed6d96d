#ifndef HK_FILES_H
#define HK_FILES_H

/// Exchanges the names of two files or folders atomically; 0, or -1 with errno set.
int hk_exchange(const char *one, const char *other);

/// Opens a new unlinked file in a folder, for reading and writing: the system deletes it with its
/// last descriptor and map. The descriptor, closed on exec, or -1 with errno set.
int hk_nameless_file(const char *folder);

/// Reads an extended attribute of a file; its length, or -1 with errno set.
long hk_attribute(const char *path, const char *name, void *value, unsigned long size);

/// Sets an extended attribute of a file; 0, or -1 with errno set.
int hk_set_attribute(
    const char *path, const char *name, const void *value, unsigned long size);

#endif

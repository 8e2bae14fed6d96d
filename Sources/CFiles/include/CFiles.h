#ifndef HK_FILES_H
#define HK_FILES_H

/// Lets two files or folders change their names in one step; 0, or -1 with errno set.
int hk_exchange(const char *one, const char *other);

/// Opens a new file without a name in a folder, for reading and writing: it is gone when its
/// descriptors and maps are. The descriptor, closed on exec, or -1 with errno set.
int hk_nameless_file(const char *folder);

#endif

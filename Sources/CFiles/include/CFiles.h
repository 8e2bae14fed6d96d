#ifndef HK_FILES_H
#define HK_FILES_H

/// Lets two files or folders change their names in one step; 0, or -1 with errno set.
int hk_exchange(const char *one, const char *other);

#endif

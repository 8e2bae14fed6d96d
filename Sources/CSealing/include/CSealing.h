#ifndef HK_SEALING_H
#define HK_SEALING_H

#include <stdint.h>

/// The bytes that sealing adds to a piece: a nonce before it and a tag after it.
#define HK_SEAL_BYTES 28
/// The clear bytes of a page of a sealed database.
#define HK_PAGE_BYTES 8192
/// The bytes of the clear header before the first sealed page of a database.
#define HK_HEADER_BYTES 4096

/// What a sealed piece is a part of.
enum hk_sealed_kind {
  HK_SEALED_PAGE = 1,
  HK_SEALED_WAL = 2,
  HK_SEALED_JOURNAL = 3,
  HK_SEALED_TEMPORARY = 4,
};

/// The cipher of the sealed files, which is written in Swift.
typedef struct {
  /// The key with a number, retained; 0 is that of temporary files. NULL if there is none.
  void *_Nullable (*_Nonnull retain)(int64_t number);
  void (*_Nonnull release)(void *_Nonnull key);
  /// Seals a piece into `count + HK_SEAL_BYTES` bytes; 0 if it fails.
  int (*_Nonnull seal)(
      void *_Nonnull key, int kind, uint64_t place, const void *_Nonnull clear, int count,
      void *_Nonnull sealed);
  /// Opens a piece of `count + HK_SEAL_BYTES` bytes into `count`; 0 if it was altered or is elsewhere.
  int (*_Nonnull open)(
      void *_Nonnull key, int kind, uint64_t place, const void *_Nonnull sealed, int count,
      void *_Nonnull clear);
} hk_cipher;

/// Registers the file layer `hkstats-sealed` with SQLite, once; a result code of SQLite.
///
/// A database opened with the URI parameters `vfs=hkstats-sealed&sealing=NUMBER` is sealed with the
/// key of that number, and so are its write-ahead log and its journal.
int hk_register_sealed_files(const hk_cipher *_Nonnull cipher);

/// Fills up to 256 bytes with random numbers that the kernel makes in this call; 0, or -1 with errno
/// set.
int hk_random(void *_Nonnull room, int count);

/// A file that is read below SQLite's connections.
///
/// SQLite opens and closes it: closing a descriptor of one's own would release the locks that
/// connections of the process have on the same file.
typedef struct hk_raw_file hk_raw_file;

/// Opens an existing file for reading; NULL if it cannot be opened.
hk_raw_file *_Nullable hk_raw_open(const char *_Nonnull path);
/// Reads bytes of the file; a result code of SQLite. What is missing at the end is zero.
int hk_raw_read(
    hk_raw_file *_Nonnull file, void *_Nonnull room, int count, int64_t offset);
/// The size of the file; -1 if it is unknown.
int64_t hk_raw_size(hk_raw_file *_Nonnull file);
void hk_raw_close(hk_raw_file *_Nonnull file);

/// Keeps a key in the session keyring of the kernel, for some seconds or (0) until it is forgotten;
/// 0, or -1 with errno set.
int hk_keyring_keep(
    const char *_Nonnull name, const void *_Nonnull key, int count, unsigned seconds);
/// Reads a kept key of `count` bytes; 0, or -1 with errno set.
int hk_keyring_find(const char *_Nonnull name, void *_Nonnull key, int count);
/// Forgets a kept key; 0, or -1 with errno set.
int hk_keyring_forget(const char *_Nonnull name);

#endif

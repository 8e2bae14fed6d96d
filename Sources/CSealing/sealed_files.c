// The file layer `hkstats-sealed` of SQLite: what it writes is sealed in pieces, above the layer of
// the system, which locks and maps shared memory as it always does.
//
// A file is a sequence of pieces, each stored as nonce, sealed bytes and tag. The pieces are what
// SQLite writes at once, so that no write changes bytes that were synchronised before:
// - database: after a clear header, one piece a page;
// - write-ahead log: its header, then for each frame its header and its page;
// - journal and temporary files: blocks, the last of which may be shorter. Blocks of a journal have
//   the size of a sector, because SQLite aligns the headers of a journal to sectors. Of a temporary
//   file, which only its connection uses, the last block that was used is in memory.
#include "CSealing.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
  DATABASE_HEADER = 100,
  WAL_HEADER = 32,
  FRAME_HEADER = 24,
  FRAME = FRAME_HEADER + HK_PAGE_BYTES,
  SEALED_PAGE = HK_PAGE_BYTES + HK_SEAL_BYTES,
  SEALED_WAL_HEADER = WAL_HEADER + HK_SEAL_BYTES,
  SEALED_FRAME_HEADER = FRAME_HEADER + HK_SEAL_BYTES,
  SEALED_FRAME = SEALED_FRAME_HEADER + SEALED_PAGE,
  JOURNAL_BLOCK = 512,
  TEMPORARY_BLOCK = HK_PAGE_BYTES,
};

typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  void *key;
  int kind;
  /// Of a temporary file: its clear size, and the block in `clear`, -1 if there is none.
  sqlite3_int64 size;
  sqlite3_int64 cached;
  int is_changed;
  unsigned char clear[HK_PAGE_BYTES];
  unsigned char sealed[SEALED_PAGE];
} sealed_file;

/// A piece of a file: where it is in what SQLite sees, and where it is stored.
typedef struct {
  sqlite3_int64 start;
  sqlite3_int64 stored;
  int count;
} piece;

static hk_cipher cipher;
static sqlite3_vfs *below;

static sealed_file *sealed(sqlite3_file *file) { return (sealed_file *)file; }
static sqlite3_file *real(sqlite3_file *file) { return ((sealed_file *)file)->real; }

// MARK: Pieces

/// The bytes of a block, or 0 for a file whose pieces have fixed sizes.
static int block_size(const sealed_file *file) {
  if (file->kind == HK_SEALED_JOURNAL) return JOURNAL_BLOCK;
  return file->kind == HK_SEALED_TEMPORARY ? TEMPORARY_BLOCK : 0;
}

/// The piece that holds an offset.
static piece piece_at(const sealed_file *file, sqlite3_int64 offset) {
  if (file->kind == HK_SEALED_WAL) {
    if (offset < WAL_HEADER) return (piece){0, 0, WAL_HEADER};
    const sqlite3_int64 frame = (offset - WAL_HEADER) / FRAME;
    const sqlite3_int64 start = WAL_HEADER + frame * FRAME;
    const sqlite3_int64 stored = SEALED_WAL_HEADER + frame * SEALED_FRAME;
    if (offset < start + FRAME_HEADER) return (piece){start, stored, FRAME_HEADER};
    return (piece){start + FRAME_HEADER, stored + SEALED_FRAME_HEADER, HK_PAGE_BYTES};
  }
  const int block = block_size(file);
  const int size = block ? block : HK_PAGE_BYTES;
  const sqlite3_int64 number = offset / size;
  return (piece){
      number * size, (block ? 0 : HK_HEADER_BYTES) + number * (size + HK_SEAL_BYTES), size};
}

/// The size that SQLite sees of a file with a stored size; incomplete pieces do not count.
static sqlite3_int64 clear_size(const sealed_file *file, sqlite3_int64 stored) {
  const int block = block_size(file);
  if (block) {
    const sqlite3_int64 rest = stored % (block + HK_SEAL_BYTES);
    return stored / (block + HK_SEAL_BYTES) * block
        + (rest > HK_SEAL_BYTES ? rest - HK_SEAL_BYTES : 0);
  }
  if (file->kind == HK_SEALED_WAL) {
    if (stored < SEALED_WAL_HEADER) return 0;
    const sqlite3_int64 frames = stored - SEALED_WAL_HEADER;
    return WAL_HEADER + frames / SEALED_FRAME * FRAME
        + (frames % SEALED_FRAME >= SEALED_FRAME_HEADER ? FRAME_HEADER : 0);
  }
  return stored < HK_HEADER_BYTES ? 0 : (stored - HK_HEADER_BYTES) / SEALED_PAGE * HK_PAGE_BYTES;
}

static int read_size(sealed_file *file, sqlite3_int64 *size) {
  sqlite3_int64 stored = 0;
  if (file->kind == HK_SEALED_TEMPORARY) {
    *size = file->size;
    return SQLITE_OK;
  }
  const int result = file->real->pMethods->xFileSize(file->real, &stored);
  *size = clear_size(file, stored);
  return result;
}

/// Reads a piece into `clear` and sets its number of bytes, 0 if it is not there; SQLITE_IOERR_DATA
/// if it was altered.
static int read_piece(sealed_file *file, piece place, void *clear, int *count) {
  *count = place.count;
  if (block_size(file)) {
    sqlite3_int64 size = 0;
    const int result = read_size(file, &size);
    if (result != SQLITE_OK) return result;
    if (size < place.start + place.count)
      *count = size <= place.start ? 0 : (int)(size - place.start);
    if (*count == 0) return SQLITE_OK;
  }
  const int result = file->real->pMethods->xRead(
      file->real, file->sealed, *count + HK_SEAL_BYTES, place.stored);
  if (result == SQLITE_IOERR_SHORT_READ) {
    *count = 0;
    return SQLITE_OK;
  }
  if (result != SQLITE_OK) return result;
  return cipher.open(file->key, file->kind, (uint64_t)place.start, file->sealed, *count, clear)
      ? SQLITE_OK
      : SQLITE_IOERR_DATA;
}

static int write_piece(sealed_file *file, piece place, const void *clear, int count) {
  if (!cipher.seal(file->key, file->kind, (uint64_t)place.start, clear, count, file->sealed))
    return SQLITE_IOERR_WRITE;
  return file->real->pMethods->xWrite(
      file->real, file->sealed, count + HK_SEAL_BYTES, place.stored);
}

/// Seals zeros from the end of a file up to an offset: a hole has no tag.
static int fill(sealed_file *file, sqlite3_int64 offset) {
  if (file->kind == HK_SEALED_WAL) return SQLITE_OK;
  sqlite3_int64 size = 0;
  int result = read_size(file, &size);
  while (result == SQLITE_OK && size < offset) {
    const piece place = piece_at(file, size);
    int count = 0;
    memset(file->clear, 0, sizeof file->clear);
    if (size > place.start) {
      result = read_piece(file, place, file->clear, &count);
      if (result != SQLITE_OK) return result;
    }
    result = write_piece(file, place, file->clear, place.count);
    size = place.start + place.count;
  }
  return result;
}

/// Whether a read of an altered piece gets zeros, because SQLite looks there for what a crash may
/// have torn, and stops at it: the header and the frames of a log that it recovers, and the marks
/// and numbers of a journal.
static int may_be_torn(const sealed_file *file, int count, sqlite3_int64 offset) {
  if (file->kind == HK_SEALED_WAL)
    return (count == WAL_HEADER && offset == 0) || count == FRAME;
  if (file->kind == HK_SEALED_PAGE) return count == DATABASE_HEADER && offset == 0;
  return file->kind == HK_SEALED_JOURNAL && count <= 8;
}

// MARK: Methods of files

static int sealed_close(sqlite3_file *file) {
  const int result = real(file)->pMethods->xClose(real(file));
  cipher.release(sealed(file)->key);
  memset(sealed(file)->clear, 0, HK_PAGE_BYTES);
  file->pMethods = NULL;
  return result;
}

static int sealed_read(sqlite3_file *base, void *room, int count, sqlite3_int64 offset) {
  sealed_file *file = sealed(base);
  const int is_torn_allowed = may_be_torn(file, count, offset);
  unsigned char *to = room;
  while (count > 0) {
    const piece place = piece_at(file, offset);
    const int from = (int)(offset - place.start);
    const int wanted = count < place.count - from ? count : place.count - from;
    const int is_whole = from == 0 && wanted == place.count;
    int found = 0;
    const int result = read_piece(file, place, is_whole ? to : file->clear, &found);
    if (result == SQLITE_IOERR_DATA && is_torn_allowed) {
      memset(to, 0, (size_t)wanted);
    } else if (result != SQLITE_OK) {
      return result;
    } else {
      const int there = found <= from ? 0 : found - from < wanted ? found - from : wanted;
      if (!is_whole && there > 0) memcpy(to, file->clear + from, (size_t)there);
      if (there < wanted) {
        memset(to + there, 0, (size_t)(count - there));
        return SQLITE_IOERR_SHORT_READ;
      }
    }
    to += wanted;
    offset += wanted;
    count -= wanted;
  }
  return SQLITE_OK;
}

static int sealed_write(sqlite3_file *base, const void *data, int count, sqlite3_int64 offset) {
  sealed_file *file = sealed(base);
  const unsigned char *from = data;
  int result = fill(file, piece_at(file, offset).start);
  while (result == SQLITE_OK && count > 0) {
    const piece place = piece_at(file, offset);
    const int at = (int)(offset - place.start);
    const int added = count < place.count - at ? count : place.count - at;
    if (at == 0 && added == place.count) {
      result = write_piece(file, place, from, added);
    } else {
      int found = 0;
      result = read_piece(file, place, file->clear, &found);
      if (result != SQLITE_OK) return result;
      memset(file->clear + found, 0, sizeof file->clear - (size_t)found);
      memcpy(file->clear + at, from, (size_t)added);
      const int end = at + added > found ? at + added : found;
      result = write_piece(file, place, file->clear, block_size(file) ? end : place.count);
    }
    from += added;
    offset += added;
    count -= added;
  }
  return result;
}

static int sealed_truncate(sqlite3_file *base, sqlite3_int64 size) {
  sealed_file *file = sealed(base);
  const piece place = piece_at(file, size);
  sqlite3_int64 stored = place.stored;
  const int rest = (int)(size - place.start);
  if (rest > 0) {
    int found = 0;
    int result = read_piece(file, place, file->clear, &found);
    if (result != SQLITE_OK) return result;
    memset(file->clear + found, 0, sizeof file->clear - (size_t)found);
    const int kept = block_size(file) ? rest : place.count;
    result = write_piece(file, place, file->clear, kept);
    if (result != SQLITE_OK) return result;
    stored += kept + HK_SEAL_BYTES;
  }
  return file->real->pMethods->xTruncate(file->real, stored);
}

static int sealed_sync(sqlite3_file *file, int flags) {
  return real(file)->pMethods->xSync(real(file), flags);
}

static int sealed_size(sqlite3_file *file, sqlite3_int64 *size) {
  return read_size(sealed(file), size);
}

static int sealed_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int sealed_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int sealed_check_lock(sqlite3_file *file, int *is_locked) {
  return real(file)->pMethods->xCheckReservedLock(real(file), is_locked);
}

static int sealed_control(sqlite3_file *file, int operation, void *argument) {
  switch (operation) {
    // Sizes would be those of clear bytes, and sealed bytes cannot be mapped.
    case SQLITE_FCNTL_SIZE_HINT:
    case SQLITE_FCNTL_CHUNK_SIZE: return SQLITE_OK;
    case SQLITE_FCNTL_MMAP_SIZE: return SQLITE_NOTFOUND;
    default: return real(file)->pMethods->xFileControl(real(file), operation, argument);
  }
}

static int sealed_sector(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int sealed_traits(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file))
      & (SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN);
}

static int sealed_map(
    sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), region, size, extends, memory);
}

static int sealed_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void sealed_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int sealed_unmap(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static const sqlite3_io_methods methods = {
    // The second version: no fetching of mapped pages.
    .iVersion = 2,
    .xClose = sealed_close,
    .xRead = sealed_read,
    .xWrite = sealed_write,
    .xTruncate = sealed_truncate,
    .xSync = sealed_sync,
    .xFileSize = sealed_size,
    .xLock = sealed_lock,
    .xUnlock = sealed_unlock,
    .xCheckReservedLock = sealed_check_lock,
    .xFileControl = sealed_control,
    .xSectorSize = sealed_sector,
    .xDeviceCharacteristics = sealed_traits,
    .xShmMap = sealed_map,
    .xShmLock = sealed_shm_lock,
    .xShmBarrier = sealed_barrier,
    .xShmUnmap = sealed_unmap,
};

// MARK: Temporary files

/// The bytes of a block of a temporary file.
static int block_count(const sealed_file *file, sqlite3_int64 start) {
  const sqlite3_int64 rest = file->size - start;
  return rest <= 0 ? 0 : rest < TEMPORARY_BLOCK ? (int)rest : TEMPORARY_BLOCK;
}

static int put_back(sealed_file *file) {
  if (!file->is_changed) return SQLITE_OK;
  file->is_changed = 0;
  const int count = block_count(file, file->cached);
  return count ? write_piece(file, piece_at(file, file->cached), file->clear, count) : SQLITE_OK;
}

/// Brings a block into memory; its missing bytes are zero.
static int take_out(sealed_file *file, piece place) {
  if (file->cached == place.start) return SQLITE_OK;
  int result = put_back(file);
  file->cached = -1;
  if (result != SQLITE_OK) return result;
  int count = 0;
  result = read_piece(file, place, file->clear, &count);
  if (result != SQLITE_OK) return result;
  memset(file->clear + count, 0, (size_t)(TEMPORARY_BLOCK - count));
  file->cached = place.start;
  return SQLITE_OK;
}

static int temporary_read(sqlite3_file *base, void *room, int count, sqlite3_int64 offset) {
  sealed_file *file = sealed(base);
  unsigned char *to = room;
  while (count > 0) {
    const piece place = piece_at(file, offset);
    const int from = (int)(offset - place.start);
    const int wanted = count < place.count - from ? count : place.count - from;
    const int end = block_count(file, place.start);
    const int there = end <= from ? 0 : end - from < wanted ? end - from : wanted;
    if (there == TEMPORARY_BLOCK && file->cached != place.start) {
      int found = 0;
      const int result = read_piece(file, place, to, &found);
      if (result != SQLITE_OK) return result;
    } else if (there > 0) {
      const int result = take_out(file, place);
      if (result != SQLITE_OK) return result;
      memcpy(to, file->clear + from, (size_t)there);
    }
    if (there < wanted) {
      memset(to + there, 0, (size_t)(count - there));
      return SQLITE_IOERR_SHORT_READ;
    }
    to += wanted;
    offset += wanted;
    count -= wanted;
  }
  return SQLITE_OK;
}

/// Lengthens a file with zeros up to an offset.
static int lengthen(sealed_file *file, sqlite3_int64 offset) {
  while (file->size < offset) {
    const piece place = piece_at(file, file->size);
    const int result = take_out(file, place);
    if (result != SQLITE_OK) return result;
    const sqlite3_int64 end = place.start + place.count;
    file->size = end < offset ? end : offset;
    file->is_changed = 1;
  }
  return SQLITE_OK;
}

static int temporary_write(
    sqlite3_file *base, const void *data, int count, sqlite3_int64 offset) {
  sealed_file *file = sealed(base);
  const unsigned char *from = data;
  int result = lengthen(file, offset);
  while (result == SQLITE_OK && count > 0) {
    const piece place = piece_at(file, offset);
    const int at = (int)(offset - place.start);
    const int added = count < place.count - at ? count : place.count - at;
    if (added == TEMPORARY_BLOCK) {
      if (file->cached == place.start) file->cached = -1, file->is_changed = 0;
      result = write_piece(file, place, from, added);
    } else {
      result = take_out(file, place);
      if (result != SQLITE_OK) return result;
      memcpy(file->clear + at, from, (size_t)added);
      file->is_changed = 1;
    }
    if (result == SQLITE_OK && file->size < offset + added) file->size = offset + added;
    from += added;
    offset += added;
    count -= added;
  }
  return result;
}

static int temporary_truncate(sqlite3_file *base, sqlite3_int64 size) {
  sealed_file *file = sealed(base);
  if (size >= file->size) return lengthen(file, size);
  const piece place = piece_at(file, size);
  const int rest = (int)(size - place.start);
  if (rest > 0) {
    // It is stored with its new length.
    const int result = take_out(file, place);
    if (result != SQLITE_OK) return result;
    memset(file->clear + rest, 0, (size_t)(TEMPORARY_BLOCK - rest));
    file->is_changed = 1;
  } else if (file->cached >= size) {
    file->cached = -1;
    file->is_changed = 0;
  }
  file->size = size;
  const int result = put_back(file);
  if (result != SQLITE_OK) return result;
  return file->real->pMethods->xTruncate(
      file->real, place.stored + (rest > 0 ? rest + HK_SEAL_BYTES : 0));
}

/// A temporary file need not survive a crash.
static int temporary_sync(sqlite3_file *file, int flags) {
  (void)file, (void)flags;
  return SQLITE_OK;
}

static const sqlite3_io_methods temporary_methods = {
    .iVersion = 1,
    .xClose = sealed_close,
    .xRead = temporary_read,
    .xWrite = temporary_write,
    .xTruncate = temporary_truncate,
    .xSync = temporary_sync,
    .xFileSize = sealed_size,
    .xLock = sealed_lock,
    .xUnlock = sealed_unlock,
    .xCheckReservedLock = sealed_check_lock,
    .xFileControl = sealed_control,
    .xSectorSize = sealed_sector,
    .xDeviceCharacteristics = sealed_traits,
};

// MARK: Methods of the layer

static int layer_open(
    sqlite3_vfs *layer, const char *name, sqlite3_file *base, int flags, int *out_flags) {
  (void)layer;
  sealed_file *file = sealed(base);
  memset(file, 0, sizeof *file);
  int64_t number = 0;
  if (flags & SQLITE_OPEN_MAIN_DB) {
    file->kind = HK_SEALED_PAGE;
  } else if (flags & SQLITE_OPEN_WAL) {
    file->kind = HK_SEALED_WAL;
  } else if (flags & SQLITE_OPEN_MAIN_JOURNAL) {
    file->kind = HK_SEALED_JOURNAL;
  } else {
    file->kind = HK_SEALED_TEMPORARY;
  }
  if (file->kind != HK_SEALED_TEMPORARY) {
    number = name ? sqlite3_uri_int64(name, "sealing", 0) : 0;
    if (number == 0) return SQLITE_CANTOPEN;
  }
  file->key = cipher.retain(number);
  if (!file->key) return SQLITE_CANTOPEN;
  file->real = (sqlite3_file *)(file + 1);
  const int result = below->xOpen(below, name, file->real, flags, out_flags);
  if (result != SQLITE_OK) {
    if (file->real->pMethods) file->real->pMethods->xClose(file->real);
    cipher.release(file->key);
    return result;
  }
  file->cached = -1;
  base->pMethods = file->kind == HK_SEALED_TEMPORARY ? &temporary_methods : &methods;
  return SQLITE_OK;
}

static int layer_delete(sqlite3_vfs *layer, const char *name, int syncs) {
  (void)layer;
  return below->xDelete(below, name, syncs);
}

static int layer_access(sqlite3_vfs *layer, const char *name, int flags, int *answer) {
  (void)layer;
  return below->xAccess(below, name, flags, answer);
}

static int layer_path(sqlite3_vfs *layer, const char *name, int size, char *path) {
  (void)layer;
  return below->xFullPathname(below, name, size, path);
}

static int layer_random(sqlite3_vfs *layer, int count, char *room) {
  (void)layer;
  return below->xRandomness(below, count, room);
}

static int layer_sleep(sqlite3_vfs *layer, int microseconds) {
  (void)layer;
  return below->xSleep(below, microseconds);
}

static int layer_time(sqlite3_vfs *layer, double *days) {
  (void)layer;
  return below->xCurrentTime(below, days);
}

static int layer_error(sqlite3_vfs *layer, int size, char *text) {
  (void)layer;
  return below->xGetLastError ? below->xGetLastError(below, size, text) : 0;
}

int hk_register_sealed_files(const hk_cipher *with) {
  static sqlite3_vfs layer;
  if (below) return SQLITE_OK;
  const int result = sqlite3_initialize();
  if (result != SQLITE_OK) return result;
  cipher = *with;
  below = sqlite3_vfs_find(NULL);
  if (!below) return SQLITE_ERROR;
  layer = (sqlite3_vfs){
      .iVersion = 1,
      .szOsFile = (int)sizeof(sealed_file) + below->szOsFile,
      .mxPathname = below->mxPathname,
      .zName = "hkstats-sealed",
      .xOpen = layer_open,
      .xDelete = layer_delete,
      .xAccess = layer_access,
      .xFullPathname = layer_path,
      .xRandomness = layer_random,
      .xSleep = layer_sleep,
      .xCurrentTime = layer_time,
      .xGetLastError = layer_error,
  };
  return sqlite3_vfs_register(&layer, 0);
}

int hk_random(void *room, int count) { return getentropy(room, (size_t)count); }

// MARK: Raw files

struct hk_raw_file {
  sqlite3_file *file;
  const char *name;
};

hk_raw_file *hk_raw_open(const char *path) {
  if (sqlite3_initialize() != SQLITE_OK) return NULL;
  sqlite3_vfs *layer = sqlite3_vfs_find(NULL);
  hk_raw_file *raw = calloc(1, sizeof *raw);
  if (!layer || !raw) {
    free(raw);
    return NULL;
  }
  raw->file = calloc(1, (size_t)layer->szOsFile);
  // The files of SQLite follow no link.
  char *real = realpath(path, NULL);
  raw->name = real ? sqlite3_create_filename(real, "", "", 0, NULL) : NULL;
  free(real);
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
  if (!raw->file || !raw->name
      || layer->xOpen(layer, raw->name, raw->file, flags, NULL) != SQLITE_OK) {
    hk_raw_close(raw);
    return NULL;
  }
  return raw;
}

int hk_raw_read(hk_raw_file *raw, void *room, int count, int64_t offset) {
  return raw->file->pMethods->xRead(raw->file, room, count, offset);
}

int64_t hk_raw_size(hk_raw_file *raw) {
  sqlite3_int64 size = 0;
  return raw->file->pMethods->xFileSize(raw->file, &size) == SQLITE_OK ? size : -1;
}

void hk_raw_close(hk_raw_file *raw) {
  if (raw->file && raw->file->pMethods) raw->file->pMethods->xClose(raw->file);
  free(raw->file);
  sqlite3_free_filename((char *)raw->name);
  free(raw);
}

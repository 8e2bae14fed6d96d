// Two SQLite libraries in one process: "ours" is linked statically, with the file locks under
// trial, and "theirs" is the system's, loaded beside it. Other processes run this program without
// the locks, as programs with POSIX locks.
//
//   two_sqlites FOLDER TRIAL [--without-cure]    exit status 1 if what a trial expects is not so
#define _GNU_SOURCE
#include "hkstats_internal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

typedef long long integer;

typedef struct {
  int (*open)(const char *, sqlite3 **, int, const char *);
  int (*close)(sqlite3 *);
  int (*prepare)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
  int (*step)(sqlite3_stmt *);
  sqlite3_int64 (*column)(sqlite3_stmt *, int);
  const unsigned char *(*text)(sqlite3_stmt *, int);
  int (*finalize)(sqlite3_stmt *);
  int (*wait)(sqlite3 *, int);
} library;

static const library ours = {
    sqlite3_open_v2,      sqlite3_close,       sqlite3_prepare_v2, sqlite3_step,
    sqlite3_column_int64, sqlite3_column_text, sqlite3_finalize,   sqlite3_busy_timeout,
};
static library theirs;
static const char *self, *folder;
static int failures;
enum { MOST_SAID = 12 };

static const int READ_WRITE = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

/// Counts what is not as a trial expects, and says the first of it.
#define EXPECT(condition, ...)                                                \
  do {                                                                        \
    if (condition) break;                                                     \
    if (__atomic_fetch_add(&failures, 1, __ATOMIC_SEQ_CST) >= MOST_SAID) break; \
    char said[300];                                                           \
    snprintf(said, sizeof said, __VA_ARGS__);                                 \
    printf("  line %d: %s\n", __LINE__, said);                                \
  } while (0)

static void stop(const char *what) {
  printf("  cannot %s: %s\n", what, strerror(errno));
  exit(2);
}

// MARK: SQLite

static void load_theirs(void) {
  void *handle = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) stop("load libsqlite3.so.0");
  const struct {
    const char *name;
    void *place;
  } functions[] = {
      {"sqlite3_open_v2", &theirs.open},         {"sqlite3_close", &theirs.close},
      {"sqlite3_prepare_v2", &theirs.prepare},   {"sqlite3_step", &theirs.step},
      {"sqlite3_column_int64", &theirs.column},  {"sqlite3_column_text", &theirs.text},
      {"sqlite3_finalize", &theirs.finalize},    {"sqlite3_busy_timeout", &theirs.wait},
  };
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *symbol = dlsym(handle, functions[i].name);
    if (!symbol) stop("find a function of SQLite");
    memcpy(functions[i].place, &symbol, sizeof symbol);
  }
  if (theirs.open == ours.open) stop("tell the libraries apart");
}

/// Runs statements and gives the first column of the last row, if there is one; a result code.
static int ask(const library *of, sqlite3 *database, const char *sql, integer *answer) {
  while (*sql) {
    sqlite3_stmt *statement = NULL;
    int result = of->prepare(database, sql, -1, &statement, &sql);
    while (result == SQLITE_OK && statement && (result = of->step(statement)) == SQLITE_ROW) {
      if (answer) *answer = of->column(statement, 0);
      result = SQLITE_OK;
    }
    const int end = of->finalize(statement);
    if (result != SQLITE_OK && result != SQLITE_DONE) return result;
    if (end != SQLITE_OK) return end;
  }
  return SQLITE_OK;
}

static int run(const library *of, sqlite3 *database, const char *sql) {
  return ask(of, database, sql, NULL);
}

static sqlite3 *open_store(const library *of, const char *path, int flags) {
  sqlite3 *database = NULL;
  const int result = of->open(path, &database, flags, NULL);
  EXPECT(result == SQLITE_OK, "open of %s: %d", path, result);
  return database;
}

static const char *INSERT_3000 =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
    "INSERT INTO t(v) SELECT randomblob(200) FROM n;";

static void create(const char *path, const char *mode) {
  char sql[400];
  const char *ends[] = {"", "-wal", "-shm", "-journal"};
  for (int i = 0; i < 4; i++) {
    snprintf(sql, sizeof sql, "%s%s", path, ends[i]);
    unlink(sql);
  }
  sqlite3 *database = open_store(&ours, path, READ_WRITE);
  snprintf(
      sql, sizeof sql,
      "PRAGMA journal_mode=%s; CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB);"
      "CREATE INDEX i ON t(v); CREATE TABLE c(a INTEGER, b INTEGER); INSERT INTO c VALUES (0, 0);",
      mode);
  EXPECT(run(&ours, database, sql) == SQLITE_OK, "creation of a store");
  EXPECT(run(&ours, database, INSERT_3000) == SQLITE_OK, "first rows");
  ours.close(database);
}

// MARK: Programs

/// What a process does as a program with POSIX locks: a result code of SQLite.
static int program(const char *action, const char *path) {
  sqlite3 *database = NULL;
  int result = ours.open(path, &database, SQLITE_OPEN_READWRITE, NULL);
  if (result != SQLITE_OK) return result;
  if (strcmp(action, "lock") == 0) {
    result = run(&ours, database, "BEGIN IMMEDIATE; ROLLBACK;");
  } else if (strcmp(action, "write") == 0) {
    result = run(&ours, database, "BEGIN IMMEDIATE;");
    if (result == SQLITE_OK) result = run(&ours, database, INSERT_3000);
    if (result == SQLITE_OK) result = run(&ours, database, "COMMIT;");
    if (result == SQLITE_OK) result = run(&ours, database, "PRAGMA wal_checkpoint(TRUNCATE);");
  } else if (strcmp(action, "truncate") == 0) {
    integer is_busy = 1;
    result = ask(&ours, database, "PRAGMA wal_checkpoint(TRUNCATE);", &is_busy);
    if (result == SQLITE_OK && is_busy) result = SQLITE_BUSY;
  } else if (strcmp(action, "hold") == 0) {
    result = run(&ours, database, "BEGIN IMMEDIATE; UPDATE c SET a = a + 0;");
    char byte = (char)('0' + result);
    if (write(1, &byte, 1) != 1 || read(0, &byte, 1) < 0) result = SQLITE_IOERR;
    if (result == SQLITE_OK) result = run(&ours, database, "ROLLBACK;");
  } else if (strcmp(action, "check") == 0) {
    sqlite3_stmt *statement = NULL;
    result = ours.prepare(database, "PRAGMA integrity_check;", -1, &statement, NULL);
    int findings = 0;
    while (result == SQLITE_OK && ours.step(statement) == SQLITE_ROW) {
      const char *text = (const char *)ours.text(statement, 0);
      if (strcmp(text, "ok") == 0) continue;
      if (text[0] == '*') text = strchr(text, '\n') + 1;
      if (findings < 3) printf("  integrity_check: %.*s\n", (int)strcspn(text, "\n"), text);
      findings += 1;
      for (const char *next = text; (next = strchr(next, '\n')); next++) findings += 1;
    }
    ours.finalize(statement);
    if (findings > 0) {
      // SQLite stops at the hundredth.
      printf("  integrity_check: %d findings\n", findings);
      result = SQLITE_CORRUPT;
    }
  }
  ours.close(database);
  return result;
}

typedef struct {
  pid_t id;
  int in, out;
} process;

/// Starts this program anew with a mode, an action and a path.
static process start(const char *mode, const char *action, const char *path) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) stop("make a pipe");
  fflush(stdout);
  const pid_t id = fork();
  if (id < 0) stop("fork");
  if (id == 0) {
    dup2(in[0], 0);
    if (strcmp(action, "check") != 0) dup2(out[1], 1);
    execl(self, self, mode, action, path, (char *)NULL);
    _exit(99);
  }
  close(in[0]);
  close(out[1]);
  return (process){id, in[1], out[0]};
}

static int finish(process of) {
  close(of.in);
  close(of.out);
  int status = 0;
  while (waitpid(of.id, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

static int other_process(const char *action, const char *path) {
  return finish(start("--program", action, path));
}

static char next_byte(process of) {
  char byte = 0;
  if (read(of.out, &byte, 1) != 1) byte = '?';
  return byte;
}

// MARK: Observations

/// The locks that the kernel lists for a file and its shared memory, of this process or of open
/// files.
static int held(const char *path) {
  char names[2][300], line[256];
  snprintf(names[0], 300, "%s", path);
  snprintf(names[1], 300, "%s-shm", path);
  int count = 0;
  for (int i = 0; i < 2; i++) {
    struct stat traits;
    char place[64];
    if (stat(names[i], &traits) != 0) continue;
    snprintf(
        place, sizeof place, " %02x:%02x:%llu ", major(traits.st_dev), minor(traits.st_dev),
        (unsigned long long)traits.st_ino);
    FILE *locks = fopen("/proc/locks", "re");
    if (!locks) stop("read /proc/locks");
    while (fgets(line, sizeof line, locks)) {
      int owner = 0;
      if (!strstr(line, place) || sscanf(line, "%*d: %*s %*s %*s %d", &owner) != 1) continue;
      count += owner == -1 || owner == getpid();
    }
    fclose(locks);
  }
  return count;
}

static int descriptors(void) {
  DIR *entries = opendir("/proc/self/fd");
  if (!entries) stop("read /proc/self/fd");
  int count = 0;
  while (readdir(entries)) count++;
  closedir(entries);
  return count;
}

static void check_store(const char *path, integer wanted) {
  EXPECT(other_process("check", path) == SQLITE_OK, "the store is corrupt");
  sqlite3 *database = open_store(&ours, path, SQLITE_OPEN_READWRITE);
  integer rows = -1;
  const int result = ask(&ours, database, "SELECT count(*) FROM t NOT INDEXED", &rows);
  EXPECT(result == SQLITE_OK && rows == wanted, "%lld of %lld rows, code %d", rows, wanted, result);
  ours.close(database);
}

// MARK: Trials

/// We write, they read and close, another process writes, we commit.
static void they_close(const char *path, const char *mode) {
  create(path, mode);
  sqlite3 *database = open_store(&ours, path, SQLITE_OPEN_READWRITE);
  // With few pages in memory, those of the transaction go to the files at once.
  EXPECT(run(&ours, database, "PRAGMA cache_size=10; BEGIN IMMEDIATE;") == SQLITE_OK, "begin");
  EXPECT(run(&ours, database, INSERT_3000) == SQLITE_OK, "insertion");
  const int before = held(path);
  sqlite3 *their = open_store(&theirs, path, SQLITE_OPEN_READWRITE);
  const int read = run(&theirs, their, "SELECT count(*) FROM t");
  theirs.close(their);
  const int after = held(path);
  EXPECT(before > 0 && after == before, "their close left %d of %d locks", after, before);
  const int wrote = other_process("write", path);
  EXPECT(wrote == SQLITE_BUSY, "another process wrote amid the transaction: code %d", wrote);
  const int committed = run(&ours, database, "COMMIT");
  EXPECT(committed == SQLITE_OK, "commit: code %d", committed);
  ours.close(database);
  check_store(path, 6000 + (wrote == SQLITE_OK ? 3000 : 0));
  printf("  %s: %d locks, then %d; their SELECT: code %d; another process's write: code %d\n", mode,
         before, after, read, wrote);
}

/// They write, we read and close, another process writes, they commit.
static void we_close(const char *path, const char *mode) {
  create(path, mode);
  const int open_before = descriptors();
  sqlite3 *their = open_store(&theirs, path, SQLITE_OPEN_READWRITE);
  EXPECT(run(&theirs, their, "BEGIN IMMEDIATE; UPDATE c SET a = 1") == SQLITE_OK, "begin");
  const int before = held(path), open_amid = descriptors();
  int most = 0;
  for (int i = 0; i < 100; i++) {
    sqlite3 *database = open_store(&ours, path, SQLITE_OPEN_READWRITE);
    // Without a question, SQLite never locks what it opens and closes.
    integer rows = 0;
    if (i % 2) {
      const int result = ask(&ours, database, "SELECT count(*) FROM t", &rows);
      EXPECT(result == SQLITE_OK && rows == 3000, "%lld rows, code %d", rows, result);
    }
    ours.close(database);
    const int more = descriptors() - open_amid;
    most = more > most ? more : most;
  }
  const int after = held(path);
  EXPECT(after == before, "our close left %d of their %d locks", after, before);
  EXPECT(most <= 6, "%d descriptors more after 100 connections", most);
  const int wrote = other_process("write", path);
  EXPECT(wrote == SQLITE_BUSY, "another process wrote amid their transaction: code %d", wrote);
  const int committed = run(&theirs, their, INSERT_3000) | run(&theirs, their, "COMMIT");
  EXPECT(committed == SQLITE_OK, "their commit: code %d", committed);
  theirs.close(their);
  ours.close(open_store(&ours, path, SQLITE_OPEN_READWRITE));
  EXPECT(descriptors() == open_before, "%d descriptors, %d before", descriptors(), open_before);
  check_store(path, 6000 + (wrote == SQLITE_OK ? 3000 : 0));
  printf("  %s: their %d locks, then %d; %d descriptors more; another process's write: code %d\n",
         mode, before, after, most, wrote);
}

/// Programs with POSIX locks, the other library and this one see each other's locks.
static void see_each_other(const char *path, const char *mode) {
  create(path, mode);
  sqlite3 *database = open_store(&ours, path, SQLITE_OPEN_READWRITE);
  sqlite3 *their = open_store(&theirs, path, SQLITE_OPEN_READWRITE);
  const char *lock = "BEGIN IMMEDIATE; ROLLBACK;";
  const process holder = start("--program", "hold", path);
  EXPECT(next_byte(holder) == '0', "a program's lock");
  EXPECT(run(&ours, database, lock) == SQLITE_BUSY, "we did not see a program's lock");
  EXPECT(run(&theirs, their, lock) == SQLITE_BUSY, "they did not see a program's lock");
  EXPECT(finish(holder) == SQLITE_OK, "a program");
  EXPECT(run(&ours, database, lock) == SQLITE_OK, "a lock after the program");
  EXPECT(run(&ours, database, "BEGIN IMMEDIATE; UPDATE c SET a = 1") == SQLITE_OK, "our lock");
  EXPECT(other_process("lock", path) == SQLITE_BUSY, "a program did not see our lock");
  EXPECT(run(&theirs, their, lock) == SQLITE_BUSY, "they did not see our lock");
  EXPECT(run(&ours, database, "ROLLBACK") == SQLITE_OK, "our rollback");
  EXPECT(other_process("lock", path) == SQLITE_OK, "our lock outlived its transaction");
  EXPECT(run(&theirs, their, "BEGIN IMMEDIATE; UPDATE c SET a = 1") == SQLITE_OK, "their lock");
  EXPECT(run(&ours, database, lock) == SQLITE_BUSY, "we did not see their lock");
  EXPECT(run(&theirs, their, "ROLLBACK") == SQLITE_OK, "their rollback");
  theirs.close(their);
  ours.close(database);
  check_store(path, 3000);
}

/// A process that writes with our locks and forks a child, which does as the action says.
static int victim(const char *action, const char *path) {
  sqlite3 *database = open_store(&ours, path, SQLITE_OPEN_READWRITE);
  int result = run(&ours, database, "PRAGMA cache_size=10; BEGIN IMMEDIATE;");
  if (result == SQLITE_OK) result = run(&ours, database, INSERT_3000);
  const pid_t child = fork();
  if (child == 0) {
    if (strcmp(action, "exits") == 0) exit(0);
    if (strcmp(action, "closes") == 0)
      for (int i = 3; i < 1000; i++) close(i);
    if (write(1, "c", 1) != 1) _exit(1);
    // Its end of the pipe of the victim's input ends with the trial.
    char byte = 0;
    while (read(0, &byte, 1) > 0) continue;
    _exit(0);
  }
  if (strcmp(action, "exits") == 0) {
    if (waitpid(child, NULL, 0) != child || write(1, "c", 1) != 1) return 1;
  }
  pause();
  return result;
}

/// What is left of a killed process's locks while its child lives.
static void killed_with_child(const char *path, const char *mode) {
  const char *actions[] = {"lives", "exits", "closes"};
  for (int i = 0; i < 3; i++) {
    create(path, mode);
    const process holder = start("--victim", actions[i], path);
    EXPECT(next_byte(holder) == 'c', "a child that %s", actions[i]);
    const int before = other_process("lock", path);
    EXPECT(before == SQLITE_BUSY, "its child %s, the locks are gone: code %d", actions[i], before);
    kill(holder.id, SIGKILL);
    waitpid(holder.id, NULL, 0);
    const int locked = other_process("lock", path);
    EXPECT(locked == SQLITE_OK, "the parent is dead, its child %s: code %d", actions[i], locked);
    close(holder.in);
    close(holder.out);
    check_store(path, 3000);
  }
}

/// A child reads with a connection of its own, after it inherited one that reads.
static void child_reads(const char *path, const char *mode) {
  create(path, mode);
  sqlite3 *database = open_store(&ours, path, SQLITE_OPEN_READWRITE);
  EXPECT(run(&ours, database, "BEGIN; SELECT count(*) FROM t") == SQLITE_OK, "our question");
  int ready[2], go[2];
  if (pipe2(ready, O_CLOEXEC) != 0 || pipe2(go, O_CLOEXEC) != 0) stop("make a pipe");
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(go[1]);
    failures = 0;
    sqlite3 *own = open_store(&ours, path, SQLITE_OPEN_READWRITE);
    integer sum = 0, later = 0;
    const char *digest = "SELECT total(length(v)) + count(*) FROM t NOT INDEXED";
    EXPECT(run(&ours, own, "PRAGMA cache_size=10; BEGIN") == SQLITE_OK, "begin of a child");
    EXPECT(ask(&ours, own, digest, &sum) == SQLITE_OK, "question of a child");
    char byte = 'r';
    if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) < 0) _exit(2);
    const int result = ask(&ours, own, digest, &later);
    EXPECT(result == SQLITE_OK && later == sum, "the child's state changed: code %d", result);
    EXPECT(run(&ours, own, "COMMIT") == SQLITE_OK, "end of a child");
    ours.close(own);
    fflush(stdout);
    _exit(failures > 0);
  }
  char byte = 0;
  EXPECT(read(ready[0], &byte, 1) == 1, "a child");
  EXPECT(run(&ours, database, "COMMIT") == SQLITE_OK, "our end");
  EXPECT(ours.close(database) == SQLITE_OK, "our close");
  const int wrote = other_process("write", path);
  const int is_wal = strcmp(mode, "WAL") == 0;
  const int wanted = is_wal ? SQLITE_OK : SQLITE_BUSY;
  EXPECT(wrote == wanted, "a write while a child reads: code %d", wrote);
  const int truncated = is_wal ? other_process("truncate", path) : SQLITE_BUSY;
  EXPECT(truncated == SQLITE_BUSY, "a checkpoint took what a child reads: code %d", truncated);
  close(go[1]);
  close(go[0]);
  close(ready[0]);
  close(ready[1]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT(status == 0, "status %d of a child", status);
  check_store(path, is_wal ? 6000 : 3000);
}

/// A reader opened the file without the right to write, then a writer opens it.
static void read_only_first(const char *path, const char *mode) {
  create(path, mode);
  const int open_before = descriptors();
  sqlite3 *reader = open_store(&ours, path, SQLITE_OPEN_READONLY);
  EXPECT(run(&ours, reader, "BEGIN; SELECT count(*) FROM t") == SQLITE_OK, "reader");
  EXPECT(run(&ours, reader, "UPDATE c SET a = 1") == SQLITE_READONLY, "a reader wrote");
  const int reads = held(path);
  sqlite3 *writer = open_store(&ours, path, SQLITE_OPEN_READWRITE);
  EXPECT(run(&ours, writer, "BEGIN IMMEDIATE; UPDATE c SET a = 1") == SQLITE_OK, "writer");
  EXPECT(held(path) == reads + 1, "%d locks of a reader, %d with a writer", reads, held(path));
  EXPECT(other_process("lock", path) == SQLITE_BUSY, "a program did not see the writer");
  EXPECT(run(&ours, writer, "ROLLBACK") == SQLITE_OK, "rollback");
  const int is_wal = strcmp(mode, "WAL") == 0;
  const int wrote = other_process("write", path);
  const int wanted = is_wal ? SQLITE_OK : SQLITE_BUSY;
  EXPECT(wrote == wanted, "a write while the reader reads: code %d", wrote);
  EXPECT(run(&ours, reader, "COMMIT") == SQLITE_OK, "end of the reader");
  EXPECT(run(&ours, writer, "UPDATE c SET a = 2") == SQLITE_OK, "a later write");
  EXPECT(ours.close(reader) == SQLITE_OK, "close of the reader");
  EXPECT(other_process("write", path) == SQLITE_OK, "a write after all");
  EXPECT(ours.close(writer) == SQLITE_OK, "close of the writer");
  EXPECT(descriptors() == open_before, "%d descriptors, %d before", descriptors(), open_before);
  check_store(path, is_wal ? 9000 : 6000);
}

/// Files that are removed and made again, whose numbers come again.
static void recreated(const char *path, const char *mode) {
  const int open_before = descriptors();
  char made[300];
  snprintf(
      made, sizeof made,
      "PRAGMA synchronous=OFF; PRAGMA journal_mode=%s; CREATE TABLE t(v);"
      "BEGIN IMMEDIATE; INSERT INTO t VALUES (1)",
      mode);
  int reused = 0;
  ino_t last[2] = {0, 0};
  for (int i = 0; i < 200; i++) {
    struct stat traits;
    sqlite3 *one = open_store(&ours, path, READ_WRITE);
    EXPECT(run(&ours, one, made) == SQLITE_OK, "first file");
    if (stat(path, &traits) == 0) {
      reused += traits.st_ino == last[0] || traits.st_ino == last[1];
      last[0] = traits.st_ino;
    }
    const char *ends[] = {"", "-wal", "-shm", "-journal"};
    for (int j = 0; j < 4; j++) {
      char name[300];
      snprintf(name, sizeof name, "%s%s", path, ends[j]);
      unlink(name);
    }
    sqlite3 *other = open_store(&ours, path, READ_WRITE);
    EXPECT(run(&ours, other, made) == SQLITE_OK, "second file");
    if (i % 50 == 0) EXPECT(other_process("lock", path) == SQLITE_BUSY, "lock of the second file");
    // The one that was removed ends first, or last.
    for (int j = 0; j < 2; j++) {
      sqlite3 *database = i % 2 == j ? one : other;
      const int result = run(&ours, database, "COMMIT");
      EXPECT(result == SQLITE_OK || database == one, "commit: code %d", result);
      if (result != SQLITE_OK) run(&ours, database, "ROLLBACK");
      EXPECT(ours.close(database) == SQLITE_OK, "close");
    }
    if (i % 50 == 0) EXPECT(other_process("lock", path) == SQLITE_OK, "lock left behind");
    if (stat(path, &traits) == 0) last[1] = traits.st_ino;
    unlink(path);
    EXPECT(descriptors() == open_before, "%d descriptors, %d before", descriptors(), open_before);
  }
  printf("  %s: 200 times, %d with a number that came again\n", mode, reused);
}

// MARK: Threads

enum { THREADS = 8, ROUNDS = 2000 };
static const char *shared_path;
static const char *WRITE_BOTH =
    "PRAGMA synchronous=OFF; BEGIN IMMEDIATE;"
    "UPDATE c SET a = a + 1; UPDATE c SET b = b + 1; COMMIT";
static int written, their_rounds, their_errors, is_over;

static void *our_thread(void *number) {
  for (int i = 0; i < ROUNDS / THREADS; i++) {
    const int flags = i % 5 == 4 ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    sqlite3 *database = open_store(&ours, shared_path, flags);
    ours.wait(database, 8000);
    integer difference = -1;
    const char *question = "SELECT sum(a - b) FROM c";
    const int result = ask(&ours, database, question, &difference);
    EXPECT(result == SQLITE_OK && difference == 0, "read %lld: code %d", difference, result);
    if ((i + *(int *)number) % 2 && flags == SQLITE_OPEN_READWRITE) {
      const int wrote = run(&ours, database, WRITE_BOTH);
      EXPECT(wrote == SQLITE_OK, "a thread wrote: code %d", wrote);
      __atomic_add_fetch(&written, wrote == SQLITE_OK, __ATOMIC_SEQ_CST);
    }
    EXPECT(ours.close(database) == SQLITE_OK, "close of a thread");
  }
  return NULL;
}

static void *their_thread(void *unused) {
  (void)unused;
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
    sqlite3 *database = open_store(&theirs, shared_path, SQLITE_OPEN_READWRITE);
    theirs.wait(database, 8000);
    integer difference = -1;
    const int result = ask(&theirs, database, "SELECT sum(a - b) FROM c", &difference);
    their_errors += result != SQLITE_OK || difference != 0;
    their_rounds += 1;
    if (their_rounds % 2) {
      const int wrote = run(&theirs, database, WRITE_BOTH);
      their_errors += wrote != SQLITE_OK;
      __atomic_add_fetch(&written, wrote == SQLITE_OK, __ATOMIC_SEQ_CST);
    }
    theirs.close(database);
    usleep(300);
  }
  return NULL;
}

static void many_threads(const char *path, const char *mode) {
  create(path, mode);
  shared_path = path;
  written = their_rounds = their_errors = is_over = 0;
  const int open_before = descriptors();
  pthread_t threads[THREADS], other;
  int numbers[THREADS];
  pthread_create(&other, NULL, their_thread, NULL);
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, our_thread, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
  pthread_join(other, NULL);
  sqlite3 *database = open_store(&ours, path, SQLITE_OPEN_READWRITE);
  integer a = -1;
  const int result = ask(&ours, database, "SELECT a FROM c", &a);
  EXPECT(result == SQLITE_OK && a == written, "%lld of %d writes: code %d", a, written, result);
  ours.close(database);
  EXPECT(descriptors() == open_before, "%d descriptors, %d before", descriptors(), open_before);
  EXPECT(their_errors == 0, "%d of their %d answers wrong", their_errors, their_rounds);
  printf(
      "  %s: %d connections, %d writes, %lld kept; %d answers of theirs, %d wrong\n", mode, ROUNDS,
      written, a, their_rounds, their_errors);
  check_store(path, 3000);
}

// MARK: Refusals

/// Lets the kernel refuse the commands of open files' locks with an error from now on.
static void refuse_locks(int error) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, F_OFD_GETLK, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, F_OFD_SETLKW, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog code = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &code, 0, 0) != 0)
    stop("filter system calls");
}

/// A process where the locks are refused, before or after they are installed; 0 if all is well.
static int refused(const char *action, const char *path) {
  const int is_early = strncmp(action, "early", 5) == 0;
  int go[2], done[2];
  if (pipe2(go, O_CLOEXEC) != 0 || pipe2(done, O_CLOEXEC) != 0) stop("make a pipe");
  // Another process, which is not refused: it tries the lock each time it is told.
  const pid_t watcher = fork();
  if (watcher == 0) {
    char byte = 0;
    close(go[1]);
    while (read(go[0], &byte, 1) == 1) {
      byte = (char)other_process("lock", path);
      if (write(done[1], &byte, 1) != 1) break;
    }
    _exit(0);
  }
  close(go[0]);
  const int open_before = descriptors();
  if (!is_early) EXPECT(hki_install_file_locks() == HKI_OK, "installation");
  const char *way = strchr(action, '-') + 1;
  if (strcmp(way, "proc") == 0) {
    // In a folder without /proc.
    if (chroot(folder) != 0 || chdir("/") != 0) stop("change the root");
  } else {
    refuse_locks(strcmp(way, "EINVAL") == 0 ? EINVAL : EOPNOTSUPP);
  }
  if (is_early) EXPECT(hki_install_file_locks() == HKI_POSIX_LOCKS, "installation without locks");
  const char *here = strcmp(way, "proc") == 0 ? strrchr(path, '/') : path;
  sqlite3 *database = open_store(&ours, here, SQLITE_OPEN_READWRITE);
  EXPECT(run(&ours, database, "BEGIN IMMEDIATE; UPDATE c SET a = 1") == SQLITE_OK, "a write");
  char byte = 0;
  EXPECT(write(go[1], "l", 1) == 1 && read(done[0], &byte, 1) == 1 && byte == SQLITE_BUSY,
         "another process did not see POSIX locks: code %d", byte);
  EXPECT(run(&ours, database, "COMMIT") == SQLITE_OK, "commit");
  EXPECT(hki_posix_locked_files() == (is_early ? 0 : 2), "%d files", hki_posix_locked_files());
  EXPECT(ours.close(database) == SQLITE_OK, "close");
  EXPECT(write(go[1], "l", 1) == 1 && read(done[0], &byte, 1) == 1 && byte == SQLITE_OK,
         "POSIX locks stayed: code %d", byte);
  if (strcmp(way, "proc") != 0)
    EXPECT(descriptors() == open_before, "%d descriptors, %d before", descriptors(), open_before);
  close(go[1]);
  waitpid(watcher, NULL, 0);
  return failures > 0;
}

static void refusals(const char *path, const char *mode) {
  const char *actions[] = {
      "early-EINVAL",    "late-EINVAL", "early-EOPNOTSUPP",
      "late-EOPNOTSUPP", "early-proc",  "late-proc",
  };
  for (int i = 0; i < 6; i++) {
    if (i >= 4 && geteuid() != 0) {
      printf("  not tried as another user than root: %s\n", actions[i]);
      continue;
    }
    create(path, mode);
    const process one = start("--refused", actions[i], path);
    char text[400];
    ssize_t count = 0;
    while ((count = read(one.out, text, sizeof text)) > 0) fwrite(text, 1, (size_t)count, stdout);
    const int result = finish(one);
    EXPECT(result == 0, "%s: %d", actions[i], result);
    check_store(path, 3000);
  }
}

/// A writer whose file no longer may be opened for writing.
static void locked_out(const char *path, const char *mode) {
  create(path, mode);
  if (geteuid() == 0) {
    // Permissions do not bind root.
    if (chown(path, 65534, 65534) != 0 || chmod(folder, 0777) != 0) stop("change an owner");
    if (setegid(65534) != 0 || seteuid(65534) != 0) stop("change the user");
  }
  sqlite3 *reader = open_store(&ours, path, SQLITE_OPEN_READONLY);
  sqlite3 *writer = open_store(&ours, path, SQLITE_OPEN_READWRITE);
  EXPECT(run(&ours, reader, "BEGIN; SELECT count(*) FROM t") == SQLITE_OK, "reader");
  if (chmod(path, 0444) != 0) stop("change a mode");
  const int denied = run(&ours, writer, "BEGIN IMMEDIATE");
  EXPECT(denied == SQLITE_BUSY, "a write lock that cannot be: code %d", denied);
  if (chmod(path, 0644) != 0) stop("change a mode");
  EXPECT(run(&ours, writer, "BEGIN IMMEDIATE; ROLLBACK") == SQLITE_OK, "a write lock");
  EXPECT(run(&ours, reader, "COMMIT") == SQLITE_OK, "end of the reader");
  ours.close(reader);
  ours.close(writer);
}

static const struct {
  const char *name, *modes[2];
  void (*run)(const char *path, const char *mode);
} trials[] = {
    {"they-close", {"WAL", "DELETE"}, they_close},
    {"we-close", {"WAL", "DELETE"}, we_close},
    {"see-each-other", {"WAL", "DELETE"}, see_each_other},
    {"killed-with-child", {"WAL", "DELETE"}, killed_with_child},
    {"child-reads", {"WAL", "DELETE"}, child_reads},
    {"read-only-first", {"WAL", "DELETE"}, read_only_first},
    {"recreated", {"WAL", "TRUNCATE"}, recreated},
    {"threads", {"WAL", "DELETE"}, many_threads},
    {"refusals", {"WAL", NULL}, refusals},
    {"locked-out", {"DELETE", NULL}, locked_out},
};

int main(int count, char **arguments) {
  self = "/proc/self/exe";
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN);
  if (count < 3) return 64;
  const char *mode = arguments[1];
  if (count == 4 && strcmp(mode, "--program") == 0) return program(arguments[2], arguments[3]);
  char own[300];
  const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length < 0) stop("find this program");
  own[length] = 0;
  self = own;
  if (count == 4 && strcmp(mode, "--refused") == 0) {
    char parent[300];
    snprintf(parent, sizeof parent, "%s", arguments[3]);
    *strrchr(parent, '/') = 0;
    folder = parent;
    return refused(arguments[2], arguments[3]);
  }
  if (count == 4 && strcmp(mode, "--victim") == 0) {
    if (!getenv("WITHOUT_CURE") && hki_install_file_locks() != HKI_OK) return 3;
    return victim(arguments[2], arguments[3]);
  }

  folder = arguments[1];
  load_theirs();
  if (count == 4) setenv("WITHOUT_CURE", "1", 1);
  const int is_cured = count == 3 && strcmp(arguments[2], "refusals") != 0;
  if (is_cured)
    for (int i = 0; i < 2; i++) EXPECT(hki_install_file_locks() == HKI_OK, "installation");
  for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
    if (strcmp(arguments[2], trials[i].name) != 0) continue;
    for (int j = 0; j < 2 && trials[i].modes[j]; j++) {
      char path[300];
      snprintf(path, sizeof path, "%s/%s.sqlite", folder, trials[i].name);
      trials[i].run(path, trials[i].modes[j]);
    }
    const int left = hki_posix_locked_files();
    EXPECT(left == 0, "%d files with POSIX locks", left);
    if (failures > 0) printf("  %s: %d failed\n", trials[i].name, failures);
    return failures > 0;
  }
  return 64;
}

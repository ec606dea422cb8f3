/* Preloaded into a program (LD_PRELOAD): writes down, in order, everything that it does to the files of one folder.
 *
 * POWER_CUTS_FOLDER is the folder, without symbolic links and without a slash at its end; POWER_CUTS_TRACE is the file
 * that gets the records. Several programs may share both: a record is written under a lock with the act itself. What a
 * record looks like is told beside `struct head`, and read by trace.py. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* o: opened, of the name `first`; `at` is 1 if it was made and 2 if it was emptied   w: `first` written at `at`
 * t: cut or grown to `at`   s: synced   d: the folder `first` synced   r: `first` renamed to `second`   u: `first`
 * removed   m: the folder `first` made   x: the folder `first` removed   !: a mark of the test, `first` */
struct head {
    uint8_t kind, unused[7];
    uint64_t file, at;
    uint32_t first, second;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static char folder[PATH_MAX];
static size_t folder_length;

__attribute__((constructor)) static void begin(void) {
    const char *where = getenv("POWER_CUTS_FOLDER"), *to = getenv("POWER_CUTS_TRACE");
    if (where == NULL || to == NULL || strlen(where) >= sizeof folder) return;
    strcpy(folder, where);
    folder_length = strlen(folder);
    int opened = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    trace = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 900); /* out of the way of programs that close all */
    if (opened >= 0) close(opened);
}

static void enter(void) {
    pthread_mutex_lock(&lock);
    flock(trace, LOCK_EX);
}

static void leave(void) {
    int kept = errno;
    flock(trace, LOCK_UN);
    pthread_mutex_unlock(&lock);
    errno = kept;
}

static void note(char kind, uint64_t file, uint64_t at, const void *first, size_t n, const char *second) {
    int kept = errno;
    struct head head = {.kind = (uint8_t)kind, .file = file, .at = at, .first = (uint32_t)n,
                        .second = second ? (uint32_t)strlen(second) : 0};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)first, n}, {(void *)second, head.second}};
    if (syscall(SYS_writev, trace, parts, 3) != (long)(sizeof head + n + head.second)) abort();
    errno = kept;
}

/* What is left of a path below the folder, NULL for any other; "" is the folder itself. */
static const char *below(const char *path) {
    if (strncmp(path, folder, folder_length) != 0) return NULL;
    if (path[folder_length] == '/') return path + folder_length + 1;
    return path[folder_length] == '\0' ? path + folder_length : NULL;
}

static const char *named(int at, const char *path, char *whole) {
    if (trace < 0) return NULL;
    if (path[0] == '/') {
        snprintf(whole, PATH_MAX, "%s", path);
    } else {
        char start[PATH_MAX], place[64];
        snprintf(place, sizeof place, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
        ssize_t length = readlink(place, start, sizeof start - 1);
        if (length < 0) return NULL;
        start[length] = '\0';
        if (snprintf(whole, PATH_MAX, "%s/%s", start, path) >= PATH_MAX) return NULL;
    }
    return below(whole);
}

/* The same of an open file. */
static const char *opened_as(int fd, char *whole) {
    char place[64];
    if (trace < 0) return NULL;
    snprintf(place, sizeof place, "/proc/self/fd/%d", fd);
    int kept = errno;
    ssize_t length = readlink(place, whole, PATH_MAX - 1);
    errno = kept;
    if (length < 0) return NULL;
    whole[length] = '\0';
    return below(whole);
}

static uint64_t number_of(int fd) {
    struct stat found;
    return fstat(fd, &found) == 0 ? (uint64_t)found.st_ino : 0;
}

static int opening(int at, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX];
    const char *name = (flags & (O_WRONLY | O_RDWR | O_CREAT)) ? named(at, path, whole) : NULL;
    if (name == NULL || (flags & O_TMPFILE) == O_TMPFILE) return (int)syscall(SYS_openat, at, path, flags, mode);
    enter();
    struct stat before;
    int there = fstatat(at, path, &before, 0) == 0;
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    if (fd >= 0) {
        int emptied = there && (flags & O_TRUNC) && before.st_size > 0;
        note('o', number_of(fd), !there ? 1 : emptied ? 2 : 0, name, strlen(name), NULL);
    }
    leave();
    return fd;
}

#define MODE(last) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, last); mode = va_arg(more, mode_t); va_end(more); }

int open(const char *path, int flags, ...) { MODE(flags) return opening(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opening(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opening(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opening(at, path, flags, mode); }
int __open_2(const char *path, int flags) { return opening(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opening(AT_FDCWD, path, flags, 0); }

ssize_t write(int fd, const void *data, size_t n) {
    char whole[PATH_MAX];
    if (opened_as(fd, whole) == NULL) return syscall(SYS_write, fd, data, n);
    enter();
    ssize_t done = syscall(SYS_write, fd, data, n);
    if (done > 0) note('w', number_of(fd), (uint64_t)(lseek(fd, 0, SEEK_CUR) - done), data, (size_t)done, NULL);
    leave();
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
    char whole[PATH_MAX];
    if (opened_as(fd, whole) == NULL) return syscall(SYS_pwrite64, fd, data, n, at);
    enter();
    ssize_t done = syscall(SYS_pwrite64, fd, data, n, at);
    if (done > 0) note('w', number_of(fd), (uint64_t)at, data, (size_t)done, NULL);
    leave();
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at) { return pwrite64(fd, data, n, at); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
    char whole[PATH_MAX];
    if (opened_as(fd, whole) == NULL) return syscall(SYS_writev, fd, parts, count);
    return write(fd, parts[0].iov_base, parts[0].iov_len); /* less than asked for, as a system may */
}

ssize_t sendfile64(int to, int from, off64_t *at, size_t n) {
    char whole[PATH_MAX];
    if (opened_as(to, whole) == NULL) return syscall(SYS_sendfile, to, from, at, n);
    char data[65536];
    ssize_t got = at ? pread(from, data, n < sizeof data ? n : sizeof data, *at)
                     : read(from, data, n < sizeof data ? n : sizeof data);
    if (got <= 0) return got;
    ssize_t done = write(to, data, (size_t)got);
    if (done < got) { errno = ENOSPC; return -1; } /* no test fills its disk */
    if (at) *at += done;
    return done;
}

ssize_t sendfile(int to, int from, off_t *at, size_t n) { return sendfile64(to, from, at, n); }

ssize_t copy_file_range(int from, off64_t *a, int to, off64_t *b, size_t n, unsigned flags) {
    (void)from, (void)a, (void)to, (void)b, (void)n, (void)flags;
    errno = ENOSYS; /* whoever copies so knows another way */
    return -1;
}

static int syncing(int fd, int call) {
    char whole[PATH_MAX];
    const char *name = opened_as(fd, whole);
    if (name == NULL) return (int)syscall(call, fd);
    struct stat found;
    enter();
    int done = (int)syscall(call, fd);
    if (done == 0 && fstat(fd, &found) == 0) {
        if (S_ISDIR(found.st_mode)) note('d', 0, 0, name, strlen(name), NULL);
        else note('s', (uint64_t)found.st_ino, 0, NULL, 0, NULL);
    }
    leave();
    return done;
}

int fsync(int fd) { return syncing(fd, SYS_fsync); }
int fdatasync(int fd) { return syncing(fd, SYS_fdatasync); }

int ftruncate64(int fd, off64_t size) {
    char whole[PATH_MAX];
    if (opened_as(fd, whole) == NULL) return (int)syscall(SYS_ftruncate, fd, size);
    enter();
    int done = (int)syscall(SYS_ftruncate, fd, size);
    if (done == 0) note('t', number_of(fd), (uint64_t)size, NULL, 0, NULL);
    leave();
    return done;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int renameat(int from_at, const char *from, int to_at, const char *to) {
    char whole[PATH_MAX], other[PATH_MAX];
    const char *first = named(from_at, from, whole), *second = named(to_at, to, other);
    if (first == NULL || second == NULL) return (int)syscall(SYS_renameat2, from_at, from, to_at, to, 0);
    enter();
    int done = (int)syscall(SYS_renameat2, from_at, from, to_at, to, 0);
    if (done == 0) note('r', 0, 0, first, strlen(first), second);
    leave();
    return done;
}

int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

static int removing(int at, const char *path, int flags) {
    char whole[PATH_MAX];
    const char *name = named(at, path, whole);
    if (name == NULL) return (int)syscall(SYS_unlinkat, at, path, flags);
    enter();
    int done = (int)syscall(SYS_unlinkat, at, path, flags);
    if (done == 0) note(flags & AT_REMOVEDIR ? 'x' : 'u', 0, 0, name, strlen(name), NULL);
    leave();
    return done;
}

int unlink(const char *path) { return removing(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return removing(AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int at, const char *path, int flags) { return removing(at, path, flags); }

int mkdirat(int at, const char *path, mode_t mode) {
    char whole[PATH_MAX];
    const char *name = named(at, path, whole);
    if (name == NULL) return (int)syscall(SYS_mkdirat, at, path, mode);
    enter();
    int done = (int)syscall(SYS_mkdirat, at, path, mode);
    if (done == 0) note('m', 0, 0, name, strlen(name), NULL);
    leave();
    return done;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

/* Called by a test: what was promised up to here. */
void power_cuts_mark(const char *text, size_t n) {
    if (trace < 0) return;
    enter();
    note('!', 0, 0, text, n, NULL);
    leave();
}

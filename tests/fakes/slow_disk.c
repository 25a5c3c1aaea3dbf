/* A disk of a chosen speed: reads of files below a folder take as long as that disk would need.
 *
 * Loaded into a real process, which reads real files:
 *
 *     cc -shared -fPIC -O2 -DSLOW_DISK_FOLDER='"/data"' -DSLOW_DISK_MB_S=20 -o slow_disk.so slow_disk.c -ldl -lpthread
 *     LD_PRELOAD=./slow_disk.so python train.py
 *
 * Folder and speed are compiled in, because a benchmark's child inherits few variables.
 * All threads share the one disk, as they would a real one: a read waits until those before it are done.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;

static int is_slow(int fd)
{
    const char *folder = SLOW_DISK_FOLDER;
    char link[64], path[PATH_MAX];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

static void take_as_long(ssize_t bytes)
{
    double seconds = bytes / (SLOW_DISK_MB_S * 1e6);
    struct timespec pause = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};

    pthread_mutex_lock(&disk);
    nanosleep(&pause, NULL);
    pthread_mutex_unlock(&disk);
}

ssize_t read(int fd, void *buffer, size_t count)
{
    static ssize_t (*real)(int, void *, size_t);
    ssize_t got;

    if (!real)
        real = dlsym(RTLD_NEXT, "read");
    got = real(fd, buffer, count);
    if (got > 0 && is_slow(fd))
        take_as_long(got);
    return got;
}

ssize_t pread64(int fd, void *buffer, size_t count, off64_t offset)
{
    static ssize_t (*real)(int, void *, size_t, off64_t);
    ssize_t got;

    if (!real)
        real = dlsym(RTLD_NEXT, "pread64");
    got = real(fd, buffer, count, offset);
    if (got > 0 && is_slow(fd))
        take_as_long(got);
    return got;
}

ssize_t pread(int fd, void *buffer, size_t count, off_t offset)
{
    return pread64(fd, buffer, count, offset);
}

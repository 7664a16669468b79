/* For redis-server: keeps, beside each append-only file, the size that is surely on the disk.
 *
 * A kill leaves what was written but not flushed in the kernel's memory, where the next process
 * finds it; a power cut does not. Cut back to the size kept here, a file is what a power cut may
 * leave of one that is only appended to. Torn or reordered blocks are not shown by this, nor a disk
 * that lies. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void keep(int descriptor, long long size)
{
    char link[64], file[1024], kept[1100], fresh[1104];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, file, sizeof file - 1);
    if (length < 4)
        return;
    file[length] = '\0';
    if (strcmp(file + length - 4, ".aof") != 0)
        return;
    snprintf(kept, sizeof kept, "%s.flushed", file);
    snprintf(fresh, sizeof fresh, "%s.new", kept);
    FILE *stream = fopen(fresh, "w");
    if (stream == NULL)
        return;
    fprintf(stream, "%lld", size);
    fclose(stream);
    rename(fresh, kept);
}

static int flush(int descriptor, const char *name)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct stat before; /* what is written during the flush is not promised */
    int known = fstat(descriptor, &before) == 0;
    int result = real(descriptor);
    if (result == 0 && known)
        keep(descriptor, (long long)before.st_size);
    return result;
}

int fsync(int descriptor) { return flush(descriptor, "fsync"); }
int fdatasync(int descriptor) { return flush(descriptor, "fdatasync"); }

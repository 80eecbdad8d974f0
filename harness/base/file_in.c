// SPDX-License-Identifier: Apache-2.0

#include "file.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { AT_ONCE = 1 << 20 }; // most bytes of one call

struct file_in {
    int fd;         // -1: `packed` has it
    gzFile packed;  // NULL: the file is not compressed
    uint64_t size;  // of the file
    uint64_t taken; // bytes of content read so far
    char path[];
};

// Opens the compressed content of a file; it then owns the descriptor.
static bool unpack(struct file_in *in, struct error *err) {
    static const unsigned char magic[2] = {0x1f, 0x8b};
    unsigned char first[sizeof magic];
    if (pread(in->fd, first, sizeof first, 0) != sizeof first || memcmp(first, magic, sizeof magic) != 0) return true;
    if (!(in->packed = gzdopen(in->fd, "rb")))
        return error_set(err, STATUS_FAULT, "%s: no memory to unpack it", in->path);
    in->fd = -1;
    return gzbuffer(in->packed, 1 << 17) == 0 || error_set(err, STATUS_FAULT, "%s: no memory to unpack it", in->path);
}

struct file_in *file_in_open(const char *path, struct error *err) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        error_set(err, STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        error_set(err, STATUS_BAD_INPUT, "%s: expected a regular file", path);
        close(fd);
        return NULL;
    }
    struct file_in *in = memory_alloc(1, sizeof *in + strlen(path) + 1);
    in->fd = fd;
    in->size = (uint64_t)info.st_size;
    strcpy(in->path, path);
    if (unpack(in, err)) return in;
    file_in_close(in);
    return NULL;
}

void file_in_close(struct file_in *in) {
    if (!in) return;
    if (in->packed) gzclose_r(in->packed);
    if (in->fd >= 0) close(in->fd);
    free(in);
}

static bool read_packed(struct file_in *in, char *bytes, size_t room, size_t *got, struct error *err) {
    int fault, n = gzread(in->packed, bytes, (unsigned)room);
    const char *why = gzerror(in->packed, &fault);
    *got = n > 0 ? (size_t)n : 0;
    if (fault == Z_BUF_ERROR) why = "it ends within its compressed content"; // gzread returns the bytes before this
    if (fault != Z_OK && fault != Z_STREAM_END)
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot be unpacked: %s", in->path, why);
    in->taken += *got;
    if (in->taken <= FILE_IN_FREE || in->taken / FILE_IN_RATIO < in->size) return true;
    return error_set(err, STATUS_BAD_INPUT,
        "%s: unpacks to more than %d times its %llu bytes; if that is right, unpack it with gunzip", in->path,
        FILE_IN_RATIO, (unsigned long long)in->size);
}

static bool read_plain(struct file_in *in, char *bytes, size_t room, size_t *got, struct error *err) {
    ssize_t n;
    do n = read(in->fd, bytes, room);
    while (n < 0 && errno == EINTR);
    *got = n > 0 ? (size_t)n : 0;
    in->taken += *got;
    return n >= 0 || error_set(err, STATUS_BAD_INPUT, "%s: cannot be read: %s", in->path, strerror(errno));
}

bool file_in_read(struct file_in *in, void *bytes, size_t room, size_t *got, struct error *err) {
    *got = 0;
    for (size_t n = 1; n && *got < room; *got += n) {
        size_t wanted = room - *got < AT_ONCE ? room - *got : AT_ONCE;
        if (!(in->packed ? read_packed : read_plain)(in, (char *)bytes + *got, wanted, &n, err)) return false;
    }
    return true;
}

bool file_in_skip_to(struct file_in *in, uint64_t offset, struct error *err) {
    char passed[4096];
    for (size_t got = 1; got && in->taken < offset;) {
        const uint64_t left = offset - in->taken;
        if (!file_in_read(in, passed, left < sizeof passed ? (size_t)left : sizeof passed, &got, err)) return false;
    }
    return true;
}

static bool read_growing(struct file_in *in, struct arena *arena, char **bytes, size_t *length, struct error *err) {
    for (size_t room = 0, got = 1; got; *length += got) {
        if (*length + AT_ONCE >= room) {
            room = room ? room * 2 : 4 * AT_ONCE;
            char *wider = arena_alloc(arena, room, 1);
            if (*length) memcpy(wider, *bytes, *length);
            *bytes = wider;
        }
        if (!file_in_read(in, *bytes + *length, AT_ONCE, &got, err)) return false;
        if (*length + got > FILE_IN_WHOLE)
            return error_set(err, STATUS_BAD_INPUT, "%s: unpacks to more than %d bytes, the most read at once",
                in->path, FILE_IN_WHOLE);
    }
    (*bytes)[*length] = '\0';
    return true;
}

char *file_in_whole(struct arena *arena, const char *path, size_t *length, struct error *err) {
    struct file_in *in = file_in_open(path, err);
    char *bytes = NULL;
    bool packed = in && in->packed;
    *length = 0;
    if (packed && !read_growing(in, arena, &bytes, length, err)) bytes = NULL;
    file_in_close(in);
    return !in ? NULL : packed ? bytes : file_read(arena, path, length, err);
}

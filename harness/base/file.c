// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include "memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_FILE = INT_MAX, DEEPEST_FOLDER = 8, LONGEST_SLUG = 100 };

static bool read_all(int fd, char *bytes, size_t size, size_t *got) {
    *got = 0;
    while (*got < size) {
        ssize_t n = read(fd, bytes + *got, size - *got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (n == 0) break;
        *got += (size_t)n;
    }
    return true;
}

char *file_read(struct arena *arena, const char *path, size_t *length, struct error *err) {
    char *bytes = NULL;
    struct stat info;
    size_t got = 0;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // does not wait for the writer of a pipe
    if (fd < 0) {
        error_set(err, STATUS_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        error_set(err, STATUS_BAD_INPUT, "%s: expected a regular file", path);
    } else if (info.st_size > LARGEST_FILE) {
        error_set(err, STATUS_BAD_INPUT, "%s: %lld bytes; files above %d bytes are not read", path,
            (long long)info.st_size, LARGEST_FILE);
    } else {
        bytes = arena_alloc(arena, (size_t)info.st_size + 1, 1);
        if (!read_all(fd, bytes, (size_t)info.st_size, &got)) {
            error_set(err, STATUS_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
            bytes = NULL;
        }
    }
    close(fd);
    if (length) *length = got;
    return bytes;
}

struct file_out {
    struct arena arena; // for the names
    char *path, *partial;
    FILE *file;
    bool nameless; // a process that is killed leaves nothing
    int fault;     // errno of the first failed write
};

static void release(struct file_out *out) {
    arena_free(&out->arena);
    free(out);
}

struct file_out *file_begin(const char *path, struct error *err) {
    struct stat info;
    // A new file would replace a device or a pipe.
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        error_set(err, STATUS_FAULT, "%s: cannot be written: it exists and is not a regular file", path);
        return NULL;
    }
    struct file_out *out = memory_alloc(1, sizeof *out);
    out->path = arena_copy(&out->arena, path);
    out->partial = arena_format(&out->arena, "%s.part-%ld", path, (long)gettid());
    // The file must be new: in a folder of somebody else, a link of this name would lead to another place.
    unlink(out->partial);
    const int fd = open(file_folder(&out->arena, path), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    out->nameless = fd >= 0; // not every file system has such files
    out->file = fd >= 0 ? fdopen(fd, "w") : fopen(out->partial, "wxe");
    if (out->file) return out;
    error_set(err, STATUS_FAULT, "%s: cannot be written: %s", path, strerror(errno));
    release(out);
    return NULL;
}

void file_put(struct file_out *out, const void *bytes, size_t length) {
    if (!out->fault && fwrite(bytes, 1, length, out->file) != length) out->fault = errno ? errno : EIO;
}

void file_spill(void *out, const char *bytes, size_t length) {
    file_put(out, bytes, length);
}

// Gives the file its partial name. What replaces a file is on disk before.
static bool settle(struct file_out *out) {
    char there[40];
    const int fd = fileno(out->file);
    snprintf(there, sizeof there, "/proc/self/fd/%d", fd);
    return fflush(out->file) == 0 && (!file_exists(out->path) || fsync(fd) == 0 || errno == EINVAL) &&
           (!out->nameless || linkat(AT_FDCWD, there, AT_FDCWD, out->partial, AT_SYMLINK_FOLLOW) == 0);
}

bool file_finish(struct file_out *out, bool ok, struct error *err) {
    if (ok && !out->fault && !settle(out)) out->fault = errno;
    if (fclose(out->file) != 0 && !out->fault) out->fault = errno;
    if (ok && !out->fault && rename(out->partial, out->path) != 0) out->fault = errno;
    if (ok && out->fault) error_set(err, STATUS_FAULT, "%s: cannot be written: %s", out->path, strerror(out->fault));
    ok = ok && !out->fault;
    if (!ok) unlink(out->partial);
    release(out);
    return ok;
}

bool file_write(const char *path, const void *bytes, size_t length, struct error *err) {
    struct file_out *out = file_begin(path, err);
    if (!out) return false;
    file_put(out, bytes, length);
    return file_finish(out, true, err);
}

bool file_make_folder(const char *path, struct error *err) {
    struct arena arena = {0};
    char *partial = arena_copy(&arena, path);
    bool ok = true;
    for (char *end = partial + 1; ok; end++) {
        if (*end != '/' && *end != '\0') continue;
        char saved = *end;
        *end = '\0';
        struct stat info;
        if (mkdir(partial, 0777) != 0 && (stat(partial, &info) != 0 || !S_ISDIR(info.st_mode)))
            ok = error_set(err, STATUS_FAULT, "%s: cannot make folder %s: %s", path, partial, strerror(errno));
        *end = saved;
        if (!saved) break;
    }
    arena_free(&arena);
    return ok;
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool file_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

struct listing {
    struct arena *arena;
    const char *suffix;
    char **paths;
    size_t count, capacity;
    struct stat above[DEEPEST_FOLDER + 1]; // the folders on the way
};

// Returns whether a folder is on the way to itself, by a link.
static bool is_above(const struct listing *list, int depth, const struct stat *folder) {
    int i = 0;
    while (i < depth && (list->above[i].st_ino != folder->st_ino || list->above[i].st_dev != folder->st_dev)) i++;
    return i < depth;
}

static bool walk(struct listing *list, const char *folder, int depth, struct error *err) {
    DIR *dir = opendir(folder);
    if (!dir) return error_set(err, STATUS_BAD_INPUT, "%s: cannot be opened as a folder: %s", folder, strerror(errno));
    const bool again = fstat(dirfd(dir), &list->above[depth]) != 0 || is_above(list, depth, &list->above[depth]);
    bool ok = true;
    for (struct dirent *entry; ok && !again && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        struct stat info;
        char *path = arena_format(list->arena, "%s/%s", folder, entry->d_name);
        if (stat(path, &info) != 0) continue; // a dangling link or a file just removed
        if (S_ISDIR(info.st_mode) && depth < DEEPEST_FOLDER) ok = walk(list, path, depth + 1, err);
        const size_t length = strlen(path), ending = strlen(list->suffix);
        if (!S_ISREG(info.st_mode) || length < ending || strcmp(path + length - ending, list->suffix) != 0) continue;
        list->paths = arena_grow(list->arena, list->paths, list->count, &list->capacity, sizeof *list->paths);
        list->paths[list->count++] = path;
    }
    closedir(dir);
    return ok;
}

int file_by_bytes(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool file_list(
    struct arena *arena, const char *folder, const char *suffix, char ***paths, size_t *count, struct error *err) {
    struct listing list = {.arena = arena, .suffix = suffix};
    bool ok = walk(&list, folder, 0, err);
    if (list.count) qsort(list.paths, list.count, sizeof *list.paths, file_by_bytes);
    *paths = list.paths;
    *count = list.count;
    return ok;
}

char *file_folder(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return arena_copy(arena, ".");
    if (slash == path) return arena_copy(arena, "/");
    return arena_copy_n(arena, path, (size_t)(slash - path));
}

const char *file_last_parts(const char *path) {
    const char *at = path + strlen(path);
    for (int slashes = 0; at > path && (slashes += at[-1] == '/') < 2;) at--;
    return at;
}

const char *file_way(struct arena *arena, const char *folder, const char *path) {
    char from[PATH_MAX], to[PATH_MAX];
    struct text way = {0};
    size_t same = 0;
    if (!realpath(folder, from) || !realpath(path, to)) return path;
    for (size_t i = 0; from[i] == to[i] || (!from[i] && to[i] == '/'); i++) {
        if (to[i] == '/') same = i + 1;
        if (!from[i] || !to[i]) break;
    }
    for (const char *c = same <= strlen(from) ? from + same : ""; *c; c += strcspn(c, "/"), c += *c == '/')
        text_append(&way, "../");
    text_append(&way, to + same);
    return arena_take(arena, &way);
}

char *file_temporary_folder(struct arena *arena, const char *purpose) {
    const char *parent = getenv("TMPDIR");
    return mkdtemp(arena_format(arena, "%s/vkassay-%s-XXXXXX", parent && *parent ? parent : "/tmp", purpose));
}

char *file_slug(struct arena *arena, const char *name) {
    char slug[LONGEST_SLUG + 1];
    size_t length = 0;
    for (const char *c = name; *c && length < LONGEST_SLUG; c++) {
        if (isalnum((unsigned char)*c))
            slug[length++] = (char)tolower((unsigned char)*c);
        else if (length && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length && slug[length - 1] == '-') length--;
    return length ? arena_copy_n(arena, slug, length) : arena_copy(arena, "unnamed");
}

// ---- where the program's own files are

static bool is_home(struct arena *arena, const char *folder) {
    const char *kernels = arena_format(arena, "%s/kernels/include", folder);
    const char *suites = arena_format(arena, "%s/suites", folder);
    return file_exists(kernels) && file_exists(suites);
}

char *program_path(struct arena *arena, struct error *err) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) {
        error_set(err, STATUS_FAULT, "/proc/self/exe: %s", strerror(errno));
        return NULL;
    }
    return arena_copy_n(arena, path, (size_t)length);
}

const char *home_folder(struct arena *arena, struct error *err) {
    const char *named = getenv("VKASSAY_HOME");
    if (named && *named) {
        if (is_home(arena, named)) return named;
        error_set(err, STATUS_BAD_INPUT, "VKASSAY_HOME=%s: expected a folder with kernels/ and suites/", named);
        return NULL;
    }
    const char *program = program_path(arena, err);
    if (!program) return NULL;
    const char *beside = file_folder(arena, program);
    const char *above = file_folder(arena, beside);
    const char *places[] = {beside, above, "."};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (is_home(arena, places[i])) return places[i];
    error_set(err, STATUS_BAD_INPUT,
        "cannot find kernels/ and suites/ beside the program (%s), in its parent folders, or here; name their folder "
        "in VKASSAY_HOME",
        program);
    return NULL;
}

const char *home_script(struct arena *arena, const char *name, struct error *err) {
    const char *home = home_folder(arena, err);
    if (!home) return NULL;
    const char *path = arena_format(arena, "%s/%s", home, name);
    return file_exists(path) ? path : arena_format(arena, "%s/scripts/%s", home, name);
}

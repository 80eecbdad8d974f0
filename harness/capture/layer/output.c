// SPDX-License-Identifier: Apache-2.0
// Files are opened for each write: a program may close all descriptors not opened by itself.
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t owner;       // the process of the lines
static char path[4096];   // of the lines; "": none yet
static off_t end_at = -1; // where the line of the end begins
static uint64_t bytes_written;
static bool stopped;
static bool broken; // a line or a module is missing: lines about it would damage the folder

static uint64_t number(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    char *end = NULL;
    if (!text || !*text) return otherwise;
    const unsigned long long value = strtoull(text, &end, 10);
    return *end ? otherwise : value;
}

static struct capture_settings settings;

static void read_settings(void) {
    settings = (struct capture_settings){.folder = getenv("VKASSAY_CAPTURE"),
        .only = getenv("VKASSAY_CAPTURE_ONLY"),
        .most_bytes = number("VKASSAY_CAPTURE_MOST_BYTES", (uint64_t)4 << 30),
        .most_staging = number("VKASSAY_CAPTURE_STAGING", (uint64_t)1 << 30),
        .times = number("VKASSAY_CAPTURE_TIMES", 0) != 0};
    // The program may change its environment later.
    if (settings.folder) settings.folder = *settings.folder == '/' ? strdup(settings.folder) : NULL;
    if (settings.only) settings.only = strdup(settings.only);
}

const struct capture_settings *capture_settings(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_settings);
    return &settings;
}

// Makes the file of the lines. A process that replaced itself by another program has the same number: later files
// have a further one.
static void make_file(void) {
    for (int i = 1; i < 10000; i++) {
        char more[16] = "";
        if (i > 1) snprintf(more, sizeof more, "-%d", i);
        const int length = snprintf(path, sizeof path, "%s/capture-%ld%s.jsonl", settings.folder, (long)owner, more);
        if (length < 0 || (size_t)length >= sizeof path) break;
        const int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (fd >= 0) {
            close(fd);
            return;
        }
        if (errno != EEXIST) break;
    }
    path[0] = '\0';
}

bool output_begin(void) {
    pthread_mutex_lock(&lock);
    const bool begins = owner != getpid();
    if (begins) {
        owner = getpid();
        end_at = -1;
        bytes_written = 0;
        stopped = broken = false;
        path[0] = '\0';
        if (capture_settings()->folder) make_file();
    }
    pthread_mutex_unlock(&lock);
    return begins;
}

void output_lock(void) {
    pthread_mutex_lock(&lock);
}

void output_unlock(void) {
    pthread_mutex_unlock(&lock);
}

// Beyond the process's limit, a write would send it a signal that ends it.
static bool is_within_limit(int fd, size_t length) {
    struct rlimit limit;
    const off_t at = lseek(fd, 0, SEEK_CUR);
    return at >= 0 && (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
                          ((rlim_t)at <= limit.rlim_cur && length <= limit.rlim_cur - (rlim_t)at));
}

static bool write_all(int fd, const char *bytes, size_t length) {
    if (!is_within_limit(fd, length)) return false;
    while (length) {
        const ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

static bool append(const struct json_line *line, bool is_end) {
    const int fd = line->failed ? -1 : open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const off_t at = end_at >= 0 ? end_at : lseek(fd, 0, SEEK_END);
    bool written = at >= 0 && ftruncate(fd, at) == 0 && lseek(fd, at, SEEK_SET) == at;
    if (written) {
        written = write_all(fd, line->data, line->length) && write_all(fd, "\n", 1);
        if (!written && ftruncate(fd, at) != 0) broken = true; // a part of a line, of a full disk, is taken back
        end_at = is_end && written ? at : -1;
    }
    close(fd);
    return written;
}

bool output_line(const struct json_line *line) {
    pthread_mutex_lock(&lock);
    const bool written = owner == getpid() && path[0] && !stopped && !broken && append(line, false);
    if (!written) broken = true;
    pthread_mutex_unlock(&lock);
    return written;
}

void output_end(const struct json_line *line) {
    pthread_mutex_lock(&lock);
    if (owner == getpid() && path[0]) append(line, true);
    pthread_mutex_unlock(&lock);
}

void output_stop(void) {
    pthread_mutex_lock(&lock);
    stopped = true;
    pthread_mutex_unlock(&lock);
}

// Writes to a name of this process and renames it: no reader sees a part of a file.
static bool write_file(const char *target, const void *bytes, size_t length) {
    char name[4200];
    snprintf(name, sizeof name, "%s.%ld", target, (long)owner);
    const int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0) return false;
    const bool written = write_all(fd, bytes, length);
    if (close(fd) == 0 && written && rename(name, target) == 0) return true;
    unlink(name);
    return false;
}

enum output_outcome output_file(bool is_module, struct content_hash hash, const void *bytes, size_t length) {
    const char *sub = is_module ? "modules" : "operands", *end = is_module ? "spv" : "bin";
    char digits[CONTENT_HASH_DIGITS + 1], folder[4096 + 20], target[4096 + 80];
    enum output_outcome outcome = OUTPUT_WRITTEN;
    if (owner != getpid() || !path[0] || stopped || broken) return OUTPUT_FAILED;
    content_hash_text(hash, digits);
    snprintf(folder, sizeof folder, "%s/%s", settings.folder, sub);
    snprintf(target, sizeof target, "%s/%s.%s", folder, digits, end);
    pthread_mutex_lock(&lock);
    const bool fits = is_module || (length <= settings.most_bytes && bytes_written <= settings.most_bytes - length);
    if (access(target, F_OK) != 0) {
        if (!fits)
            outcome = OUTPUT_FULL;
        else if ((mkdir(folder, 0777) != 0 && errno != EEXIST) || !write_file(target, bytes, length))
            outcome = OUTPUT_FAILED;
        else
            bytes_written += length;
        if (is_module && outcome != OUTPUT_WRITTEN) broken = true;
    }
    pthread_mutex_unlock(&lock);
    return outcome;
}

bool output_is_ours(void) {
    return owner == getpid();
}

uint64_t output_bytes(void) {
    return bytes_written;
}

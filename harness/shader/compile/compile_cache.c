// SPDX-License-Identifier: Apache-2.0
#include "compile.h"

#include "../../base/hash.h"
#include "cache_file.h"
#include "../spirv/spirv.h"

#include <dlfcn.h>
#include <pthread.h>
#include <shaderc/shaderc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Increase it when the options in compile.c change, because they affect the output.
enum { OPTIONS_VERSION = 2 };

// Returns the file that contains the compiler: the library or this program. The compiler reports the version of
// SPIR-V that it writes, but not its own. The size of its file distinguishes builds, and is the same for every copy.
static const char *compiler_file(void) {
    Dl_info where;
    // ISO C cannot convert a function's address to an object's. POSIX can, and dladdr needs it.
    union {
        shaderc_compiler_t (*function)(void);
        const void *object;
    } address = {.function = shaderc_compiler_initialize};
    if (dladdr(address.object, &where) != 0 && where.dli_fname && strstr(where.dli_fname, "libshaderc"))
        return where.dli_fname;
    return "/proc/self/exe";
}

static uint64_t identity;
static void make_identity(void) {
    unsigned numbers[3] = {OPTIONS_VERSION};
    struct stat file = {0};
    shaderc_get_spv_version(&numbers[1], &numbers[2]);
    identity = hash_bytes(HASH_START, numbers, sizeof numbers);
    if (stat(compiler_file(), &file) == 0) identity = hash_bytes(identity, &file.st_size, sizeof file.st_size);
}
static uint64_t compiler_identity(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_identity);
    return identity;
}

static void make_key(const struct spirv *spirv, uint8_t key[CACHE_KEY_BYTES]) {
    uint64_t halves[2] = {spirv->source_hash, compiler_identity()};
    memcpy(key, halves, CACHE_KEY_BYTES);
}

static bool file_name(const struct spirv *spirv, const char *folder, char *path, size_t size) {
    int length = snprintf(path, size, "%s/spirv/%016llx-%016llx.spv", folder, (unsigned long long)spirv->source_hash,
        (unsigned long long)compiler_identity());
    return length > 0 && (size_t)length < size;
}

bool compile_cache_read(struct arena *arena, const char *folder, struct spirv *out) {
    char path[4096];
    uint8_t key[CACHE_KEY_BYTES];
    size_t bytes = 0;
    if (!folder || !file_name(out, folder, path, sizeof path)) return false;
    make_key(out, key);
    uint32_t *words = cache_file_read(arena, path, key, &bytes);
    if (!words || bytes % sizeof *words || bytes < SPIRV_HEADER * sizeof *words || *words != SpvMagicNumber)
        return false;
    out->words = words;
    out->count = bytes / sizeof *words;
    out->cached = true;
    return true;
}

void compile_cache_write(const char *folder, const struct spirv *spirv) {
    char path[4096];
    uint8_t key[CACHE_KEY_BYTES];
    if (!folder || !file_name(spirv, folder, path, sizeof path)) return;
    make_key(spirv, key);
    cache_file_write(path, key, spirv->words, spirv->count * sizeof *spirv->words);
}

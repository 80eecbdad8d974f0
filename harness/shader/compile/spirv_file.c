// SPDX-License-Identifier: Apache-2.0
// A file of SPIR-V.
#include "compile.h"

#include "../../base/file.h"
#include "../../base/hash.h"
#include "../spirv/spirv.h"

#include <string.h>

bool spirv_file_read(struct arena *arena, const char *path, struct spirv *out, struct error *err) {
    size_t bytes;
    char *content = file_read(arena, path, &bytes, err);
    if (!content) return false;
    size_t count = bytes / sizeof *out->words;
    uint32_t *words = arena_alloc(arena, count + 1, sizeof *words);
    memcpy(words, content, count * sizeof *words);
    if (bytes % sizeof *words || count < SPIRV_HEADER ||
        (words[0] != SpvMagicNumber && __builtin_bswap32(words[0]) != SpvMagicNumber))
        return error_of_kind(err, ERROR_COMPILE,
            "%s: this is no SPIR-V: expected words of 4 bytes, the first 0x%08x; found %zu bytes%s", path,
            SpvMagicNumber, bytes, bytes < 4 ? "" : " that begin otherwise or end early");
    if (words[0] != SpvMagicNumber)
        for (size_t i = 0; i < count; i++) words[i] = __builtin_bswap32(words[i]);
    *out = (struct spirv){.words = words, .count = count};
    out->source_hash = hash_bytes(HASH_START, words, count * sizeof *words);
    return true;
}

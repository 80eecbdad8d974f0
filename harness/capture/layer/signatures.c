// SPDX-License-Identifier: Apache-2.0
#include "signatures.h"
#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Copies of a kind with late facts, beyond its known signatures.
enum { LATE_SPARE = 32 };

static struct map kinds, by_hash, numbers;
static struct seen_signature **signatures; // in the order of their first execution
static size_t signature_count_, signature_room;
static int last_number;
static uint64_t dispatches, recorded, reasons[NOT_RECORDED_COUNT];

static const char *const reason_words[NOT_RECORDED_COUNT] = {
    [NO_IMAGES] = "images",
    [NO_TEXEL_BUFFERS] = "texel buffers",
    [NO_INLINE_BLOCKS] = "inline uniform blocks",
    [NO_OTHER_DESCRIPTORS] = "other descriptors",
    [NO_MANY_DESCRIPTORS] = "large arrays of descriptors",
    [NO_LATE_DESCRIPTORS] = "descriptors updated after binding",
    [NO_DESCRIPTOR_BUFFERS] = "descriptor buffers",
    [NO_ABSENT_DESCRIPTOR] = "a descriptor is absent",
    [NO_SPARSE_BUFFERS] = "sparse buffers",
    [NO_TRANSFER] = "a buffer that cannot be copied",
    [NO_ADDRESSES] = "buffer addresses",
    [NO_RAY_QUERIES] = "ray queries",
    [NO_SHADER_OBJECTS] = "shader objects",
    [NO_MODULE] = "an unknown module",
    [NO_SELECTION] = "not selected by --only",
    [NO_STAGING] = "memory for copies",
    [NO_COPY] = "uniforms with new content after many alike",
    [NO_BYTES] = "--most-bytes is reached",
    [NO_FILE] = "a file could not be written",
    [NO_FENCE] = "its end could not be waited for",
    [NO_MEMORY] = "out of memory",
};

struct content_hash signature_join(struct content_hash hash, const void *bytes, size_t length) {
    const struct content_hash pair[] = {hash, content_hash(bytes, length)};
    return content_hash(pair, sizeof pair);
}

struct seen_kind *kind_of(struct content_hash hash) {
    struct seen_kind *kind = map_get(&kinds, hash.words[0]);
    if (kind || !(kind = calloc(1, sizeof *kind))) return kind;
    if (map_put(&kinds, hash.words[0], kind)) return kind;
    free(kind);
    return NULL;
}

bool kind_plan(struct seen_kind *kind, bool late) {
    const unsigned wanted = kind->known ? kind->known : 1;
    if (kind->planned >= wanted + (late ? LATE_SPARE : 0)) return false;
    kind->planned++;
    return true;
}

static struct seen_signature *signature_add(struct content_hash hash, int pipeline) {
    if (signature_count_ == signature_room) {
        const size_t room = signature_room ? signature_room * 2 : 256;
        struct seen_signature **list = realloc(signatures, room * sizeof *list);
        if (!list) return NULL;
        signatures = list;
        signature_room = room;
    }
    struct seen_signature *signature = calloc(1, sizeof *signature);
    if (!signature || !map_put(&by_hash, hash.words[0], signature)) {
        free(signature);
        return NULL;
    }
    signature->hash = hash;
    signature->pipeline = pipeline;
    return signatures[signature_count_++] = signature;
}

struct seen_signature *signature_of(struct content_hash hash, struct seen_kind *kind, int pipeline) {
    struct seen_signature *signature = map_get(&by_hash, hash.words[0]);
    if (!signature) {
        signature = signature_add(hash, pipeline);
        if (signature) kind->known++;
    }
    return signature;
}

int pipeline_number(struct content_hash content, int device, bool *is_new) {
    const uint64_t key = content.words[0] + (uint64_t)device * 0x9e3779b97f4a7c15u;
    int number = (int)(uintptr_t)map_get(&numbers, key);
    *is_new = !number;
    if (!number && map_put(&numbers, key, (void *)(uintptr_t)(last_number + 1))) number = ++last_number;
    return number;
}

uint64_t dispatches_begin(uint64_t count) {
    const uint64_t first = dispatches;
    dispatches += count;
    return first;
}

void dispatch_is_recorded(void) {
    recorded++;
}

void dispatch_is_not_recorded(enum not_recorded reason) {
    reasons[reason]++;
}

void signatures_end(void) {
    struct json_line line = {0};
    uint64_t counts[NOT_RECORDED_COUNT];
    memcpy(counts, reasons, sizeof counts);
    json_line_format(&line, "{\"end\":true,\"dispatches\":%" PRIu64 ",\"recorded\":%" PRIu64 ",\"signatures\":[",
        dispatches, recorded);
    for (size_t i = 0; i < signature_count_; i++) {
        const struct seen_signature *signature = signatures[i];
        if (!signature->kept) counts[signature->reason ? signature->reason : NO_COPY] += signature->uncopied;
        json_line_format(&line, "%s{\"signature\":", i ? "," : "");
        json_line_hash(&line, signature->hash);
        json_line_format(
            &line, ",\"pipeline\":%d,\"count\":%" PRIu64 ",\"ns\":", signature->pipeline, signature->count);
        if (signature->timed == signature->count)
            json_line_format(&line, "%" PRIu64 "}", signature->ns);
        else
            json_line_format(&line, "null}");
    }
    json_line_format(&line, "],\"not_recorded\":[");
    bool first = true;
    for (int i = 0; i < NOT_RECORDED_COUNT; i++) {
        if (!counts[i] || !reason_words[i]) continue;
        json_line_format(
            &line, "%s{\"reason\":\"%s\",\"count\":%" PRIu64 "}", first ? "" : ",", reason_words[i], counts[i]);
        first = false;
    }
    json_line_format(&line, "],\"bytes\":%" PRIu64 "}", output_bytes());
    output_end(&line);
    json_line_free(&line);
}

void signatures_forget(void) {
    map_clear(&kinds, NULL);
    map_clear(&by_hash, NULL);
    map_clear(&numbers, NULL);
    signature_count_ = 0;
    last_number = 0;
    dispatches = recorded = 0;
    for (int i = 0; i < NOT_RECORDED_COUNT; i++) reasons[i] = 0;
}

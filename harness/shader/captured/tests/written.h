// SPDX-License-Identifier: Apache-2.0
// Captured folders written by a test: each call is a pipeline and one dispatch of it.
#ifndef VKASSAY_CAPTURED_WRITTEN_H
#define VKASSAY_CAPTURED_WRITTEN_H

#include "../../../base/file.h"
#include "../../../base/hash.h"
#include "../../../base/tests/folder.h"
#include "../../../base/text.h"
#include "../../compile/shader.h"

#include <string.h>

enum { WRITTEN_RANGES = 4 };

// A range of a storage buffer. Its memory is that of its binding, unless stated.
struct written_range {
    const void *before, *after; // contents; NULL: not recorded
    uint64_t bytes;             // 0: this ends the list
    int64_t memory;
    uint64_t offset;
};
struct written_call {
    const char *shader;                          // GLSL
    const char *name;                            // NULL: none
    const char *pipeline;                        // more members of its line, such as ",\"push_bytes\":4"; NULL: none
    const char *dispatch;                        // likewise
    uint32_t grid;                               // 0: one workgroup
    struct written_range ranges[WRITTEN_RANGES]; // by binding
};

static inline const char *written_file(struct arena *arena, const char *part, const void *bytes, size_t length) {
    char hash[CONTENT_HASH_DIGITS + 1];
    struct error err;
    content_hash_text(content_hash(bytes, length), hash);
    const char *ending = strcmp(part, "modules") == 0 ? "spv" : "bin";
    if (!file_make_folder(arena_format(arena, "%s/%s", folder, part), &err) ||
        !file_write(arena_format(arena, "%s/%s/%s.%s", folder, part, hash, ending), bytes, length, &err))
        fail_msg("%s", err.text);
    return arena_copy(arena, hash);
}

static inline const char *written_module(struct arena *arena, const char *glsl) {
    const struct shader_request request = {.path = arena_format(arena, "%s/shader.comp", folder)};
    struct spirv spirv;
    struct error err;
    if (!file_write(request.path, glsl, strlen(glsl), &err) || !shader_make(arena, &request, &spirv, &err))
        fail_msg("%s", err.text);
    return written_file(arena, "modules", spirv.words, 4 * spirv.count);
}

static inline void written_contents(
    struct arena *arena, struct text *line, const char *key, const void *bytes, size_t length) {
    if (bytes) text_format(line, ",\"%s\":\"%s\"", key, written_file(arena, "operands", bytes, length));
}

static inline void written_line(struct arena *arena, struct text *text, const struct written_call *call, int number) {
    char signature[CONTENT_HASH_DIGITS + 1];
    content_hash_text(content_hash(&number, sizeof number), signature);
    text_format(text, "{\"pipeline\":%d,\"device\":0,\"module\":\"%s\",\"entry\":\"main\"%s", number,
        written_module(arena, call->shader), call->pipeline ? call->pipeline : "");
    if (call->name) text_format(text, ",\"name\":\"%s\"", call->name);
    text_format(text, "}\n{\"dispatch\":%d,\"pipeline\":%d,\"signature\":\"%s\",\"grid\":[%u,1,1]%s,\"operands\":[",
        number, number, signature, call->grid ? call->grid : 1, call->dispatch ? call->dispatch : "");
    for (int b = 0; b < WRITTEN_RANGES && call->ranges[b].bytes; b++) {
        const struct written_range *r = &call->ranges[b];
        text_format(text,
            "%s{\"set\":0,\"binding\":%d,\"type\":\"storage\",\"offset\":%llu,\"bytes\":%llu,\"memory\":%lld",
            b ? "," : "", b, (unsigned long long)r->offset, (unsigned long long)r->bytes,
            (long long)(r->memory ? r->memory : 100 + b));
        written_contents(arena, text, "before", r->before, r->bytes);
        written_contents(arena, text, "after", r->after, r->bytes);
        text_append(text, "}");
    }
    text_append(text, "]}\n");
}

// Writes the calls of a program on this device, a JSON object, in place of an earlier program in the folder.
static inline void written_program(
    struct arena *arena, const char *device, const struct written_call *calls, size_t count) {
    struct text text = {0};
    struct error err;
    text_format(&text, "{\"capture\":1,\"program\":[\"a\"],\"device\":%s}\n", device);
    for (size_t i = 0; i < count; i++) written_line(arena, &text, &calls[i], (int)i + 1);
    text_append(&text, "{\"end\":true,\"signatures\":[]}\n");
    if (!file_write(in_folder("capture-1.jsonl"), text_str(&text), strlen(text_str(&text)), &err))
        fail_msg("%s", err.text);
    text_free(&text);
}

#endif

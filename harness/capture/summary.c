// SPDX-License-Identifier: Apache-2.0
#include "summary.h"
#include "../base/file.h"
#include "../base/json.h"

#include <string.h>
#include <sys/stat.h>

static void add_reason(struct arena *arena, const char *reason, int64_t count, struct capture_summary *out) {
    size_t at = 0;
    while (at < out->reason_count && strcmp(out->not_recorded[at].reason, reason) != 0) at++;
    if (at == CAPTURE_REASONS) return;
    if (at == out->reason_count) out->not_recorded[out->reason_count++].reason = arena_copy(arena, reason);
    out->not_recorded[at].count += count;
}

static void add_end(struct arena *arena, struct json_object *end, struct capture_summary *out) {
    struct json_object *reasons = json_get(end, "not_recorded");
    const size_t count = json_object_is_type(reasons, json_type_array) ? json_object_array_length(reasons) : 0;
    out->dispatches += json_get_int(end, "dispatches", 0);
    out->recorded += json_get_int(end, "recorded", 0);
    for (size_t i = 0; i < count; i++) {
        struct json_object *item = json_object_array_get_idx(reasons, i);
        add_reason(arena, json_get_string(item, "reason", ""), json_get_int(item, "count", 0), out);
    }
}

// Counts the recorded dispatches of a process without a last line.
static void add_lines(const char *text, struct capture_summary *out) {
    static const char begin[] = "{\"dispatch\":";
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const bool is_dispatch = strncmp(line, begin, sizeof begin - 1) == 0;
        out->dispatches += is_dispatch;
        out->recorded += is_dispatch;
    }
    out->unfinished++;
}

static bool add_process(struct arena *arena, const char *path, struct capture_summary *out, struct error *err) {
    size_t length;
    char *text = file_read(arena, path, &length, err);
    if (!text) return false;
    size_t begin = length && text[length - 1] == '\n' ? length - 1 : length;
    while (begin && text[begin - 1] != '\n') begin--;
    struct json_object *last = json_parse(text + begin, length - begin);
    out->processes++;
    if (json_get_bool(last, "end", false))
        add_end(arena, last, out);
    else
        add_lines(text, out);
    json_object_put(last);
    return true;
}

bool capture_summarise(struct arena *arena, const char *folder, struct capture_summary *out, struct error *err) {
    char **paths;
    size_t count;
    *out = (struct capture_summary){0};
    if (!file_list(arena, folder, "", &paths, &count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        const char *dot = strrchr(paths[i], '.');
        struct stat found;
        if (dot && strcmp(dot, ".jsonl") == 0 && !add_process(arena, paths[i], out, err)) return false;
        out->modules += dot && strcmp(dot, ".spv") == 0;
        if (stat(paths[i], &found) == 0) out->bytes += found.st_size;
    }
    return true;
}

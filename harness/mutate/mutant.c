// SPDX-License-Identifier: Apache-2.0
#include "mutant.h"

#include <string.h>

static const char *const verdicts[MUTANT_VERDICTS] = {[MUTANT_KILLED] = "killed",
    [MUTANT_SURVIVED] = "survived",
    [MUTANT_UNSEEN] = "unseen",
    [MUTANT_EQUIVALENT] = "equivalent",
    [MUTANT_INVALID] = "invalid",
    [MUTANT_NOT_RUN] = "not-run"};

const char *mutant_verdict_name(enum mutant_verdict verdict) {
    return verdicts[verdict];
}

struct json_object *mutant_to_json(const struct mutant *m) {
    struct json_object *out = json_object_new_object();
    json_put_string(out, "name", m->name);
    json_put_string(out, "operation", m->operation);
    json_put_string(out, "file", m->file);
    json_put_string(out, "path", m->path);
    json_put_int(out, "line", m->line);
    json_put_string(out, "text", m->text);
    json_put_string(out, "change", m->change);
    json_put_string(out, "instruction", m->instruction);
    json_put_string(out, "verdict", verdicts[m->verdict]);
    if (m->check) json_put_string(out, "check", m->check);
    if (m->point) json_put_string(out, "point", m->point);
    if (m->rule) json_put_string(out, "rule", m->rule);
    if (m->reason) json_put_string(out, "reason", m->reason);
    json_put_int(out, "points", m->points);
    json_put_double(out, "seconds", m->seconds);
    return out;
}

static const char *copy(struct arena *arena, struct json_object *value, const char *key) {
    const char *text = json_get_string(value, key, NULL);
    return text ? arena_copy(arena, text) : NULL;
}

struct mutant mutant_from_json(struct arena *arena, struct json_object *value) {
    struct mutant m = {.name = copy(arena, value, "name"),
        .operation = copy(arena, value, "operation"),
        .file = copy(arena, value, "file"),
        .path = copy(arena, value, "path"),
        .line = (uint32_t)json_get_int(value, "line", 0),
        .text = copy(arena, value, "text"),
        .change = copy(arena, value, "change"),
        .instruction = copy(arena, value, "instruction"),
        .verdict = MUTANT_NOT_RUN,
        .check = copy(arena, value, "check"),
        .point = copy(arena, value, "point"),
        .rule = copy(arena, value, "rule"),
        .reason = copy(arena, value, "reason"),
        .points = json_get_int(value, "points", 0),
        .seconds = json_get_double(value, "seconds", 0)};
    const char *verdict = json_get_string(value, "verdict", "");
    for (int i = 0; i < MUTANT_VERDICTS; i++)
        if (strcmp(verdicts[i], verdict) == 0) m.verdict = (enum mutant_verdict)i;
    return m;
}

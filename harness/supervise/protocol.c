// SPDX-License-Identifier: Apache-2.0
#include "protocol.h"

#include "../base/fields.h"
#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

static const int line_flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;

static const struct {
    const char *name, *words; // words: for a person, of what a worker answers
    size_t most;              // points that are asked for in one
} types[MESSAGE_TYPES] = {
    [MESSAGE_NONE] = {.name = ""},
    [MESSAGE_DESCRIBE] = {.name = "describe"},
    [MESSAGE_OPEN] = {.name = "open"},
    [MESSAGE_RUN] = {.name = "run", .most = RUNNER_GROUP},
    [MESSAGE_CHECK] = {.name = "check", .most = 1},
    [MESSAGE_SAMPLE] = {.name = "sample", .most = 1},
    [MESSAGE_BUILD] = {.name = "build", .most = RUNNER_PREFILL},
    [MESSAGE_PAIR] = {.name = "pair", .most = 2},
    [MESSAGE_BASE] = {.name = "base", .most = 1},
    [MESSAGE_HEAD] = {.name = "head", .most = 1},
    [MESSAGE_BREAK] = {.name = "break", .most = MUTANT_POINTS},
    [MESSAGE_MUTANT] = {.name = "mutant"},
    [MESSAGE_DEVICES] = {.name = "devices", .words = "a list of devices"},
    [MESSAGE_READY] = {.name = "ready", .words = "that it is ready"},
    [MESSAGE_RECORD] = {.name = "record", .words = "a record"},
    [MESSAGE_AT] = {.name = "at"},
    [MESSAGE_BUILT] = {.name = "built"},
    [MESSAGE_DIED] = {.name = "died"},
    [MESSAGE_MUTANTS] = {.name = "mutants", .words = "a list of mutants"},
    [MESSAGE_VERDICT] = {.name = "verdict", .words = "what became of a mutant"},
    [MESSAGE_ERROR] = {.name = "error"},
};

// ---- any message

static struct json_object *make(enum message_type type) {
    struct json_object *message = json_object_new_object();
    json_put_string(message, "type", types[type].name);
    return message;
}

struct message message_read(const char *line, size_t length) {
    struct message message = {.value = json_parse(line, length), .line = line};
    bool object = json_object_is_type(message.value, json_type_object);
    const char *name = object ? json_get_string(message.value, "type", "") : "";
    for (int i = MESSAGE_DESCRIBE; i < MESSAGE_TYPES; i++)
        if (strcmp(name, types[i].name) == 0) message.type = (enum message_type)i;
    return message;
}

void message_release(struct message *message) {
    json_object_put(message->value);
    *message = (struct message){0};
}

bool message_send(struct process *process, struct json_object *message, int64_t deadline_ns) {
    size_t length = 0;
    const char *line = json_object_to_json_string_length(message, line_flags, &length);
    bool sent = process_send(process, line, length, deadline_ns) && process_send(process, "\n", 1, deadline_ns);
    json_object_put(message);
    return sent;
}

bool message_write(FILE *to, struct json_object *message) {
    const char *line = json_object_to_json_string_ext(message, line_flags);
    bool written = fputs(line, to) >= 0 && fputc('\n', to) != EOF && fflush(to) == 0;
    json_object_put(message);
    return written;
}

// ---- run options

// A row for each member of the two lists, so that none is forgotten.
#define MEMBER_OF(name) (((const struct run_options *)NULL)->name)
#define KIND_OF(name)                                                                                                  \
    _Generic(MEMBER_OF(name),                                                                                          \
        double: &kind_real,                                                                                            \
        int: &kind_int,                                                                                                \
        bool: &kind_flag,                                                                                              \
        uint64_t: &kind_hex,                                                                                           \
        const char *: &kind_text)
#define PRESENCE_OF(name) _Generic(MEMBER_OF(name), const char * : NULLABLE, default : REQUIRED)
#define OPTION_ROW(type, name) {#name, KIND_OF(name), offsetof(struct run_options, name), PRESENCE_OF(name)},
#define SETTING_ROW(type, name) {#name, KIND_OF(settings.name), offsetof(struct run_options, settings.name), REQUIRED},
static const struct field option_fields[] = {SETTINGS(SETTING_ROW) RUN_OPTIONS(OPTION_ROW){0}};

static struct json_object *strings_put(const char *const *strings, size_t count) {
    return items_put(&kind_text, strings, sizeof *strings, count);
}

static bool strings_get(const struct json_at *object, const char *key, struct arena *arena, const char *const **strings,
    size_t *count, struct error *err) {
    struct json_at array;
    if (!json_member(object, key, false, &array, err)) return false;
    const char **items = arena_alloc(arena, *count = json_count(&array), sizeof *items);
    *strings = items;
    return items_get(arena, &array, &kind_text, items, sizeof *items, *count, err);
}

// ---- the supervisor's side

struct json_object *message_describe(void) {
    return make(MESSAGE_DESCRIBE);
}

struct json_object *message_open(const struct session *session) {
    const struct run_options *given = &session->options;
    struct json_object *message = make(MESSAGE_OPEN), *options = fields_put(option_fields, given);
    json_put(options, "include_folders", strings_put(given->include_folders, given->include_count));
    json_put(message, "device", device_to_json(session->device));
    json_put(message, "kernels", strings_put(session->kernel_folders, session->kernel_folder_count));
    json_put(message, "operators", strings_put(session->operators, session->operator_count));
    json_put(message, "options", options);
    json_put_double(message, "effect", session->effect);
    json_put(message, "base", strings_put(session->versions[0].folders, session->versions[0].count));
    json_put(message, "head", strings_put(session->versions[1].folders, session->versions[1].count));
    return message;
}

struct json_object *message_points(enum message_type type, const struct point *const *points, size_t count) {
    struct json_object *message = make(type), *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        struct json_object *point = json_object_new_object();
        json_put_string(point, "name", points[i]->name);
        json_put_string(point, "peak", points[i]->peak);
        json_object_array_add(list, point);
    }
    json_put(message, "points", list);
    return message;
}

struct json_object *message_break(
    const struct mutant_request *request, const char *const *killed, size_t killed_count) {
    const struct point **points = memory_alloc(request->point_count, sizeof *points);
    for (size_t i = 0; i < request->point_count; i++) points[i] = &request->points[i];
    struct json_object *message = message_points(MESSAGE_BREAK, points, request->point_count);
    free(points);
    json_put(message, "seed", json_object_new_uint64(request->seed));
    json_put_int(message, "count", request->count);
    json_put(message, "only", strings_put(request->only, request->only_count));
    json_put_string(message, "named", request->named);
    json_put(message, "killed", strings_put(killed, killed_count));
    return message;
}

struct json_object *message_mutant(size_t index) {
    return message_note(MESSAGE_MUTANT, index);
}

bool message_expect(const struct message *message, enum message_type type, struct error *err) {
    if (message->type == type) return true;
    if (message->type == MESSAGE_ERROR) {
        int64_t status = json_get_int(message->value, "status", 0);
        const char *text = json_get_string(message->value, "error", "");
        return error_set(err, status ? (enum status)status : STATUS_FAULT, "%s", text);
    }
    // Its start, with what cannot be printed escaped.
    char start[61];
    snprintf(start, sizeof start, "%s", message->line);
    struct json_object *quoted = json_text(start);
    error_set(err, STATUS_FAULT, "the worker answered %s%s where %s was expected",
        json_object_to_json_string_ext(quoted, line_flags), strlen(message->line) >= sizeof start ? "..." : "",
        types[type].words);
    json_object_put(quoted);
    return false;
}

bool message_get_devices(const struct message *message, struct arena *arena, struct device_info **devices,
    size_t *count, struct error *err) {
    struct json_at root = json_root(message->value, "worker"), list, item;
    if (!message_expect(message, MESSAGE_DEVICES, err) || !json_member(&root, "devices", false, &list, err) ||
        !json_expect(&list, json_type_array, err))
        return false;
    *devices = arena_alloc(arena, json_count(&list), sizeof **devices);
    for (*count = 0; *count < json_count(&list); ++*count)
        if (!json_item(&list, *count, &item, err) || !device_from_json(item.value, &(*devices)[*count], err))
            return false;
    return true;
}

bool message_get_note(const struct message *message, size_t count, size_t *index) {
    int64_t value = json_get_int(message->value, "index", -1);
    if (message->type < MESSAGE_AT || message->type > MESSAGE_DIED || value < 0 || (uint64_t)value > count)
        return false;
    *index = (size_t)value;
    return true;
}

const char *message_get_name(const struct message *message) {
    return json_get_string(json_get(message->value, "record"), "name", "");
}

struct json_object *message_get_record(const struct message *message, const char *name, struct error *err) {
    struct json_object *value = json_get(message->value, "record");
    struct arena scratch = {0};
    struct record record;
    if (!message_expect(message, MESSAGE_RECORD, err)) return NULL;
    bool ok = record_from_json(&scratch, value, &record, err);
    if (!ok)
        error_prefix(err, "the worker's answer: ");
    else if (strcmp(record.name, name) != 0)
        ok = error_set(err, STATUS_FAULT, "the worker answered with the record of another point, %s", record.name);
    arena_free(&scratch);
    return ok ? json_object_get(value) : NULL;
}

// ---- the worker's side

static bool read_open(const struct json_at *root, struct arena *arena, struct request *out, struct error *err) {
    struct json_at device, options, effect;
    struct run_options *o = &out->options;
    struct version_files *base = &out->versions[0], *head = &out->versions[1];
    return json_member(root, "device", false, &device, err) && device_from_json(device.value, &out->device, err) &&
           strings_get(root, "kernels", arena, &out->kernel_folders, &out->kernel_folder_count, err) &&
           strings_get(root, "operators", arena, &out->operators, &out->operator_count, err) &&
           json_member(root, "effect", false, &effect, err) && json_number(&effect, &out->effect, err) &&
           strings_get(root, "base", arena, &base->folders, &base->count, err) &&
           strings_get(root, "head", arena, &head->folders, &head->count, err) &&
           json_member(root, "options", false, &options, err) && fields_get(arena, &options, option_fields, o, err) &&
           strings_get(&options, "include_folders", arena, &o->include_folders, &o->include_count, err);
}

static bool read_points(const struct json_at *root, struct arena *arena, struct request *out, struct error *err) {
    struct json_at list, item, at;
    const size_t most = types[out->type].most;
    if (!json_member(root, "points", false, &list, err) || !json_expect(&list, json_type_array, err)) return false;
    if (!json_count(&list) || json_count(&list) > most)
        return json_fail(&list, err, "expected 1 to %zu points, found %zu", most, json_count(&list));
    const char **names = arena_alloc(arena, most, sizeof *names), **peaks = arena_alloc(arena, most, sizeof *peaks);
    for (size_t i = 0; i < json_count(&list); i++)
        if (!json_item(&list, i, &item, err) || !json_member(&item, "name", false, &at, err) ||
            !json_string(&at, arena, &names[i], err) || !json_member(&item, "peak", true, &at, err) ||
            (at.value && !json_string(&at, arena, &peaks[i], err)))
            return false;
    out->count = json_count(&list);
    out->names = names;
    out->peaks = peaks;
    return true;
}

static bool read_break(const struct json_at *root, struct arena *arena, struct request *out, struct error *err) {
    struct mutant_request *m = &out->mutants;
    struct json_at named;
    int64_t count;
    struct json_at at;
    m->seed = json_object_get_uint64(json_get(root->value, "seed"));
    if (!json_member(root, "count", false, &at, err) || !json_integer(&at, 0, INT32_MAX, &count, err)) return false;
    m->count = (int)count;
    return strings_get(root, "only", arena, &m->only, &m->only_count, err) &&
           strings_get(root, "killed", arena, &out->killed, &out->killed_count, err) &&
           json_member(root, "named", true, &named, err) &&
           (!named.value || json_string(&named, arena, &m->named, err)) && read_points(root, arena, out, err);
}

static bool read_index(const struct json_at *root, struct request *out, struct error *err) {
    struct json_at at;
    int64_t index;
    if (!json_member(root, "index", false, &at, err) || !json_integer(&at, 0, INT32_MAX, &index, err)) return false;
    out->index = (size_t)index;
    return true;
}

bool request_read(const char *line, size_t length, struct arena *arena, struct request *out, struct error *err) {
    struct message message = message_read(line, length);
    struct json_at root = json_root(message.value, "request");
    *out = (struct request){.type = message.type};
    bool ok = message.type == MESSAGE_DESCRIBE;
    if (message.type == MESSAGE_OPEN)
        ok = read_open(&root, arena, out, err);
    else if (message.type == MESSAGE_BREAK)
        ok = read_break(&root, arena, out, err);
    else if (message.type == MESSAGE_MUTANT)
        ok = read_index(&root, out, err);
    else if (types[message.type].most)
        ok = read_points(&root, arena, out, err);
    else if (!ok)
        json_fail(&root, err, "expected a message to the worker");
    message_release(&message);
    return ok;
}

struct json_object *message_devices(const struct device_info *devices, size_t count) {
    struct json_object *message = make(MESSAGE_DEVICES), *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) json_object_array_add(list, device_to_json(&devices[i]));
    json_put(message, "devices", list);
    return message;
}

struct json_object *message_ready(void) {
    return make(MESSAGE_READY);
}

struct json_object *message_record(const struct record *record) {
    struct json_object *message = make(MESSAGE_RECORD);
    json_put(message, "record", record_to_json(record, true));
    return message;
}

struct json_object *message_note(enum message_type type, size_t index) {
    struct json_object *message = make(type);
    json_put_int(message, "index", (int64_t)index);
    return message;
}

struct json_object *message_mutants(const struct mutant *mutants, size_t count, const char *reason) {
    struct json_object *message = make(MESSAGE_MUTANTS), *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) json_object_array_add(list, mutant_to_json(&mutants[i]));
    json_put(message, "mutants", list);
    if (reason) json_put(message, "reason", json_text(reason));
    return message;
}

struct json_object *message_verdict(const struct mutant *mutant, bool last) {
    struct json_object *message = make(MESSAGE_VERDICT);
    json_put(message, "mutant", mutant_to_json(mutant));
    json_put_bool(message, "last", last);
    return message;
}

struct json_object *message_error(const struct error *err) {
    struct json_object *message = make(MESSAGE_ERROR);
    json_put(message, "error", json_text(err->text));
    json_put_int(message, "status", err->status);
    return message;
}

// SPDX-License-Identifier: Apache-2.0
#include "protocol.h"

#include "../record/fields.h"

#include <string.h>

static const int line_flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;

// ---- any answer

// The start of a line that is not understood, with what cannot be printed escaped.
static bool not_understood(const char *line, const char *expected, struct error *err) {
    char start[61];
    snprintf(start, sizeof start, "%s", line);
    struct json_object *quoted = json_text(start);
    error_set(err, STATUS_FAULT, "the worker answered %s%s where %s was expected",
        json_object_to_json_string_ext(quoted, line_flags), strlen(line) >= sizeof start ? "..." : "", expected);
    json_object_put(quoted);
    return false;
}

// An object, and no {"error"}; otherwise NULL and err.
static struct json_object *parse_answer(const char *line, size_t length, const char *expected, struct error *err) {
    struct json_object *value = json_parse(line, length);
    const char *text = json_object_is_type(value, json_type_object) ? json_get_string(value, "error", NULL) : NULL;
    int64_t status = json_get_int(value, "status", STATUS_FAULT);
    if (text)
        error_set(err, status ? (enum status)status : STATUS_FAULT, "%s", text);
    else if (json_object_is_type(value, json_type_object))
        return value;
    else
        not_understood(line, expected, err);
    json_object_put(value);
    return NULL;
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
    struct json_object *array = json_object_new_array();
    for (size_t i = 0; i < count; i++) json_object_array_add(array, json_object_new_string(strings[i]));
    return array;
}

static bool strings_get(const struct json_at *object, const char *key, struct arena *arena, const char *const **strings,
    size_t *count, struct error *err) {
    struct json_at array, item;
    if (!json_member(object, key, false, &array, err) || !json_expect(&array, json_type_array, err)) return false;
    const char **items = arena_alloc(arena, json_count(&array) + 1, sizeof *items);
    if (!items) return error_set(err, STATUS_FAULT, "out of memory");
    for (*count = 0; *count < json_count(&array); ++*count)
        if (!json_item(&array, *count, &item, err) || !json_string(&item, arena, &items[*count], err)) return false;
    *strings = items;
    return true;
}

// ---- the supervisor's side

struct json_object *message_describe(void) {
    struct json_object *message = json_object_new_object();
    json_put_bool(message, "describe", true);
    return message;
}

struct json_object *message_configuration(const struct session *session) {
    const struct run_options *given = &session->options;
    struct json_object *message = json_object_new_object(), *options = fields_put(option_fields, given);
    json_put(options, "include_folders", strings_put(given->include_folders, given->include_count));
    json_put(message, "device", device_to_json(session->device));
    json_put(message, "kernels", strings_put(session->kernel_folders, session->kernel_folder_count));
    json_put(message, "operators", strings_put(session->operators, session->operator_count));
    json_put(message, "options", options);
    return message;
}

static const char *const way_names[] = {[WAY_CHECK] = "check", [WAY_SAMPLE] = "sample"};

struct json_object *message_point(const struct point *point, enum way way) {
    struct json_object *message = json_object_new_object();
    json_put_string(message, "name", point->name);
    json_put_string(message, "peak", point->peak);
    if (way != WAY_FULL) json_put_string(message, "way", way_names[way]);
    return message;
}

struct json_object *message_group(const struct plan *plan, const size_t *points, size_t count) {
    struct json_object *message = json_object_new_object(), *group = json_object_new_array();
    for (size_t i = 0; i < count; i++) json_object_array_add(group, message_point(&plan->points[points[i]], WAY_FULL));
    json_put(message, "group", group);
    return message;
}

struct json_object *message_prefill(const char *const *names, size_t count) {
    struct json_object *message = json_object_new_object();
    json_put(message, "prefill", strings_put(names, count));
    return message;
}

bool message_send(struct process *process, struct json_object *message, int64_t deadline_ns) {
    size_t length = 0;
    const char *line = json_object_to_json_string_length(message, line_flags, &length);
    bool sent = line && process_send(process, line, length, deadline_ns) && process_send(process, "\n", 1, deadline_ns);
    json_object_put(message);
    return sent;
}

bool answer_devices(const char *line, size_t length, struct arena *arena, struct device_info **devices, size_t *count,
    struct error *err) {
    struct json_object *answer = parse_answer(line, length, "a list of devices", err);
    struct json_at root = json_root(answer, "worker"), list, item;
    bool ok = answer && json_member(&root, "devices", false, &list, err) && json_expect(&list, json_type_array, err);
    size_t there = ok ? json_count(&list) : 0;
    *devices = ok ? arena_alloc(arena, there + 1, sizeof **devices) : NULL;
    if (ok && !*devices) ok = error_set(err, STATUS_FAULT, "out of memory");
    for (*count = 0; ok && *count < there; ++*count)
        ok = json_item(&list, *count, &item, err) && device_from_json(item.value, &(*devices)[*count], err);
    json_object_put(answer);
    return ok;
}

bool answer_ready(const char *line, size_t length, struct error *err) {
    struct json_object *answer = parse_answer(line, length, "{\"ready\":true}", err);
    if (!answer) return false;
    bool ready = json_get_bool(answer, "ready", false);
    json_object_put(answer);
    return ready || not_understood(line, "{\"ready\":true}", err);
}

static const char *const note_names[NOTES] = {[NOTE_AT] = "at", [NOTE_BUILT] = "built", [NOTE_DIED] = "died"};

bool answer_note(const char *line, size_t length, size_t count, enum note *note, size_t *index) {
    struct json_object *answer = length < 40 ? json_parse(line, length) : NULL; // no record is so short
    int64_t value = -1;
    if (json_object_is_type(answer, json_type_object) && json_object_object_length(answer) == 1)
        for (int i = 0; i < NOTES && value < 0; i++) {
            value = json_get_int(answer, note_names[i], -1);
            *note = (enum note)i;
        }
    json_object_put(answer);
    *index = (size_t)value;
    return value >= 0 && value <= (int64_t)count;
}

struct json_object *answer_record(const char *line, size_t length, const char *name, struct error *err) {
    struct json_object *answer = parse_answer(line, length, "a record", err);
    if (!answer) return NULL;
    struct arena scratch = {0};
    struct record record;
    bool ok = record_from_json(&scratch, answer, &record, err);
    if (!ok)
        error_prefix(err, "the worker's answer: ");
    else if (strcmp(record.name, name) != 0)
        ok = error_set(err, STATUS_FAULT, "the worker answered with the record of another point, %s", record.name);
    arena_free(&scratch);
    if (ok) return answer;
    json_object_put(answer);
    return NULL;
}

// ---- the worker's side

static bool read_configuration(
    const struct json_at *root, struct arena *arena, struct configuration *out, struct error *err) {
    struct json_at device, options;
    *out = (struct configuration){.describe = json_get_bool(root->value, "describe", false)};
    if (out->describe) return true;
    return json_member(root, "device", false, &device, err) && device_from_json(device.value, &out->device, err) &&
           strings_get(root, "kernels", arena, &out->kernel_folders, &out->kernel_folder_count, err) &&
           strings_get(root, "operators", arena, &out->operators, &out->operator_count, err) &&
           json_member(root, "options", false, &options, err) &&
           fields_get(arena, &options, option_fields, &out->options, err) &&
           strings_get(
               &options, "include_folders", arena, &out->options.include_folders, &out->options.include_count, err);
}

bool configuration_read(
    const char *line, size_t length, struct arena *arena, struct configuration *out, struct error *err) {
    struct json_object *value = json_parse(line, length);
    struct json_at root = json_root(value, "configuration");
    bool ok = json_expect(&root, json_type_object, err) && read_configuration(&root, arena, out, err);
    json_object_put(value);
    return ok;
}

bool prefill_read(const char *line, size_t length, struct arena *arena, const char *const **names, size_t *count) {
    struct error ignored;
    struct json_object *value = json_parse(line, length);
    struct json_at root = json_root(value, "prefill");
    bool ok = json_get(value, "prefill") && strings_get(&root, "prefill", arena, names, count, &ignored);
    json_object_put(value);
    return ok;
}

static bool way_read(const struct json_at *at, struct arena *arena, enum way *way, struct error *err) {
    const char *name;
    *way = WAY_FULL;
    if (!at->value) return true;
    if (!json_string(at, arena, &name, err)) return false;
    for (int i = WAY_CHECK; i <= WAY_SAMPLE; i++)
        if (strcmp(name, way_names[i]) == 0) *way = (enum way)i;
    return *way != WAY_FULL || json_fail(at, err, "expected \"check\" or \"sample\"");
}

static bool point_get(const struct json_at *point, struct arena *arena, const char **name, const char **peak,
    enum way *way, struct error *err) {
    struct json_at at;
    *peak = NULL;
    return json_member(point, "name", false, &at, err) && json_string(&at, arena, name, err) &&
           json_member(point, "peak", true, &at, err) && (!at.value || json_string(&at, arena, peak, err)) &&
           json_member(point, "way", true, &at, err) && way_read(&at, arena, way, err);
}

bool point_read(const char *line, size_t length, struct arena *arena, const char **name, const char **peak,
    enum way *way, struct error *err) {
    struct json_object *value = json_parse(line, length);
    struct json_at root = json_root(value, "point");
    bool ok = point_get(&root, arena, name, peak, way, err);
    json_object_put(value);
    return ok;
}

bool group_read(const char *line, size_t length, struct arena *arena, size_t most, const char **names,
    const char **peaks, size_t *count) {
    struct error ignored;
    struct json_object *value = json_parse(line, length);
    struct json_at root = json_root(value, "group"), list, item;
    enum way way;
    bool ok = json_get(value, "group") && json_member(&root, "group", false, &list, &ignored) &&
              json_expect(&list, json_type_array, &ignored) && json_count(&list) >= 1 && json_count(&list) <= most;
    *count = ok ? json_count(&list) : 0;
    for (size_t i = 0; ok && i < *count; i++)
        ok = json_item(&list, i, &item, &ignored) && point_get(&item, arena, &names[i], &peaks[i], &way, &ignored) &&
             way == WAY_FULL;
    json_object_put(value);
    return ok;
}

struct json_object *message_devices(const struct device_info *devices, size_t count) {
    struct json_object *message = json_object_new_object(), *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) json_object_array_add(list, device_to_json(&devices[i]));
    json_put(message, "devices", list);
    return message;
}

struct json_object *message_note(enum note note, size_t index) {
    struct json_object *message = json_object_new_object();
    json_put_int(message, note_names[note], (int64_t)index);
    return message;
}

struct json_object *message_ready(void) {
    struct json_object *message = json_object_new_object();
    json_put_bool(message, "ready", true);
    return message;
}

struct json_object *message_error(const struct error *err) {
    struct json_object *message = json_object_new_object();
    json_put(message, "error", json_text(err->text));
    json_put_int(message, "status", err->status);
    return message;
}

bool message_write(FILE *to, struct json_object *message) {
    const char *line = json_object_to_json_string_ext(message, line_flags);
    bool written = line && fputs(line, to) >= 0 && fputc('\n', to) != EOF && fflush(to) == 0;
    json_object_put(message);
    return written;
}

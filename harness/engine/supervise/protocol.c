// SPDX-License-Identifier: Apache-2.0
#include "request.h"

#include "../../base/fields.h"
#include "../../base/memory.h"
#include "../../record/record.h"
#include "../../device/device_info.h"

#include <stdlib.h>
#include <string.h>

static const int line_flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;

// ---- requests

#define STRINGS(STRUCT, ITEMS, COUNT) ARENA_LIST(STRUCT, ITEMS, COUNT, &kind_text, 0)

// A row for each member of the two lists, so no member is forgotten.
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
static const struct field option_fields[] = {
    SETTINGS(SETTING_ROW) RUN_OPTIONS(OPTION_ROW){
        "include_folders", STRINGS(struct run_options, include_folders, include_count), 0, REQUIRED},
    {0}};
static const struct kind kind_options = {.fields = option_fields};

#define AT(member) offsetof(struct request, member)
static const struct field open_fields[] = {
    {"device", &kind_device_info, AT(device), REQUIRED},
    {"kernels", STRINGS(struct request, kernel_folders, kernel_folder_count), 0, REQUIRED},
    {"operators", STRINGS(struct request, operators, operator_count), 0, REQUIRED},
    {"effect", &kind_real, AT(effect), REQUIRED},
    {"base", STRINGS(struct request, versions[0].folders, versions[0].count), 0, REQUIRED},
    {"head", STRINGS(struct request, versions[1].folders, versions[1].count), 0, REQUIRED},
    {"options", &kind_options, AT(options), REQUIRED},
    {0},
};

static const struct field point_fields[] = {
    {"name", &kind_text, offsetof(struct asked_point, name), REQUIRED},
    {"peak", &kind_text, offsetof(struct asked_point, peak), NULLABLE},
    {0},
};
static const struct kind kind_point = {.fields = point_fields};
#define POINTS                                                                                                         \
    { "points", ARENA_LIST(struct request, points, count, &kind_point, 1), 0, REQUIRED }
static const struct field points_fields[] = {POINTS, {0}};
static const struct field run_fields[] = {POINTS, {"next", &kind_text, AT(next), NULLABLE}, {0}};

static const struct field mutant_fields[] = {POINTS,
    {"mutants", STRINGS(struct request, mutants, mutant_count), 0, REQUIRED},
    {"mutant", &kind_text, AT(mutant), REQUIRED}, {0}};
static const struct field no_fields[] = {{0}};

static const struct {
    const char *name, *words; // words: for people, describes a worker's answer
    size_t most;              // most points in one request
    const struct field *asks; // members of a request to the worker
} types[MESSAGE_TYPES] = {
    [MESSAGE_NONE] = {.name = ""},
    [MESSAGE_DESCRIBE] = {.name = "describe", .asks = no_fields},
    [MESSAGE_OPEN] = {.name = "open", .asks = open_fields},
    [MESSAGE_RUN] = {.name = "run", .most = RUNNER_GROUP, .asks = run_fields},
    [MESSAGE_CHECK] = {.name = "check", .most = 1, .asks = points_fields},
    [MESSAGE_SAMPLE] = {.name = "sample", .most = 1, .asks = points_fields},
    [MESSAGE_BUILD] = {.name = "build", .most = RUNNER_PREFILL, .asks = points_fields},
    [MESSAGE_PAIR] = {.name = "pair", .most = 2, .asks = points_fields},
    [MESSAGE_BASE] = {.name = "base", .most = 1, .asks = points_fields},
    [MESSAGE_HEAD] = {.name = "head", .most = 1, .asks = points_fields},
    [MESSAGE_MUTANT] = {.name = "mutant", .most = MUTANT_POINTS, .asks = mutant_fields},
    [MESSAGE_DEVICES] = {.name = "devices", .words = "a list of devices"},
    [MESSAGE_READY] = {.name = "ready", .words = "that it is ready"},
    [MESSAGE_RECORD] = {.name = "record", .words = "a record"},
    [MESSAGE_AT] = {.name = "at"},
    [MESSAGE_BUILT] = {.name = "built"},
    [MESSAGE_DIED] = {.name = "died"},
    [MESSAGE_ERROR] = {.name = "error"},
};

// ---- all messages

static struct json_object *ask(enum message_type type, const struct request *request) {
    struct json_object *message = fields_put(types[type].asks, request);
    json_put_string(message, "type", types[type].name);
    return message;
}

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

// ---- the supervisor's side

struct json_object *message_describe(void) {
    return make(MESSAGE_DESCRIBE);
}

struct json_object *message_open(const struct session *session, const struct device_info *device) {
    const struct request request = {.device = device ? *device : *session->device,
        .kernel_folders = session->kernel_folders,
        .kernel_folder_count = session->kernel_folder_count,
        .operators = session->operators,
        .operator_count = session->operator_count,
        .options = session->options,
        .versions = {session->versions[0], session->versions[1]},
        .effect = session->effect};
    return ask(MESSAGE_OPEN, &request);
}

struct json_object *message_points(
    enum message_type type, const struct point *const *points, size_t count, const struct point *next) {
    struct asked_point *asked = memory_alloc(count, sizeof *asked);
    for (size_t i = 0; i < count; i++) asked[i] = (struct asked_point){points[i]->name, points[i]->peak};
    struct json_object *message =
        ask(type, &(struct request){.points = asked, .count = count, .next = next ? next->name : NULL});
    free(asked);
    return message;
}

struct json_object *message_mutant(const struct mutant_of *mutant) {
    const struct mutant_set *set = mutant->set;
    struct asked_point *asked = memory_alloc(set->point_count, sizeof *asked);
    for (size_t i = 0; i < set->point_count; i++) asked[i].name = set->points[i].name;
    struct json_object *message = ask(MESSAGE_MUTANT, &(struct request){.points = asked,
                                                          .count = set->point_count,
                                                          .mutants = set->names,
                                                          .mutant_count = set->name_count,
                                                          .mutant = mutant->name});
    free(asked);
    return message;
}

bool message_expect(const struct message *message, enum message_type type, struct error *err) {
    if (message->type == type) return true;
    if (message->type == MESSAGE_ERROR) {
        int64_t status = json_get_int(message->value, "status", 0);
        const char *text = json_get_string(message->value, "error", "");
        return error_set(err, status ? (enum status)status : STATUS_FAULT, "%s", text);
    }
    // Quote its start, with unprintable bytes escaped.
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

bool message_get_validates(const struct message *message) {
    return json_get_bool(message->value, "validates", false);
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

bool request_read(const char *line, size_t length, struct arena *arena, struct request *out, struct error *err) {
    struct message message = message_read(line, length);
    struct json_at root = json_root(message.value, "request");
    const size_t most = types[message.type].most;
    *out = (struct request){.type = message.type};
    bool ok = types[message.type].asks ? fields_get(arena, &root, types[message.type].asks, out, err)
                                       : json_fail(&root, err, "expected a message to the worker");
    if (ok && out->count > most) ok = json_fail(&root, err, "expected at most %zu points, found %zu", most, out->count);
    message_release(&message);
    return ok;
}

struct json_object *message_devices(const struct device_info *devices, size_t count, bool validates) {
    struct json_object *message = make(MESSAGE_DEVICES), *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) json_object_array_add(list, device_to_json(&devices[i]));
    json_put(message, "devices", list);
    json_put_bool(message, "validates", validates);
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

struct json_object *message_error(const struct error *err) {
    struct json_object *message = make(MESSAGE_ERROR);
    json_put(message, "error", json_text(err->text));
    json_put_int(message, "status", err->status);
    return message;
}

// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include "../../base/fields.h"
#include "../../base/file.h"
#include "../../base/hash.h"
#include "../../base/names.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HASH_DIGITS = CONTENT_HASH_DIGITS, MOST_PUSH = 4096, MOST_OPERANDS = 4096 };

// ---- the lines' members

static bool is_hash(const char *text) {
    return strlen(text) == HASH_DIGITS && strspn(text, "0123456789abcdef") == HASH_DIGITS;
}

static bool hash_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    const char **out = member;
    return json_string(at, arena, out, err) &&
           (is_hash(*out) || json_fail(at, err, "expected a hash of %d digits, found \"%.40s\"", HASH_DIGITS, *out));
}
static const struct kind kind_hash = {.get = hash_get};

static bool digits_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    const char **out = member;
    unsigned char bytes[MOST_PUSH];
    return json_string(at, arena, out, err) &&
           (capture_bytes(*out, bytes, sizeof bytes) != SIZE_MAX ||
               json_fail(
                   at, err, "expected pairs of hexadecimal digits, at most %d, found \"%.40s\"", MOST_PUSH, *out));
}
static const struct kind kind_digits = {.get = digits_get};

static bool three_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return items_get(arena, at, &kind_uint32, member, sizeof(uint32_t), 3, err);
}
static const struct kind kind_axes = {.get = three_get};

// Sizes stay below 2^62, so a sum of two never overflows.
static bool extent_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    int64_t value;
    if (!json_integer(at, 0, INT64_MAX / 2, &value, err)) return false;
    *(uint64_t *)member = (uint64_t)value;
    return true;
}
static const struct kind kind_extent = {.get = extent_get};

static void not_timed(void *member) {
    *(double *)member = NAN;
}
static const struct kind kind_time = {.of = &kind_amount, .absent = not_timed};

static const struct field device_fields[] = {
    {"name", &kind_text, offsetof(struct captured_device, name), WRITTEN},
    {"driver_name", &kind_text, offsetof(struct captured_device, driver_name), WRITTEN},
    {"driver_info", &kind_text, offsetof(struct captured_device, driver_info), WRITTEN},
    {0},
};

static const struct field constant_fields[] = {
    {"id", &kind_uint32, offsetof(struct captured_constant, id), REQUIRED},
    {"bytes", &kind_digits, offsetof(struct captured_constant, bytes), REQUIRED},
    {0},
};
static const struct kind kind_constant = {.fields = constant_fields};

#define AT(member) offsetof(struct captured_pipeline, member)
static const struct field pipeline_fields[] = {
    {"pipeline", &kind_int64, AT(number), REQUIRED},
    {"device", &kind_int64, AT(of_device), WRITTEN},
    {"module", &kind_hash, AT(module), REQUIRED},
    {"entry", &kind_text, AT(entry), REQUIRED},
    {"name", &kind_text, AT(name), NULLABLE},
    {"subgroup_size", &kind_uint32, AT(subgroup_size), NULLABLE},
    {"constants", ARENA_LIST(struct captured_pipeline, constants, constant_count, &kind_constant, 0), 0, WRITTEN},
    {"push_bytes", &kind_uint32, AT(push_bytes), WRITTEN},
    {0},
};
#undef AT

#define AT(member) offsetof(struct captured_operand, member)
static const struct field operand_fields[] = {
    {"set", &kind_uint32, AT(set), REQUIRED},
    {"binding", &kind_uint32, AT(binding), REQUIRED},
    {"index", &kind_uint32, AT(index), WRITTEN},
    {"type", &kind_text, AT(type), REQUIRED},
    {"offset", &kind_extent, AT(offset), REQUIRED},
    {"bytes", &kind_extent, AT(bytes), REQUIRED},
    {"memory", &kind_int64, AT(memory), REQUIRED},
    {"before", &kind_hash, AT(before), NULLABLE},
    {"after", &kind_hash, AT(after), NULLABLE},
    {0},
};
static const struct kind kind_operand = {.fields = operand_fields};
#undef AT

#define AT(member) offsetof(struct captured_dispatch, member)
static const struct field dispatch_fields[] = {
    {"dispatch", &kind_int64, AT(number), REQUIRED},
    {"pipeline", &kind_int64, AT(of_pipeline), REQUIRED},
    {"grid", &kind_axes, AT(grid), REQUIRED},
    {"base", &kind_axes, AT(base), WRITTEN},
    {"indirect", &kind_flag, AT(indirect), WRITTEN},
    {"push", &kind_digits, AT(push), NULLABLE},
    {"operands", ARENA_LIST(struct captured_dispatch, operands, operand_count, &kind_operand, 0), 0, REQUIRED},
    {"signature", &kind_hash, AT(signature), REQUIRED},
    {"ns", &kind_time, AT(ns), NULLABLE},
    {0},
};
#undef AT

// The counts of a signature at the end of a file.
struct captured_count {
    const char *signature;
    int64_t count;
    double ns;
};
static const struct field count_fields[] = {
    {"signature", &kind_hash, offsetof(struct captured_count, signature), REQUIRED},
    {"count", KIND(kind_int64, .least = 1), offsetof(struct captured_count, count), REQUIRED},
    {"ns", &kind_time, offsetof(struct captured_count, ns), NULLABLE},
    {0},
};
static const struct kind kind_count = {.fields = count_fields};

static const struct field lack_fields[] = {
    {"reason", &kind_text, offsetof(struct captured_lack, reason), REQUIRED},
    {"count", &kind_int64, offsetof(struct captured_lack, count), REQUIRED},
    {0},
};
static const struct kind kind_lack = {.fields = lack_fields};

struct captured_end {
    int64_t dispatches, recorded;
    struct captured_count *counts;
    struct captured_lack *lacks;
    size_t count_count, lack_count;
};
static const struct field end_fields[] = {
    {"dispatches", &kind_int64, offsetof(struct captured_end, dispatches), WRITTEN},
    {"recorded", &kind_int64, offsetof(struct captured_end, recorded), WRITTEN},
    {"signatures", ARENA_LIST(struct captured_end, counts, count_count, &kind_count, 0), 0, REQUIRED},
    {"not_recorded", ARENA_LIST(struct captured_end, lacks, lack_count, &kind_lack, 0), 0, WRITTEN},
    {0},
};

// ---- files of contents

static const char *path_of(struct arena *arena, const char *folder, const char *hash, bool module) {
    return arena_format(arena, module ? "%s/modules/%s.spv" : "%s/operands/%s.bin", folder, hash);
}

const char *capture_module_path(struct arena *arena, const char *folder, const char *hash) {
    return path_of(arena, folder, hash, true);
}

static bool check_hash(const char *path, const char *hash, const void *bytes, size_t length, struct error *err) {
    char found[HASH_DIGITS + 1];
    content_hash_text(content_hash(bytes, length), found);
    return strcmp(found, hash) == 0 ||
           error_set(err, STATUS_BAD_INPUT, "%s: expected bytes with this hash, found those of %s", path, found);
}

bool capture_operand(const char *folder, const char *hash, void *out, uint64_t bytes, struct error *err) {
    struct arena arena = {0};
    const char *path = path_of(&arena, folder, hash, false);
    struct file_in *in = file_in_open(path, err);
    size_t got = 0, more = 0;
    char rest;
    bool ok = in && file_in_read(in, out, bytes, &got, err) && file_in_read(in, &rest, 1, &more, err);
    if (ok && (got < bytes || more))
        ok = error_set(err, STATUS_BAD_INPUT, "%s: expected %llu bytes, found %s", path, (unsigned long long)bytes,
            more ? "more" : "fewer");
    ok = ok && check_hash(path, hash, out, got, err);
    file_in_close(in);
    arena_free(&arena);
    return ok;
}

bool capture_module_check(const char *folder, const char *hash, struct error *err) {
    struct arena arena = {0};
    size_t length;
    const char *path = path_of(&arena, folder, hash, true), *bytes = file_read(&arena, path, &length, err);
    const bool ok = bytes && check_hash(path, hash, bytes, length, err);
    arena_free(&arena);
    return ok;
}

size_t capture_bytes(const char *digits, void *out, size_t room) {
    const size_t length = strlen(digits), count = length / 2;
    unsigned char *to = out;
    if (length % 2 || count > room || digits[strspn(digits, "0123456789abcdef")]) return SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const char pair[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        to[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return count;
}

const struct captured_operand *captured_operand_at(
    const struct captured_dispatch *dispatch, uint32_t set, uint32_t binding) {
    for (size_t i = 0; i < dispatch->operand_count; i++) {
        const struct captured_operand *o = &dispatch->operands[i];
        if (o->set == set && o->binding == binding && o->index == 0) return o;
    }
    return NULL;
}

uint32_t captured_constant_bits(const struct captured_pipeline *pipeline, int64_t id, uint32_t otherwise) {
    for (size_t i = 0; i < pipeline->constant_count; i++) {
        uint32_t bits;
        if (pipeline->constants[i].id == id &&
            capture_bytes(pipeline->constants[i].bytes, &bits, sizeof bits) == sizeof bits)
            return bits;
    }
    return otherwise;
}

void captured_lacks_add(
    struct arena *arena, struct captured_lacks *lacks, const char *reason, int64_t count, const char *where) {
    for (size_t i = 0; i < lacks->count; i++)
        if (strcmp(lacks->items[i].reason, reason) == 0) {
            lacks->items[i].count += count;
            return;
        }
    lacks->items = arena_grow(arena, lacks->items, lacks->count, &lacks->room, sizeof *lacks->items);
    lacks->items[lacks->count++] = (struct captured_lack){reason, count, where};
}

// ---- a file

struct reading {
    struct arena *arena;
    struct capture *out;
    const char *file;
    struct captured_device **devices;
    struct captured_pipeline **pipelines;
    size_t device_count, device_room, pipeline_count, pipeline_room, first_dispatch;
    struct names by_number, by_signature; // pipelines; the file's dispatches
    int64_t lines;                        // of dispatches
    bool ended;
};

static const struct captured_device *device_numbered(const struct reading *r, int64_t number) {
    for (size_t i = 0; i < r->device_count; i++)
        if (r->devices[i]->number == number) return r->devices[i];
    return NULL;
}

// Joins the words of the command line for people.
static bool read_program(struct reading *r, const struct json_at *program, struct error *err) {
    struct text words = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < json_count(program); i++) {
        struct json_at word;
        const char *text;
        ok = json_item(program, i, &word, err) && json_string(&word, r->arena, &text, err);
        if (ok && i) text_append(&words, " ");
        if (ok) text_shell_word(&words, text);
    }
    if (ok) r->out->program = arena_take(r->arena, &words);
    if (!ok) text_free(&words);
    return ok;
}

static bool read_device(struct reading *r, const struct json_at *line, struct error *err) {
    struct json_at device, at, program;
    struct captured_device *one = arena_alloc(r->arena, 1, sizeof *one);
    *one = (struct captured_device){.number = (int64_t)r->device_count};
    if (!json_member(line, "device", false, &device, err) || !json_member(line, "at", true, &at, err) ||
        !json_member(line, "program", true, &program, err) || !json_expect(&device, json_type_object, err) ||
        !fields_get(r->arena, &device, device_fields, one, err) ||
        (at.value && !json_integer(&at, 0, INT64_MAX, &one->number, err)))
        return false;
    if (!one->name) one->name = "";
    if (!one->driver_name) one->driver_name = "";
    if (!one->driver_info) one->driver_info = "";
    if (device_numbered(r, one->number)) return json_fail(&at, err, "a second device %lld", (long long)one->number);
    if (program.value && !*r->out->program && !read_program(r, &program, err)) return false;
    r->devices = arena_grow(r->arena, r->devices, r->device_count, &r->device_room, sizeof *r->devices);
    r->devices[r->device_count++] = one;
    return true;
}

static bool read_pipeline(struct reading *r, const struct json_at *line, struct error *err) {
    struct captured_pipeline *p = arena_alloc(r->arena, 1, sizeof *p);
    struct json_at number;
    if (!fields_get(r->arena, line, pipeline_fields, p, err) || !json_member(line, "pipeline", false, &number, err))
        return false;
    p->device = device_numbered(r, p->of_device);
    if (!p->device) return json_fail(line, err, "expected a line about device %lld before", (long long)p->of_device);
    if (p->push_bytes > MOST_PUSH)
        return json_fail(line, err, "expected at most %d push bytes, found %u", MOST_PUSH, p->push_bytes);
    if (p->push_bytes % 4) return json_fail(line, err, "expected whole words of push constants");
    if (names_put(&r->by_number, (const char *)&p->number, sizeof p->number, r->pipeline_count) != r->pipeline_count)
        return json_fail(&number, err, "a second pipeline %lld", (long long)p->number);
    r->pipelines = arena_grow(r->arena, r->pipelines, r->pipeline_count, &r->pipeline_room, sizeof *r->pipelines);
    r->pipelines[r->pipeline_count++] = p;
    return true;
}

// Checks the sizes of an operand's files.
static bool check_operand(
    const struct reading *r, const struct json_at *line, const struct captured_operand *operand, struct error *err) {
    const char *const hashes[] = {operand->before, operand->after};
    for (int i = 0; i < 2; i++) {
        struct stat about;
        if (!hashes[i]) continue;
        const char *path = path_of(r->arena, r->out->folder, hashes[i], false);
        if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return json_fail(line, err, "%s is not there", path);
        if ((uint64_t)about.st_size != operand->bytes)
            return json_fail(line, err, "%s has %llu bytes, expected %llu", path, (unsigned long long)about.st_size,
                (unsigned long long)operand->bytes);
    }
    return true;
}

static bool check_dispatch(
    const struct reading *r, const struct json_at *line, struct captured_dispatch *d, struct error *err) {
    const size_t at = names_get(&r->by_number, (const char *)&d->of_pipeline, sizeof d->of_pipeline);
    if (at == NAMES_NONE)
        return json_fail(line, err, "expected a line about pipeline %lld before", (long long)d->of_pipeline);
    d->pipeline = r->pipelines[at];
    if (!d->push) d->push = "";
    if (strlen(d->push) != 2 * (size_t)d->pipeline->push_bytes)
        return json_fail(line, err, "expected %u push bytes, found %zu", d->pipeline->push_bytes, strlen(d->push) / 2);
    if (!d->grid[0] || !d->grid[1] || !d->grid[2]) return json_fail(line, err, "expected a grid that is not empty");
    if (d->operand_count > MOST_OPERANDS)
        return json_fail(line, err, "expected at most %d operands, found %zu", MOST_OPERANDS, d->operand_count);
    for (size_t i = 0; i < d->operand_count; i++)
        if (!check_operand(r, line, &d->operands[i], err)) return false;
    return true;
}

static bool read_dispatch(struct reading *r, const struct json_at *line, struct error *err) {
    struct capture *out = r->out;
    struct captured_dispatch one = {.where = line->file, .count = 1};
    if (!fields_get(r->arena, line, dispatch_fields, &one, err) || !check_dispatch(r, line, &one, err)) return false;
    r->lines++;
    const size_t known = names_put(&r->by_signature, one.signature, HASH_DIGITS, out->dispatch_count);
    if (known != out->dispatch_count) { // another of the same kind; counted here in case the end is missing
        out->dispatches[known].count++;
        out->dispatches[known].ns += one.ns;
        return true;
    }
    out->dispatches =
        arena_grow(r->arena, out->dispatches, out->dispatch_count, &out->dispatch_room, sizeof *out->dispatches);
    out->dispatches[out->dispatch_count++] = one;
    return true;
}

static bool read_end(struct reading *r, const struct json_at *line, struct error *err) {
    struct captured_end end = {0};
    if (!fields_get(r->arena, line, end_fields, &end, err)) return false;
    r->out->seen += end.dispatches;
    r->out->recorded += end.recorded;
    for (size_t i = 0; i < end.count_count; i++) { // a signature may have been counted only
        const size_t at = names_get(&r->by_signature, end.counts[i].signature, HASH_DIGITS);
        if (at == NAMES_NONE) continue;
        r->out->dispatches[at].count = end.counts[i].count;
        r->out->dispatches[at].ns = end.counts[i].ns;
    }
    for (size_t i = 0; i < end.lack_count; i++)
        if (end.lacks[i].count <= INT64_MAX / 4)
            captured_lacks_add(r->arena, &r->out->lacks, end.lacks[i].reason, end.lacks[i].count, NULL);
    r->ended = true;
    return true;
}

static bool read_line(struct reading *r, const char *bytes, size_t length, size_t number, struct error *err) {
    static const struct {
        const char *key;
        bool (*read)(struct reading *r, const struct json_at *line, struct error *err);
    } lines[] = {{"capture", read_device}, {"dispatch", read_dispatch}, {"pipeline", read_pipeline}, {"end", read_end}};
    const char *where = arena_format(r->arena, "%s:%zu", r->file, number);
    struct json_object *value = json_parse(bytes, length);
    if (!value) return error_set(err, STATUS_BAD_INPUT, "%s: this line is no JSON", where);
    const struct json_at at = json_root(value, where);
    bool ok = false, known = false;
    for (size_t i = 0; json_object_is_type(value, json_type_object) && i < sizeof lines / sizeof *lines && !known;
         i++) {
        known = json_get(value, lines[i].key) != NULL;
        if (known && r->ended)
            ok = json_fail(&at, err, "a line behind the end");
        else if (known)
            ok = lines[i].read(r, &at, err);
    }
    if (!known) ok = json_fail(&at, err, "expected an object with \"capture\", \"pipeline\", \"dispatch\" or \"end\"");
    json_object_put(value);
    return ok;
}

// Reads the lines of a file. The last one may be torn, if the program was killed.
static bool read_lines(struct reading *r, struct error *err) {
    struct arena content = {0};
    size_t length, number = 1;
    const char *bytes = file_in_whole(&content, r->file, &length, err), *end = bytes ? bytes + length : NULL;
    bool ok = bytes != NULL;
    for (const char *at = bytes, *next; ok && at < end; at = next + 1, number++) {
        next = memchr(at, '\n', (size_t)(end - at));
        if (!next) break;
        ok = read_line(r, at, (size_t)(next - at), number, err);
    }
    arena_free(&content);
    return ok;
}

// ---- the folder

static int is_capture(const struct dirent *entry) {
    static const char begin[] = "capture-", ending[] = ".jsonl";
    const size_t length = strlen(entry->d_name), last = sizeof ending - 1;
    return strncmp(entry->d_name, begin, sizeof begin - 1) == 0 && length > sizeof begin - 1 + last &&
           strcmp(entry->d_name + length - last, ending) == 0;
}

// Lists the names of the folder's files in order. Returns their number, or -1.
static int list_files(const char *folder, struct dirent ***out) {
    return scandir(folder, out, is_capture, alphasort);
}

static void release_list(struct dirent **list, int count) {
    for (int i = 0; i < count; i++) free(list[i]);
    if (count >= 0) free(list);
}

bool capture_is_folder(const char *path) {
    struct dirent **list;
    const int count = list_files(path, &list);
    release_list(list, count);
    return count > 0;
}

static bool read_file(struct arena *arena, const char *name, struct capture *out, struct error *err) {
    struct reading r = {.arena = arena, .out = out, .file = arena_format(arena, "%s/%s", out->folder, name)};
    const bool ok = read_lines(&r, err);
    if (ok && !r.ended && !out->incomplete) out->incomplete = r.file;
    out->processes++;
    if (!r.ended) {
        out->unfinished++;
        out->seen += r.lines;
        out->recorded += r.lines;
    }
    names_free(&r.by_number);
    names_free(&r.by_signature);
    return ok;
}

bool capture_read(struct arena *arena, const char *folder, struct capture *out, struct error *err) {
    struct dirent **list;
    size_t length = strlen(folder);
    const int count = list_files(folder, &list);
    while (length > 1 && folder[length - 1] == '/') length--;
    *out = (struct capture){.folder = arena_copy_n(arena, folder, length), .program = ""};
    bool ok = count > 0 || error_set(err, STATUS_BAD_INPUT, "%s: expected a folder with capture-*.jsonl", folder);
    for (int i = 0; ok && i < count; i++) ok = read_file(arena, list[i]->d_name, out, err);
    release_list(list, count);
    return ok;
}

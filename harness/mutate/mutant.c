// SPDX-License-Identifier: Apache-2.0
// Mutants in messages, and the file of `vkassay mutate`.
#include "mutant.h"

#include "equivalence.h"
#include "../base/fields.h"
#include "../device/device_json.h"
#include "../record/result.h"

const char *mutant_verdict_name(enum mutant_verdict verdict) {
    static const char *const verdicts[MUTANT_VERDICTS] = {[MUTANT_KILLED] = "killed",
        [MUTANT_SURVIVED] = "survived",
        [MUTANT_UNSEEN] = "unseen",
        [MUTANT_EQUIVALENT] = "equivalent",
        [MUTANT_INVALID] = "invalid",
        [MUTANT_NOT_RUN] = "not-run"};
    return verdicts[verdict];
}
ENUM_KIND(static, verdict, mutant_verdict_name, mutant_verdict, 0, MUTANT_VERDICTS, "a verdict")
static const struct kind kind_rule = {.of = &kind_text,
    .meaning = "The rule by which a mutant that was not killed is right.",
    .name = "rule",
    .schema = SCHEMA({"pattern" : "^[a-z0-9-]+$"})};

// ---- a mutant

#define AT(member) offsetof(struct mutant, member)
static const struct field mutant_fields[] = {
    {"name",
        KIND(kind_text, .meaning = "The mutation, the place, and its number there; for --mutant.",
            .schema = SCHEMA({"pattern" : "^[a-z]+\\.[a-z0-9_]+@.*:[0-9]+#[0-9]+(,pass=[0-9]+)?$"})),
        AT(name), REQUIRED},
    {"operation", KIND(kind_text, .schema = SCHEMA({"pattern" : "^[a-z]+\\.[a-z0-9_]+$"})), AT(operation), REQUIRED},
    {"file", KIND(kind_text, .meaning = "The last two components of its path; empty: the module has no lines."),
        AT(file), REQUIRED},
    {"line", &kind_uint32, AT(line), REQUIRED},
    {"text", KIND(kind_text, .meaning = "Of that line."), AT(text), REQUIRED},
    {"change", &kind_text, AT(change), REQUIRED},
    {"instruction", KIND(kind_text, .meaning = "Of SPIR-V, before the change."), AT(instruction), REQUIRED},
    {"verdict", &kind_verdict, AT(verdict), REQUIRED},
    {"check",
        KIND(kind_text, .meaning =
                            "The check that killed it (`failed` of a record), or interface, build, timeout, crash, "
                            "device-lost, driver, error."),
        AT(check), SPARSE},
    {"point", KIND(kind_text, .meaning = "The point that killed it, or the first with other bits."), AT(point), SPARSE},
    {"rule", &kind_rule, AT(rule), SPARSE},
    {"reason", &kind_text, AT(reason), SPARSE},
    {"points", KIND(kind_int64, .meaning = "Points where it ran, up to the one that killed it."), AT(points), REQUIRED},
    {"seconds", &kind_amount, AT(seconds), REQUIRED},
    {"replay", KIND(kind_text, .meaning = "The command line that makes it again."), AT(replay), WRITTEN},
    {0},
};
static const struct kind kind_mutant = {.fields = mutant_fields};
// Only valid on one machine, so only in messages.
static const struct field path_fields[] = {{"path", &kind_text, AT(path), NULLABLE}, {0}};
#undef AT

struct json_object *mutant_to_json(const struct mutant *m) {
    struct json_object *out = fields_put(mutant_fields, m);
    fields_add(out, path_fields, m);
    return out;
}

bool mutant_from_json(struct arena *arena, struct json_object *value, struct mutant *out, struct error *err) {
    const struct json_at root = json_root(value, "a worker");
    *out = (struct mutant){0};
    return fields_get(arena, &root, mutant_fields, out, err) && fields_get(arena, &root, path_fields, out, err);
}

// ---- a kernel

static const struct kind kind_kernel_counts = {
    .each = sizeof(size_t), .values = &kind_size, .keys = &verdict_words, .required = MUTANT_VERDICTS};
static const struct kind kind_sources = {
    .put = given_put, .values = &kind_text, .meaning = "Files with survivors, by their names in `file`."};

#define AT(member) offsetof(struct mutated_kernel, member)
static const struct field kernel_fields[] = {
    {"name", &kind_text, AT(name), REQUIRED},
    {"operator", &kind_text, AT(operator), REQUIRED},
    {"family", &kind_text, AT(family), REQUIRED},
    {"counts", &kind_kernel_counts, AT(counts), REQUIRED},
    {"score",
        KIND(kind_real, .meaning = "killed / (killed + survived); null: neither.",
            .schema = SCHEMA({"minimum" : 0, "maximum" : 1})),
        AT(score), NULLABLE},
    {"seconds", KIND(kind_amount, .meaning = "Of all workers together."), AT(seconds), REQUIRED},
    {"reason", KIND(kind_text, .meaning = "Why it has no mutants."), AT(reason), SPARSE},
    {"caveat", KIND(kind_text, .meaning = "A restriction of its verdicts, such as mutants that were not validated."),
        AT(caveat), SPARSE},
    {"mutants", ARENA_LIST(struct mutated_kernel, mutants, mutant_count, &kind_mutant, 0), 0, REQUIRED},
    {"sources", &kind_sources, AT(sources), REQUIRED},
    {0},
};
#undef AT
static const struct kind kind_kernel = {.fields = kernel_fields};

struct json_object *mutated_kernel_to_json(const struct mutated_kernel *kernel) {
    return fields_put(kernel_fields, kernel);
}

// ---- the file

#define AT(member) offsetof(struct equivalence, member)
static const struct field rule_fields[] = {
    {"name", &kind_rule, AT(name), REQUIRED},
    {"why", &kind_text, AT(why), REQUIRED},
    {"source", KIND(kind_text, .meaning = "The source of this permission."), AT(source), REQUIRED},
    {0},
};
#undef AT
static const struct kind kind_listed_rule = {.fields = rule_fields};
static struct json_object *rules_put(const void *member) {
    size_t count = 0;
    (void)member;
    while (equivalences[count].name) count++;
    return items_put(&kind_listed_rule, equivalences, sizeof *equivalences, count);
}
static const struct kind kind_rules = {.put = rules_put,
    .list = &(const struct item_list){.kind = &kind_listed_rule},
    .meaning = "All rules of this version by which a mutant is equivalent."};
static const struct kind kind_kernels = {.put = given_put, .list = &(const struct item_list){.kind = &kind_kernel}};

static const struct field context_fields[] = {
    {"tool", &kind_tool, 0, REQUIRED},
    {"host", &kind_host, 0, REQUIRED},
    {"device", &kind_device_info, 0, REQUIRED},
    {"run", &kind_run_start, 0, REQUIRED},
    {0},
};
#define AT(member) offsetof(struct mutants_end, member)
static const struct field end_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"mutated", &kind_kernels, AT(mutated), REQUIRED},
    {"rules", &kind_rules, 0, REQUIRED},
    {"wall_s", KIND(kind_amount, .meaning = "Of a resumed run: of its last part."), AT(wall_s), REQUIRED},
    {"complete", KIND(kind_flag, .meaning = "Every kernel of the request is there."), AT(complete), REQUIRED},
    {"jobs", KIND(kind_int, .least = 1, .meaning = "Workers on the device."), AT(jobs), REQUIRED},
    {0},
};
const struct kind kind_mutants_file = {.fields = context_fields, .also = end_fields};

void mutants_end_add(struct json_object *context, const struct mutants_end *end) {
    fields_add(context, end_fields, end);
}

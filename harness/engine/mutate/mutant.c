// SPDX-License-Identifier: Apache-2.0
// The file of `vkassay mutate`.
#include "mutant.h"

#include "equivalence.h"
#include "../../base/fields.h"
#include "../../device/device_info.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <string.h>

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
    {"replay", KIND(kind_text, .meaning = "The command line that makes it again."), AT(replay), WRITTEN},
    {0},
};
#undef AT
static struct json_object *mutant_put(const void *member) {
    const struct mutant *mutant = member;
    struct json_object *out = fields_put(mutant_fields, mutant);
    fields_add(out, mutant_outcome_fields, &mutant->outcome);
    return out;
}
static const struct kind kind_mutant = {.put = mutant_put, .fields = mutant_fields, .also = mutant_outcome_fields};

bool mutant_take(struct arena *arena, struct mutant *mutant, struct json_object *record, struct error *err) {
    struct mutant_outcome *out = &mutant->outcome;
    const struct json_at at = json_root(json_get(record, "mutant"), "a record's mutant");
    *out = (struct mutant_outcome){.verdict = MUTANT_NOT_RUN};
    if (at.value) return fields_get(arena, &at, mutant_outcome_fields, out, err);
    const char *status = json_get_string(record, "status", "");
    out->reason = arena_copy(arena, json_get_string(record, "reason", ""));
    if (strcmp(status, record_status_name(RECORD_CRASH)) != 0 &&
        strcmp(status, record_status_name(RECORD_TIMEOUT)) != 0)
        return true;
    out->verdict = MUTANT_KILLED;
    out->check = arena_copy(arena, status);
    return true;
}

// ---- a kernel

static const struct kind kind_kernel_counts = {
    .each = sizeof(size_t), .values = &kind_size, .keys = &mutant_verdict_words, .required = MUTANT_VERDICTS};
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

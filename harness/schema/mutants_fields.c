// SPDX-License-Identifier: Apache-2.0
// Members of the output of `vkassay mutate`. Its writers put them one by one, so these tables only describe them.
#include "described.h"

#include "../mutate/mutant.h"
#include "../record/result.h"
#include "../device/device_json.h"

static const char *verdict_word(int verdict) {
    return mutant_verdict_name((enum mutant_verdict)verdict);
}
static const struct enum_words verdict_words = {verdict_word, 0, MUTANT_VERDICTS, "a verdict"};
static const struct kind kind_rule = {.meaning = "The rule by which a mutant that was not killed is right.",
    .name = "rule",
    .schema = SCHEMA({"type" : "string", "pattern" : "^[a-z0-9-]+$"})};

static const struct field mutant_fields[] = {
    {"name",
        KIND(kind_text, .meaning = "The mutation, the place, and its number there; for --mutant.",
            .schema = SCHEMA({"pattern" : "^[a-z]+\\.[a-z0-9_]+@.*:[0-9]+#[0-9]+(,pass=[0-9]+)?$"})),
        0, REQUIRED},
    {"operation", KIND(kind_text, .schema = SCHEMA({"pattern" : "^[a-z]+\\.[a-z0-9_]+$"})), 0, REQUIRED},
    {"file", KIND(kind_text, .meaning = "The last two components of its path; empty: the module has no lines."), 0,
        REQUIRED},
    {"line", &kind_int64, 0, REQUIRED},
    {"text", KIND(kind_text, .meaning = "Of that line."), 0, REQUIRED},
    {"change", &kind_text, 0, REQUIRED},
    {"instruction", KIND(kind_text, .meaning = "Of SPIR-V, before the change."), 0, REQUIRED},
    {"verdict", &(const struct kind){.words = &verdict_words}, 0, REQUIRED},
    {"check",
        KIND(kind_text, .meaning =
                            "The check that killed it (`failed` of a record), or interface, build, timeout, crash, "
                            "device-lost, driver, error."),
        0, SPARSE},
    {"point", KIND(kind_text, .meaning = "The point that killed it, or the first with other bits."), 0, SPARSE},
    {"rule", &kind_rule, 0, SPARSE},
    {"reason", &kind_text, 0, SPARSE},
    {"points", KIND(kind_int64, .meaning = "Points where it ran, up to the one that killed it."), 0, REQUIRED},
    {"seconds", &kind_amount, 0, REQUIRED},
    {"replay", KIND(kind_text, .meaning = "The command line that makes it again."), 0, REQUIRED},
    {0},
};
static const struct kind kind_mutant = {.fields = mutant_fields};

static const struct field kernel_fields[] = {
    {"name", &kind_text, 0, REQUIRED},
    {"operator", &kind_text, 0, REQUIRED},
    {"family", &kind_text, 0, REQUIRED},
    {"counts", &(const struct kind){.values = &kind_int64, .keys = &verdict_words, .required = MUTANT_VERDICTS}, 0,
        REQUIRED},
    {"score",
        &(const struct kind){.meaning = "killed / (killed + survived); null: neither.",
            .schema = SCHEMA({"type" : "number", "minimum" : 0, "maximum" : 1})},
        0, NULLABLE},
    {"seconds", KIND(kind_amount, .meaning = "Of all workers together."), 0, REQUIRED},
    {"reason", KIND(kind_text, .meaning = "Why it has no mutants."), 0, SPARSE},
    {"caveat", KIND(kind_text, .meaning = "A restriction of its verdicts, such as mutants that were not validated."), 0,
        SPARSE},
    {"mutants", LIST(kind_mutant, NULL), 0, REQUIRED},
    {"sources",
        &(const struct kind){.values = &kind_text, .meaning = "Files with survivors, by their names in `file`."}, 0,
        REQUIRED},
    {0},
};
static const struct kind kind_kernel = {.fields = kernel_fields};

static const struct field rule_fields[] = {
    {"name", &kind_rule, 0, REQUIRED},
    {"why", &kind_text, 0, REQUIRED},
    {"source", KIND(kind_text, .meaning = "The source of this permission."), 0, REQUIRED},
    {0},
};
static const struct kind kind_listed_rule = {.fields = rule_fields};

static const struct field mutants_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"tool", &kind_tool, 0, REQUIRED},
    {"host", &kind_host, 0, REQUIRED},
    {"device", &kind_device_info, 0, REQUIRED},
    {"run", &kind_run_start, 0, REQUIRED},
    {"mutated", LIST(kind_kernel, NULL), 0, REQUIRED},
    {"rules", LIST(kind_listed_rule, "All rules of this version by which a mutant is equivalent."), 0, REQUIRED},
    {"wall_s", KIND(kind_amount, .meaning = "Of a resumed run: of its last part."), 0, REQUIRED},
    {"complete", KIND(kind_flag, .meaning = "Every kernel of the request is there."), 0, REQUIRED},
    {"jobs", KIND(kind_int, .least = 1, .meaning = "Workers on the device."), 0, REQUIRED},
    {0},
};
const struct kind kind_mutants_file = {.fields = mutants_fields};

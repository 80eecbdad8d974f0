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
        NO_MEMBER, REQUIRED},
    {"operation", KIND(kind_text, .schema = SCHEMA({"pattern" : "^[a-z]+\\.[a-z0-9_]+$"})), NO_MEMBER, REQUIRED},
    {"file", KIND(kind_text, .meaning = "The last two components of its path; empty: the module has no lines."),
        NO_MEMBER, REQUIRED},
    {"line", &kind_int64, NO_MEMBER, REQUIRED},
    {"text", KIND(kind_text, .meaning = "Of that line."), NO_MEMBER, REQUIRED},
    {"change", &kind_text, NO_MEMBER, REQUIRED},
    {"instruction", KIND(kind_text, .meaning = "Of SPIR-V, before the change."), NO_MEMBER, REQUIRED},
    {"verdict", &(const struct kind){.words = &verdict_words}, NO_MEMBER, REQUIRED},
    {"check",
        KIND(kind_text, .meaning =
                            "The check that killed it (`failed` of a record), or interface, build, timeout, crash, "
                            "device-lost, driver, error."),
        NO_MEMBER, SPARSE},
    {"point", KIND(kind_text, .meaning = "The point that killed it, or the first with other bits."), NO_MEMBER, SPARSE},
    {"rule", &kind_rule, NO_MEMBER, SPARSE},
    {"reason", &kind_text, NO_MEMBER, SPARSE},
    {"points", KIND(kind_int64, .meaning = "Points where it ran, up to the one that killed it."), NO_MEMBER, REQUIRED},
    {"seconds", &kind_amount, NO_MEMBER, REQUIRED},
    {"replay", KIND(kind_text, .meaning = "The command line that makes it again."), NO_MEMBER, REQUIRED},
    {0},
};
static const struct kind kind_mutant = {.fields = mutant_fields};

static const struct field kernel_fields[] = {
    {"name", &kind_text, NO_MEMBER, REQUIRED},
    {"operator", &kind_text, NO_MEMBER, REQUIRED},
    {"family", &kind_text, NO_MEMBER, REQUIRED},
    {"counts", &(const struct kind){.values = &kind_int64, .keys = &verdict_words, .required = MUTANT_VERDICTS},
        NO_MEMBER, REQUIRED},
    {"score",
        &(const struct kind){.meaning = "killed / (killed + survived); null: neither.",
            .schema = SCHEMA({"type" : "number", "minimum" : 0, "maximum" : 1})},
        NO_MEMBER, NULLABLE},
    {"seconds", KIND(kind_amount, .meaning = "Of all workers together."), NO_MEMBER, REQUIRED},
    {"reason", KIND(kind_text, .meaning = "Why it has no mutants."), NO_MEMBER, SPARSE},
    {"caveat", KIND(kind_text, .meaning = "A restriction of its verdicts, such as mutants that were not validated."),
        NO_MEMBER, SPARSE},
    {"mutants", LIST(kind_mutant, NULL), NO_MEMBER, REQUIRED},
    {"sources",
        &(const struct kind){.values = &kind_text, .meaning = "Files with survivors, by their names in `file`."},
        NO_MEMBER, REQUIRED},
    {0},
};
static const struct kind kind_kernel = {.fields = kernel_fields};

static const struct field rule_fields[] = {
    {"name", &kind_rule, NO_MEMBER, REQUIRED},
    {"why", &kind_text, NO_MEMBER, REQUIRED},
    {"source", KIND(kind_text, .meaning = "The source of this permission."), NO_MEMBER, REQUIRED},
    {0},
};
static const struct kind kind_listed_rule = {.fields = rule_fields};

static const struct field mutants_fields[] = {
    {"schema_version", &kind_version_1, NO_MEMBER, REQUIRED},
    {"tool", &kind_tool, NO_MEMBER, REQUIRED},
    {"host", &kind_host, NO_MEMBER, REQUIRED},
    {"device", &kind_device_info, NO_MEMBER, REQUIRED},
    {"run", &kind_run_start, NO_MEMBER, REQUIRED},
    {"mutated", LIST(kind_kernel, NULL), NO_MEMBER, REQUIRED},
    {"rules", LIST(kind_listed_rule, "All rules of this version by which a mutant is equivalent."), NO_MEMBER,
        REQUIRED},
    {"wall_s", KIND(kind_amount, .meaning = "Of a resumed run: of its last part."), NO_MEMBER, REQUIRED},
    {"complete", KIND(kind_flag, .meaning = "Every kernel of the request is there."), NO_MEMBER, REQUIRED},
    {"jobs", KIND(kind_int, .least = 1, .meaning = "Workers on the device."), NO_MEMBER, REQUIRED},
    {0},
};
const struct kind kind_mutants_file = {.fields = mutants_fields};

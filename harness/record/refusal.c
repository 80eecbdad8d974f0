// SPDX-License-Identifier: Apache-2.0
#include "refusal.h"
#include "../device/profile.h"

#include "../base/fields.h"

#include <stdio.h>
#include <string.h>

static const char limit[] = "a limit", memory[] = "memory", matrices[] = "no such matrices", other[] = "other",
                  lacks[] = "no $";

// In a sentence, $ is the next word and # the next figure, as a whole number. A figure has two digits for ~, and its
// shortest form for @.
static const struct {
    const char *key, *sentence, *brief;
} infos[REFUSAL_KINDS] = {
    [REFUSAL_FEATURE] = {"feature", "the device lacks the feature $", lacks},
    [REFUSAL_MATRIX_COMPILER] = {"matrix_compiler", "cooperative matrices need a shader compiler with $", matrices},
    [REFUSAL_MATRIX_EXTENSION] = {"matrix_extension",
        "the kernel needs VK_KHR_cooperative_matrix or VK_NV_cooperative_matrix; the device lacks the feature $",
        lacks},
    [REFUSAL_MATRIX_SIZES] = {"matrix_sizes", "cooperative matrices of #x#x# $; the device has $", matrices},
    [REFUSAL_STORAGE_BUFFERS] = {"storage_buffers", "# storage buffers; the device allows #", limit},
    [REFUSAL_PUSH_BYTES] = {"push_bytes", "# bytes of push constants; the device allows #", limit},
    [REFUSAL_PUSH_VALUE] = {"push_value", "$ $ is #, too large for 32 bits", other},
    [REFUSAL_WORKGROUP_EMPTY] = {"workgroup_empty", "$ is #; the minimum is 1", other},
    [REFUSAL_WORKGROUP_AXIS] = {"workgroup_axis", "$ is #; the device allows #", limit},
    [REFUSAL_WORKGROUP_OVERFLOW] = {"workgroup_overflow", "the workgroup's size overflows", other},
    [REFUSAL_INVOCATIONS] = {"invocations", "# invocations; the device allows #", limit},
    [REFUSAL_SUBGROUP_FEATURE] = {"subgroup_feature", "SUBGROUP is #; the device lacks the feature $", lacks},
    [REFUSAL_SUBGROUP_SIZE] = {"subgroup_size", "SUBGROUP is #; the device allows powers of two from # to #", limit},
    [REFUSAL_SUBGROUP_COUNT] = {"subgroup_count",
        "# invocations in subgroups of #; the device allows # subgroups in a workgroup", limit},
    [REFUSAL_SHARED_OVERFLOW] = {"shared_overflow", "the size of its shared memory overflows", memory},
    [REFUSAL_SHARED_BYTES] = {"shared_bytes", "# bytes of shared memory; the device allows #", memory},
    [REFUSAL_RULE_OVERFLOW] = {"rule_overflow", "$ overflows: $", other},
    [REFUSAL_RULE_MULTIPLE] = {"rule_multiple", "$ = # is not a multiple of $ = #: $", other},
    [REFUSAL_RULE_AT_MOST] = {"rule_at_most", "$ = # exceeds $ = #: $", other},
    [REFUSAL_RULE_EQUAL] = {"rule_equal", "$ = # must equal $ = #: $", other},
    [REFUSAL_GRID_OVERFLOW] = {"grid_overflow", "the grid on $ divides by zero or overflows", other},
    [REFUSAL_GRID_EMPTY] = {"grid_empty", "the grid on $ is empty", other},
    [REFUSAL_GRID_AXIS] = {"grid_axis", "# groups on $; the device allows #", limit},
    [REFUSAL_GRID_FOLDED] = {"grid_folded", "# groups; folded over x, y and z the device allows # x # x #", limit},
    [REFUSAL_DISPATCHES] = {"dispatches", "its passes need more than # dispatches, or a variable overflows", limit},
    [REFUSAL_BUFFER_ELEMENTS] = {"buffer_elements", "$ $: its element count overflows 64 bits", other},
    [REFUSAL_BUFFER_EMPTY] = {"buffer_empty", "$ $ is empty", other},
    [REFUSAL_BUFFER_BLOCKS] = {"buffer_blocks", "$ $: # elements do not fill whole $ blocks of #", other},
    [REFUSAL_BUFFER_LAYOUT] = {"buffer_layout", "operand $ overlaps itself or overflows in its layout", other},
    [REFUSAL_BUFFER_OVERFLOW] = {"buffer_overflow", "$ $: its bytes overflow 64 bits", other},
    [REFUSAL_BUFFER_RANGE] = {"buffer_range", "$ $ takes # bytes; the device allows # (maxStorageBufferRange)", memory},
    [REFUSAL_BUFFER_ALLOCATION] = {"buffer_allocation",
        "$ $ takes # bytes; the device allows # (maxMemoryAllocationSize)", memory},
    [REFUSAL_MEMORY] = {"memory",
        "its buffers need # bytes; memory_share is @ of the device's # bytes of memory, # bytes", memory},
    [REFUSAL_TOO_LONG] = {"too_long", "estimated ~ s per dispatch at $ of the measured $; the suite allows @ s",
        "too long here"},
    [REFUSAL_EXPECTED] = {"expected", "skipped by the expectations: $", other},
    [REFUSAL_REFERENCE] = {"reference", "only the scalar reference is timed, without a device", other},
    [REFUSAL_LOOP_TURNS] = {"loop_turns", "the driver ended loops of the kernel early, after # iterations", limit},
    [REFUSAL_DEVICE_LIMIT] = {"device_limit", "the kernel needs # $; the device allows #", limit},
    [REFUSAL_UNTRIED] = {"untried",
        "a guess that no point judged; read the kernel's notes, correct it, then remove \"untried\" from the manifest",
        "untried"},
    [REFUSAL_PROFILE_LIMIT] = {"profile_limit", "$ is #; the profile $ allows #", limit},
    [REFUSAL_PROFILE_FEATURE] = {"profile_feature", "it requires $; the profile $ lacks it", lacks},
};

const struct refusal *refusal_new(struct arena *arena, struct refusal refusal) {
    struct refusal *kept = arena_alloc(arena, 1, sizeof *kept);
    *kept = refusal;
    return kept;
}

const struct refusal *refusal_of_excess(
    struct arena *arena, const struct profile *profile, const struct excess *excess) {
    if (!excess->limit)
        return REFUSED(arena, .kind = REFUSAL_PROFILE_FEATURE, .words = {feature_name(excess->feature), profile->name});
    return REFUSED(arena, .kind = REFUSAL_PROFILE_LIMIT, .words = {excess->limit->name, profile->name},
        .figures = {excess->needed, excess->allowed});
}

// Returns whether a word is this number, so "1 = 1" can be "1".
static bool is_its_figure(const char *word, double figure) {
    char text[32];
    snprintf(text, sizeof text, "%.0f", figure);
    return strcmp(word, text) == 0;
}

static const char *render(struct arena *arena, const char *sentence, const struct refusal *refusal, bool with_figures) {
    struct text out = {0};
    const char *const *word = refusal->words;
    const double *figure = refusal->figures;
    for (const char *part = sentence; *part; part++) {
        size_t plain = strcspn(part, with_figures ? "$#~@" : "$");
        text_append_n(&out, part, plain);
        part += plain;
        if (*part == '$') {
            static const char its_figure[] = " = #";
            const size_t length = sizeof its_figure - 1;
            if (with_figures && strncmp(part + 1, its_figure, length) == 0 && is_its_figure(*word, *figure)) {
                part += length;
                figure++;
            }
            text_append(&out, *word++);
        } else if (*part)
            text_format(&out, *part == '#' ? "%.0f" : *part == '~' ? "%.2g" : "%g", *figure++);
        else
            break;
    }
    return arena_take(arena, &out);
}

const char *refusal_text(struct arena *arena, const struct refusal *refusal) {
    const char *text = render(arena, infos[refusal->kind].sentence, refusal, true);
    return refusal->pass ? arena_format(arena, "pass %d: %s", refusal->pass, text) : text;
}

const char *refusal_pattern(struct arena *arena, const struct refusal *refusal) {
    return render(arena, infos[refusal->kind].sentence, refusal, false);
}

const char *refusal_brief(struct arena *arena, const struct refusal *refusal) {
    return render(arena, infos[refusal->kind].brief, refusal, true);
}

// ---- in files

// Counts the words and figures in the sentence of a kind.
static void count_parts(enum refusal_kind kind, int *words, int *figures) {
    *words = *figures = 0;
    for (const char *c = infos[kind].sentence; *c; c++) {
        *words += *c == '$';
        *figures += *c == '#' || *c == '~' || *c == '@';
    }
}

static struct json_object *refusal_put(const void *member) {
    const struct refusal *refusal = *(const struct refusal *const *)member;
    if (!refusal) return NULL;
    struct json_object *object = json_object_new_object();
    int words, figures;
    count_parts(refusal->kind, &words, &figures);
    json_put_string(object, "kind", infos[refusal->kind].key);
    json_put(object, "words", items_put(&kind_text, refusal->words, sizeof *refusal->words, (size_t)words));
    json_put(object, "figures", items_put(&kind_real, refusal->figures, sizeof *refusal->figures, (size_t)figures));
    if (refusal->pass) json_put_int(object, "pass", refusal->pass);
    return object;
}

static const char *key_of(enum refusal_kind kind) {
    return infos[kind].key;
}
ENUM_KIND(static, of_refusal, key_of, refusal_kind, 0, REFUSAL_KINDS, "why a point is refused (feature, memory, ...)")

static bool refusal_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    struct refusal *out = arena_alloc(arena, 1, sizeof *out);
    struct json_at kind, list, pass;
    int words, figures;
    *(const struct refusal **)member = out;
    if (!json_member(at, "kind", false, &kind, err) || !kind_get(&kind_of_refusal, arena, &kind, &out->kind, err))
        return false;
    count_parts(out->kind, &words, &figures);
    return json_member(at, "words", false, &list, err) &&
           items_get(arena, &list, &kind_text, out->words, sizeof *out->words, (size_t)words, err) &&
           json_member(at, "figures", false, &list, err) &&
           items_get(arena, &list, &kind_real, out->figures, sizeof *out->figures, (size_t)figures, err) &&
           json_member(at, "pass", true, &pass, err) && (!pass.value || kind_int.get(arena, &pass, &out->pass, err));
}
// The sentence of the kind decides how many words and figures there are.
static const struct field refusal_fields[] = {
    {"kind", &kind_of_refusal, offsetof(struct refusal, kind), REQUIRED},
    {"words", ROOM_LIST(struct refusal, words, pass, &kind_text, 0, REFUSAL_WORDS), 0, REQUIRED},
    {"figures", ROOM_LIST(struct refusal, figures, pass, &kind_real, 0, REFUSAL_FIGURES), 0, REQUIRED},
    {"pass", KIND(kind_int, .least = 1, .meaning = "Of a grid: the pass, if the kernel has several."),
        offsetof(struct refusal, pass), SPARSE},
    {0},
};
const struct kind kind_refusal = {.put = refusal_put,
    .get = refusal_get,
    .fields = refusal_fields,
    .meaning = "The reason of a point that was not run, as data: a kind, and the words and figures of its sentence."};

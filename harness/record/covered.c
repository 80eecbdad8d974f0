// SPDX-License-Identifier: Apache-2.0
#include "covered.h"

#include "../base/fields.h"
#include "../base/text.h"

#include <string.h>

#define AT(member) offsetof(struct covered, member)
#define COUNTED(member, MEANING)                                                                                       \
    { #member, KIND(kind_int64, .meaning = MEANING), AT(member), REQUIRED }
static const struct field covered_fields[] = {
    {"kernel", &kind_text, AT(kernel), REQUIRED},
    {"dtype", &kind_text, AT(dtype), REQUIRED},
    COUNTED(points, "Points that ran."),
    COUNTED(skipped, "Points that did not run."),
    COUNTED(shapes, "Shapes that ran."),
    COUNTED(legal_shapes, "Shapes that can run on the device."),
    COUNTED(pairs, "Pairs of values of two tunables in shapes that ran; of one tunable, its values."),
    COUNTED(legal_pairs, "The same in shapes that can run on the device."),
    COUNTED(sizes, "Different dims."),
    COUNTED(parameters, "Different settings of the operator's parameters."),
    COUNTED(characters, "Patterns of operands' lines that occurred."),
    COUNTED(all_characters, "Patterns that exist; 0 if lines are alike."),
    COUNTED(checked, "Judged outputs."),
    COUNTED(elements, "All outputs."),
    COUNTED(excluded, "Outputs that the device or the specification leaves open."),
    COUNTED(exact, "Outputs judged by a run with whole numbers."),
    {"unjudged",
        KIND(kind_int64,
            .meaning = "Outputs of captured dispatches without a recorded result of this device and driver."),
        AT(unjudged), NEW},
    {"large_sizes", KIND(kind_int64, .meaning = "Sizes whose operands have more than 1,000 elements together."),
        AT(large_sizes), NEW},
    {"open_points", KIND(kind_int64, .meaning = "Points with more than a quarter of their outputs left open."),
        AT(open_points), NEW},
    {"specials",
        KIND(kind_int64, .meaning = "Special values of operands among the inputs: NaN, infinity and its negative."),
        AT(specials), NEW},
    {"specials_met", KIND(kind_int64, .meaning = "Those on which a judged output depends."), AT(specials_met), NEW},
    {"specials_unmet", KIND(kind_text, .meaning = "The others."), AT(unmet), SPARSE},
    {0},
};
const struct kind kind_covered = {.fields = covered_fields};

struct json_object *covered_to_json(const struct covered *rows, size_t count) {
    return items_put(&kind_covered, rows, sizeof *rows, count);
}

bool covered_from_json(
    struct arena *arena, struct json_object *run, struct covered **rows, size_t *count, struct error *err) {
    struct json_at root = json_root(run, "run"), list;
    *count = 0;
    if (!json_member(&root, "covered", true, &list, err)) return false;
    if (!list.value) return true;
    if (!json_expect(&list, json_type_array, err)) return false;
    *count = json_count(&list);
    *rows = arena_alloc(arena, *count + 1, sizeof **rows);
    return items_get(arena, &list, &kind_covered, *rows, sizeof **rows, *count, err);
}

// ---- as a line

// With more rows, the line has no special values by name.
enum { MOST_UNMET = 8 };

static struct covered sum_of(const struct covered *rows, size_t count) {
    struct covered sum = {0};
    for (size_t i = 0; i < count; i++)
        for (const struct field *f = covered_fields; f->key; f++)
            if (f->kind->of == &kind_int64)
                *(int64_t *)((char *)&sum + f->offset) += *(const int64_t *)((const char *)&rows[i] + f->offset);
    return sum;
}

static const char *plural(int64_t count) {
    return count == 1 ? "" : "s";
}

// Appends "softmax.online in f32, f16", or the number of pairs of kernel and dtype.
static void put_subject(struct text *out, const struct covered *rows, size_t count) {
    bool one = true;
    for (size_t i = 1; i < count; i++) one = one && strcmp(rows[i].kernel, rows[0].kernel) == 0;
    if (!one) {
        text_format(out, "%zu pairs of a kernel and a type", count);
        return;
    }
    text_append(out, rows[0].kernel);
    for (size_t i = 0; i < count; i++) text_format(out, "%s%s", i ? ", " : " in ", rows[i].dtype);
}

static void put_left_over(struct text *out, const struct covered *sum) {
    const int64_t sampled = sum->elements - sum->checked - sum->excluded - sum->unjudged;
    const char *separator = "; not checked: ";
    if (sum->excluded) {
        text_format(out, "%s%lld without a defined result", separator, (long long)sum->excluded);
        if (sum->open_points)
            text_format(out, " (more than a quarter of the outputs at %lld point%s)", (long long)sum->open_points,
                plural(sum->open_points));
        separator = ", ";
    }
    if (sum->unjudged) {
        text_format(
            out, "%s%lld without a recorded result of this device and driver", separator, (long long)sum->unjudged);
        separator = ", ";
    }
    if (sampled > 0) {
        text_format(out, "%s%lld outside the sample", separator, (long long)sampled);
        separator = ", ";
    }
    if (sum->skipped)
        text_format(
            out, "%s%lld skipped point%s (reasons above)", separator, (long long)sum->skipped, plural(sum->skipped));
}

// Appends the special values that met no judged output.
static void put_unmet(struct text *out, const struct covered *rows, size_t count) {
    const char *separator = "; without effect on a judged output: ";
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].unmet) continue;
        text_format(out, "%s%s", separator, rows[i].unmet);
        if (count > 1) text_format(out, " (%s in %s)", rows[i].kernel, rows[i].dtype);
        separator = "; ";
    }
}

const char *covered_words(struct arena *arena, const struct covered *rows, size_t count) {
    struct text text = {0};
    if (!count) return NULL;
    const struct covered sum = sum_of(rows, count);
    text_append(&text, "covered: ");
    put_subject(&text, rows, count);
    text_format(&text, ": %lld of %lld shapes, %lld of %lld pairs of tunable values, %lld size%s",
        (long long)sum.shapes, (long long)sum.legal_shapes, (long long)sum.pairs, (long long)sum.legal_pairs,
        (long long)sum.sizes, plural(sum.sizes));
    if (sum.large_sizes) text_format(&text, " (%lld above %d elements)", (long long)sum.large_sizes, COVERED_LARGE);
    text_format(&text, ", %lld setting%s of parameters", (long long)sum.parameters, plural(sum.parameters));
    if (sum.all_characters)
        text_format(
            &text, ", %lld of %lld patterns of lines", (long long)sum.characters, (long long)sum.all_characters);
    text_format(&text, "; %lld of %lld outputs checked", (long long)sum.checked, (long long)sum.elements);
    if (sum.exact) text_format(&text, ", %lld exactly with whole numbers", (long long)sum.exact);
    put_left_over(&text, &sum);
    if (sum.specials)
        text_format(&text, "; %lld of %lld special values of operands met a judged output", (long long)sum.specials_met,
            (long long)sum.specials);
    if (count <= MOST_UNMET) put_unmet(&text, rows, count);
    return arena_take(arena, &text);
}

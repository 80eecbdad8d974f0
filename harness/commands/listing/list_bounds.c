// SPDX-License-Identifier: Apache-2.0
#include "list_bounds.h"

#include "../../../reference/operator.h"
#include "../../../reference/table.h"
#include "../../base/json.h"
#include "../../engine/check/inputs/truth.h"
#include "../../engine/plan/suite.h"
#include "../../engine/plan/suite_sizes.h"
#include "../../readers/render/format.h"
#include "../../readers/table/table.h"
#include "../../shader/manifest/known_names.h"
#include "../command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { USUAL_DIM = 64 }; // of a dim that is not given
static const char precision_source[] = "Vulkan specification, appendix \"Vulkan Environment for SPIR-V\", section "
                                       "\"Precision and Operation of SPIR-V Instructions\"";

// The tolerances of one output. They accept every right kernel.
struct tolerances {
    double ulp;        // of the output's type at the larger of |want| and the sum of the absolute terms
    double rtol, atol; // |got - want| <= atol + rtol |want|
    double magnitude;  // the largest sum of the absolute terms
    int64_t open;      // outputs for which the specification gives no bound
};

// Rounds up to three digits. A printed tolerance is never stricter than the exact one.
static double rounded_up(double x) {
    if (!(x > 0)) return x;
    const double unit = pow(10, floor(log10(x)) - 2), up = ceil(x / unit - 1e-9) * unit;
    char digits[32];
    double out;
    snprintf(digits, sizeof digits, "%.3g", up);
    sscanf(digits, "%lf", &out);
    return out;
}

static struct tolerances tolerances_of(const struct truth_output *output, enum dtype dtype) {
    const struct judge_input any_order = {
        .dtype = dtype, .arithmetic = DTYPE_F32, .policy = {.rte = true, .denorms = true}};
    struct tolerances t = {0};
    for (int64_t i = 0; i < output->total; i++) {
        if (isfinite(output->bound[i]))
            t.ulp = fmax(t.ulp, judge_bound(dtype, DTYPE_F32, true, output->bound[i]));
        else
            t.open++;
    }
    if (!dtype_info(dtype)->is_float) t.ulp = 0;
    t.ulp = rounded_up(t.ulp);
    t.rtol = rounded_up(ldexp(t.ulp, 1 - dtype_info(dtype)->significand)); // an ULP of x is at most this share of |x|
    for (int64_t i = 0; i < output->total && t.ulp > 0; i++) {
        const double want = fabs(output->want[i]), scale = fmax(want, output->magnitude[i]);
        if (!isfinite(output->bound[i]) || !isfinite(scale)) continue;
        const double allowed = judge_allowed(&any_order, want, scale, output->bound[i], 0);
        t.atol = fmax(t.atol, allowed - t.rtol * want);
        t.magnitude = fmax(t.magnitude, scale);
    }
    t.magnitude = rounded_up(t.magnitude);
    t.atol = rounded_up(t.atol);
    return t;
}

// Sets the dims of --dims. A variant's other dims have their first value, and sizes are USUAL_DIM.
static bool set_dims(struct arena *arena, const char *text, struct point *point, struct error *err) {
    const struct op *op = point->kernel->op;
    struct problem_setter setter = problem_setter(arena, point);
    struct suite_values *given = NULL;
    size_t count = 0;
    const char *why = NULL;
    if (text && !sizes_read(arena, text, &given, &count, err)) return false;
    for (size_t i = 0; i < count && !why; i++) why = problem_set(&setter, given[i].name, given[i].values[0]);
    for (int d = 0; d < operator_dims(op) && !why; d++) {
        const struct option *option = operator_option(op, d);
        if (!setter.given[d]) why = problem_set(&setter, op->dims[d], option ? (double)option->values[0] : USUAL_DIM);
    }
    if (!why) why = problem_derive(&setter);
    return !why || error_set(err, STATUS_USAGE, "list bounds %s: %s", op->name, why);
}

static struct json_object *output_json(const struct point *point, const struct truth_output *output, enum dtype dtype) {
    const struct op *op = point->kernel->op;
    const struct tolerances t = tolerances_of(output, dtype);
    struct json_object *object = json_object_new_object(), *dims = json_object_new_object();
    for (int d = 0; d < operator_dims(op); d++) json_put_int(dims, op->dims[d], point->dims[d]);
    json_put_string(object, "operator", op->name);
    json_put_string(object, "type", dtype_info(point->dtype)->name);
    json_put(object, "dims", dims);
    json_put_string(object, "output", op->operands[output->operand].name);
    json_put_string(object, "output_type", dtype_info(dtype)->name);
    json_put_double(object, "ulp", t.ulp);
    json_put_double(object, "rtol", t.rtol);
    json_put_double(object, "atol", t.atol);
    json_put_double(object, "magnitude", t.magnitude);
    json_put_int(object, "outputs", output->total);
    json_put_int(object, "open", t.open);
    json_put_string(object, "formula", op->formula);
    json_put_string(object, "bound", op->bound);
    json_put_string(object, "source", op->source);
    json_put_string(object, "precision", precision_source);
    return object;
}

// Adds an object for each output, at the bounds of serial sums in f32, rounded to nearest. They are the widest of all
// orders.
static bool add_bounds(struct arena *arena, const struct options *options, struct point *point,
    struct json_object *list, struct error *err) {
    const struct settings settings = settings_standard();
    struct problem problem = {0};
    struct truth truth = {0};
    if (!set_dims(arena, options->dims, point, err) || !problem_open(NULL, point, options->run.seed, &problem, err))
        return false;
    problem_redraw(&problem, problem.key + 1, &(struct redraw){0});
    truth_make(&problem, &settings, 0, true, false, &truth);
    for (int o = 0; o < truth.output_count; o++)
        json_object_array_add(
            list, output_json(point, &truth.outputs[o], problem.operands[truth.outputs[o].operand].dtype));
    truth_free(&truth);
    problem_close(NULL, &problem);
    return true;
}

static bool add_word(
    struct arena *arena, const struct options *options, const char *word, struct json_object *list, struct error *err) {
    const char *slash = strchr(word, '/');
    const struct op *op = operator_named(slash ? arena_copy_n(arena, word, (size_t)(slash - word)) : word);
    const enum dtype dtype = slash ? dtype_named(slash + 1) : DTYPE_F32;
    struct known_names names = {0};
    for (size_t i = 0; operator_at(i); i++) names_add(&names, operator_at(i)->name);
    if (!op)
        return error_set(
            err, STATUS_USAGE, "list bounds: no operator is called \"%s\"%s", word, names_hint(arena, &names, word));
    if (dtype == DTYPE_CASE) return error_set(err, STATUS_USAGE, "list bounds: no type is called \"%s\"", slash + 1);
    const struct kernel any = {.name = op->name, .op = op, .arithmetic = DTYPE_F32}; // no shader, no order of sums
    struct point point = {.kernel = &any, .dtype = dtype};
    return add_bounds(arena, options, &point, list, err);
}

struct json_object *list_bounds(struct arena *arena, const struct options *options, struct error *err) {
    struct json_object *list = json_object_new_array();
    bool ok = options->word_count > 1 ||
              error_set(err, STATUS_USAGE, "list bounds: expected operators behind it, such as matmul/bf16");
    for (size_t i = 1; ok && i < options->word_count; i++) ok = add_word(arena, options, options->words[i], list, err);
    if (ok) return list;
    json_object_put(list);
    return NULL;
}

// ---- as text

static void print_line(const char *title, const char *line, int width) {
    char lead[16];
    snprintf(lead, sizeof lead, "%-10s ", title);
    if (line && *line) print_hanging(stdout, lead, line, 11, width);
}

static void print_one(struct arena *arena, struct json_object *object, int width) {
    struct text text = {0};
    text_format(&text, "%s %s ", json_get_string(object, "operator", ""), json_get_string(object, "type", ""));
    json_object_object_foreach(json_get(object, "dims"), name, size) text_format(
        &text, "%s%s=%s", text_str(&text)[text.length - 1] == ' ' ? "" : ",", name, json_object_get_string(size));
    const double ulp = json_get_double(object, "ulp", 0);
    text_format(&text, ", output %s: ", json_get_string(object, "output", ""));
    if (ulp > 0)
        text_format(&text, "%.3g ULP, rtol %.3g, atol %.3g; terms add up to %.3g", ulp,
            json_get_double(object, "rtol", 0), json_get_double(object, "atol", 0),
            json_get_double(object, "magnitude", 0));
    else
        text_append(&text, "exact");
    print_hanging(stdout, "", arena_take(arena, &text), 2, width);
    putchar('\n');
    print_line("formula", json_get_string(object, "formula", NULL), width);
    print_line("bound", json_get_string(object, "bound", NULL), width);
    print_line("source", json_get_string(object, "source", NULL), width);
    print_line("precision", json_get_string(object, "precision", NULL), width);
    if (json_get_int(object, "open", 0))
        printf("%lld of %lld outputs have no bound in the specification\n", (long long)json_get_int(object, "open", 0),
            (long long)json_get_int(object, "outputs", 0));
}

void list_bounds_print(struct arena *arena, struct json_object *list) {
    const int columns = terminal_width(), width = columns ? columns : TABLE_ANY_WIDTH;
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        if (i) putchar('\n');
        print_one(arena, json_object_array_get_idx(list, i), width);
    }
    puts(
        "\nULP are counted at the larger of |want| and the sum of the absolute terms.\n"
        "|got - want| <= atol + rtol |want| accepts every right kernel in f32 arithmetic, whatever its order of sums.\n"
        "atol is for the inputs of `list operators NAME`. For others, whose terms may cancel, it is rtol times the "
        "sum\n"
        "of the absolute terms.");
}

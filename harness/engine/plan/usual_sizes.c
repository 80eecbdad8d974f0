// SPDX-License-Identifier: Apache-2.0

#include "../../../reference/philox.h"
#include "cross.h"
#include "probes.h"
#include "problem.h"
#include "../../shader/manifest/shape.h"
#include "suite_sizes.h"
#include "../../../reference/operator.h"

#include <string.h>

// MOST_CASES: cases for a kernel and type. TRIES: tries before making up sizes is given up. LARGEST_MADE_UP: the size
// of all dims in the first try.
enum { MOST_CASES = 3, TRIES = 10000, LARGEST_MADE_UP = 2048 };
static const double made_up_elements = 1 << 20, made_up_operations = 1e9;

// How near a source's entry is to the kernel and type; the nearest comes first.
enum nearness { SAME_TYPE, SAME_KERNEL, SAME_OPERATOR, PEAK_OF_OPERATOR, NEARNESSES };

// A kernel and type, and the cases found for it.
struct sought {
    struct arena *arena;
    const struct usual_request *request;
    const struct suite *suite;
    const struct kernel *kernel;
    enum dtype dtype;
    const struct suite_values *given; // sizes of the command line
    size_t given_count;
    const char *refused; // why the operator refused all of these
    struct point *cases;
    size_t count, capacity;
};

// ---- sizes of an entry

static const struct suite_values *given_named(const struct sought *s, const char *name) {
    for (size_t i = 0; i < s->given_count; i++)
        if (strcmp(s->given[i].name, name) == 0) return &s->given[i];
    return NULL;
}

// Returns the dims with the given sizes in place of sizes of the same names. The remaining given sizes are appended.
static struct suite_dims with_given(const struct sought *s, const struct suite_dims *dims) {
    struct suite_dims out = {.where = "--dims"};
    out.items = arena_alloc(s->arena, dims->count + s->given_count + 1, sizeof *out.items);
    for (size_t i = 0; i < dims->count; i++)
        if (!given_named(s, dims->items[i].name)) out.items[out.count++] = dims->items[i];
    for (size_t i = 0; i < s->given_count; i++) out.items[out.count++] = s->given[i];
    return out;
}

static void add_case(struct sought *s, const struct point *point) {
    for (size_t i = 0; i < s->count; i++)
        if (s->cases[i].case_length == point->case_length &&
            memcmp(s->cases[i].name, point->name, point->case_length) == 0)
            return;
    s->cases = arena_grow(s->arena, s->cases, s->count, &s->capacity, sizeof *s->cases);
    s->cases[s->count++] = *point;
}

// Adds the cases of these dims that run in one of these shapes; with `refused` all others, too. Returns false if none
// was added.
static bool add_cases_of(struct sought *s, const struct suite_dims *dims, enum shape_choice shapes, bool refused) {
    const size_t before = s->count;
    struct error ignored;
    struct suite_dims own = with_given(s, dims);
    struct suite_entry entry = {
        .kernel = s->kernel->name, .subject = "", .where = "", .dims = &own, .dims_count = 1, .shapes = shapes};
    struct suite suite = {.file = "", .sizes = "", .settings = s->suite->settings};
    struct crossing x = {.arena = s->arena,
        .suite = &suite,
        .kernels = s->request->kernels,
        .device = s->request->device,
        .err = &ignored};
    entry.dtypes[s->dtype] = true;
    suite.settings.some_shapes = 1;
    if (!cross_entry(&x, &entry)) return false;
    for (size_t i = 0; i < x.count; i++)
        if (refused || !x.items[i].refused) add_case(s, &x.items[i]);
    if (!x.count && x.refused) s->refused = x.refused;
    return s->count > before;
}

// Tries the few shapes of systems first. If none of them runs, it tries a spread of all shapes.
static void add_cases(struct sought *s, const struct suite_dims *dims, bool refused) {
    if (!add_cases_of(s, dims, SHAPES_SYSTEMS, refused) && !refused) add_cases_of(s, dims, SHAPES_SOME, false);
}

static bool is_near(const struct sought *s, const struct suite_entry *entry, enum nearness nearness) {
    if (entry->probe || !entry_for_device(entry, s->request->device)) return false;
    if ((entry->peak != NULL) != (nearness == PEAK_OF_OPERATOR)) return false;
    if (nearness < SAME_OPERATOR)
        return entry_takes(entry, s->kernel) &&
               (nearness == SAME_KERNEL || entry_takes_dtype(entry, s->kernel, (int)s->dtype));
    const struct kernels *kernels = s->request->kernels;
    for (size_t i = 0; i < kernels->count; i++)
        if (kernels->items[i]->op == s->kernel->op && entry_takes(entry, kernels->items[i])) return true;
    return false;
}

// Returns the source of the cases; NULL: no source has any.
static const struct suite *take_from_sources(struct sought *s, bool refused) {
    for (size_t i = 0; i < s->request->source_count; i++)
        for (enum nearness near = SAME_TYPE; near < NEARNESSES; near++) {
            const struct suite *source = &s->request->sources[i];
            for (size_t e = 0; e < source->entry_count; e++)
                for (size_t d = 0; is_near(s, &source->entries[e], near) && d < source->entries[e].dims_count; d++)
                    add_cases(s, &source->entries[e].dims[d], refused);
            if (s->count) return source;
        }
    return NULL;
}

// ---- made-up sizes

static bool keeps_given(const struct sought *s, const int64_t *dims) {
    for (size_t i = 0; i < s->given_count; i++) {
        const int dim = operator_dim_index(s->kernel->op, s->given[i].name);
        bool found = dim < 0 || dim >= operator_dims(s->kernel->op);
        for (size_t v = 0; !found && v < s->given[i].count; v++) found = s->given[i].values[v] == (double)dims[dim];
        if (!found) return false;
    }
    return true;
}

// Tries equal dims from the largest down, then random ones. Stops at the first dims of a small problem. With `met`,
// the kernel's rules take them.
static bool make_up_dims(const struct sought *s, bool met, int64_t *dims) {
    const struct op *op = s->kernel->op;
    const struct shape shape = kernel_default_shape(s->kernel, NULL);
    static const int64_t small[] = {0, 1, 2, 3, 4, 8, 16, 32, 64};
    enum { SMALL = sizeof small / sizeof *small };
    int64_t alike = LARGEST_MADE_UP;
    for (int i = 0; i < TRIES; i++, alike /= 2) {
        for (int d = 0; d < operator_dims(op); d++) {
            const struct suite_values *given = given_named(s, op->dims[d]);
            dims[d] = given       ? (int64_t)given->values[0]
                      : alike > 0 ? alike
                                  : small[philox(1, (uint64_t)i, (uint64_t)d).v[0] % SMALL];
        }
        if (!rules_meet(s->kernel, &shape, RULES_UP, -1, dims) && (met || operator_derive(op, dims))) continue;
        if (!keeps_given(s, dims)) continue;
        if (s->given_count) return true;
        if (operator_elements(op, dims) <= made_up_elements && (!op->flops || op->flops(dims) <= made_up_operations))
            return true;
    }
    return false;
}

static void make_up(struct sought *s) {
    const struct op *op = s->kernel->op;
    int64_t dims[OPERATOR_DIMS * 2] = {0};
    double values[OPERATOR_DIMS];
    struct suite_values items[OPERATOR_DIMS];
    struct suite_dims made = {.items = items, .count = (size_t)operator_dims(op), .where = ""};
    const bool found = make_up_dims(s, true, dims) || make_up_dims(s, false, dims);
    for (size_t d = 0; d < made.count; d++) {
        values[d] = found ? (double)dims[d] : 1; // the operator judges the given sizes
        items[d] = (struct suite_values){.name = op->dims[d], .values = &values[d], .count = 1};
    }
    add_cases(s, &made, true);
}

// ---- the entry

static double elements_of(const struct point *point) {
    return operator_elements(point->kernel->op, point->dims);
}

static void keep_largest(struct sought *s) {
    while (s->count > MOST_CASES && !s->given_count) {
        size_t least = 0;
        for (size_t i = 1; i < s->count; i++)
            if (elements_of(&s->cases[i]) < elements_of(&s->cases[least])) least = i;
        memmove(&s->cases[least], &s->cases[least + 1], (--s->count - least) * sizeof *s->cases);
    }
}

static void add_value(struct arena *arena, struct suite_dims *dims, const char *name, double value) {
    double *values = arena_alloc(arena, 1, sizeof *values);
    values[0] = value;
    dims->items[dims->count++] = (struct suite_values){.name = name, .values = values, .count = 1};
}

static struct suite_dims dims_of(struct arena *arena, const struct point *point) {
    const struct op *op = point->kernel->op;
    struct suite_dims dims = {.where = "sizes"};
    dims.items = arena_alloc(arena, OPERATOR_DIMS + OPERATOR_PARAMS, sizeof *dims.items);
    for (int d = 0; d < operator_dims(op); d++) add_value(arena, &dims, op->dims[d], (double)point->dims[d]);
    for (int p = 0; p < operator_params(op); p++)
        if (point->params[p] != op->params[p].standard) add_value(arena, &dims, op->params[p].name, point->params[p]);
    return dims;
}

static void append_entry(struct arena *arena, struct suite *suite, const struct suite_entry *entry) {
    struct suite_entry *entries = arena_alloc(arena, suite->entry_count + 1, sizeof *entries);
    if (suite->entry_count) memcpy(entries, suite->entries, suite->entry_count * sizeof *entries);
    entries[suite->entry_count++] = *entry;
    suite->entries = entries;
}

static void append_cases(const struct sought *s, struct suite *suite) {
    struct suite_entry entry = {
        .kernel = s->kernel->name, .subject = "sizes", .where = "sizes", .shapes = s->request->shapes};
    entry.dtypes[s->dtype] = true;
    entry.dims = arena_alloc(s->arena, s->count + 1, sizeof *entry.dims);
    for (size_t i = 0; i < s->count; i++) entry.dims[entry.dims_count++] = dims_of(s->arena, &s->cases[i]);
    if (s->count) append_entry(s->arena, suite, &entry);
}

// ---- words of the command line

// A word of the command line, and its results.
struct word_named {
    const char *text, *kernel, *head; // "relu.*", and "relu.*/f16"
    bool typed;                       // names a type
    struct suite_values *given;       // sizes in the word, or from --dims
    size_t given_count;
    size_t kernels, fixed, added; // kernels named, kernels with only one shape, entries added
    const char *refused;
};

static bool read_word(struct arena *arena, const struct usual_request *request, const char *text,
    struct word_named *out, struct error *err) {
    struct error ignored;
    const size_t kernel = strcspn(text, "/"),
                 type = text[kernel] ? kernel + 1 + strcspn(text + kernel + 1, "/") : kernel;
    const char *rest = text[type] ? text + type + 1 : "";
    *out = (struct word_named){.text = text, .typed = type > kernel};
    out->kernel = arena_copy_n(arena, text, kernel);
    out->head = arena_copy_n(arena, text, type);
    if (request->sizes && !sizes_read(arena, request->sizes, &out->given, &out->given_count, err)) return false;
    if (*rest && !strpbrk(rest, "*?[/"))
        return sizes_read(arena, rest, &out->given, &out->given_count, &ignored) || true;
    return true;
}

// Returns whether the suite has a point matched by the word, of this kernel (NULL: any) and type (negative: any).
static bool has_point(const struct crossing *x, const struct word_named *word, const struct kernel *kernel, int dtype) {
    for (size_t i = 0; i < x->count; i++) {
        const struct point *point = &x->items[i];
        if (kernel && (point->kernel != kernel || (dtype >= 0 && (int)point->dtype != dtype))) continue;
        if (!point->peak && select_matches(word->text, point->name)) return true;
    }
    return false;
}

static bool takes(const struct op *op, const char *name) {
    const int dim = operator_dim_index(op, name);
    return (dim >= 0 && dim < operator_dims(op)) || operator_param_index(op, name) >= 0;
}

// Returns whether a kernel named by any word takes a dim or parameter of this name.
static bool any_takes(const struct sought *s, const char *name) {
    const struct usual_request *request = s->request;
    for (size_t i = 0; i < request->select_count; i++) {
        const char *word = arena_copy_n(s->arena, request->select[i], strcspn(request->select[i], "/"));
        for (size_t k = 0; k < request->kernels->count; k++) {
            const struct kernel *kernel = request->kernels->items[k];
            if (takes(kernel->op, name) && select_matches(word, kernel->name)) return true;
        }
    }
    return false;
}

// Drops the given sizes that only other named kernels take. A size that no kernel takes stays, and is refused later.
static void keep_own(struct sought *s) {
    struct suite_values *own = arena_alloc(s->arena, s->given_count + 1, sizeof *own);
    size_t kept = 0;
    for (size_t i = 0; i < s->given_count; i++)
        if (takes(s->kernel->op, s->given[i].name) || !any_takes(s, s->given[i].name)) own[kept++] = s->given[i];
    s->given = own;
    s->given_count = kept;
}

static void add_kernel(struct arena *arena, const struct usual_request *request, struct word_named *word,
    const struct kernel *kernel, enum dtype dtype, struct suite *suite, const struct suite **from) {
    struct sought s = {.arena = arena,
        .request = request,
        .suite = suite,
        .kernel = kernel,
        .dtype = dtype,
        .given = word->given,
        .given_count = word->given_count};
    if (request->sizes) keep_own(&s);
    if (word->given_count && !s.given_count) {
        word->refused = arena_format(arena, "operator %s takes none of these", kernel->op->name);
        return;
    }
    const struct suite *source = take_from_sources(&s, word->given_count > 0);
    if (!source) make_up(&s);
    if (!s.count) source = take_from_sources(&s, true); // the record gives the reason why none runs
    keep_largest(&s);
    append_cases(&s, suite);
    word->added += s.count;
    if (s.refused) word->refused = s.refused;
    if (source && from && !*from) *from = source;
}

static void add_types(struct arena *arena, const struct usual_request *request, const struct crossing *x,
    struct word_named *word, const struct kernel *kernel, struct suite *suite, const struct suite **from) {
    int usual = DTYPE_F32;
    for (int i = 0; i < DTYPE_COUNT && !kernel->dtypes[usual]; i++) usual = i;
    for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) {
        const char *head = arena_format(arena, "%s/%s/", kernel->name, dtype_info((enum dtype)dtype)->name);
        const bool named = word->typed ? kernel->dtypes[dtype] && select_matches(word->head, head) : dtype == usual;
        if (named && !has_point(x, word, kernel, word->typed ? dtype : -1))
            add_kernel(arena, request, word, kernel, (enum dtype)dtype, suite, from);
    }
}

// Copies the entries for probes named by the word from the first source that has any.
static void borrow(struct arena *arena, const struct usual_request *request, struct word_named *word,
    struct suite *suite, const struct suite **from) {
    const struct kernels *all = probes();
    for (size_t i = 0; i < request->source_count && !word->added; i++)
        for (size_t e = 0; e < request->sources[i].entry_count; e++)
            for (size_t k = 0; k < all->count; k++) {
                struct suite_entry entry = request->sources[i].entries[e];
                if (!entry.probe || !entry_takes(&entry, all->items[k])) continue;
                if (!select_matches(word->kernel, all->items[k]->name)) continue;
                struct suite_entry own = entry;
                const struct sought s = {.arena = arena, .given = word->given, .given_count = word->given_count};
                own.kernel = all->items[k]->name;
                own.peak = NULL;
                own.dims = arena_alloc(arena, entry.dims_count + 1, sizeof *own.dims);
                for (size_t d = 0; d < entry.dims_count; d++) own.dims[d] = with_given(&s, &entry.dims[d]);
                append_entry(arena, suite, &own);
                word->added++;
                if (from && !*from) *from = &request->sources[i];
            }
}

static bool complete_word(struct arena *arena, const struct usual_request *request, const struct crossing *x,
    struct word_named *word, struct suite *suite, const struct suite **from, struct error *err) {
    const bool had = has_point(x, word, NULL, -1);
    if (had && !request->each) return true;
    for (size_t i = 0; i < request->kernels->count; i++) {
        const struct kernel *kernel = request->kernels->items[i];
        if (!select_matches(word->kernel, kernel->name)) continue;
        bool fixed = request->tuned; // there is only one shape
        for (int t = 0; t < kernel->tunable_count; t++) fixed &= kernel->tunables[t].value_count <= 1;
        word->kernels++;
        word->fixed += fixed;
        if (!fixed) add_types(arena, request, x, word, kernel, suite, from);
    }
    if (!word->kernels && !had && !request->tuned) borrow(arena, request, word, suite, from);
    if (had || word->added) return true;
    if (word->fixed && word->fixed == word->kernels)
        return error_set(err, STATUS_USAGE, "%s has one shape, and nothing to tune; bench times it", word->text);
    if (word->refused && word->given_count)
        return error_set(err, STATUS_USAGE, "%s%s: %s", request->sizes ? "--dims " : "",
            request->sizes ? request->sizes : word->text, word->refused);
    return true; // plan_build suggests near names
}

bool usual_sizes(struct arena *arena, const struct usual_request *request, struct suite *suite,
    const struct suite **from, struct error *err) {
    static const char *const every[] = {"*"};
    const char *const *select = request->select_count ? request->select : every;
    const size_t count = request->select_count ? request->select_count : 1;
    struct crossing x = {.arena = arena,
        .suite = suite,
        .kernels = request->kernels,
        .device = request->device,
        .select = select,
        .select_count = count,
        .err = err};
    if (from) *from = NULL;
    for (size_t i = 0; i < suite->entry_count; i++)
        if (!cross_entry(&x, &suite->entries[i])) return false;
    for (size_t i = 0; i < count; i++) {
        struct word_named word;
        if (!read_word(arena, request, select[i], &word, err) ||
            !complete_word(arena, request, &x, &word, suite, from, err))
            return false;
    }
    return true;
}

// SPDX-License-Identifier: Apache-2.0
#include "sampler.h"

#include "../../base/hash.h"
#include "../../base/text.h"
#include "../../../reference/philox.h"
#include "edges.h"
#include "errors_tier.h"
#include "../../shader/manifest/contract/contract.h"
#include "../../shader/manifest/shape.h"
#include "../plan/shapes.h"
#include "../../shader/manifest/dispatches.h"
#include "../../device/device_info.h"
#include "../../../reference/table.h"

#include <math.h>
#include <string.h>

enum { TRIES = 24, DEFAULT_TIMES = 3 };

// DEEP_SHAPES: shapes of a kernel and type in a check of at most DEEP_KERNELS kernels. MANY_PAIRS: with more pairs of
// tunable values, types share their shapes.
enum { DEEP_SHAPES = 8, DEEP_KERNELS = 4, MANY_PAIRS = 45 };

void sample_standard(const struct device_info *device, struct sample_request *request) {
    request->shapes = device->kind == DEVICE_CPU ? 2 : 16;
    request->sizes = 3;
    request->deepen = true;
}

static void set_params(const struct case_sampler *s, size_t which, struct point *point) {
    memcpy(point->params, s->params.items[which].value, sizeof point->params);
    kernel_params_conform(s->kernel, point->params);
}

// Draws other parameters in half of the cases.
static void draw_params(struct case_sampler *s, struct point *point) {
    if (sampler_draw(s) & 1) set_params(s, sampler_draw_below(s, s->params.count), point);
}

// Adds a point with one dim at its next edge. The other dims stay, go to edges of their own, or become as thin as
// possible.
static bool add_edge(struct case_sampler *s, const struct shape *shape, int *added) {
    static const size_t stride = 7919; // prime, so shapes go through all edges of all dims
    int64_t sizes[EDGE_SIZES];
    int count = operator_dims(s->kernel->op), dim = 0, size_count = 0;
    size_t edges = 0;
    for (int d = 0; d < count; d++) edges += (size_t)sampler_edges(s, shape, d, sizes);
    if (!edges) return true;
    size_t at = s->turn * stride % edges;
    for (;; dim++, at -= (size_t)size_count) {
        size_count = sampler_edges(s, shape, dim, sizes);
        if (at < (size_t)size_count) break;
    }
    struct point point = sampler_start(s);
    int64_t size = sizes[at];
    uint32_t others = sampler_draw(s) % 4; // 0, 1: unchanged; 2: edges; 3: thin
    for (int d = 0; d < count && others >= 2; d++) {
        if (d == dim) continue;
        size_count = sampler_edges(s, shape, d, sizes);
        sampler_set_size(s, shape, point.dims, d, others == 3 ? 1 : sizes[sampler_draw_below(s, (size_t)size_count)]);
    }
    if (!sampler_set_size(s, shape, point.dims, dim, size)) return true;
    draw_params(s, &point);
    point.shape = *shape;
    return sampler_is_planned(s, &point) || sampler_add_near(s, &point, shape, added);
}

// Adds the chosen parameters, each at an edge.
static bool add_params(struct case_sampler *s, const struct shape *shape) {
    int64_t sizes[EDGE_SIZES];
    for (size_t i = 1; i < s->params.count; i++) {
        struct point point = sampler_start(s);
        for (int d = 0; d < operator_dims(s->kernel->op); d++) {
            size_t edges = (size_t)sampler_edges(s, shape, d, sizes);
            sampler_set_size(s, shape, point.dims, d, sizes[sampler_draw_below(s, edges)]);
        }
        set_params(s, i, &point);
        point.shape = *shape;
        if (s->kernel->param_rule_count && sampler_is_planned(s, &point)) continue;
        if (!sampler_add(s, &point, shape, &(int){0})) return false;
    }
    return true;
}

// Returns the most expensive affordable case of the suite. Every shape runs it, to show whether outputs depend on the
// shape.
static struct point common_case(const struct case_sampler *s) {
    size_t best = s->bases[0];
    double most = -1;
    for (size_t i = 0; i < s->base_count; i++) {
        double cost = sampler_cost(s, s->crossing->items[s->bases[i]].dims);
        if (cost > 1 || cost <= most) continue;
        most = cost;
        best = s->bases[i];
    }
    struct point point = s->crossing->items[best];
    kernel_params_conform(s->kernel, point.params);
    return point;
}

static bool add_shape(struct case_sampler *s, const struct shape *shape, int wanted) {
    int added = 0;
    struct point common = common_case(s);
    bool ok = sampler_add_near(s, &common, shape, &(int){0}) && sampler_tiles(s, shape, 1, &added) &&
              sampler_tiles(s, shape, -1, &added);
    for (int i = 0; ok && added < wanted && i < TRIES * wanted; i++) ok = add_edge(s, shape, &added);
    // If rules require whole tiles, edges are refused.
    return ok && (added >= wanted || sampler_tiles(s, shape, 0, &added));
}

static bool add_random(struct case_sampler *s, const struct shape_sample *shapes) {
    int added = 0, count = operator_dims(s->kernel->op);
    for (int i = 0; !added && i < TRIES; i++) {
        s->turn = sampler_draw_below(s, s->base_count);
        struct point point = sampler_start(s);
        const struct shape *shape = &shapes->items[sampler_draw_below(s, shapes->legal)];
        int first = (int)sampler_draw_below(s, (size_t)count);
        for (int d = 0; d < count; d++)
            sampler_set_size(s, shape, point.dims, (first + d) % count, sampler_random_size(s));
        draw_params(s, &point);
        if (!sampler_add_near(s, &point, shape, &added)) return false;
    }
    return true;
}

// Finds dims accepted by the operator and run by a shape of the kernel, trying all ones first. Returns false if none
// are found.
static bool invent_dims(struct case_sampler *s, struct point *point) {
    const struct op *op = s->kernel->op;
    for (int i = 0; i < 10000; i++) {
        for (int d = 0; d < operator_dims(op); d++) point->dims[d] = i ? 1 + (int64_t)sampler_draw_below(s, 8) : 1;
        if (operator_derive(op, point->dims)) continue;
        rules_meet(s->kernel, &point->shape, RULES_UP, -1, point->dims);
        if (i >= 1000 || sampler_is_legal(s, point->dims, &point->shape)) return true;
    }
    return false;
}

// Makes a base for a kernel missing from the suite. If a device or a rule refuses its dims, the point is skipped for
// this reason.
static bool invent_base(struct case_sampler *s) {
    struct point point = {.kernel = s->kernel, .dtype = s->dtype};
    point.shape = kernel_default_shape(s->kernel, s->crossing->device);
    for (int i = 0; i < operator_params(s->kernel->op); i++) point.params[i] = kernel_param_standard(s->kernel, i);
    if (!invent_dims(s, &point)) return true;
    s->bases[s->base_count++] = s->crossing->count;
    return cross_add(s->crossing, point);
}

// The use of a point as a base: as it is, in another shape, or not at all. Another shape serves if the default's
// subgroups do not fit the device. No shape serves sizes without whole blocks of a quantised type.
enum base_use { BASE_RUNS, BASE_OTHER_SHAPE, BASE_REFUSED, BASE_USES };
static enum base_use base_use(const struct case_sampler *s, const struct point *point) {
    const struct sample_request *request = s->request;
    if (!point->refused) return BASE_RUNS;
    struct trial trial = trial_of(point, request->device, request->suite->settings.memory_share, s->crossing->arena);
    return trial_case(&trial) ? BASE_REFUSED : BASE_OTHER_SHAPE;
}

// Finds the suite's points of the kernel and type in points[0, end). Less useful points serve only if there are no
// others.
static bool find_bases(struct case_sampler *s, size_t end) {
    s->bases = arena_alloc(s->crossing->arena, end + 1, sizeof *s->bases);
    for (int use = 0; use < BASE_USES && !s->base_count; use++)
        for (size_t i = 0; i < end; i++) {
            const struct point *point = &s->crossing->items[i];
            if (point->kernel == s->kernel && point->dtype == s->dtype && (int)base_use(s, point) == use)
                s->bases[s->base_count++] = i;
        }
    return s->base_count || invent_base(s);
}

static bool sample_kernel(struct case_sampler *s, struct sample_counts *counts) {
    const struct sample_request *request = s->request;
    const struct point *base = &s->crossing->items[s->bases[0]];
    struct trial trial = trial_of(base, request->device, request->suite->settings.memory_share, s->crossing->arena);
    if (trial_case(&trial)) return true; // the suite's points give the reason
    const bool deep = s->deep && request->shapes < DEEP_SHAPES;
    struct shape_sample shapes = sample_shapes(&trial, s->key, deep ? DEEP_SHAPES : request->shapes);
    if (deep && shapes.pairs.pairs > MANY_PAIRS) shapes = sampler_shared_shapes(s, &trial);
    const size_t whole = shapes.count < (size_t)request->shapes ? shapes.count : (size_t)request->shapes;
    struct shape standard = trial_default(&trial);
    s->params = sample_params(s->crossing->arena, s->kernel->op, s->key);
    counts->legal += shapes.legal;
    counts->shapes += shapes.count;
    bool ok = true;
    for (size_t i = 0; ok && i < whole; i++) {
        bool is_default = shape_equal(s->kernel, &shapes.items[i], &standard);
        ok = add_shape(s, &shapes.items[i], request->sizes * (is_default ? DEFAULT_TIMES : 1));
    }
    for (size_t i = 0; ok && i < shapes.count && i < 1; i++) ok = add_params(s, &shapes.items[i]);
    ok = ok && sampler_lines(s, &shapes) && sampler_options(s, &shapes) && sampler_revealing(s, &shapes) &&
         sampler_enlarge(s, &shapes) && sampler_steps(s, &shapes) && sampler_iterations(s, &shapes) &&
         sampler_classes(s, &shapes) && (!s->deep || sampler_deepen(s, &shapes, whole)) && sampler_beyond(s, &shapes);
    for (int i = 0; ok && shapes.legal && i < request->random; i++) ok = add_random(s, &shapes);
    return ok;
}

// Returns whether the selection names the kernel. An empty selection names all.
static bool is_selected(struct arena *arena, const struct sample_request *request, const struct kernel *kernel) {
    if (kernel->recorded) return false; // it has the sizes of its recordings only
    for (size_t i = 0; i < request->select_count; i++) {
        const char *word = request->select[i];
        if (select_matches(arena_copy_n(arena, word, strcspn(word, "/")), kernel->name)) return true;
    }
    return !request->select_count;
}

static size_t selected_kernels(struct arena *arena, const struct sample_request *request) {
    size_t count = 0;
    for (size_t k = 0; k < request->kernels->count; k++)
        count += is_selected(arena, request, request->kernels->items[k]);
    return count;
}

bool plan_is_deep(const struct plan *plan) {
    const struct kernel *kernels[DEEP_KERNELS];
    int count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        int k = 0;
        while (k < count && kernels[k] != plan->points[i].kernel) k++;
        if (k == DEEP_KERNELS) return false;
        if (k == count) kernels[count++] = plan->points[i].kernel;
    }
    return true;
}

bool sample_plan(struct arena *arena, const struct sample_request *request, struct plan *out,
    struct sample_counts *counts, struct error *err) {
    struct crossing crossing = {
        .arena = arena, .suite = request->suite, .kernels = request->kernels, .device = request->device, .err = err};
    *out = (struct plan){0};
    *counts = (struct sample_counts){0};
    cross_select(&crossing, request->select, request->select_count);
    for (size_t i = 0; i < request->suite->entry_count; i++)
        if (!cross_entry(&crossing, &request->suite->entries[i])) return false;
    size_t end = crossing.count;
    for (size_t i = 0; i < end; i++) crossing.items[i].peak = NULL; // nothing is timed
    const bool few = request->deepen && (request->each_alone || selected_kernels(arena, request) <= DEEP_KERNELS);
    for (size_t k = 0; k < request->kernels->count; k++)
        for (int dtype = 0; dtype < DTYPE_COUNT && is_selected(arena, request, request->kernels->items[k]); dtype++) {
            struct case_sampler sampler = {.request = request,
                .crossing = &crossing,
                .kernel = request->kernels->items[k],
                .first = crossing.count,
                .dtype = (enum dtype)dtype,
                .limits = &sample_ordinary,
                .deep = few};
            if (!sampler.kernel->dtypes[dtype]) continue;
            sampler.key = hash_bytes(hash_string(HASH_START, sampler.kernel->name), &dtype, sizeof dtype);
            sampler.key = hash_bytes(sampler.key, &request->seed, sizeof request->seed);
            if (!find_bases(&sampler, end) || (sampler.base_count && !sample_kernel(&sampler, counts))) return false;
        }
    if (!errors_tier(&crossing, end)) return false;
    cross_arrange(&crossing, out);
    return select_points(arena, out, request->kernels, request->select, request->select_count, err);
}

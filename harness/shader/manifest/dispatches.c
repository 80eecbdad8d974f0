// SPDX-License-Identifier: Apache-2.0
#include "dispatches.h"

#include <string.h>

struct dispatch_walk {
    const struct kernel *kernel;
    const int64_t *dims;
    bool (*visit)(void *context, const struct dispatch *dispatch);
    void *context;
    struct dispatch at;
    int count;
    bool over; // the visitor returned false
};

bool pass_workgroup(const struct kernel *kernel, const struct pass *pass, const struct shape *shape, uint32_t wg[3]) {
    shape_workgroup(kernel, shape, wg);
    for (int axis = 0; axis < 3 && pass->has_size; axis++) {
        int64_t size = product_value(kernel, &pass->size[axis], NULL, shape);
        if (size < 0 || size > UINT32_MAX) return false;
        wg[axis] = (uint32_t)size;
    }
    return true;
}

// ---- variables

// Sets the variables of a loop to their first values. Returns false if one overflows.
static bool start(struct dispatch_walk *w, const struct loop *loop) {
    for (int i = loop->variable; i < loop->variable + loop->variables; i++) {
        const struct variable *v = &w->kernel->variables[i];
        int64_t *value = &w->at.shape.turn[i];
        *value = v->from_zero ? 0 : product_value(w->kernel, &v->from, w->dims, &w->at.shape);
        if (*value < 0) return false;
    }
    return true;
}

// Returns the next value of the variable; -1: it overflows, or its factor or divisor is below 1.
static int64_t stepped(const struct dispatch_walk *w, const struct variable *v, int64_t value) {
    const int64_t by = product_value(w->kernel, &v->by, w->dims, &w->at.shape);
    int64_t next;
    if (by < 1) return -1;
    if (v->step == STEP_DIVIDE) return value / by + (value % by != 0);
    bool over =
        v->step == STEP_MULTIPLY ? __builtin_mul_overflow(value, by, &next) : __builtin_add_overflow(value, by, &next);
    return over ? -1 : next;
}

// Computes the variables' values for the next turn. Returns false if a variable has passed its end or overflows, so
// there is no next turn.
static bool advance(const struct dispatch_walk *w, const struct loop *loop, int64_t next[KERNEL_VARIABLES]) {
    bool on = true;
    memcpy(next, w->at.shape.turn, KERNEL_VARIABLES * sizeof *next);
    for (int i = loop->variable; i < loop->variable + loop->variables; i++) {
        const struct variable *v = &w->kernel->variables[i];
        const int64_t before = w->at.shape.turn[i];
        next[i] = stepped(w, v, before);
        on = on && next[i] >= 0;
        if (!v->has_end) continue;
        const int64_t end = product_value(w->kernel, &v->end, w->dims, &w->at.shape);
        if (v->step == STEP_DIVIDE)
            on = on && next[i] >= end && next[i] != before;
        else
            on = on && (v->below ? next[i] < end : next[i] <= end);
    }
    return on;
}

// ---- dispatches

static bool walk_passes(struct dispatch_walk *w, int first, int end, int loop);

static bool walk_loop(struct dispatch_walk *w, int index) {
    const struct loop *loop = &w->kernel->loops[index];
    const struct dispatch outer = w->at;
    int64_t next[KERNEL_VARIABLES];
    bool ok = start(w, loop), on = true;
    for (int64_t turn = 0; ok && on && !w->over; turn++) {
        on = advance(w, loop, next);
        w->at.turn = turn;
        w->at.last = !on;
        ok = walk_passes(w, loop->first, loop->end, index + 1);
        memcpy(w->at.shape.turn, next, sizeof next);
    }
    w->at = outer;
    return ok;
}

static bool walk_passes(struct dispatch_walk *w, int first, int end, int loop) {
    const struct kernel *kernel = w->kernel;
    for (int pass = first; pass < end && !w->over;) {
        while (loop < kernel->loop_count && kernel->loops[loop].first < pass) loop++;
        if (loop < kernel->loop_count && kernel->loops[loop].first == pass) {
            if (!walk_loop(w, loop)) return false;
            pass = kernel->loops[loop].end;
            continue;
        }
        if (w->count == KERNEL_DISPATCHES) return false;
        w->count++;
        w->at.pass = pass++;
        w->over = !w->visit(w->context, &w->at);
    }
    return true;
}

int dispatches_visit(const struct kernel *kernel, const int64_t *dims, const struct shape *shape,
    bool (*visit)(void *context, const struct dispatch *dispatch), void *context) {
    struct dispatch_walk w = {
        .kernel = kernel, .dims = dims, .visit = visit, .context = context, .at = {.last = true, .shape = *shape}};
    return walk_passes(&w, 0, kernel->pass_count, 0) ? w.count : -1;
}

struct invocations {
    const struct kernel *kernel;
    const int64_t *dims;
    const struct device_info *device;
    double sum;
};

static bool add_invocations(void *context, const struct dispatch *d) {
    struct invocations *i = context;
    uint32_t wg[3], groups[3];
    const struct pass *pass = &i->kernel->passes[d->pass];
    if (pass_workgroup(i->kernel, pass, &d->shape, wg) &&
        pass_groups(i->kernel, pass, i->dims, &d->shape, i->device, groups))
        i->sum += (double)groups[0] * groups[1] * groups[2] * wg[0] * wg[1] * wg[2];
    return true;
}

double kernel_invocations(
    const struct kernel *kernel, const int64_t *dims, const struct shape *shape, const struct device_info *device) {
    struct invocations invocations = {kernel, dims, device, 0};
    dispatches_visit(kernel, dims, shape, add_invocations, &invocations);
    return invocations.sum;
}

// ---- bindings

const char *binding_name(const struct pass *pass, int binding, const struct dispatch *dispatch) {
    const struct rotation *rotation = pass->rotations[binding];
    if (!rotation) return pass->bindings[binding];
    if (dispatch->last && rotation->last) return rotation->last;
    if (!dispatch->turn && rotation->first) return rotation->first;
    return rotation->names[dispatch->turn % rotation->count];
}

int binding_names(const struct pass *pass, int binding, const char *names[BINDING_NAMES]) {
    const struct rotation *rotation = pass->rotations[binding];
    int count = 0;
    if (!rotation) names[count++] = pass->bindings[binding];
    for (int i = 0; rotation && i < rotation->count; i++) names[count++] = rotation->names[i];
    if (rotation && rotation->first) names[count++] = rotation->first;
    if (rotation && rotation->last) names[count++] = rotation->last;
    return count;
}

bool binding_has(const struct pass *pass, int binding, const char *name) {
    const char *names[BINDING_NAMES];
    const int count = binding_names(pass, binding, names);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

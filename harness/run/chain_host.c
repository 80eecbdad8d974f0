// SPDX-License-Identifier: Apache-2.0
#include "chain_host.h"

#include "../../reference/philox.h"
#include "../base/hash.h"
#include "../base/memory.h"
#include "../plan/problem.h"
#include "../../reference/operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- sizes

static bool size_room(struct chain_host *host, const struct point *link, int operand, int buffer, struct error *err) {
    const struct operand *of = &link->kernel->op->operands[operand];
    struct chain_room *room = &host->rooms[buffer];
    const enum dtype dtype = kernel_operand_dtype(link->kernel, operand, link->dtype);
    const int64_t elements = operand_elements(link->kernel->op, of, link->dims);
    const char *name = host->chain->buffers[buffer].name;
    if (elements < 1 || !dtype_bytes(dtype, elements, &room->bytes) || room->bytes > (uint64_t)1 << 40)
        return error_of_kind(err, ERROR_SKIP, "buffer %s has no size at these dims", name);
    if (room->elements && (room->elements != elements || room->dtype != dtype))
        return error_set(err, STATUS_BAD_INPUT, "buffer %s: %s takes %lld of %s there, another link %lld of %s", name,
            link->kernel->name, (long long)elements, dtype_info(dtype)->name, (long long)room->elements,
            dtype_info(room->dtype)->name);
    room->elements = elements;
    room->dtype = dtype;
    return true;
}

double chain_param(const struct chain_link *link, int index, int64_t step) {
    const struct chain_param *param = &link->params[index];
    if (!param->given) return link->kernel->op->params[index].standard;
    return param->is_step ? (double)step : param->number;
}

static bool size_link(
    struct chain_host *host, const struct point *whole, int index, struct arena *arena, struct error *err) {
    const struct chain_link *of = &host->chain->links[index];
    const struct op *op = of->kernel->op;
    struct point *link = &host->links[index];
    *link = (struct point){.kernel = of->kernel, .dtype = of->dtype, .shape = of->shape};
    for (int i = 0; i < operator_dims(op); i++)
        link->dims[i] = product_value(whole->kernel, &of->dims[i], whole->dims, NULL);
    for (int i = 0; i < operator_params(op); i++) link->params[i] = chain_param(of, i, 1);
    const char *why = operator_derive(op, link->dims);
    if (why) return error_set(err, STATUS_BAD_INPUT, "link %d, %s: %s", index + 1, of->kernel->name, why);
    point_name(arena, link);
    for (int i = 0; i < operator_operands(op); i++)
        if (!size_room(host, link, i, of->buffers[i], err)) return false;
    return true;
}

// ---- contents

// Fills a buffer's image. Contents that no link wrote are NaN, to show if anything reads them.
static void fill(struct chain_room *room, const struct chain_buffer *buffer, uint64_t key) {
    const bool whole = dtype_info(room->dtype)->whole;
    room->image = memory_alloc((size_t)room->bytes + 4, 1);
    if (whole) {
        room->whole = memory_alloc((size_t)room->elements, sizeof *room->whole);
    } else {
        room->exact = memory_alloc((size_t)room->elements, sizeof *room->exact);
        room->rounded = memory_alloc((size_t)room->elements, sizeof *room->rounded);
    }
    if (!buffer->given) memset(room->image, 0xff, (size_t)room->bytes);
    for (int64_t i = 0; buffer->given && i < room->elements; i++) {
        const double draw = philox_uniform(philox(key, (uint64_t)i, 0).v[0]);
        double value = buffer->low;
        if (buffer->below > 0)
            value = floor(draw * (double)buffer->below);
        else if (buffer->low != buffer->high)
            value = buffer->low + (buffer->high - buffer->low) * draw;
        dtype_store(room->dtype, room->image, i, value);
    }
}

// Starts the reference chains with the device's initial contents.
static void start_references(struct chain_host *host) {
    for (int b = 0; b < host->chain->buffer_count; b++) {
        struct chain_room *room = &host->rooms[b];
        for (int64_t i = 0; i < room->elements; i++) {
            double value = dtype_load(room->dtype, room->image, i);
            if (room->whole) {
                room->whole[i] = (int32_t)value;
            } else {
                room->exact[i] = value;
                room->rounded[i] = (float)value;
            }
        }
    }
}

bool chain_host_open(
    const struct point *point, uint64_t seed, struct arena *arena, struct chain_host *out, struct error *err) {
    const struct chain *chain = point->kernel->chain;
    *out = (struct chain_host){.chain = chain};
    for (int i = 0; i < chain->link_count; i++)
        if (!size_link(out, point, i, arena, err)) return false;
    for (int b = 0; b < chain->buffer_count; b++) {
        uint64_t key = hash_string(hash_bytes(HASH_START, &seed, sizeof seed), chain->buffers[b].name);
        if (dtype_info(out->rooms[b].dtype)->elements > 1)
            return error_of_kind(
                err, ERROR_SKIP, "buffer %s: chains do not hold quantised blocks", chain->buffers[b].name);
        if (!out->rooms[b].elements)
            return error_set(err, STATUS_BAD_INPUT, "buffer %s is of no link", chain->buffers[b].name);
        fill(&out->rooms[b], &chain->buffers[b], key);
    }
    start_references(out);
    return true;
}

void chain_host_close(struct chain_host *host) {
    for (int b = 0; b < CHAIN_BUFFERS; b++) {
        free(host->rooms[b].image);
        free(host->rooms[b].exact);
        free(host->rooms[b].rounded);
        free(host->rooms[b].whole);
    }
}

// ---- the reference chains

struct link_call {
    const struct chain_link *link;
    const struct point *point;
    double params[OPERATOR_PARAMS];
};

static void call_double(struct chain_host *host, const struct link_call *l, int output, double *out) {
    struct call_f64 c = {
        .dims = l->point->dims, .params = l->params, .dtype = l->point->dtype, .output = output, .out = out};
    for (int i = 0; i < operator_operands(l->point->kernel->op); i++) {
        c.in[i] = host->rooms[l->link->buffers[i]].exact;
        c.ints[i] = host->rooms[l->link->buffers[i]].whole;
    }
    c.count = host->rooms[l->link->buffers[output]].elements;
    l->point->kernel->op->f64(&c);
}

static void call_float(struct chain_host *host, const struct link_call *l, int output, float *out) {
    struct call_f32 c = {
        .dims = l->point->dims, .params = l->params, .dtype = l->point->dtype, .output = output, .out = out};
    for (int i = 0; i < operator_operands(l->point->kernel->op); i++) {
        c.in[i] = host->rooms[l->link->buffers[i]].rounded;
        c.ints[i] = host->rooms[l->link->buffers[i]].whole;
    }
    c.count = host->rooms[l->link->buffers[output]].elements;
    l->point->kernel->op->f32(&c);
}

// Finds all outputs before it keeps any, because one may be an input, too.
static void run_link(struct chain_host *host, const struct link_call *l, bool in_double) {
    const struct op *op = l->point->kernel->op;
    void *found[OPERATOR_OPERANDS] = {0};
    for (int i = 0; i < operator_operands(op); i++) {
        if (op->operands[i].role == ROLE_IN) continue;
        size_t count = (size_t)host->rooms[l->link->buffers[i]].elements;
        found[i] = memory_alloc(count, in_double ? sizeof(double) : sizeof(float));
        if (in_double)
            call_double(host, l, i, found[i]);
        else
            call_float(host, l, i, found[i]);
    }
    for (int i = 0; i < operator_operands(op); i++) {
        struct chain_room *room = &host->rooms[l->link->buffers[i]];
        for (int64_t k = 0; found[i] && k < room->elements; k++) {
            if (room->whole && in_double) room->whole[k] = (int32_t)((double *)found[i])[k];
            if (room->exact && in_double) room->exact[k] = ((double *)found[i])[k];
            if (room->rounded && !in_double)
                room->rounded[k] = (float)dtype_round(room->dtype, (double)((float *)found[i])[k]);
        }
        free(found[i]);
    }
}

void chain_host_step(struct chain_host *host, int64_t step, bool in_double) {
    for (int i = 0; i < host->chain->link_count; i++) {
        const struct op *op = host->chain->links[i].kernel->op;
        struct link_call l = {.link = &host->chain->links[i], .point = &host->links[i]};
        for (int p = 0; p < operator_params(op); p++) {
            double value = chain_param(l.link, p, step);
            l.params[p] = op->params[p].integer ? value : (double)(float)value; // as given to kernels
        }
        run_link(host, &l, in_double);
    }
}

double chain_distance(const struct chain_room *room, const void *got) {
    double apart = 0, length = 0;
    for (int64_t i = 0; i < room->elements; i++) {
        double want = room->whole ? room->whole[i] : room->exact[i];
        double has = got ? dtype_load(room->dtype, got, i) : room->whole ? want : (double)room->rounded[i];
        apart += (has - want) * (has - want);
        length += want * want;
    }
    if (apart == 0) return 0;
    double share = sqrt(apart / length);
    return isfinite(share) ? share : INFINITY;
}

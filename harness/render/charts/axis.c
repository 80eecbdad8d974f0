// SPDX-License-Identifier: Apache-2.0
#include "axis.h"

#include "../format.h"

#include <math.h>

// Share of the axis that one character of a label takes: 7 of about 600 pixels.
static const double character_share = 7.0 / 600;

static bool varying_are_equal(const struct axis *axis, const struct record *r) {
    for (int i = axis->first; i < r->dim_count; i++)
        if (axis->varies[i] && r->dims[i].value != r->dims[axis->first].value) return false;
    return true;
}

struct axis axis_of(const struct view_kernel *kernels, size_t count) {
    struct axis axis = {0};
    const struct record *base = kernels[0].cases[0].records[0];
    for (size_t k = 0; k < count; k++)
        for (size_t c = 0; c < kernels[k].count; c++) {
            const struct record *r = kernels[k].cases[c].records[0];
            for (int i = 0; i < r->dim_count && i < base->dim_count; i++)
                if (r->dims[i].value != base->dims[i].value) axis.varies[i] = true;
            if (r->dim_count != base->dim_count) axis.by_bytes = true;
        }
    for (int i = base->dim_count; i-- > 0;)
        if (axis.varies[i]) {
            axis.varying++;
            axis.first = i;
        }
    for (size_t k = 0; k < count; k++)
        for (size_t c = 0; c < kernels[k].count; c++)
            if (!varying_are_equal(&axis, kernels[k].cases[c].records[0])) axis.by_bytes = true;
    return axis;
}

double axis_value(const struct axis *axis, const struct view_case *c) {
    const struct record *r = c->records[0];
    double value = NAN;
    if (!axis->by_bytes) value = axis->first < r->dim_count ? r->dims[axis->first].value : NAN;
    for (size_t i = 0; axis->by_bytes && i < c->count && !measured(value); i++) value = c->records[i]->bytes;
    return measured(value) ? value : NAN;
}

void put_axis_title(struct text *out, const struct axis *axis, const struct record *record) {
    bool any = false;
    for (int i = 0; i < record->dim_count; i++) {
        if (!axis->varies[i] && !(axis->varying == 0 && i == 0)) continue;
        if (any) text_append(out, axis->by_bytes ? " x " : " = ");
        text_append(out, record->dims[i].name);
        any = true;
    }
    if (axis->by_bytes)
        text_append(out, any ? ", placed by bytes moved" : "bytes moved");
    else
        text_append(out, " (elements)");
}

// 67108864 takes more room than an axis has: powers of two are written 64 Mi, as sizes of memory are.
static void put_size(struct text *out, double size) {
    const double ki = 1024, mi = ki * ki;
    bool millions = size >= mi && fmod(size, mi) == 0;
    bool thousands = size >= 16 * ki && fmod(size, ki) == 0;
    text_number(out, millions ? size / mi : thousands ? size / ki : size);
    if (millions || thousands) text_append(out, millions ? " Mi" : " Ki");
}

static void put_axis_label(struct text *out, const struct axis *axis, const struct record *record) {
    bool any = false;
    for (int i = 0; i < record->dim_count; i++) {
        if (!axis->varies[i] && !(axis->varying == 0 && i == 0)) continue;
        if (any) text_append(out, "x");
        put_size(out, record->dims[i].value);
        any = true;
        if (!axis->by_bytes) return;
    }
}

void set_size_axis(struct plot *plot, const struct axis *axis, const struct view_kernel *kernel) {
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        low = fmin(low, axis_value(axis, &kernel->cases[i]));
        high = fmax(high, axis_value(axis, &kernel->cases[i]));
    }
    double span = log(high / low), margin = fmax(0.06 * span, 0.1), from = -INFINITY;
    struct text title = {0}, ticks = {0};
    for (size_t i = 0; i < kernel->count; i++) {
        double value = axis_value(axis, &kernel->cases[i]);
        struct text label = {0};
        put_axis_label(&label, axis, kernel->cases[i].records[0]);
        double at = log(value / low) / (span + 2 * margin), half = (double)(label.length + 1) * character_share / 2;
        if (at - half > from) {
            text_format(&ticks, "%s'%s' %.17g", from == -INFINITY ? "" : ", ", text_str(&label), value);
            from = at + half;
        }
        text_free(&label);
    }
    put_axis_title(&title, axis, kernel->cases[0].records[0]);
    set_text(plot, "x_title", "%s", text_str(&title));
    set_number(plot, "x_lo", low / exp(margin));
    set_number(plot, "x_hi", high * exp(margin));
    text_format(&plot->settings, "set xtics (%s)\n", text_str(&ticks));
    text_free(&title);
    text_free(&ticks);
}

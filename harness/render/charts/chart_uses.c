// SPDX-License-Identifier: Apache-2.0
// The time of one use when k uses share an upload, for an operator's fastest kernel at its largest size.
#include "chart.h"
#include "../format.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

enum { MOST_USES = 1000 };

static double or_nothing(const struct record *record, enum figure figure) {
    double ns = figure_ns(record, figure);
    return isnan(ns) ? 0 : ns;
}

bool uses_of(const struct record *record, struct uses *out) {
    *out = (struct uses){
        .upload = or_nothing(record, FIGURE_HOST_WRITE) + or_nothing(record, FIGURE_UPLOAD),
        .compute = or_nothing(record, FIGURE_SUBMIT) + or_nothing(record, FIGURE_COMPUTE),
        .download = or_nothing(record, FIGURE_DOWNLOAD) + or_nothing(record, FIGURE_HOST_READ),
    };
    return !isnan(compute_ns(record)) && out->upload > 0 && !is_probe(record);
}

double time_per_use(const struct uses *uses, double k) {
    return uses->upload / k + uses->compute + uses->download;
}

double time_per_resident_use(const struct uses *uses, double k) {
    return (uses->upload + uses->download) / k + uses->compute;
}

double uses_to_beat(const struct uses *uses, double ns) {
    double spare = ns - uses->compute - uses->download; // the time left for each use's share of the upload
    if (!(spare > 0)) return NAN;
    return floor(uses->upload / spare) + 1;
}

// Returns, for the first dtype, the largest case; of several kernels at this size, the fastest.
static const struct view_case *choose(const struct view_operator *op, const struct view_kernel **of) {
    const struct view_case *found = NULL;
    struct uses uses;
    for (size_t k = 0; k < op->count; k++) {
        const struct view_case *c = largest_case(&op->kernels[k]);
        if (!c || !uses_of(c->best, &uses) || (found && strcmp((*of)->dtype, op->kernels[k].dtype) != 0)) continue;
        int larger = found ? record_bucket(c->best) - record_bucket(found->best) : 1;
        if (larger < 0 || (larger == 0 && compute_ns(c->best) >= compute_ns(found->best))) continue;
        found = c;
        *of = &op->kernels[k];
    }
    return found;
}

// Writes a block of the data file: a title, then uses and time.
static void put_curve(
    struct plot *plot, const char *title, const struct uses *uses, double (*time)(const struct uses *, double)) {
    static const double steps[] = {1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8}; // close enough to look smooth
    put_cell(&plot->data, title);
    text_append(&plot->data, "\n");
    for (int decade = 1; decade < MOST_USES; decade *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            text_format(&plot->data, "%.4g %.6g\n", decade * steps[i], time(uses, decade * steps[i]));
    text_format(&plot->data, "%d %.6g\n\n\n", (int)MOST_USES, time(uses, MOST_USES));
}

static void put_caption(struct text *out, const struct uses *uses, double scalar, double beat) {
    text_append(out, "Computed from the separate figures, not measured together. ");
    if (isnan(scalar))
        text_append(out, "The scalar reference was not timed.");
    else if (beat == 1)
        text_append(out, "Faster than the scalar reference from the first use on.");
    else if (beat <= 1e9)
        text_format(out, "Faster than the scalar reference from %.0f uses of one upload.", beat);
    else if (scalar > uses->compute)
        text_append(out, "Slower than the scalar reference for any number of uses, if each use is downloaded.");
    else
        text_append(out, "Slower than the scalar reference for any number of uses.");
}

const char *plot_uses(struct plot *plot) {
    const struct view_kernel *kernel = NULL;
    const struct view_case *c = choose(plot->op, &kernel);
    struct uses uses;
    if (!c || !uses_of(c->best, &uses)) return "no upload was timed";
    double scalar = reference_ns(c), whole = figure_ns(c->best, FIGURE_END_TO_END), beat = uses_to_beat(&uses, scalar),
           low = time_per_resident_use(&uses, MOST_USES), high = time_per_use(&uses, 1);
    put_curve(plot, "upload shared", &uses, time_per_use);
    put_curve(plot, "upload and download shared", &uses, time_per_resident_use);
    set_title(plot, "%s %s: uses that share an upload", kernel->name, kernel->dtype);
    put_dims_named(&plot->subtitle, c->best);
    note_time(plot, c->best, NULL);
    note_figure(plot, reference_of(c), MARK_OF_REFERENCE, FIGURE_COUNT, NULL);
    note_figure(plot, c->best, MARK_OF_TIME, FIGURE_END_TO_END, NULL);
    set_number(plot, "scalar", scalar);
    set_number(plot, "whole", whole);
    set_number(plot, "compute", compute_ns(c->best));
    set_number(plot, "beat", beat <= MOST_USES && beat > 1 ? beat : NAN);
    low = fmin(fmin(low, compute_ns(c->best)), isnan(scalar) ? low : scalar);
    high = fmax(fmax(high, isnan(whole) ? high : whole), isnan(scalar) ? high : scalar);
    set_log_axis(plot, "y", low, high, "ns");
    put_caption(&plot->caption, &uses, scalar, beat);
    return NULL;
}

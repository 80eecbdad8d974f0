// SPDX-License-Identifier: Apache-2.0
#include "footnotes.h"
#include "result.h"
#include "record.h"

#include <inttypes.h>
#include <math.h>

// ---- footnotes of a figure

// Returns all outputs over the checked ones, without those left open by the device's policy; 0 if all were checked.
static double sampled(const struct shown_figure *f) {
    const int64_t checked = f->record->check.checked, elements = f->record->check.elements - f->record->check.excluded;
    return f->what == FOOTNOTE_OF_ERROR && checked > 0 && checked < elements ? (double)elements / (double)checked : 0;
}

static double scaled(const struct shown_figure *f) {
    if (f->what != FOOTNOTE_OF_REFERENCE || !f->record->reference.extrapolated) return 0;
    return f->record->reference.scale > 0 ? f->record->reference.scale : INFINITY;
}

static double few(const struct shown_figure *f) {
    const size_t samples = f->what == FOOTNOTE_OF_TIME ? f->record->time[f->figure].samples : 0;
    return samples && samples <= FOOTNOTE_FEW_SAMPLES ? 1 / (double)samples : 0;
}

static bool is_compute(const struct shown_figure *f) {
    return f->what == FOOTNOTE_OF_TIME && f->figure == FIGURE_COMPUTE && f->record->time[FIGURE_COMPUTE].samples;
}

static double empty_ns(const struct shown_figure *f) {
    return f->result ? result_peak(f->result, "empty_dispatch_ns") : NAN;
}

static double is_short(const struct shown_figure *f) {
    const double empties = is_compute(f) ? f->record->time[FIGURE_COMPUTE].median / empty_ns(f) : NAN;
    return f->record->flops + f->record->bytes > 0 && empties < FOOTNOTE_EMPTY_DISPATCHES ? 1 / empties : 0;
}

static double by_host(const struct shown_figure *f) {
    return is_compute(f) && f->record->clock == CLOCK_HOST;
}

static double throttled(const struct shown_figure *f) {
    return is_compute(f) && f->record->throttled ? fmax(f->record->drift, 1) : 0;
}

// A clock probe beside the samples shows unsteady speed beyond this factor and beyond five times the reference kernel's
// noise.
static const double unsteady_above = 1.05, unsteady_noise = 5;

static double unsteady(const struct shown_figure *f) {
    const struct clock_probes *probes = &f->record->clock_probes;
    if (!is_compute(f) || f->record->throttled || !probes->count) return 0;
    return probes->most > fmax(unsteady_above, 1 + unsteady_noise * probes->noise) ? probes->most : 0;
}

// ---- extent of a footnote

static void tell_sampled(struct text *out, const struct shown_figure *f) {
    text_format(
        out, "as few as %" PRId64 " of %" PRId64 " judged", f->record->check.checked, f->record->check.elements);
}
static void tell_scaled(struct text *out, const struct shown_figure *f) {
    if (f->record->reference.scale > 0)
        text_format(out, "by up to %.3g", f->record->reference.scale);
    else
        text_append(out, "by how much is not recorded");
}
static void tell_few(struct text *out, const struct shown_figure *f) {
    text_format(out, "as few as %zu", f->record->time[f->figure].samples);
}
static void tell_short(struct text *out, const struct shown_figure *f) {
    text_format(out, "as little as %.3g; one takes %.3g us", f->record->time[FIGURE_COMPUTE].median / empty_ns(f),
        empty_ns(f) / 1e3);
}

static void tell_host(struct text *out, const struct shown_figure *f) {
    text_append(out, f->record->clock_why ? f->record->clock_why : "no usable timestamps");
}

// Appends the reference kernel's times beside the samples, and the clock if it is readable.
static void tell_speed(struct text *out, const struct shown_figure *f) {
    const struct record *r = f->record;
    if (r->clock_probes.count)
        text_format(
            out, "the reference kernel took %.2f to %.2f of its median", r->clock_probes.least, r->clock_probes.most);
    else if (r->drift > 0)
        text_format(out, "the reference kernel took %.2f of its median", r->drift);
    else
        text_append(out, "by how much is not recorded");
    if (!r->clock_probes.count || !(r->clock_probes.least_clock_hz > 0)) return;
    text_format(out, "; the shader clock fell to %.0f MHz", r->clock_probes.least_clock_hz / 1e6);
    if (r->shader_clock_hz > 0) text_format(out, ", and was %.0f MHz at the end", r->shader_clock_hz / 1e6);
}

const struct footnote_info footnote_table[FOOTNOTE_COUNT] = {
    [FOOTNOTE_SAMPLED] = {"°", "sampled", "error found in a part of the outputs", sampled, tell_sampled},
    [FOOTNOTE_SCALED] = {"~", "scaled", "an estimate: the reference's time is scaled from a part of its outputs",
        scaled, tell_scaled},
    [FOOTNOTE_FEW] = {"‡", "few", "five samples or fewer, too few for a 95 % interval", few, tell_few},
    [FOOTNOTE_SHORT] = {"†", "short", "shorter than three empty dispatches", is_short, tell_short},
    [FOOTNOTE_HOST] = {"§", "host", "host clock", by_host, tell_host},
    [FOOTNOTE_THROTTLED] = {"!", "throttled", "throttled: the device ran slower than before", throttled, tell_speed},
    [FOOTNOTE_UNSTEADY] = {"^", "unsteady", "the device's speed changed beside these samples", unsteady, tell_speed},
    [FOOTNOTE_AMBIGUOUS] = {"?", "ambiguous", "ambiguous: neither shown to be the same nor shown to differ", NULL,
        NULL},
};

// ---- symbols of figures

static void note(struct footnotes_seen *seen, enum footnote footnote, double depth, const struct shown_figure *figure) {
    if (!(depth > seen->depth[footnote])) return;
    seen->depth[footnote] = depth;
    seen->deepest[footnote] = *figure;
}

void footnotes_note(const struct shown_figure *figure, struct footnotes_seen *seen) {
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++)
        if (figure->record && footnote_table[m].depth) note(seen, m, footnote_table[m].depth(figure), figure);
}

unsigned footnotes_bits(const struct shown_figure *figure) {
    struct footnotes_seen seen = {0};
    unsigned bits = 0;
    footnotes_note(figure, &seen);
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++) bits |= seen.depth[m] > 0 ? 1u << m : 0;
    return bits;
}

void footnotes_note_bits(unsigned bits, struct footnotes_seen *seen) {
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++)
        if (bits >> m & 1) note(seen, m, 1, &(struct shown_figure){0});
}

void footnotes_join(const struct footnotes_seen *others, struct footnotes_seen *seen) {
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++) note(seen, m, others->depth[m], &others->deepest[m]);
}

void put_symbols_seen(struct text *out, const struct footnotes_seen *seen) {
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++)
        if (seen->depth[m] > 0) text_append(out, footnote_table[m].symbol);
}

void put_symbols(struct text *out, const struct shown_figure *figure, struct footnotes_seen *seen) {
    struct footnotes_seen one = {0};
    footnotes_note(figure, &one);
    put_symbols_seen(out, &one);
    if (seen) footnotes_join(&one, seen);
}

void put_symbol_of_verdict(struct text *out, enum verdict verdict, struct footnotes_seen *seen) {
    if (verdict != VERDICT_AMBIGUOUS) return;
    text_append(out, footnote_table[FOOTNOTE_AMBIGUOUS].symbol);
    if (seen) seen->depth[FOOTNOTE_AMBIGUOUS] = 1;
}

void put_footnote(struct text *out, const struct footnotes_seen *seen, enum footnote footnote) {
    const struct footnote_info *info = &footnote_table[footnote];
    if (!(seen->depth[footnote] > 0)) return;
    text_format(out, "%s %s", info->symbol, info->words);
    if (!info->tell || !seen->deepest[footnote].record) return;
    text_append(out, " (");
    info->tell(out, &seen->deepest[footnote]);
    text_append(out, ")");
}

void put_footnotes(struct text *out, const struct footnotes_seen *seen, const char *after) {
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++) {
        put_footnote(out, seen, m);
        if (seen->depth[m] > 0) text_append(out, after);
    }
}

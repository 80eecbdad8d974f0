// SPDX-License-Identifier: Apache-2.0
// Functions shared by all charts: safe texts, numbers, round ticks.
#include "chart.h"
#include "../render/format.h"
#include "../../record/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TICKS = 7, MOST_DECADES = 40 };

// Appends a text in single quotes, within which gnuplot evaluates nothing. Quotes are doubled, and control characters
// become spaces.
static void put_quoted(struct text *out, const char *bytes, size_t length) {
    text_append(out, "'");
    for (const char *c = bytes; c < bytes + length; c++) {
        if (*c == '\'') text_append(out, "'");
        text_append_n(out, (unsigned char)*c < 0x20 ? " " : c, 1);
    }
    text_append(out, "'");
}

void set_text(struct plot *plot, const char *name, const char *format, ...) {
    char string[400];
    va_list args;
    va_start(args, format);
    vsnprintf(string, sizeof string, format, args);
    va_end(args);
    text_format(&plot->settings, "%s=", name);
    put_quoted(&plot->settings, string, strlen(string));
    text_append(&plot->settings, "\n");
}

void set_number(struct plot *plot, const char *name, double value) {
    text_format(&plot->settings, "%s=", name);
    if (isfinite(value))
        text_number(&plot->settings, value);
    else
        text_append(&plot->settings, "NaN");
    text_append(&plot->settings, "\n");
}

// ---- the heading of a chart

// Letters that fit above a chart: it is 512 wide, its middle is right of that, and a digit takes 9.
enum { TITLE_LETTERS = 52 };

void set_title(struct plot *plot, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_format_list(&plot->title, format, args);
    va_end(args);
}

static bool begins_letter(char c) {
    return ((unsigned char)c & 0xc0) != 0x80;
}

void put_cut(struct text *out, const char *string, int most) {
    int letters = 0, letter = 0;
    for (const char *c = string; *c; c++) letters += begins_letter(*c);
    for (const char *c = string; *c; c++) {
        letter += begins_letter(*c);
        const bool tail = letter > letters - most / 2, head = letter < most - most / 2;
        if (letters <= most || head || tail) text_append_n(out, c, 1);
        if (letters > most && begins_letter(*c) && letter == most - most / 2) text_append(out, "…");
    }
}

void set_heading(struct plot *plot) {
    struct text title = {0};
    put_cut(&title, text_str(&plot->title), TITLE_LETTERS);
    text_append(&plot->settings, "title=");
    put_quoted(&plot->settings, text_str(&title), title.length);
    text_append(&plot->settings, "\n");
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++) {
        struct text words = {0};
        put_footnote(&words, &plot->seen, m);
        if (words.length) text_format(&plot->caption, " %s.", text_str(&words));
        text_free(&words);
    }
    text_free(&title);
}

void note_figure(struct plot *plot, const struct record *record, enum footnote_of what, enum figure figure,
    struct footnotes_seen *line) {
    const struct shown_figure shown = {plot->view ? plot->view->result : NULL, record, what, figure};
    footnotes_note(&shown, &plot->seen);
    if (line) footnotes_note(&shown, line);
}

void note_time(struct plot *plot, const struct record *record, struct footnotes_seen *line) {
    note_figure(plot, record, FOOTNOTE_OF_TIME, FIGURE_COMPUTE, line);
}

// Quotes and backslashes are the only special characters within a quoted cell; they become spaces.
void put_cell(struct text *data, const char *string) {
    text_append(data, " \"");
    for (const char *c = string; *c; c++) {
        bool plain = (unsigned char)*c >= 0x20 && *c != '"' && *c != '\\';
        text_append_n(data, plain ? c : " ", 1);
    }
    text_append(data, "\"");
}

void put_name(struct text *data, const char *string, int most) {
    struct text name = {0};
    put_cut(&name, string, most);
    put_cell(data, text_str(&name));
    text_free(&name);
}

// Appends "10 us" for "10.0 us".
static void put_tick(struct text *out, double value, const char *unit) {
    struct text label = {0};
    if (*unit)
        put_peak(&label, value, unit);
    else if (value >= 1e5)
        put_rate(&label, value, "");
    else
        text_format(&label, "%.10g", value);
    const char *string = text_str(&label), *space = strchr(string, ' ');
    size_t length = space ? (size_t)(space - string) : strlen(string), kept = length;
    if (space && memchr(string, '.', length)) {
        while (string[kept - 1] == '0') kept--;
        if (string[kept - 1] == '.') kept--;
    }
    text_append_n(out, string, kept);
    if (space) text_append(out, space);
    text_free(&label);
}

// The first digits of the ticks of a decade, from coarse to fine; the finest has two in any range of set_log_axis.
enum { MOST_STEPS = 28 };
static const double ladders[][MOST_STEPS] = {{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 5, 7},
    {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9},
    {1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2, 2.2, 2.4, 2.6, 2.8, 3, 3.3, 3.6, 4, 4.4, 4.8, 5.2, 5.6, 6, 6.6, 7.2,
        8, 8.8, 9.4}};
enum { LADDERS = sizeof ladders / sizeof *ladders, LEAST_TICKS = 3 };

// Appends the ticks of one ladder at every `stride`-th decade, and returns their number.
static int put_ladder(struct text *out, const double *ladder, double low, double high, int stride, const char *unit) {
    const int first = (int)floor(log10(low)), last = (int)floor(log10(high));
    int count = 0;
    for (int decade = first; decade <= last && decade < first + MOST_DECADES * stride; decade += stride)
        for (int i = 0; i < MOST_STEPS && ladder[i] > 0; i++) {
            const double value = ladder[i] * pow(10, decade);
            if (value < low || value > high) continue;
            text_append(out, count++ ? ", '" : "'");
            put_tick(out, value, unit);
            text_format(out, "' %.17g", value);
        }
    return count;
}

// Appends ticks at round values, at least two: of the coarsest ladder with enough of them.
static void put_ticks(struct text *out, double low, double high, const char *unit) {
    const double decades = log10(high / low);
    const int stride = decades > MOST_TICKS ? (int)ceil(decades / MOST_TICKS) : 1;
    for (int ladder = 0; ladder < LADDERS; ladder++) {
        struct text ticks = {0};
        const int count = put_ladder(&ticks, ladders[ladder], low, high, stride, unit);
        const bool enough = count >= LEAST_TICKS || ladder == LADDERS - 1;
        if (enough) text_append(out, text_str(&ticks));
        text_free(&ticks);
        if (enough) return;
    }
}

void set_log_axis(struct plot *plot, const char *name, double low, double high, const char *unit) {
    char key[16];
    double margin = fmax(0.05 * log(high / low), 0.12);
    low /= exp(margin);
    high *= exp(margin);
    snprintf(key, sizeof key, "%s_lo", name);
    set_number(plot, key, low);
    snprintf(key, sizeof key, "%s_hi", name);
    set_number(plot, key, high);
    text_format(&plot->settings, "set %stics (", name);
    put_ticks(&plot->settings, low, high, unit);
    text_append(&plot->settings, ")\n");
}

struct time_unit time_unit_of(double longest_ns) {
    static const struct time_unit units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    size_t i = 0;
    while (i < 3 && longest_ns < units[i].ns) i++;
    return units[i];
}

// ---- the size axis

// Share of the axis taken by one character of a label: 7.5 of about 410. A label of more letters would leave the
// picture.
static const double character_share = 7.5 / 410;
enum { LABEL_LETTERS = 13 };

struct size_axis axis_of(const struct view_kernel *kernels, size_t count) {
    struct size_axis axis = {0};
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
        for (size_t c = 0; c < kernels[k].count; c++) {
            const struct record *r = kernels[k].cases[c].records[0];
            for (int i = axis.first; i < r->dim_count; i++)
                axis.by_bytes |= axis.varies[i] && r->dims[i].value != r->dims[axis.first].value;
        }
    return axis;
}

double axis_value(const struct size_axis *axis, const struct view_case *c) {
    const struct record *r = c->records[0];
    double value = NAN;
    if (!axis->by_bytes) value = axis->first < r->dim_count ? r->dims[axis->first].value : NAN;
    for (size_t i = 0; axis->by_bytes && i < c->count && !measured(value); i++) value = c->records[i]->bytes;
    return measured(value) ? value : NAN;
}

// ---- joining sizes by lines

enum { MOST_JOINED = 256 }; // sizes; beyond this, none are joined

// Returns the differing dims as bits. Returns 0 if a line may not join the sizes, because several dims differ and are
// not equal to each other in both.
static uint64_t grown_dims(const struct record *a, const struct record *b) {
    uint64_t dims = 0;
    int first = -1;
    if (a->dim_count != b->dim_count) return 0;
    for (int i = 0; i < a->dim_count; i++) {
        if (a->dims[i].value == b->dims[i].value) continue;
        if (first < 0) first = i;
        if (a->dims[i].value != a->dims[first].value || b->dims[i].value != b->dims[first].value) return 0;
        dims |= (uint64_t)1 << i;
    }
    return dims;
}

void join_sizes(
    const struct size_axis *axis, const struct record *const *records, size_t count, size_t *order, bool *begins) {
    bool taken[MOST_JOINED] = {false};
    size_t placed = 0;
    for (size_t i = 0; i < count && (!axis->by_bytes || count > MOST_JOINED); i++) {
        order[i] = i;
        begins[i] = i == 0 || axis->by_bytes;
    }
    for (size_t first = 0; first < count && axis->by_bytes && count <= MOST_JOINED; first++) {
        uint64_t along = 0; // dims that grow along this line
        size_t last = first;
        if (taken[first]) continue;
        begins[placed] = true;
        order[placed++] = first;
        for (size_t next = first + 1; next < count; next++) {
            const uint64_t dims = taken[next] ? 0 : grown_dims(records[last], records[next]);
            if (!dims || (along && dims != along)) continue;
            along = dims;
            taken[last = next] = true;
            begins[placed] = false;
            order[placed++] = next;
        }
    }
}

bool joins_any(const bool *begins, size_t count) {
    size_t lines = 0;
    for (size_t i = 0; i < count; i++) lines += begins[i];
    return lines < count;
}

// Appends "n (elements)", "m = n = k (elements)" or "rows x cols, by bytes moved".
static void put_axis_title(struct text *out, const struct size_axis *axis, const struct record *record) {
    bool any = false;
    for (int i = 0; i < record->dim_count; i++) {
        if (!axis->varies[i] && !(axis->varying == 0 && i == 0)) continue;
        if (any) text_append(out, axis->by_bytes ? " x " : " = ");
        text_append(out, record->dims[i].name);
        any = true;
    }
    if (axis->by_bytes)
        text_append(out, any ? ", by bytes moved" : "bytes moved");
    else
        text_append(out, " (elements)");
}

// Appends a size. Multiples of 2^20, and of 2^10 from 16 Ki on, get Mi or Ki, because 67108864 is too long for an axis.
static void put_size(struct text *out, double size) {
    const double ki = 1024, mi = ki * ki;
    bool millions = size >= mi && fmod(size, mi) == 0;
    bool thousands = size >= 16 * ki && fmod(size, ki) == 0;
    text_number(out, millions ? size / mi : thousands ? size / ki : size);
    if (millions || thousands) text_append(out, millions ? " Mi" : " Ki");
}

static void put_axis_label(struct text *out, const struct size_axis *axis, const struct record *record) {
    bool any = false;
    for (int i = 0; i < record->dim_count; i++) {
        if (!axis->varies[i] && !(axis->varying == 0 && i == 0)) continue;
        if (any) text_append(out, "x");
        put_size(out, record->dims[i].value);
        any = true;
        if (!axis->by_bytes) return;
    }
}

void set_size_axis(struct plot *plot, const struct size_axis *axis, const struct view_kernel *kernel) {
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        low = fmin(low, axis_value(axis, &kernel->cases[i]));
        high = fmax(high, axis_value(axis, &kernel->cases[i]));
    }
    double span = log(high / low), margin = fmax(0.06 * span, 0.1), from = -INFINITY;
    size_t longest = 0;
    struct text title = {0}, ticks = {0};
    for (size_t i = 0; i < kernel->count; i++) {
        double value = axis_value(axis, &kernel->cases[i]);
        struct text label = {0};
        put_axis_label(&label, axis, kernel->cases[i].records[0]);
        if (label.length > longest) longest = label.length;
        double at = log(value / low) / (span + 2 * margin), half = (double)(label.length + 1) * character_share / 2;
        if (at - half > from) {
            text_format(&ticks, "%s'%s' %.17g", from == -INFINITY ? "" : ", ", text_str(&label), value);
            from = at + half;
        }
        text_free(&label);
    }
    put_axis_title(&title, axis, kernel->cases[0].records[0]);
    set_text(plot, "x_title", "%s", text_str(&title));
    if (axis->by_bytes && longest > LABEL_LETTERS) {
        set_log_axis(plot, "x", low, high, "B");
    } else {
        set_number(plot, "x_lo", low / exp(margin));
        set_number(plot, "x_hi", high * exp(margin));
        text_format(&plot->settings, "set xtics (%s)\n", text_str(&ticks));
    }
    text_free(&title);
    text_free(&ticks);
}

// SPDX-License-Identifier: Apache-2.0
// What every chart's writer needs: safe texts, numbers, round ticks.
#include "chart.h"

#include "../format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TICKS = 7, MOST_DECADES = 40 };

// gnuplot evaluates nothing within single quotes; a quote in the text is doubled, and no line ends
// there.
void set_text(struct plot *plot, const char *name, const char *format, ...) {
    char string[400];
    va_list args;
    va_start(args, format);
    vsnprintf(string, sizeof string, format, args);
    va_end(args);
    text_format(&plot->settings, "%s='", name);
    for (const char *c = string; *c; c++) {
        if (*c == '\'') text_append(&plot->settings, "'");
        text_append_n(&plot->settings, (unsigned char)*c < 0x20 ? " " : c, 1);
    }
    text_append(&plot->settings, "'\n");
}

void set_number(struct plot *plot, const char *name, double value) {
    text_format(&plot->settings, "%s=", name);
    if (isfinite(value))
        text_number(&plot->settings, value);
    else
        text_append(&plot->settings, "NaN");
    text_append(&plot->settings, "\n");
}

void set_subtitle(struct plot *plot, const struct record *record) {
    struct text dims = {0};
    put_dims_named(&dims, record);
    set_text(plot, "subtitle", "%s", text_str(&dims));
    text_free(&dims);
}

// Within double quotes a data file knows the backslash and the quote alone.
void put_cell(struct text *data, const char *string) {
    text_append(data, " \"");
    for (const char *c = string; *c; c++) {
        bool plain = (unsigned char)*c >= 0x20 && *c != '"' && *c != '\\';
        text_append_n(data, plain ? c : " ", 1);
    }
    text_append(data, "\"");
}

// "10.0 us" becomes "10 us".
static void put_tick(struct text *out, double value, const char *unit) {
    struct text label = {0};
    if (*unit)
        put_peak(&label, value, unit);
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

// Round values of an axis: every power of ten, or more between them where the axis is short, or
// fewer where it is long.
static void put_ticks(struct text *out, double low, double high, const char *unit) {
    static const double steps[][3] = {{1, 2, 5}, {1, 3, 0}, {1, 0, 0}};
    double decades = log10(high / low);
    const double *step = steps[decades < 1.6 ? 0 : decades < 3 ? 1 : 2];
    int stride = decades > MOST_TICKS ? (int)ceil(decades / MOST_TICKS) : 1;
    double from = floor(log10(low));
    bool any = false;
    for (int decade = 0; decade < MOST_DECADES * stride && decade <= decades + 1; decade += stride)
        for (int i = 0; i < 3 && step[i] > 0; i++) {
            double value = step[i] * pow(10, from + decade);
            if (value < low || value > high) continue;
            text_append(out, any ? ", '" : "'");
            put_tick(out, value, unit);
            text_format(out, "' %.17g", value);
            any = true;
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

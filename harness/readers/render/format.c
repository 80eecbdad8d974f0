// SPDX-License-Identifier: Apache-2.0
#include "format.h"

#include "../../device/limits.h"
#include "../../record/cases.h"

#include "../../truth/stats/summary.h"
#include "../../record/record.h"
#include "../../record/terms.h"
#include "../../device/device_info.h"

#include <math.h>
#include <string.h>

void put_driver(struct text *out, const struct device_info *device) {
    text_format(out, "%s%s%s", device->driver_name, *device->driver_info ? " " : "", device->driver_info);
}

// Three significant digits without an exponent: 1.23, 12.3, 123, 1234.
static void put_digits(struct text *out, double value) {
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    text_format(out, "%.*f", decimals, value);
}

struct scale {
    double size;
    const char *prefix;
};

// Uses the largest scale at which the rounded figure is at least 1, else the smallest. The table begins with the
// largest.
static void put_scaled(struct text *out, double value, const struct scale *scale, const char *unit) {
    if (!measured(value)) {
        text_append(out, NOT_MEASURED);
        return;
    }
    while (scale[1].prefix && value / scale->size < 0.9995) scale++;
    double shown = value / scale->size;
    if (shown < 0.01)
        text_format(out, "%.3g", shown);
    else
        put_digits(out, shown);
    text_format(out, " %s%s", scale->prefix, unit);
}

void put_time(struct text *out, double ns) {
    static const struct scale scales[] = {{1e9, ""}, {1e6, "m"}, {1e3, "u"}, {1, "n"}, {0, NULL}};
    put_scaled(out, ns, scales, "s");
}

void put_rate(struct text *out, double value, const char *unit) {
    static const struct scale scales[] = {
        {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {0, NULL}};
    put_scaled(out, value, scales, unit);
}

void put_bytes(struct text *out, double bytes) {
    static const struct scale scales[] = {
        {0x1p40, "Ti"}, {0x1p30, "Gi"}, {0x1p20, "Mi"}, {0x1p10, "Ki"}, {1, ""}, {0, NULL}};
    put_scaled(out, bytes, scales, "B");
}

void put_thousands(struct text *out, double count) {
    static const char prefixes[] = "kMGT";
    int prefix = -1;
    for (; count >= 999.5 && prefix < 3; prefix++) count /= 1000;
    if (prefix < 0)
        text_format(out, "%.0f", count);
    else
        put_digits(out, count);
    if (prefix >= 0) text_append_n(out, &prefixes[prefix], 1);
}

void put_peak(struct text *out, double value, const char *unit) {
    if (strcmp(unit, "ns") == 0)
        put_time(out, value);
    else
        put_rate(out, value, unit);
}

void put_share(struct text *out, double share) {
    if (!measured(share))
        text_append(out, NOT_MEASURED);
    else if (share < 0.0005)
        text_append(out, "<0.1%");
    else
        text_format(out, share < 0.0995 ? "%.1f%%" : "%.0f%%", share * 100);
}

void put_factor(struct text *out, double factor) {
    if (!measured(factor)) {
        text_append(out, NOT_MEASURED);
        return;
    }
    if (factor < 0.01)
        text_format(out, "%.2g", factor);
    else
        put_digits(out, factor);
    text_append(out, "x");
}

// Appends a dash for fewer than two samples, because one sample has no interval.
void put_interval(struct text *out, const struct summary *summary) {
    if (summary->samples < 2 || !measured(summary->median)) {
        text_append(out, NOT_MEASURED);
        return;
    }
    double half = (summary->hi - summary->lo) / 2 / summary->median;
    text_format(out, half < 0.0995 ? "±%.1f%%" : "±%.0f%%", half * 100);
}

void put_ulp(struct text *out, double ulp) {
    if (isfinite(ulp))
        text_format(out, ulp >= 100 && ulp < 99999.5 ? "%.0f" : "%.3g", ulp);
    else
        text_append(out, isinf(ulp) ? "inf" : NOT_MEASURED);
}

void put_error_of_bound(struct text *out, const struct record *record) {
    put_ulp(out, record->check.worst_ulp);
    text_append(out, "/");
    put_ulp(out, record->check.bound_ulp);
}

void put_shape(struct text *out, const struct record *record) {
    int axes = record->wg[2] != 1 ? 3 : record->wg[1] != 1 ? 2 : 1;
    for (int i = 0; i < axes; i++) text_format(out, i ? "x%u" : "%u", record->wg[i]);
    for (int i = 0; i < record->tunable_count; i++) {
        text_format(out, i ? ",%s=" : " %s=", record->tunables[i].name);
        text_number(out, record->tunables[i].value);
    }
}

static void put_named(struct text *out, const struct named_number *number) {
    text_format(out, "%s=", number->name);
    text_number(out, number->value);
}

void put_size_words(struct text *out, const struct record *record) {
    const bool many = record->dim_count > PLAIN_DIMS;
    int named = 0;
    for (int i = 0; i < record->dim_count; i++) {
        if (many && i < record_dims(record) && record->dims[i].value == 1) continue;
        if (named++) text_append(out, " ");
        put_named(out, &record->dims[i]);
    }
    if (!named && record->dim_count) text_append(out, "all 1");
    if (!record->dim_count) text_append(out, NOT_MEASURED);
}

void put_dims(struct text *out, const struct record *record, int plain) {
    if (plain > PLAIN_DIMS) {
        put_size_words(out, record);
        return;
    }
    for (int i = 0; i < record->dim_count; i++) {
        if (i) text_append(out, i < plain ? "x" : ",");
        if (i < plain)
            text_number(out, record->dims[i].value);
        else
            put_named(out, &record->dims[i]);
    }
    if (!record->dim_count) text_append(out, NOT_MEASURED);
}

void put_dims_named(struct text *out, const struct record *record) {
    for (int i = 0; i < record->dim_count; i++) {
        if (i) text_append(out, ",");
        put_named(out, &record->dims[i]);
    }
}

void put_escaped(
    struct text *out, void (*escape)(struct text *out, const char *string), const char *format, va_list args) {
    for (const char *at = format; *at;) {
        const size_t plain = strcspn(at, "%");
        text_append_n(out, at, plain);
        at += plain;
        if (!*at) return;
        const bool count = at[1] == 'z';
        if (count)
            text_format(out, "%zu", va_arg(args, size_t));
        else if (at[1] == 's')
            escape(out, va_arg(args, const char *));
        else
            text_append(out, "%");
        at += count ? 3 : 2;
    }
}

// Returns whether a character changes the direction of the text around it: a name could then look like another.
static bool turns_text(uint32_t code) {
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f;
}

void put_plain(struct text *out, const char *string, int indent) {
    uint32_t code;
    for (const char *c = string; *c; c++) {
        unsigned char byte = (unsigned char)*c, next = (unsigned char)c[1];
        if (byte == 0xe2 && utf8_read(c, strlen(c), &code) == 3 && turns_text(code)) {
            text_append(out, " ");
            c += 2;
            continue;
        }
        if (byte == '\n') {
            if (c[1]) text_format(out, "\n%*s", indent, "");
        } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) { // U+0080 to U+009F: control characters too
            text_append(out, " ");
            c++;
        } else {
            text_append_n(out, byte < 0x20 || byte == 0x7f ? " " : c, 1);
        }
    }
}

void print_plain(FILE *out, const char *string, int indent) {
    struct text plain = {0};
    put_plain(&plain, string, indent);
    fputs(text_str(&plain), out);
    text_free(&plain);
}

// ---- systems

const struct backend_system backend_systems[] = {
    {"torchless", "TL"}, {"torsh", "TS"}, {"candle", "CF"}, {"tensor-frame", "TF"}, {"libtorch-rust", "LT"}, {0}};

void put_system(struct text *out, const char *name, size_t length) {
    for (const struct backend_system *s = backend_systems; s->name; s++)
        if (strlen(s->name) == length && memcmp(s->name, name, length) == 0) {
            text_append(out, s->letters);
            return;
        }
    text_append_n(out, name, length);
}

void put_system_legend(struct text *out) {
    for (const struct backend_system *s = backend_systems; s->name; s++)
        text_format(out, "%s%s %s", s > backend_systems ? ", " : "", s->letters, s->name);
}

bool system_is_among(const struct backend_system *system, const char *letters) {
    size_t length = strlen(system->letters);
    for (const char *at = letters; *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, system->letters, length) == 0) return true;
        at += word;
    }
    return false;
}

// ---- lines of words

int columns_of(const char *text, size_t bytes) {
    int count = 0;
    for (size_t i = 0, length; i < bytes; i += length) {
        uint32_t code = 0;
        length = utf8_read(text + i, bytes - i, &code);
        count += length ? utf8_columns(code) : 1;
        if (!length) length = 1;
    }
    return count;
}

void print_cut(FILE *out, const char *line, int width) {
    const int room = width > 2 ? width - 2 : width; // for the ".." mark
    size_t length = strlen(line);
    if (columns_of(line, length) > width)
        while (length && (columns_of(line, length) > room || ((unsigned char)line[length] & 0xc0) == 0x80)) length--;
    fprintf(out, "%.*s%s", (int)length, line, line[length] && width > 2 ? ".." : "");
}

// Returns how much of a too long word fits, ending after a comma; its whole length if no comma fits.
static size_t comma_within(const char *word, size_t length, int width) {
    for (size_t i = length - 1; i > 0; i--)
        if (word[i - 1] == ',' && columns_of(word, i) <= width) return i;
    return length;
}

void print_hanging(FILE *out, const char *lead, const char *words, int hanging, int width) {
    int column = columns_of(lead, strlen(lead));
    bool begins = true; // the next word begins a line
    struct text plain = {0};
    put_plain(&plain, words, 0);
    fputs(lead, out);
    for (const char *at = text_str(&plain) + strspn(text_str(&plain), " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (columns_of(at, length) > width - hanging) length = comma_within(at, length, width - hanging);
        int wide = columns_of(at, length);
        if (!begins && column + 1 + wide > width) {
            fprintf(out, "\n%*s", hanging, "");
            column = hanging;
            begins = true;
        }
        const bool spaced = !begins && at[-1] == ' ';
        fprintf(out, "%s%.*s", spaced ? " " : "", (int)length, at);
        column += wide + spaced;
        begins = false;
        at += length;
    }
    if (!begins || *lead) fputc('\n', out);
    text_free(&plain);
}

void print_device_name(FILE *out, const char *lead, const struct device_info *device, int width) {
    struct text words = {0};
    text_append(&words, device->name);
    if (*device->driver_name) text_format(&words, ", %s %s", device->driver_name, device->driver_info);
    print_hanging(out, lead, text_str(&words), (int)strlen(lead), width);
    text_free(&words);
}

void print_words(FILE *out, const char *lead, struct text *words, int hanging, int width) {
    if (words->length) print_hanging(out, lead, text_str(words), hanging, width);
    text_free(words);
}

void print_wrapped(FILE *out, const char *words, int width) {
    print_hanging(out, "", words, 0, width);
}

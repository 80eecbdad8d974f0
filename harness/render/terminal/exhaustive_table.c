// SPDX-License-Identifier: Apache-2.0
#include "exhaustive_table.h"

#include "../../base/file.h"
#include "../format.h"
#include "../pages/html.h"
#include "../render.h"
#include "tally.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct table {
    struct text *out;
    enum exhaustive_form form;
    const struct result *result;
};

// ---- cells

static bool has_worst(const struct record *r) {
    return r->check.worst_index >= 0;
}

static void put_kernel(struct text *out, const struct record *r) {
    text_append(out, r->kernel);
}
static void put_type(struct text *out, const struct record *r) {
    text_append(out, r->dtype);
}
static void put_inputs(struct text *out, const struct record *r) {
    int64_t count = r->exhaustive.inputs;
    int power = 0;
    while (power < 62 && (int64_t)1 << power < count) power++;
    if (power >= 16 && (int64_t)1 << power == count)
        text_format(out, "2^%d", power);
    else
        text_format(out, "%" PRId64, count);
}
static void put_left_out(struct text *out, const struct record *r) {
    if (!r->check.excluded)
        text_append(out, "0");
    else
        put_share(out, (double)r->check.excluded / (double)r->exhaustive.inputs);
}
static void put_error(struct text *out, const struct record *r) {
    if (!has_worst(r))
        text_append(out, NOT_MEASURED);
    else if (isfinite(r->exhaustive.ulp))
        put_ulp(out, r->exhaustive.ulp);
    else
        text_append(out, "another class");
}
static void put_bound(struct text *out, const struct record *r) {
    if (has_worst(r))
        put_ulp(out, r->check.bound_ulp);
    else
        text_append(out, NOT_MEASURED);
}
// The operands' bits, in the order of the operands.
static void put_argument(struct text *out, const struct record *r) {
    uint64_t argument = r->exhaustive.argument;
    if (!has_worst(r)) {
        text_append(out, NOT_MEASURED);
    } else if (r->check.input_count == 2) {
        text_format(out, "0x%04x 0x%04x", (unsigned)(argument & 0xffff), (unsigned)(argument >> 16 & 0xffff));
    } else {
        text_format(out, "0x%0*" PRIx64, r->exhaustive.bits / 4, argument);
    }
}
static void put_value(struct text *out, const struct record *r) {
    for (int i = 0; i < r->check.input_count; i++) text_format(out, "%s%.9g", i ? ", " : "", r->check.inputs[i].value);
    if (!r->check.input_count) text_append(out, NOT_MEASURED);
}
static void put_number(struct text *out, const struct record *r, double number) {
    if (has_worst(r))
        text_format(out, "%.9g", number);
    else
        text_append(out, NOT_MEASURED);
}
static void put_got(struct text *out, const struct record *r) {
    put_number(out, r, r->check.got);
}
static void put_want(struct text *out, const struct record *r) {
    put_number(out, r, r->check.want);
}
static void put_largest(struct text *out, const struct record *r) {
    put_ulp(out, r->check.max_ulp);
}
static void put_inputs_rate(struct text *out, const struct record *r) {
    put_rate(out, r->exhaustive.inputs_per_s, "/s");
}
static void put_status(struct text *out, const struct record *r) {
    text_append(out, record_status_name(r->status));
}

// `terminal`: shown there; the page's width has no room for all.
static const struct {
    const char *heading;
    void (*put)(struct text *out, const struct record *record);
    bool terminal, right;
} exhaustive_columns[] = {
    {"kernel", put_kernel, true, false},
    {"type", put_type, true, false},
    {"inputs", put_inputs, true, true},
    {"left out", put_left_out, true, true},
    {"worst ULP", put_error, true, true},
    {"bound", put_bound, true, true},
    {"argument", put_argument, true, false},
    {"its value", put_value, true, true},
    {"got", put_got, false, true},
    {"want", put_want, false, true},
    {"largest ULP", put_largest, false, true},
    {"rate", put_inputs_rate, true, true},
    {"status", put_status, true, false},
};
enum { COLUMNS = sizeof exhaustive_columns / sizeof *exhaustive_columns };

// ---- the table

static bool is_exhaustive(const struct record *record) {
    return record->exhaustive.bits > 0;
}

size_t inputs_count(const struct result *result) {
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++) count += is_exhaustive(&result->records[i]);
    return count;
}

static void cell(const struct table *t, int column, const struct record *record, struct text *out) {
    struct text raw = {0};
    exhaustive_columns[column].put(&raw, record);
    if (t->form == EXHAUSTIVE_MARKDOWN)
        put_markdown(out, text_str(&raw));
    else if (t->form == EXHAUSTIVE_HTML)
        put_html(out, text_str(&raw));
    else
        put_plain(out, text_str(&raw), 0);
    out->failed |= raw.failed;
    text_free(&raw);
}

static int width_of(const struct table *t, int column) {
    size_t width = strlen(exhaustive_columns[column].heading);
    for (size_t i = 0; i < t->result->count; i++) {
        struct text text = {0};
        if (is_exhaustive(&t->result->records[i])) cell(t, column, &t->result->records[i], &text);
        if (text.length > width) width = text.length;
        text_free(&text);
    }
    return (int)width;
}

// How a form writes a row: before and behind it, and before and behind a cell, aligned left or right.
static const struct {
    const char *row, *row_end, *left, *right, *cell_end;
} marks[] = {
    [EXHAUSTIVE_PLAIN] = {"", "\n", "  ", "  ", ""},
    [EXHAUSTIVE_MARKDOWN] = {"", "|\n", "| ", "| ", " "},
    [EXHAUSTIVE_HTML] = {"<tr>", "</tr>\n", "<td>", "<td class=right>", "</td>"},
};

static void put_row(const struct table *t, const int *widths, const struct record *record) {
    text_append(t->out, marks[t->form].row);
    for (int c = 0; c < COLUMNS; c++) {
        struct text text = {0};
        bool right = exhaustive_columns[c].right, last = c == COLUMNS - 1;
        if (t->form == EXHAUSTIVE_PLAIN && !exhaustive_columns[c].terminal) continue;
        if (record)
            cell(t, c, record, &text);
        else
            text_append(&text, exhaustive_columns[c].heading);
        text_format(t->out, "%s%*s%s", right ? marks[t->form].right : marks[t->form].left,
            right  ? widths[c]
            : last ? 0
                   : -widths[c],
            text_str(&text), marks[t->form].cell_end);
        text_free(&text);
    }
    text_append(t->out, marks[t->form].row_end);
}

static void put_rule(const struct table *t) {
    for (int c = 0; c < COLUMNS; c++) text_append(t->out, exhaustive_columns[c].right ? "| ---: " : "| --- ");
    text_append(t->out, "|\n");
}

static void put_table_head(const struct table *t, const int *widths) {
    if (t->form != EXHAUSTIVE_HTML) {
        put_row(t, widths, NULL);
        if (t->form == EXHAUSTIVE_MARKDOWN) put_rule(t);
        return;
    }
    put_wide(t->out, "every input");
    text_append(t->out, "<thead><tr>");
    for (int c = 0; c < COLUMNS; c++)
        text_format(
            t->out, "<th%s>%s</th>", exhaustive_columns[c].right ? " class=right" : "", exhaustive_columns[c].heading);
    text_append(t->out, "</tr></thead><tbody>\n");
}

void put_exhaustive_table(struct text *out, const struct result *result, enum exhaustive_form form) {
    struct table table = {out, form, result};
    int widths[COLUMNS] = {0};
    if (!inputs_count(result)) return;
    for (int c = 0; form == EXHAUSTIVE_PLAIN && c < COLUMNS; c++) widths[c] = width_of(&table, c);
    put_table_head(&table, widths);
    for (size_t i = 0; i < result->count; i++)
        if (is_exhaustive(&result->records[i])) put_row(&table, widths, &result->records[i]);
    if (form == EXHAUSTIVE_HTML) text_append(out, "</tbody></table></div>\n");
}

// ---- the file

static void put_heading(struct text *out, const struct result *result) {
    const struct device_info *device = &result->device;
    struct json_object *host = json_get(result->context, "host");
    text_append(out, "# Every input\n\nDevice: ");
    put_markdown(out, device->name);
    text_append(out, ", ");
    put_markdown(out, device->driver_name);
    text_append(out, " ");
    put_markdown(out, device->driver_info);
    text_append(out, ". Reference on: ");
    put_markdown(out, json_get_string(host, "cpu", "an unknown processor"));
    text_format(out, ", %lld cores. vkassay ", (long long)json_get_int(host, "cores", 0));
    put_markdown(out, json_get_string(json_get(result->context, "tool"), "git", ""));
    text_append(out, ".\n\n"
                     "Each kernel at its default shape was given every input of its type, and each result was "
                     "held against the\ndouble-precision reference. The argument is the one whose error takes up "
                     "most of its bound, by its bits; worst\nULP and bound are there. The largest error anywhere "
                     "stands beside, as bounds differ from argument to argument.\nLeft out are inputs for which "
                     "the specification, or what the device declares, leaves the result open.\n\n");
}

bool render_exhaustive(const struct result *result, const char *folder, bool *written, struct error *err) {
    struct text text = {0}, name = {0};
    *written = false;
    if (!inputs_count(result)) return true;
    put_heading(&text, result);
    put_exhaustive_table(&text, result, EXHAUSTIVE_MARKDOWN);
    text_format(&name, "%s/exhaustive.md", folder);
    bool ok = text.failed || name.failed ? error_set(err, STATUS_FAULT, "out of memory for a table")
                                         : file_write(text_str(&name), text_str(&text), text.length, err);
    *written = ok;
    text_free(&text);
    text_free(&name);
    return ok;
}

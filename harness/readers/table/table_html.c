// SPDX-License-Identifier: Apache-2.0
// Writes a sortable table for a page. It scrolls sideways by itself, also by keyboard.
#include "table.h"

#include "../pages/html.h"

#include <math.h>
#include <string.h>

// Appends escaped text with a possible line break after each comma and slash.
static void put_html_wrapped(struct text *out, const char *string) {
    struct text html = {0};
    put_html(&html, string);
    for (const char *at = text_str(&html); *at;) {
        size_t length = strcspn(at, ",/");
        length += at[length] != '\0';
        text_append_n(out, at, length);
        if (at[length]) text_append(out, "<wbr>");
        at += length;
    }
    text_free(&html);
}

static void put_cell_of(struct text *out, const struct cell *cell) {
    const struct column *column = cell->column;
    const char *form = column->right ? "right" : column->wraps ? "wraps" : column->prose ? "long" : NULL;
    text_append(out, "<td");
    // Numbers are most of a page. Cells with a sort key need no class: style.css aligns them right.
    if (column->wraps && cell->class)
        text_format(out, " class=\"wraps %s\"", cell->class);
    else if ((form || cell->class) && !(column->right && isfinite(cell->sort)))
        text_format(out, " class=%s", form ? form : cell->class);
    if (isfinite(cell->sort)) text_format(out, " data-sort=%.7g", cell->sort);
    text_append(out, ">");
    (column->markup ? text_append : column->wraps ? put_html_wrapped : put_html)(out, cell->text);
    text_append(out, "</td>");
}

static void put_table(struct text *out, const struct table *table, const char *name, bool hints) {
    if (table->column_count > TABLE_BRIEF)
        text_format(out, "<label class=more><input type=checkbox> all %d columns</label>", table->column_count);
    put_html_format(out, "<div class=wide role=region tabindex=0 aria-label=\"%s\"><table class=sorts>", name);
    text_append(out, "<thead><tr>");
    for (int c = 0; c < table->column_count; c++) {
        const struct column *column = table->columns[c];
        text_append(out, column->right ? "<th class=right" : "<th");
        if (hints && column->hint) put_html_format(out, " title=\"%s\"", column->hint);
        put_html_format(out, ">%s", column->title);
    }
    text_append(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < table->row_count; i++) {
        text_append(out, "<tr>");
        for (int c = 0; c < table->column_count; c++) put_cell_of(out, &table->rows[i][c]);
        text_append(out, "</tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
}

void put_table_html(struct text *out, const struct table *table, const char *name) {
    put_table(out, table, name, true);
}

void put_table_alike(struct text *out, const struct table *table, const char *name) {
    put_table(out, table, name, false);
}

void put_legend(struct text *out, const struct table *table) {
    text_append(out, "<details><summary>Meaning of the columns</summary><dl class=legend>\n");
    for (int c = 0; c < table->column_count; c++)
        put_html_format(out, "<dt>%s</dt><dd>%s</dd>\n", table->columns[c]->title, table->columns[c]->hint);
    text_append(out, "</dl></details>\n");
}

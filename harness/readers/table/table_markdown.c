// SPDX-License-Identifier: Apache-2.0
// Writes a table as markdown for GitHub and GitLab.
#include "table.h"

#include "../render/format.h"

#include <string.h>

void put_markdown(struct text *out, const char *string) {
    struct text plain = {0};
    put_plain(&plain, string, 0);
    for (const char *c = text_str(&plain); *c; c++) {
        if (*c == '\n') {
            text_append(out, " ");
            continue;
        }
        if (strchr("|\\`*<>[]&~", *c)) text_append(out, "\\");
        text_append_n(out, c, 1);
    }
    text_free(&plain);
}

void put_markdown_format(struct text *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_escaped(out, put_markdown, format, args);
    va_end(args);
}

void put_markdown_lines(struct text *out, struct text *plain) {
    for (const char *line = text_str(plain); *line;) {
        size_t length = strcspn(line, "\n");
        struct text one = {0};
        text_append_n(&one, line, length);
        put_markdown(out, text_str(&one));
        text_append(out, "  \n");
        text_free(&one);
        line += length + (line[length] == '\n');
    }
    text_free(plain);
}

void put_table_markdown(struct text *out, const struct table *table, size_t most) {
    for (int c = 0; c < table->column_count; c++) {
        put_markdown_format(out, *table->columns[c]->title ? "| %s " : "| %s", table->columns[c]->title);
    }
    text_append(out, "|\n");
    for (int c = 0; c < table->column_count; c++) text_append(out, table->columns[c]->right ? "|---:" : "|---");
    text_append(out, "|\n");
    for (size_t i = 0; i < table->row_count && i < most; i++) {
        for (int c = 0; c < table->column_count; c++) {
            text_append(out, "| ");
            (table->columns[c]->markup ? text_append : put_markdown)(out, table->rows[i][c].text);
            text_append(out, " ");
        }
        text_append(out, "|\n");
    }
}

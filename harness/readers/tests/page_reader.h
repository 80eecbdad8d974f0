// SPDX-License-Identifier: Apache-2.0
// Reads the tables of a page as a person does: by the table's name, the row and the heading of a column.
#ifndef VKASSAY_RENDER_PAGE_READER_H
#define VKASSAY_RENDER_PAGE_READER_H

#include "../../base/arena.h"
#include "../../base/text.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

struct seen_cell {
    const char *title, *text;
};

// Returns the text of an element up to the next `end`, without its tags.
static inline const char *plain_text(struct arena *arena, const char *from, const char *end) {
    struct text out = {0};
    for (const char *at = strchr(from, '>') + 1; strncmp(at, end, strlen(end)) != 0; at++) {
        if (*at == '<' && at[1] != '/' && strncmp(at, "<td", 3) == 0) break;
        if (*at == '<')
            at = strchr(at, '>');
        else
            text_append_n(&out, at, 1);
    }
    return arena_take(arena, &out);
}

// Checks a row of a table against all its cells, in the order of the page. `expected` ends with a NULL title.
static inline void assert_row(
    struct arena *arena, const char *page, const char *table, size_t row, const struct seen_cell *expected) {
    const char *start = strstr(page, arena_format(arena, "aria-label=\"%s\"><table", table));
    if (!start) fail_msg("no table %s", table);
    const char *head = strstr(start, "<th"), *rows = strstr(start, "<tbody>"), *end = strstr(start, "</tbody>");
    const char *cell = strstr(rows, "<tr>");
    for (size_t i = 0; i < row; i++) cell = strstr(cell + 1, "<tr>");
    assert_true(cell && cell < end);
    const char *row_end = strstr(cell, "</tr>");
    head = strstr(head + 3, "<th"); // after <thead>
    cell = strstr(cell, "<td");
    for (; expected->title; expected++) {
        assert_true(head && head < rows && cell && cell < row_end);
        const char *title = plain_text(arena, head, "<"), *text = plain_text(arena, cell, "</t");
        assert_string_equal(title, expected->title);
        if (strcmp(text, expected->text) != 0)
            fail_msg("%s, row %zu, %s: \"%s\", expected \"%s\"", table, row, title, text, expected->text);
        head = strstr(head + 3, "<th");
        cell = strstr(cell + 3, "<td");
    }
    assert_true(!cell || cell > row_end);
}

#endif

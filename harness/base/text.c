// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include "memory.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPILL_BYTES = 1 << 20 };

static void spill(struct text *text) {
    text->spill(text->spill_user, text->data, text->length - 1);
    text->data[0] = text->data[text->length - 1];
    text->length = 1;
}

// Makes room for `more` characters and the NUL.
static void reserve(struct text *text, size_t more) {
    if (text->spill && text->length > SPILL_BYTES) spill(text);
    if (more >= SIZE_MAX - text->length) memory_out(more, 1);
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity) return;
    size_t room = text->capacity ? text->capacity : 64;
    while (room < needed) room = room > SIZE_MAX / 2 ? needed : room * 2;
    text->data = memory_resize(text->data, room, 1);
    text->capacity = room;
}

void text_append_n(struct text *text, const char *bytes, size_t length) {
    reserve(text, length);
    if (length) memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_append(struct text *text, const char *string) {
    text_append_n(text, string, strlen(string));
}

void text_format(struct text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_format_list(text, format, args);
    va_end(args);
}

void text_format_list(struct text *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    const size_t room = text->data ? text->capacity - text->length : 0; // most texts fit, so they are formatted once
    int length = vsnprintf(room ? text->data + text->length : NULL, room, format, again);
    va_end(again);
    if (length >= 0 && (size_t)length < room) {
        text->length += (size_t)length;
        return;
    }
    if (room) text->data[text->length] = '\0';
    if (length < 0) return; // an encoding error: no format here has wide characters
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, args);
    text->length += (size_t)length;
}

const char *text_str(const struct text *text) {
    return text->data ? text->data : "";
}

void text_free(struct text *text) {
    free(text->data);
    *text = (struct text){0};
}

void text_shell_word(struct text *text, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=,@%:";
    if (*word && !word[strspn(word, plain)]) {
        text_append(text, word);
        return;
    }
    text_append(text, "'");
    for (const char *c = word; *c; c++) text_append_n(text, *c == '\'' ? "'\\''" : c, *c == '\'' ? 4 : 1);
    text_append(text, "'");
}

bool text_glob(const char *pattern, const char *string) {
    const char *star = NULL, *resume = NULL; // the last '*', and the next end of its run
    while (*string) {
        if (*pattern == '*') {
            star = pattern++;
            resume = string;
        } else if (*pattern == '?' || *pattern == *string) {
            pattern++;
            string++;
        } else if (star) {
            pattern = star + 1;
            string = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

// Returns the optimal string alignment distance. Keeps only rows i - 2, i - 1 and i of the usual table.
size_t text_distance(const char *a, const char *b) {
    size_t la = strlen(a), lb = strlen(b), rows[3][256];
    if (la > 255 || lb > 255) return SIZE_MAX;
    for (size_t j = 0; j <= lb; j++) rows[0][j] = j;
    for (size_t i = 1; i <= la; i++) {
        const size_t *before = rows[(i + 1) % 3], *above = rows[(i + 2) % 3];
        size_t *row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best) best = above[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[la % 3][lb];
}

static size_t common_start(const char *a, const char *b) {
    size_t length = 0;
    while (a[length] && a[length] == b[length]) length++;
    return length;
}

// Prefers the name with the longest common start among equally near ones: "ad" gives "add", not "pad".
const char *text_nearest(const char *wanted, const char *const *names, size_t count) {
    size_t limit = strlen(wanted) / 3 + 1;
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t distance = text_distance(wanted, names[i]);
        if (distance > limit) continue;
        if (best && distance == limit && common_start(wanted, names[i]) < common_start(wanted, best)) continue;
        limit = distance;
        best = names[i];
    }
    return best;
}

// Appends a whole number or one of at most six decimal places, as most are; printf is slower. Such a decimal of up to
// 15 digits is a quotient of two whole numbers that are exact, so the quotient is the double nearest to it. Returns
// false for other numbers, and if %g would write an exponent.
static bool put_short(struct text *text, double value) {
    char digits[24], *end = digits + sizeof digits, *at = end;
    double size = fabs(value), scale = 1, whole;
    int places = 0;
    if (!(size < 1e15) || (size < 1e-4 && size > 0)) return false;
    for (whole = round(size); whole / scale != size; whole = round(size * scale)) {
        if (++places > 6) return false;
        scale *= 10;
    }
    if (whole >= 1e15) return false;
    uint64_t left = (uint64_t)whole;
    for (int i = 0; i <= places || left; i++, left /= 10) {
        if (i && i == places) *--at = '.';
        *--at = (char)('0' + left % 10);
    }
    if (signbit(value)) *--at = '-';
    text_append_n(text, at, (size_t)(end - at));
    return true;
}

void text_number(struct text *text, double value) {
    char digits[40];
    if (put_short(text, value)) return; // whole numbers without an exponent, not 1e+02
    // Any decimal of up to 15 digits survives conversion to a double and back, unless it is subnormal. %g omits
    // trailing zeros.
    for (int precision = fabs(value) < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    for (char *c = digits; *c; c++)
        if (*c == ',') *c = '.';
    text_append(text, digits);
}

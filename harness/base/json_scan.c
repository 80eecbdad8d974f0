// SPDX-License-Identifier: Apache-2.0
#include "json_scan.h"

#include <string.h>

enum { NUMBER_BYTES = 40 }; // longest number to skip: it is certainly finite

// ---- numbers

const char *json_number_end(const char *at, const char *end) {
    if (at < end && *at == '-') at++;
    const char *whole = at;
    at = json_digits_end(at, end);
    if (at == whole || (*whole == '0' && at > whole + 1)) return NULL;
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        if ((at = json_digits_end(at, end)) == fraction) return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        if (++at < end && (*at == '+' || *at == '-')) at++;
        const char *exponent = at;
        at = json_digits_end(at, end);
        if (at == exponent || at > exponent + 2) return NULL;
    }
    return at;
}

const char *json_numbers_end(const char *at, const char *end, size_t *count) {
    *count = 0;
    at = json_space_end(at + 1, end);
    if (at < end && *at == ']') return at + 1;
    for (;; at = json_space_end(at + 1, end)) {
        const char *number = at;
        if (!(at = json_number_end(at, end)) || at - number > NUMBER_BYTES) return NULL;
        ++*count;
        at = json_space_end(at, end);
        if (at == end || (*at != ',' && *at != ']')) return NULL;
        if (*at == ']') return at + 1;
    }
}

// ---- values

// Returns the position after the closing quote of a string that begins at `at`, or NULL.
static const char *string_end(struct json_scan *scan, const char *at, const char *end) {
    for (at++; at < end; at++) {
        if (*at == '"') return at + 1;
        if (*at == '\\') at++;
        if (at < end && *at == '\n') scan->broken_string = true;
    }
    return NULL;
}

bool json_is_word(const char *quoted, const char *word) {
    size_t length = strlen(word);
    return strncmp(quoted + 1, word, length) == 0 && quoted[length + 1] == '"';
}

bool json_is_passed(const struct json_passed *passed, const char *const names[3]) {
    return names[0] && names[1] && names[2] && json_is_word(names[0], passed->outer) &&
           !(passed->except && json_is_word(names[1], passed->except)) && json_is_word(names[2], passed->key);
}

// Returns the position after an array that can be skipped, or NULL. `names` are the last strings at depths 1 to 3. At
// the start of a container they are the names of the members on its path.
static const char *array_end(struct json_scan *scan, const char *at, const char *end, const char *const names[3]) {
    size_t count;
    if (!scan->passed || scan->array_count >= JSON_PASSED || !json_is_passed(scan->passed, names)) return NULL;
    const char *colon = json_space_end(string_end(scan, names[2], end), end);
    if (*colon != ':' || json_space_end(colon + 1, end) != at) return NULL; // the string before it is not a name
    const char *behind = json_numbers_end(at, end, &count);
    if (!behind) return NULL;
    int i = scan->array_count++;
    scan->arrays[i].key = names[2];
    scan->arrays[i].end = behind;
    scan->arrays[i].count = count;
    return behind;
}

// Returns the position after the object or array that begins at `at`, or NULL if it continues.
static const char *container_end(struct json_scan *scan, const char *at, const char *end) {
    const char *names[3] = {NULL}, *behind;
    int depth = 0;
    while (at < end) {
        switch (*at) {
        case '"':
            behind = string_end(scan, at, end);
            if (!behind) return NULL;
            if (depth <= 3) names[depth - 1] = at;
            at = behind;
            continue;
        case '[':
            behind = depth == 3 ? array_end(scan, at, end, names) : NULL;
            if (behind) {
                at = behind;
                continue;
            }
            depth++;
            break;
        case '{':
            depth++;
            break;
        case ']':
        case '}':
            depth--;
            break;
        default:
            break;
        }
        at++;
        if (!depth || depth > JSON_DEEPEST) return at; // the parser reports a value that is too deep
    }
    return NULL;
}

bool json_scan_value(struct json_scan *scan, const char *bytes, size_t length, bool whole) {
    const char *end = bytes + length, *behind;
    scan->bytes = bytes;
    scan->array_count = 0;
    scan->broken_string = false;
    if (*bytes == '{' || *bytes == '[')
        behind = container_end(scan, bytes, end);
    else if (*bytes == '"')
        behind = string_end(scan, bytes, end);
    else
        for (behind = bytes; behind < end && !strchr(",:]} \t\r\n", *behind);) behind++;
    bool open = !behind || (behind == end && !whole && *bytes != '{' && *bytes != '[' && *bytes != '"');
    scan->length = behind ? (size_t)(behind - bytes) : length;
    if (!scan->length) scan->length = 1; // a stray comma: the parser refuses it
    return !open;
}

// ---- parsing

void json_reader_close(struct json_reader *reader) {
    if (reader->tokener) json_tokener_free(reader->tokener);
    text_free(&reader->without);
    *reader = (struct json_reader){0};
}

// Appends lines with one blank for each line break and the next line's indent. The parser skips them more slowly.
static void put_lines(struct text *out, const char *from, const char *to) {
    while (from < to) {
        const char *end = memchr(from, '\n', (size_t)(to - from));
        text_append_n(out, from, (size_t)((end ? end : to) - from));
        if (!end) return;
        text_append_n(out, " ", 1);
        for (from = end; from < to && (*from == '\n' || *from == ' ');) from++;
    }
}

// Sets *out to the value with its skipped arrays counted.
static void leave_out(struct text *out, const struct json_scan *scan) {
    const char *from = scan->bytes;
    out->length = 0;
    for (int i = 0; i < scan->array_count; i++) {
        put_lines(out, from, scan->arrays[i].key);
        text_format(out, "\"%s\":%zu", scan->passed->count_key, scan->arrays[i].count);
        from = scan->arrays[i].end;
    }
    put_lines(out, from, scan->bytes + scan->length);
}

// Removes each member with the comma before it, or for the first member the comma after it.
void json_put_without(struct text *out, const char *bytes, size_t length, const struct json_passed *passed) {
    struct json_scan scan = {.passed = passed};
    json_scan_value(&scan, bytes, length, true);
    const char *from = bytes, *end = bytes + length;
    for (int i = 0; i < scan.array_count; i++) {
        const char *to = scan.arrays[i].key, *behind = json_space_end(scan.arrays[i].end, end);
        while (to > from && strchr(" \n\r\t", to[-1])) to--;
        bool first = to == from || to[-1] != ',';
        put_lines(out, from, first ? to : to - 1);
        from = first && behind < end && *behind == ',' ? behind + 1 : scan.arrays[i].end;
    }
    put_lines(out, from, end);
}

struct json_object *json_reader_parse(
    struct json_reader *reader, const struct json_scan *scan, const char **fault, size_t *line) {
    if (!reader->tokener) reader->tokener = json_tokener_make(JSON_DEEPEST);
    if (!scan->broken_string && scan->length > 1) {
        const struct text *short_form = &reader->without;
        leave_out(&reader->without, scan);
        struct json_object *value =
            json_parse_text(reader->tokener, text_str(short_form), short_form->length, fault, line);
        if (!*fault) return value;
    }
    return json_parse_text(reader->tokener, scan->bytes, scan->length, fault, line); // faults are in the original text
}

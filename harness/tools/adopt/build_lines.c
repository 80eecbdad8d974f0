// SPDX-License-Identifier: Apache-2.0
#include "build_lines.h"
#include "guess.h"

#include "../../base/file.h"
#include "../../base/names.h"
#include "../../base/text.h"

#include <string.h>

enum { MOST_WORDS = 1000, MOST_LINES = 100000 };

struct build_reading {
    struct arena *arena;
    const char *file;
    const char *folder; // for relative paths
    int number;         // of the line, from 1
    const char *words[MOST_WORDS];
    int count;
    struct error *err;
};

static bool fail(struct build_reading *r, const char *expected, const char *found) {
    return error_set(r->err, STATUS_BAD_INPUT, "%s:%d: expected %s, found %s", r->file, r->number, expected, found);
}

// ---- words

// Appends one word, up to an unquoted blank, and moves *at past it. Returns false for an open quote.
static bool take_word(const char **at, const char *end, struct text *out) {
    char quote = 0;
    for (; *at < end && (quote || (**at != ' ' && **at != '\t')); ++*at) {
        const char c = **at;
        if (!quote && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else if (c == '\\' && quote != '\'' && *at + 1 < end) {
            ++*at;
            text_append_n(out, *at, 1);
        } else {
            text_append_n(out, *at, 1);
        }
    }
    return !quote;
}

static bool split(struct build_reading *r, const char *line, const char *end) {
    r->count = 0;
    for (const char *at = line;;) {
        struct text word = {0};
        while (at < end && (*at == ' ' || *at == '\t')) at++;
        if (at == end || (*at == '#' && !r->count)) return true;
        if (r->count == MOST_WORDS) return fail(r, "at most 1000 words", "more");
        const bool closed = take_word(&at, end, &word);
        r->words[r->count++] = arena_take(r->arena, &word);
        if (!closed) return fail(r, "the end of a quoted word", "the end of the line");
    }
}

// ---- a line

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *path_of(const struct build_reading *r, const char *path) {
    return *path == '/' ? path : arena_format(r->arena, "%s/%s", r->folder, path);
}

// The options with a value in the next word.
static const char valued[] = "-x -S -e -MF -MT -MQ --target-env --source-entrypoint";

// Returns whether the value is several whole numbers: "2|4|8".
static bool is_choice(const char *value) {
    return strchr(value, '|') && strspn(value, "0123456789|") == strlen(value) && *value != '|' &&
           !strstr(value, "||") && value[strlen(value) - 1] != '|';
}

static void take_define(struct build_reading *r, const char *value, struct define *define, const char **choice) {
    const char *equals = strchr(value, '=');
    *define = (struct define){.name = equals ? arena_copy_n(r->arena, value, (size_t)(equals - value)) : value,
        .value = equals ? equals + 1 : "1"};
    if (!is_choice(define->value)) return;
    *choice = define->value;
    define->value = arena_copy_n(r->arena, *choice, strcspn(*choice, "|"));
}

// Reads the words after the first. Returns the output's path; NULL: none is given.
static const char *read_options(struct build_reading *r, struct build_line *out) {
    struct define *defines = arena_alloc(r->arena, (size_t)r->count, sizeof *defines);
    const char **choices = arena_alloc(r->arena, (size_t)r->count, sizeof *choices);
    const char **includes = arena_alloc(r->arena, (size_t)r->count, sizeof *includes), *output = NULL;
    for (int i = 1; i < r->count; i++) {
        const char *word = r->words[i], option = word[0] == '-' ? word[1] : '\0';
        const bool apart = (option == 'D' || option == 'I' || option == 'o') && !word[2];
        const char *value = apart ? (i + 1 < r->count ? r->words[++i] : "") : option ? word + 2 : word;
        if (option == 'D' && *value) {
            take_define(r, value, &defines[out->define_count], &choices[out->define_count]);
            out->define_count++;
        } else if (strcmp(word, "-include") == 0 && i + 1 < r->count)
            out->header = path_of(r, r->words[++i]);
        else if (option == 'I' && *value)
            includes[out->include_count++] = path_of(r, value);
        else if (option == 'o' && apart)
            output = value;
        else if (option && guess_among(valued, word, strlen(word)))
            i++;
        else if (!option && *word && !out->path)
            out->path = path_of(r, word);
    }
    out->defines = defines;
    out->choices = choices;
    out->includes = includes;
    return output;
}

static bool read_line(struct build_reading *r, struct build_line *out) {
    const char *output = read_options(r, out);
    if (!out->path) return fail(r, "a shader's file", "none");
    if (!file_exists(out->path)) return fail(r, "a shader's file", out->path);
    if (out->header && !file_exists(out->header)) return fail(r, "the file of -include", out->header);
    out->name = r->words[0];
    const char *program = last_part(r->words[0]);
    if (guess_among("glslc glslangValidator glslang dxc", program, strlen(program))) {
        out->name = last_part(output ? output : out->path);
        const char *dot = strchr(out->name, '.');
        if (dot && dot != out->name) out->name = arena_copy_n(r->arena, out->name, (size_t)(dot - out->name));
    }
    return *out->name || fail(r, "a variant's name", "none");
}

static bool take_line(struct build_reading *r, const char *line, const char *end, struct build_line *out) {
    *out = (struct build_line){0};
    if (!split(r, line, end)) return false;
    if (!r->count) return true;
    if (r->count > 2 || strcmp(r->words[0], "cd") != 0) return read_line(r, out);
    if (r->count == 2) r->folder = path_of(r, r->words[1]);
    return true;
}

bool build_lines_read(
    struct arena *arena, const char *path, struct build_line **out, size_t *count, struct error *err) {
    struct build_reading *r = arena_alloc(arena, 1, sizeof *r);
    struct names seen = {0};
    size_t capacity = 0;
    *r = (struct build_reading){
        .arena = arena, .file = path, .folder = file_folder(arena, path), .number = 1, .err = err};
    const char *at = file_read(arena, path, NULL, err);
    bool ok = at != NULL;
    *out = NULL;
    *count = 0;
    while (ok && *at) {
        const char *line = at, *end = at + strcspn(at, "\r\n");
        struct build_line taken;
        at = end + (*end == '\r' && end[1] == '\n') + (*end != '\0');
        ok = take_line(r, line, end, &taken) && (++r->number < MOST_LINES || fail(r, "at most 100000 lines", "more"));
        if (!ok || !taken.name || names_put(&seen, line, (size_t)(end - line), *count) != *count) continue;
        *out = arena_grow(arena, *out, *count, &capacity, sizeof **out);
        (*out)[(*count)++] = taken;
    }
    names_free(&seen);
    return ok;
}

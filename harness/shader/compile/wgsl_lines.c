// SPDX-License-Identifier: Apache-2.0
#include "wgsl_lines.h"

#include "../../base/file.h"
#include "../../base/text.h"
#include "compile.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MACROS = 1024, MOST_NESTED = 32, MOST_INCLUDES = 64, MOST_BYTES = 16 << 20 };

struct wgsl_reading {
    struct arena *arena;
    const struct shader_request *request;
    struct define macros[MOST_MACROS];
    size_t count, given;                        // given: how many macros are the request's; they are put in later
    bool taken[MOST_NESTED], done[MOST_NESTED]; // the text here is taken; a branch has been
    int nested, included;
    struct text out;
    struct error *err;
};

char *wgsl_substitute(
    struct arena *arena, const char *text, const struct define *defines, size_t define_count, const bool *declared) {
    struct text out = {0};
    while (*text) {
        const size_t length = in_word(*text) ? word_length(text) : 1;
        const char *put = text;
        size_t put_length = length;
        for (size_t i = 0; i < define_count && in_word(*text); i++)
            if (!(declared && declared[i]) && strlen(defines[i].name) == length &&
                memcmp(defines[i].name, text, length) == 0) {
                put = defines[i].value ? defines[i].value : text; // NULL: it is no macro any more
                put_length = put == text ? length : strlen(put);
            }
        text_append_n(&out, put, put_length);
        text += length;
    }
    return arena_take(arena, &out);
}

// ---- conditions

static const struct define *macro_named(const struct wgsl_reading *r, const char *name, size_t length) {
    for (size_t i = r->count; i-- > 0;)
        if (strlen(r->macros[i].name) == length && memcmp(r->macros[i].name, name, length) == 0)
            return r->macros[i].value ? &r->macros[i] : NULL;
    return NULL;
}

static bool skip(const char **at, const char *mark) {
    *at += strspn(*at, " \t");
    if (strncmp(*at, mark, strlen(mark)) != 0) return false;
    *at += strlen(mark);
    return true;
}

static long alternatives(const struct wgsl_reading *r, const char **at, int depth);

// Reads a number, a macro, defined(NAME), or a condition in parentheses. An unknown name is 0.
static long value(const struct wgsl_reading *r, const char **at, int depth) {
    if (depth == MOST_NESTED) return 0;
    if (skip(at, "!")) return !value(r, at, depth + 1);
    if (skip(at, "(")) {
        const long inner = alternatives(r, at, depth + 1);
        skip(at, ")");
        return inner;
    }
    const bool asks = strncmp(*at, "defined", 7) == 0 && !in_word((*at)[7]);
    bool closes = false;
    if (asks) {
        *at += 7;
        closes = skip(at, "(");
        *at += strspn(*at, " \t");
    }
    const char *word = *at;
    const size_t length = word_length(word);
    const struct define *macro = macro_named(r, word, length);
    *at += length ? length : (**at != '\0');
    if (closes) skip(at, ")");
    if (asks) return macro != NULL;
    return macro ? strtol(macro->value, NULL, 0) : strtol(word, NULL, 0);
}

static long comparison(const struct wgsl_reading *r, const char **at, int depth) {
    const long left = value(r, at, depth);
    if (skip(at, "==")) return left == value(r, at, depth);
    if (skip(at, "!=")) return left != value(r, at, depth);
    if (skip(at, "<=")) return left <= value(r, at, depth);
    if (skip(at, ">=")) return left >= value(r, at, depth);
    if (skip(at, "<")) return left < value(r, at, depth);
    if (skip(at, ">")) return left > value(r, at, depth);
    return left;
}

static long alternatives(const struct wgsl_reading *r, const char **at, int depth) {
    bool any = false;
    do {
        bool all = true;
        do {
            all &= comparison(r, at, depth) != 0;
        } while (skip(at, "&&"));
        any |= all;
    } while (skip(at, "||"));
    return any;
}

// ---- lines

static bool fail(const struct wgsl_reading *r, const char *path, int line, const char *why) {
    return error_of_kind(r->err, ERROR_COMPILE, "%s:%d: error: %s", path, line, why);
}

static bool is_taken(const struct wgsl_reading *r) {
    return !r->nested || r->taken[r->nested - 1];
}

// Puts in the macros that the text has defined so far.
static char *with_macros(const struct wgsl_reading *r, const char *text) {
    return wgsl_substitute(r->arena, text, r->macros + r->given, r->count - r->given, NULL);
}

static bool read_text(struct wgsl_reading *r, const char *path, const char *text);

static bool include(struct wgsl_reading *r, const char *path, int line, const char *rest) {
    const char *open = strchr(rest, '"'), *close = open ? strchr(open + 1, '"') : NULL, *text = NULL;
    if (!close) return fail(r, path, line, "expected #include \"FILE\"");
    if (++r->included > MOST_INCLUDES) return fail(r, path, line, "too many files are included");
    const char *name = arena_copy_n(r->arena, open + 1, (size_t)(close - open - 1));
    const char *found = arena_format(r->arena, "%s/%s", file_folder(r->arena, path), name);
    for (size_t i = 0; !file_exists(found) && i < r->request->include_count; i++)
        found = arena_format(r->arena, "%s/%s", r->request->includes[i], name);
    if (!file_exists(found)) return fail(r, path, line, arena_format(r->arena, "there is no file %s", name));
    text = file_read(r->arena, found, NULL, r->err);
    return text && read_text(r, found, text);
}

static bool define(struct wgsl_reading *r, const char *path, int line, const char *rest, bool removes) {
    const size_t length = word_length(rest);
    if (!length || rest[length] == '(' || r->count == MOST_MACROS)
        return fail(r, path, line, "expected a macro without parameters; VKASSAY_WGSL can name a preprocessor");
    const char *value = rest + length + strspn(rest + length, " \t");
    r->macros[r->count] =
        (struct define){.name = arena_copy_n(r->arena, rest, length), .value = removes ? NULL : with_macros(r, value)};
    r->count++;
    return true;
}

static bool branch(struct wgsl_reading *r, const char *path, int line, const char *name, const char *rest) {
    const bool begins = strncmp(name, "if", 2) == 0;
    if (begins && r->nested == MOST_NESTED) return fail(r, path, line, "conditions are nested too deeply");
    if (!begins && !r->nested) return fail(r, path, line, "expected an #if before it");
    if (strcmp(name, "endif") == 0) {
        r->nested--;
        return true;
    }
    const bool outer = begins ? is_taken(r) : r->nested < 2 || r->taken[r->nested - 2];
    bool holds = true; // of #else
    if (strcmp(name, "ifdef") == 0) holds = macro_named(r, rest, word_length(rest));
    if (strcmp(name, "ifndef") == 0) holds = !macro_named(r, rest, word_length(rest));
    if (strcmp(name, "if") == 0 || strcmp(name, "elif") == 0) holds = alternatives(r, &rest, 0) != 0;
    if (begins) r->done[r->nested++] = false;
    const int at = r->nested - 1;
    r->taken[at] = outer && holds && !r->done[at];
    r->done[at] |= r->taken[at];
    return true;
}

static bool read_directive(struct wgsl_reading *r, const char *path, int line, const char *text) {
    text += strspn(text, " \t");
    const size_t length = word_length(text);
    const char *name = arena_copy_n(r->arena, text, length), *rest = text + length + strspn(text + length, " \t");
    static const char *const branches[] = {"if", "ifdef", "ifndef", "elif", "else", "endif"};
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++)
        if (strcmp(name, branches[i]) == 0) return branch(r, path, line, name, rest);
    if (!is_taken(r)) return true;
    if (strcmp(name, "define") == 0 || strcmp(name, "undef") == 0) return define(r, path, line, rest, *name == 'u');
    if (strcmp(name, "include") == 0) return include(r, path, line, rest);
    return fail(r, path, line, arena_format(r->arena, "#%s is not known", name));
}

static bool read_text(struct wgsl_reading *r, const char *path, const char *text) {
    for (int line = 1; *text; line++) {
        const size_t length = strcspn(text, "\n"), start = strspn(text, " \t");
        const char *own = arena_copy_n(r->arena, text, length - (length && text[length - 1] == '\r'));
        if (text[start] == '#' && start < length) {
            if (!read_directive(r, path, line, own + start + 1)) return false;
        } else if (is_taken(r)) {
            text_append(&r->out, with_macros(r, own));
        }
        text_append(&r->out, "\n");
        if (r->out.length > MOST_BYTES) return fail(r, path, line, "the text is too long");
        text += length + (text[length] == '\n');
    }
    return true;
}

char *wgsl_lines(struct arena *arena, const struct shader_request *request, const char *text, struct error *err) {
    bool any = false;
    for (const char *at = text; at && !any; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        any = at[strspn(at, " \t")] == '#';
    if (!any) return arena_copy(arena, text);
    struct wgsl_reading *r = arena_alloc(arena, 1, sizeof *r);
    *r = (struct wgsl_reading){.arena = arena, .request = request, .err = err};
    for (size_t i = 0; i < request->define_count && r->count < MOST_MACROS; i++)
        if (!request->defines[i].declared) r->macros[r->count++] = request->defines[i];
    r->given = r->count;
    const bool ok =
        read_text(r, request->path, text) && (!r->nested || fail(r, request->path, 1, "an #if has no #endif"));
    if (ok) return arena_take(arena, &r->out);
    text_free(&r->out);
    return NULL;
}

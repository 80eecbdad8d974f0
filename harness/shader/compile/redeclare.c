// SPDX-License-Identifier: Apache-2.0
#include "redeclare.h"

#include "../../base/text.h"
#include "compile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct rewriting {
    enum language language;
    const struct define *defines;
    size_t count;
    bool *found;
    struct text out;
    struct text *names; // NULL: not wanted
    long id;            // of the preceding @id; -1: none
    const char *unset;  // the first override without any value; NULL: there is none
};

// ---- reading

static bool is_word(const char *at, size_t length, const char *word) {
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

// Returns the length of the comment that begins at `at`; 0: none does. Comments of WGSL nest.
static size_t comment_length(const char *at, bool nests) {
    size_t length = 2;
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*')) return 0;
    if (at[1] == '/') return strcspn(at, "\n");
    for (int depth = 1; depth && at[length]; length++) {
        if (at[length] == '*' && at[length + 1] == '/') {
            depth--;
            length++;
        } else if (nests && at[length] == '/' && at[length + 1] == '*') {
            depth++;
            length++;
        }
    }
    return length;
}

static const char *skip_space(const struct rewriting *r, const char *at) {
    for (size_t comment = 0;; at += comment) {
        while (isspace((unsigned char)*at)) at++;
        comment = comment_length(at, r->language == LANGUAGE_WGSL);
        if (!comment) return at;
    }
}

// Returns the end of an expression: a ; or a comma outside brackets.
static const char *expression_end(const char *at) {
    int depth = 0;
    for (; *at && *at != ';'; at++) {
        if (strchr("([{", *at)) depth++;
        if (strchr(")]}", *at)) depth--;
        if (*at == ',' && depth == 0) break;
    }
    return at;
}

// ---- values

static bool is_number(const char *value) {
    char *end;
    strtod(value, &end);
    return end != value && !*end;
}

// Returns the type of an initialiser without a declared type, from its spelling.
static const char *type_of(const char *from, const char *end) {
    while (end > from && isspace((unsigned char)end[-1])) end--;
    if (end == from) return "";
    if (is_word(from, (size_t)(end - from), "true") || is_word(from, (size_t)(end - from), "false")) return "bool";
    if (end[-1] == 'u' || end[-1] == 'U') return "u32";
    if (end[-1] == 'i') return "i32";
    if (end[-1] == 'h') return "f16";
    for (const char *c = from; c < end; c++)
        if (*c == '.') return "f32";
    return "";
}

static bool is_any_of(const char *type, const char *const *names) {
    while (*names && strcmp(type, *names) != 0) names++;
    return *names;
}

static void put_value(struct rewriting *r, const char *type, const char *value) {
    static const char *const unsigneds[] = {"u32", "uint", "uint32_t", NULL}, *const reals[] = {"f32", "float", NULL};
    const bool point = strpbrk(value, ".eE"), wgsl = r->language == LANGUAGE_WGSL;
    text_append(
        &r->out, is_number(value) && strcmp(type, "bool") == 0 ? strtod(value, NULL) != 0 ? "true" : "false" : value);
    if (!is_number(value)) return;
    if (is_any_of(type, unsigneds) && !point) text_append(&r->out, "u");
    if (is_any_of(type, reals) && !point) text_append(&r->out, ".0");
    if (wgsl && strcmp(type, "f16") == 0) text_append(&r->out, "h");
}

// Returns the new value for a constant; NULL: it keeps its own.
static const char *value_for(struct rewriting *r, const char *name, size_t length) {
    for (size_t i = 0; i < r->count; i++) {
        const struct define *define = &r->defines[i];
        bool by_id = r->language == LANGUAGE_WGSL && r->id > 0 && define->id == r->id;
        if (!by_id && !is_word(name, length, define->name)) continue;
        r->found[i] = true;
        return define->value;
    }
    return NULL;
}

static void note_name(struct rewriting *r, const char *name, size_t length) {
    if (r->names) text_format(r->names, "%s%.*s", r->names->length ? ", " : "", (int)length, name);
}

// ---- declarations: each function returns where reading goes on; NULL: this is no such declaration

// const NAME [: TYPE] [= VALUE];
static const char *rewrite_wgsl(struct rewriting *r, const char *at, size_t keyword) {
    const bool override = is_word(at, keyword, "override");
    const char *name = skip_space(r, at + keyword), *type = "", *value = NULL;
    const size_t length = word_length(name);
    const char *end = skip_space(r, name + length), *typed = NULL;
    if (!length || !strchr(":=;", *end) || !*end) return NULL;
    struct text own = {0};
    if (*end == ':') {
        typed = skip_space(r, end + 1);
        text_append_n(&own, typed, word_length(typed));
        type = text_str(&own);
        end = typed + strcspn(typed, "=;");
    }
    const char *first = *end == '=' ? skip_space(r, end + 1) : end, *stop = expression_end(first);
    if (!typed) type = type_of(first, stop);
    note_name(r, name, length);
    value = value_for(r, name, length);
    if (override && !value && first == stop && !r->unset) r->unset = name;
    if (override || value) {
        text_format(&r->out, "const %.*s", (int)length, name);
        if (typed) text_format(&r->out, ": %.*s", (int)strcspn(typed, " \t\r\n=;/"), typed);
        text_append(&r->out, *end == '=' || value ? " = " : "");
        if (value)
            put_value(r, type, value);
        else
            text_append_n(&r->out, first, (size_t)(stop - first));
    }
    text_free(&own);
    return override || value ? stop : NULL;
}

// Rewrites one of "NAME = VALUE, ..." after the type; NULL: this is none.
static const char *rewrite_declarator(struct rewriting *r, const char *name, const char *type) {
    const size_t length = word_length(name);
    const char *equals = skip_space(r, name + length);
    if (!length || *equals != '=' || equals[1] == '=') return NULL;
    const char *first = skip_space(r, equals + 1), *stop = expression_end(first);
    note_name(r, name, length);
    const char *value = value_for(r, name, length);
    text_append_n(&r->out, name, (size_t)(first - name));
    if (value)
        put_value(r, type, value);
    else
        text_append_n(&r->out, first, (size_t)(stop - first));
    return stop;
}

// const [highp] TYPE NAME = VALUE, NAME = VALUE;
static const char *rewrite_c(struct rewriting *r, const char *at, size_t keyword) {
    const char *type = skip_space(r, at + keyword), *name = type;
    for (const char *next; (next = skip_space(r, name + word_length(name))), in_word(*next) && word_length(name);) {
        type = name;
        name = next;
    }
    const char *equals = skip_space(r, name + word_length(name));
    if (type == name || *equals != '=' || equals[1] == '=') return NULL;
    struct text own = {0};
    text_append_n(&own, type, word_length(type));
    text_append_n(&r->out, at, (size_t)(name - at));
    const char *end = rewrite_declarator(r, name, text_str(&own));
    while (*end == ',') {
        const char *next = skip_space(r, end + 1);
        text_append_n(&r->out, end, (size_t)(next - end));
        end = rewrite_declarator(r, next, text_str(&own));
        if (!end) {
            end = next;
            break;
        }
    }
    text_free(&own);
    return end;
}

// #define NAME VALUE
static const char *rewrite_macro(struct rewriting *r, const char *at) {
    const char *word = at + 1 + strspn(at + 1, " \t"), *name;
    size_t length = word_length(word);
    if (!is_word(word, length, "define")) return NULL;
    name = word + length + strspn(word + length, " \t");
    length = word_length(name);
    if (!length || !name[length] || !strchr(" \t", name[length])) return NULL;
    note_name(r, name, length);
    const char *value = value_for(r, name, length), *end = name + length;
    if (!value) return NULL;
    while (*end && *end != '\n') end += end[0] == '\\' && end[1] ? 2 : 1;
    text_append_n(&r->out, at, (size_t)(name + length - at));
    text_format(&r->out, " %s", value);
    return end;
}

// Drops @id(7), because a const cannot have it.
static const char *drop_id(struct rewriting *r, const char *at) {
    const char *word = skip_space(r, at + 1), *open = skip_space(r, word + word_length(word)), *close;
    if (!is_word(word, word_length(word), "id") || *open != '(' || !(close = strchr(open, ')'))) return NULL;
    r->id = strtol(open + 1, NULL, 10);
    return close + 1;
}

// ---- the text

static const char *rewrite_one(struct rewriting *r, const char *at, size_t word) {
    const bool wgsl = r->language == LANGUAGE_WGSL;
    if (wgsl && *at == '@') return drop_id(r, at);
    if (!wgsl && *at == '#') return rewrite_macro(r, at);
    if (!is_word(at, word, "const") && !(wgsl && is_word(at, word, "override"))) return NULL;
    const char *end = (wgsl ? rewrite_wgsl : rewrite_c)(r, at, word);
    r->id = -1;
    return end;
}

static void rewrite(struct rewriting *r, const char *text) {
    for (const char *at = text, *end; *at; at = end) {
        const size_t comment = comment_length(at, r->language == LANGUAGE_WGSL), word = word_length(at);
        end = comment ? NULL : rewrite_one(r, at, word);
        if (!end) {
            end = at + (comment ? comment : word ? word : 1);
            text_append_n(&r->out, at, (size_t)(end - at));
        }
    }
}

char *redeclare(struct arena *arena, enum language language, const char *text, const struct define *defines,
    size_t count, bool *found, const char **unset) {
    struct rewriting r = {language, defines, count, found, {0}, NULL, -1, NULL};
    memset(found, 0, count * sizeof *found);
    rewrite(&r, text);
    *unset = r.unset ? arena_copy_n(arena, r.unset, word_length(r.unset)) : NULL;
    return arena_take(arena, &r.out);
}

const char *redeclare_names(struct arena *arena, enum language language, const char *text) {
    struct text names = {0};
    struct rewriting r = {language, NULL, 0, NULL, {0}, &names, -1, NULL};
    rewrite(&r, text);
    text_free(&r.out);
    return arena_take(arena, &names);
}

// SPDX-License-Identifier: Apache-2.0
// Names in the text of a WGSL shader: resources, the members of their structures, and overrides. Text not understood
// here is skipped, because the compiler reads the shader anyway. Sizes and alignments follow the WGSL specification,
// "Alignment and Size".
#include "guess.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 200000, MOST_NESTED = 8, MOST_VISITS = 20000 };

struct token {
    const char *text;
    size_t length;
};
struct wgsl {
    struct arena *arena;
    struct token *tokens; // followed by an empty one
    size_t count;
    int *visits; // of types, limited so that nested structures end
};

static void read_tokens(struct wgsl *w, const char *text) {
    size_t room = strlen(text) + 1;
    w->tokens = arena_alloc(w->arena, room < MOST_TOKENS ? room + 1 : MOST_TOKENS + 1, sizeof *w->tokens);
    while (*text && w->count < MOST_TOKENS) {
        size_t length = 1;
        if (isspace((unsigned char)*text)) {
            text++;
            continue;
        }
        if (*text == '/' && text[1] == '/') {
            text += strcspn(text, "\n");
            continue;
        }
        if (*text == '/' && text[1] == '*') {
            const char *end = strstr(text + 2, "*/");
            text = end ? end + 2 : text + strlen(text);
            continue;
        }
        if (isalnum((unsigned char)*text) || *text == '_')
            while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
        w->tokens[w->count++] = (struct token){text, length};
        text += length;
    }
    w->tokens[w->count] = (struct token){"", 0};
}

static bool is(const struct wgsl *w, size_t at, const char *word) {
    return at < w->count && w->tokens[at].length == strlen(word) &&
           memcmp(w->tokens[at].text, word, w->tokens[at].length) == 0;
}

static bool is_word(const struct wgsl *w, size_t at) {
    return at < w->count && (isalpha((unsigned char)*w->tokens[at].text) || *w->tokens[at].text == '_');
}

static const char *word_at(const struct wgsl *w, size_t at) {
    return arena_copy_n(w->arena, w->tokens[at].text, w->tokens[at].length);
}

// Returns the place after the bracket that closes the one at `at`.
static size_t past_bracket(const struct wgsl *w, size_t at) {
    int depth = 0;
    for (; at < w->count; at++) {
        depth += is(w, at, "(") || is(w, at, "<") || is(w, at, "{");
        depth -= is(w, at, ")") || is(w, at, ">") || is(w, at, "}");
        if (depth <= 0) return at + 1;
    }
    return at;
}

static size_t past_attributes(const struct wgsl *w, size_t at) {
    while (is(w, at, "@")) {
        at += 2;
        if (is(w, at, "(")) at = past_bracket(w, at);
    }
    return at;
}

// ---- types

struct extent {
    uint64_t size, align; // 0: unknown
};

static struct extent lay_type(
    const struct wgsl *w, size_t at, uint64_t offset, const char *name, const char **names, int depth);

static uint64_t round_up(uint64_t value, uint64_t to) {
    return to ? (value + to - 1) / to * to : value;
}

static size_t find_struct(const struct wgsl *w, size_t name) {
    for (size_t at = 0; at + 2 < w->count; at++)
        if (is(w, at, "struct") && is(w, at + 2, "{") && w->tokens[at + 1].length == w->tokens[name].length &&
            memcmp(w->tokens[at + 1].text, w->tokens[name].text, w->tokens[name].length) == 0)
            return at + 3;
    return w->count;
}

// Lays out the members from `at` on. A first walk without names finds their alignments.
static struct extent lay_struct(const struct wgsl *w, size_t at, uint64_t offset, const char **names, int depth) {
    struct extent all = {0, 1};
    while (at < w->count && !is(w, at, "}")) {
        at = past_attributes(w, at);
        if (!is_word(w, at) || !is(w, at + 1, ":")) break;
        const struct extent member = lay_type(w, at + 2, 0, NULL, NULL, depth + 1);
        if (!member.size) return (struct extent){0};
        all.size = round_up(all.size, member.align);
        if (names) lay_type(w, at + 2, offset + all.size, word_at(w, at), names, depth + 1);
        all.size += member.size;
        if (member.align > all.align) all.align = member.align;
        at += 3;
        if (is(w, at, "<")) at = past_bracket(w, at);
        if (is(w, at, ",")) at++;
    }
    all.size = round_up(all.size, all.align);
    return all;
}

static struct extent lay_vector(const struct wgsl *w, size_t at) {
    const struct token *t = &w->tokens[at];
    const uint64_t parts = (uint64_t)(t->text[3] - '0');
    const bool half = t->length > 4 ? t->text[4] == 'h' : is(w, at + 2, "f16");
    const uint64_t bytes = half ? 2 : 4;
    return (struct extent){parts * bytes, (parts == 3 ? 4 : parts) * bytes};
}

static struct extent lay_array(
    const struct wgsl *w, size_t at, uint64_t offset, const char *name, const char **names, int depth) {
    const struct extent element = lay_type(w, at + 2, offset, name, names, depth + 1);
    const uint64_t stride = round_up(element.size, element.align);
    size_t comma = at + 3;
    if (is(w, comma, "<")) comma = past_bracket(w, comma);
    const uint64_t count = is(w, comma, ",") ? strtoull(w->tokens[comma + 1].text, NULL, 10) : 0;
    for (uint64_t i = 1; names && i < count && i < INTERFACE_WORDS; i++)
        lay_type(w, at + 2, offset + i * stride, name, names, depth + 1);
    return (struct extent){stride * (count < 4096 ? count : 0), element.align};
}

static struct extent lay_type(
    const struct wgsl *w, size_t at, uint64_t offset, const char *name, const char **names, int depth) {
    const struct token *t = &w->tokens[at];
    struct extent out = {0};
    if (depth > MOST_NESTED || ++*w->visits > MOST_VISITS) return out;
    if (is(w, at, "array") && is(w, at + 1, "<")) return lay_array(w, at, offset, name, names, depth);
    if (is(w, at, "u32") || is(w, at, "i32") || is(w, at, "f32")) out = (struct extent){4, 4};
    if (is(w, at, "f16")) out = (struct extent){2, 2};
    if (t->length >= 4 && memcmp(t->text, "vec", 3) == 0 && strchr("234", t->text[3])) out = lay_vector(w, at);
    if (out.size) {
        for (uint64_t word = offset / 4; names && word < INTERFACE_WORDS && word * 4 < offset + out.size; word++)
            names[word] = name;
        return out;
    }
    return lay_struct(w, find_struct(w, at), offset, names, depth);
}

// ---- variables

static void name_resource(const struct wgsl *w, uint32_t set, uint32_t binding, size_t name, struct reflection *out) {
    for (int i = 0; i < out->shader.binding_count; i++) {
        struct shader_binding *b = &out->shader.bindings[i];
        if (b->set == set && b->binding == binding && !*b->name) b->name = word_at(w, name);
    }
    for (int i = 0; i < out->block_count; i++) {
        struct reflected_block *block = &out->blocks[i];
        if (!block->push && block->set == set && block->binding == binding && !*block->names[0])
            lay_type(w, name + 2, 0, word_at(w, name), block->names, 0);
    }
}

// Reads "@group(0) @binding(1) var<...> name: type", with its attributes in any order.
static void read_resource(const struct wgsl *w, size_t at, struct reflection *out) {
    uint32_t set = 0, binding = 0;
    bool placed = false;
    while (is(w, at, "@")) {
        const uint32_t number = is(w, at + 2, "(") ? (uint32_t)strtoul(w->tokens[at + 3].text, NULL, 10) : 0;
        if (is(w, at + 1, "group")) set = number;
        if (is(w, at + 1, "binding")) binding = number;
        placed |= is(w, at + 1, "binding");
        at += 2;
        if (is(w, at, "(")) at = past_bracket(w, at);
    }
    if (!placed || !is(w, at, "var")) return;
    at++;
    if (is(w, at, "<")) at = past_bracket(w, at);
    if (is_word(w, at) && is(w, at + 1, ":")) name_resource(w, set, binding, at, out);
}

// Reads "@id(3) override NAME: u32 = 64;" if it is an integer; others keep their defaults. One without a value is 1.
// The overrides in the text replace the constants kept in the SPIR-V.
static void read_override(const struct wgsl *w, size_t at, struct reflection *out) {
    if (!is_word(w, at + 1) || out->constant_count == REFLECTED_CONSTANTS) return;
    size_t value = at + 2;
    while (value < w->count && !is(w, value, "=") && !is(w, value, ";")) value++;
    if (value == w->count || is(w, at + 3, "f32") || is(w, at + 3, "f16") || is(w, at + 3, "bool")) return;
    out->constants[out->constant_count++] = (struct reflected_constant){.name = word_at(w, at + 1),
        .kind = 'i',
        .standard = is(w, value, "=") ? (uint32_t)strtoul(w->tokens[value + 1].text, NULL, 0) : 1};
}

// Reads "@workgroup_size(WG, 4) fn NAME".
static void read_sizes(const struct wgsl *w, size_t at, struct reflection *out) {
    const char *names[3] = {0};
    size_t past = at + 1, word = at + 2;
    while (is(w, past, "(") || is(w, past, "@"))
        past = is(w, past, "(") ? past_bracket(w, past) : past_attributes(w, past);
    if (!is(w, past, "fn") || !is(w, past + 1, out->entry)) return;
    for (int axis = 0; axis < 3; axis++, word += 2) {
        if (is_word(w, word)) names[axis] = word_at(w, word);
        if (!is(w, word + 1, ",")) break;
    }
    memcpy(out->size_names, names, sizeof names);
}

void reflection_name_wgsl(struct arena *arena, const char *text, struct reflection *out) {
    int visits = 0;
    struct wgsl w = {.arena = arena, .visits = &visits};
    out->constant_count = 0;
    read_tokens(&w, text);
    for (size_t at = 0; at < w.count; at++) {
        if (is(&w, at, "@") && (!at || !is(&w, at - 1, ")"))) read_resource(&w, at, out);
        if (is(&w, at, "override")) read_override(&w, at, out);
        if (is(&w, at, "workgroup_size") && is(&w, at + 1, "(")) read_sizes(&w, at, out);
    }
}

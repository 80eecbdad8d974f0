// SPDX-License-Identifier: Apache-2.0
#include "guess.h"

#include "../../base/file.h"
#include "../../shader/spirv/changes.h"
#include "../../shader/spirv/spirv.h"

#include <ctype.h>
#include <string.h>

enum { MOST_ENTRIES = 64, ALL = 7 };
enum { UNPACK_HALF = 62 }; // unpackHalf2x16 of GLSL.std.450

static const char *text_at(const uint32_t *i, uint32_t word) {
    return (const char *)(i + word); // strings end within their instruction: interface_read has checked it
}

static int entries_of(struct arena *arena, const struct spirv *spirv, const char *names[MOST_ENTRIES]) {
    int count = 0;
    for (size_t at = 0; spirv_next(spirv->words, spirv->count, &at);) {
        const uint32_t *i = &spirv->words[at];
        if (spirv_op(i) != SpvOpEntryPoint || spirv_length(i) < 4 || i[1] != SpvExecutionModelGLCompute) continue;
        const size_t room = (spirv_length(i) - 3) * 4;
        if (count < MOST_ENTRIES && memchr(text_at(i, 3), 0, room)) names[count++] = arena_copy(arena, text_at(i, 3));
    }
    return count;
}

// ---- built-in variables

static const uint32_t *constant_at(const struct spirv *spirv, uint32_t id) {
    for (size_t at = 0; spirv_next(spirv->words, spirv->count, &at);)
        if (spirv_op(&spirv->words[at]) == SpvOpConstant && spirv_length(&spirv->words[at]) > 3 &&
            spirv->words[at + 2] == id)
            return &spirv->words[at];
    return NULL;
}

static uint32_t bit_of(uint32_t component) {
    return component < 3 ? 1u << component : ALL;
}

// Returns the components of a loaded value used by the code, as bits.
static uint32_t parts_used(const struct spirv *spirv, uint32_t value) {
    uint32_t used = 0;
    for (size_t at = 0; spirv_next(spirv->words, spirv->count, &at);) {
        const uint32_t *i = &spirv->words[at], length = spirv_length(i);
        if (spirv_op(i) == SpvOpCompositeExtract && length > 4 && i[3] == value) {
            used |= bit_of(i[4]);
        } else if (spirv_op(i) == SpvOpVectorShuffle && length > 5 && i[3] == value) {
            for (uint32_t word = 5; word < length; word++) used |= i[word] < 3 ? bit_of(i[word]) : 0;
        } else if (spirv_op(i) == SpvOpStore || spirv_op(i) == SpvOpFunctionCall ||
                   spirv_op(i) == SpvOpCompositeConstruct) {
            for (uint32_t word = 2; word < length; word++) used |= i[word] == value ? ALL : 0;
        }
    }
    return used;
}

static uint32_t components_used(const struct spirv *spirv, uint32_t variable) {
    uint32_t used = 0;
    for (size_t at = 0; spirv_next(spirv->words, spirv->count, &at);) {
        const uint32_t *i = &spirv->words[at];
        if (spirv_op(i) == SpvOpAccessChain && spirv_length(i) > 4 && i[3] == variable) {
            const uint32_t *index = constant_at(spirv, i[4]);
            used |= index ? bit_of(index[3]) : ALL;
        } else if (spirv_op(i) == SpvOpLoad && spirv_length(i) > 3 && i[3] == variable) {
            used |= parts_used(spirv, i[2]);
        }
    }
    return used;
}

static void read_builtins(const struct spirv *spirv, struct reflection *out) {
    for (size_t at = 0; spirv_next(spirv->words, spirv->count, &at);) {
        const uint32_t *i = &spirv->words[at];
        if (spirv_op(i) == SpvOpVariable && spirv_length(i) > 3) out->shares |= i[3] == SpvStorageClassWorkgroup;
        if (spirv_op(i) != SpvOpDecorate || spirv_length(i) < 4 || i[2] != SpvDecorationBuiltIn) continue;
        if (i[3] == SpvBuiltInGlobalInvocationId) out->global |= components_used(spirv, i[1]);
        if (i[3] == SpvBuiltInWorkgroupId) out->group |= components_used(spirv, i[1]);
        if (i[3] == SpvBuiltInNumWorkgroups) out->counts_groups |= components_used(spirv, i[1]) != 0;
    }
}

// ---- types

static bool computes(uint32_t op) {
    switch (op) {
    case SpvOpExtInst:
    case SpvOpFNegate:
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
    case SpvOpDot:
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesVector:
        return true;
    default:
        return false;
    }
}

// Types of 16-bit floats: a scalar and its vectors.
struct half_types {
    uint32_t ids[8];
    size_t count;
};

static bool is_half(const struct half_types *halves, uint32_t id) {
    for (size_t i = 0; i < halves->count; i++)
        if (halves->ids[i] == id) return true;
    return false;
}

// Types are declared before the functions that use them.
static void read_types(const struct spirv *spirv, struct reflection *out) {
    struct half_types halves = {0};
    for (size_t at = 0; spirv_next(spirv->words, spirv->count, &at);) {
        const uint32_t *i = &spirv->words[at], op = spirv_op(i), length = spirv_length(i);
        out->floats |= op == SpvOpTypeFloat;
        out->unpacks |= op == SpvOpExtInst && length == 6 && i[4] == UNPACK_HALF;
        const bool declares = (op == SpvOpTypeFloat && length == 3 && i[2] == 16) ||
                              (op == SpvOpTypeVector && length > 3 && is_half(&halves, i[2]));
        if (declares && halves.count < sizeof halves.ids / sizeof *halves.ids) halves.ids[halves.count++] = i[1];
        out->halves |= computes(op) && length > 3 && is_half(&halves, i[1]);
    }
}

// ---- constants, blocks

// Takes the constants, except workgroup sizes.
static void read_constants(struct reflection *out) {
    for (int i = 0; i < out->shader.constant_count && out->constant_count < REFLECTED_CONSTANTS; i++) {
        const struct shader_constant *c = &out->shader.constants[i];
        const int64_t *size_id = out->shader.size_id, id = c->id;
        if (id != size_id[0] && id != size_id[1] && id != size_id[2])
            out->constants[out->constant_count++] = (struct reflected_constant){c->name, c->id, c->kind, c->standard};
    }
}

static void add_block(
    struct arena *arena, const struct spirv *spirv, struct reflection *out, struct reflected_block block) {
    if (!block.block->bytes || out->block_count == REFLECTED_BLOCKS) return;
    interface_names(arena, spirv->words, spirv->count, block.push, block.set, block.binding, block.names);
    out->blocks[out->block_count++] = block;
}

// Reads the blocks of parameters. Storage without an array is parameters, unless the shader writes it.
static void read_blocks(struct arena *arena, const struct spirv *spirv, struct reflection *out) {
    add_block(arena, spirv, out, (struct reflected_block){.push = true, .block = &out->shader.push});
    for (int i = 0; i < out->shader.binding_count; i++) {
        const struct shader_binding *b = &out->shader.bindings[i];
        const bool storage = b->kind == SLOT_STORAGE && b->element == ELEMENT_NONE && !b->written;
        if (b->used && (b->kind == SLOT_UNIFORM || storage))
            add_block(arena, spirv, out,
                (struct reflected_block){.storage = storage, .set = b->set, .binding = b->binding, .block = &b->block});
    }
}

static bool read_entry(struct arena *arena, const struct spirv *module, struct reflection *out, struct error *err) {
    struct spirv spirv = *module;
    if (!entry_isolate(arena, &spirv, out->entry, err) ||
        !interface_read(arena, spirv.words, spirv.count, out->entry, &out->shader, err))
        return error_prefix(err, "%s: ", out->path);
    read_builtins(&spirv, out);
    read_types(&spirv, out);
    read_constants(out);
    read_blocks(arena, &spirv, out);
    return true;
}

// Skips blanks and comments.
static const char *past_blanks(const char *at) {
    for (;;) {
        while (isspace((unsigned char)*at)) at++;
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

// Appends the place that naga gives below its reason, as "┌─ shader.wgsl:4:31".
static const char *with_place(struct arena *arena, const char *line, const char *below) {
    const char *mark = strstr(below, "┌─ "), *end = mark ? mark + strcspn(mark, "\n") : NULL, *at = end;
    for (int colons = 0; mark && at > mark && colons < 2;) colons += *--at == ':';
    return mark && *at == ':' ? arena_format(arena, "%s, at %.*s", line, (int)(end - at - 1), at + 1) : line;
}

const char *guess_reason(struct arena *arena, const char *message) {
    for (const char *at = message; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const size_t length = strcspn(at, "\n");
        const char *line = arena_copy_n(arena, at, length);
        if (strcasestr(line, "error")) return with_place(arena, line, at + length);
    }
    return arena_copy_n(arena, message, strcspn(message, "\n"));
}

const char *guess_build_hint(const char *reason) {
    static const char header[] = "; a build may put text before it: see \"Shaders that a build completes\" in "
                                 "kernels/BACKENDS.md",
                      template[] = "; if the text is a template ({{ x }}, ${x}), give init what its program makes of "
                                   "it, or name the program in VKASSAY_WGSL or VKASSAY_GLSL (kernels/BACKENDS.md)",
                      folder[] = "; if a build makes this file or names its folder, do so, and give `-I FOLDER` by "
                                 "`init --defines LINES` (kernels/BACKENDS.md)",
                      macros[] = "; a build may define it: give the macros by `init --defines LINES` "
                                 "(kernels/BACKENDS.md)";
    static const struct {
        const char *says, *hint;
    } hints[] = {
        {"undeclared", macros},
        {"unexpected IDENTIFIER", macros},
        {"no matching overloaded function", macros},
        {"no definition in scope", macros},
        {"unknown type", macros},
        {"require version", header},
        {"#version", header},
        {"found \"{\"", template},
        {"invalid character", template},
        {"'$'", template},
        {"for header name", folder},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strstr(reason, hints[i].says)) return hints[i].hint;
    return "";
}

bool reflection_is_header(struct arena *arena, const char *path) {
    struct error ignored;
    const char *text = shader_language(path) == LANGUAGE_GLSL ? file_read(arena, path, NULL, &ignored) : NULL;
    if (!text || strstr(text, "#version")) return false;
    for (const char *at = past_blanks(text); *at; at = past_blanks(at)) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
        if (length == 4 && memcmp(at, "main", 4) == 0 && *past_blanks(at + 4) == '(') return false;
        at += length ? length : 1;
    }
    return true;
}

// A workgroup's size by a macro of the line is a number.
static void drop_macros(const struct build_line *line, struct reflection *out) {
    for (size_t i = 0; line && i < line->define_count; i++)
        for (int axis = 0; axis < 3; axis++)
            if (out->size_names[axis] && strcmp(out->size_names[axis], line->defines[i].name) == 0)
                out->size_names[axis] = NULL;
}

bool reflection_read(struct arena *arena, const struct shader_request *request, const struct build_line *line,
    struct reflection **out, int *count, struct error *err) {
    struct spirv spirv;
    const char *names[MOST_ENTRIES];
    size_t length;
    if (!shader_make(arena, request, &spirv, err)) return false;
    *count = entries_of(arena, &spirv, names);
    if (!*count) return error_set(err, STATUS_BAD_INPUT, "%s: no compute entry point", request->path);
    *out = arena_alloc(arena, (size_t)*count, sizeof **out);
    for (int i = 0; i < *count; i++) {
        struct reflection *reflection = &(*out)[i];
        *reflection = (struct reflection){.path = request->path,
            .entry = names[i],
            .stem = guess_stem(arena, request->path),
            .variant = line ? line->name : "",
            .line = line,
            .language = shader_language(request->path),
            .unoptimized = spirv.unoptimized,
            .alone = *count == 1};
        if (!read_entry(arena, &spirv, reflection, err)) return false;
        if (reflection->language != LANGUAGE_WGSL) continue;
        const char *text = file_read(arena, request->path, &length, err);
        if (!text) return false;
        reflection_name_wgsl(arena, text, reflection);
        drop_macros(line, reflection);
    }
    return true;
}

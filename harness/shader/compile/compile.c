// SPDX-License-Identifier: Apache-2.0
#include "compile.h"

#include "../../base/clock.h"
#include "../../base/file.h"
#include "../../base/hash.h"
#include "committed.h"
#include "header.h"
#include "hlsl_registers.h"
#include "library.h"
#include "shader.h"

#include <stdio.h>
#include <string.h>

// ---- #include

// Limits far above any shader's needs. They stop files including themselves or each other.
enum { INCLUDE_DEPTH = 32, INCLUDE_FILES = 512, INCLUDE_BYTES = 32 * 1024 * 1024 };

struct includer {
    struct arena *arena;
    const char *const *folders;
    size_t folder_count;
    size_t files, bytes; // so far
    // The shader, then each included file: its path, and its name in #line.
    struct {
        const char *path, *name;
    } known[1 + INCLUDE_FILES];
};

// Returns the path of a file that the compiler knows by its name in #line.
static const char *known_path(const struct includer *includer, const char *name) {
    for (size_t i = includer->files + 1; i-- > 0;)
        if (includer->known[i].name && strcmp(includer->known[i].name, name) == 0) return includer->known[i].path;
    return name;
}

static shaderc_include_result *answer(struct arena *arena, const char *name, const char *content, size_t length) {
    shaderc_include_result *result = arena_alloc(arena, 1, sizeof *result);
    *result = (shaderc_include_result){
        .source_name = name,
        .source_name_length = strlen(name),
        .content = content,
        .content_length = length,
    };
    return result;
}

// Returns a result without a source name; shaderc takes it as a failure, and its content as the reason.
static shaderc_include_result *refuse(struct arena *arena, const char *why) {
    return answer(arena, "", why, strlen(why));
}

static char *join(struct arena *arena, const char *folder, const char *name) {
    return strcmp(folder, ".") == 0 ? arena_copy(arena, name) : arena_format(arena, "%s/%s", folder, name);
}

// Returns the path of the first file found; NULL: there is none.
static char *locate(const struct includer *includer, const char *name, bool beside, const char *includer_path) {
    struct arena *arena = includer->arena;
    char *path;
    if (name[0] == '/') return file_exists(name) ? arena_copy(arena, name) : NULL;
    if (beside) {
        path = join(arena, file_folder(arena, includer_path), name);
        if (file_exists(path)) return path;
    }
    for (size_t i = 0; i < includer->folder_count; i++) {
        path = join(arena, includer->folders[i], name);
        if (file_exists(path)) return path;
    }
    return NULL;
}

// Ends the last line. Compilers refuse an #include there otherwise.
static char *whole_lines(struct arena *arena, char *text, size_t *length) {
    if (!*length || text[*length - 1] == '\n') return text;
    char *whole = arena_alloc(arena, *length + 2, 1);
    memcpy(whole, text, *length);
    whole[(*length)++] = '\n';
    return whole;
}

static shaderc_include_result *resolve(void *user, const char *name, int type, const char *from, size_t depth) {
    struct includer *includer = user;
    struct arena *arena = includer->arena;
    struct error err;
    size_t length;
    if (depth > INCLUDE_DEPTH)
        return refuse(arena,
            arena_format(arena, "includes are nested more than %d deep; does a file include itself?", INCLUDE_DEPTH));
    if (++includer->files > INCLUDE_FILES)
        return refuse(arena, arena_format(arena, "more than %d files are included", INCLUDE_FILES));
    char *path = locate(includer, name, type == shaderc_include_type_relative, known_path(includer, from));
    if (!path)
        return refuse(arena, arena_format(arena, "%s is neither beside the including file nor in %zu include folders",
                                 name, includer->folder_count));
    char *content = file_read(arena, path, &length, &err);
    if (!content) return refuse(arena, arena_copy(arena, err.text));
    includer->bytes += length;
    content = whole_lines(arena, content, &length);
    if (includer->bytes > INCLUDE_BYTES)
        return refuse(arena, arena_format(arena, "more than %d bytes are included", INCLUDE_BYTES));
    includer->known[includer->files].path = path;
    includer->known[includer->files].name = line_name(arena, path);
    return answer(arena, includer->known[includer->files].name, content, length);
}

static void release(void *user, shaderc_include_result *result) {
    (void)user;
    (void)result; // the arena owns it
}

// Adds the macros. A line break in a name or a value is refused. It would make one macro two lines of source, and
// shift the lines of every message.
static bool add_defines(
    shaderc_compile_options_t options, const struct define *defines, size_t count, struct error *err) {
    for (size_t i = 0; i < count; i++) {
        const char *name = defines[i].name, *value = defines[i].value;
        if (defines[i].declared) continue;
        if (strpbrk(name, "\r\n") || strpbrk(value, "\r\n") || !*name)
            return error_set(err, STATUS_BAD_INPUT, "macro \"%s\": expected a name and a value on one line", name);
        shaderc_compile_options_add_macro_definition(options, name, strlen(name), value, strlen(value));
    }
    return true;
}

// Refuses old versions: below desktop version 330 the compiler can fail in its own built-in functions, and prints
// them all. (It takes ES versions from 310 on.)
enum { LEAST_VERSION = 310 };
static bool check_version(const char *text, const char *path, struct error *err) {
    int version = 0;
    const char *directive = strstr(text, "#version");
    if (directive) sscanf(directive, "#version %9d", &version);
    return version >= LEAST_VERSION ||
           error_of_kind(err, ERROR_COMPILE, "%s: #version %d: expected \"#version 450\"", path, version);
}

static char *preprocess(struct arena *arena, const struct shader_request *r, const shaderc_compile_options_t options,
    struct spirv *out, struct error *err) {
    const char *path = r->path;
    char *text = NULL, *source = glsl_source(arena, path, err);
    source = source ? header_before(arena, r, source, err) : NULL;
    if (!source) return NULL;
    size_t length = strlen(source);
    source = whole_lines(arena, source, &length);
    source = shader_redeclare(arena, r, source, out);
    if (r->local_size) source = resize_text(arena, shader_language(path), source, r->local_size);
    shaderc_compilation_result_t result = shaderc_compile_into_preprocessed_text(
        library_compiler(), source, strlen(source), shaderc_compute_shader, line_name(arena, path), "main", options);
    if (library_succeeded(result, path, err))
        text = arena_copy_n(arena, shaderc_result_get_bytes(result), shaderc_result_get_length(result));
    shaderc_result_release(result);
    return text ? shader_redeclare_included(arena, r, text, out) : NULL;
}

// Compiles the preprocessed text, not the file again, so exactly the hashed text is compiled. Its #line directives
// keep file and line in messages. Code on which the optimizer fails is compiled without it.
static bool translate(struct arena *arena, const char *path, const char *text, const char *entry,
    shaderc_compile_options_t options, struct spirv *out, struct error *err) {
    shaderc_compilation_result_t result =
        shaderc_compile_into_spv(library_compiler(), text, strlen(text), shaderc_compute_shader, path, entry, options);
    if (result && strstr(shaderc_result_get_error_message(result), "failed to optimize")) {
        shaderc_result_release(result);
        shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_zero);
        result = shaderc_compile_into_spv(
            library_compiler(), text, strlen(text), shaderc_compute_shader, path, entry, options);
        out->unoptimized = true;
    }
    bool ok = library_succeeded(result, path, err);
    if (ok) {
        size_t bytes = shaderc_result_get_length(result);
        out->words = arena_alloc(arena, bytes, 1);
        out->count = bytes / sizeof *out->words;
        memcpy(out->words, shaderc_result_get_bytes(result), bytes);
    }
    shaderc_result_release(result);
    return ok;
}

// Handles a text with an extension that compilers may lack. out->words stays NULL if this compiler is to compile it.
static bool compile_newer(struct arena *arena, const struct shader_request *r, const char *text,
    shaderc_compile_options_t options, struct spirv *out, struct error *err) {
    bool required;
    if (r->commit) return committed_write(arena, r->path, text, out, err);
    const char *unknown = committed_unknown(text, &required);
    shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_zero);
    if (committed_for_13(text)) {
        shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
        shaderc_compile_options_set_target_spirv(options, shaderc_spirv_version_1_6);
    }
    if (!unknown || committed_read(arena, r->path, out, err) || (!required && err->kind == ERROR_SKIP)) return true;
    return error_prefix(err, "the shader compiler lacks %s: ", unknown);
}

// Names the cached code that was made without the optimizer.
static uint64_t unoptimized_key(uint64_t key) {
    return hash_string(key, "unoptimized");
}

static bool read_cache(struct arena *arena, const char *folder, struct spirv *out) {
    const uint64_t key = out->source_hash;
    if (compile_cache_read(arena, folder, out)) return true;
    out->source_hash = unoptimized_key(key);
    out->unoptimized = compile_cache_read(arena, folder, out);
    out->source_hash = key;
    return out->unoptimized;
}

// Gives each kind of registers bindings of its own.
static void keep_registers_apart(const char *text, shaderc_compile_options_t options, struct spirv *out) {
    static const shaderc_uniform_kind kinds[HLSL_REGISTERS] = {[HLSL_T] = shaderc_uniform_kind_texture,
        [HLSL_U] = shaderc_uniform_kind_unordered_access_view,
        [HLSL_B] = shaderc_uniform_kind_buffer};
    uint32_t from[HLSL_REGISTERS];
    if (!hlsl_registers(text, from)) return;
    shaderc_compile_options_set_hlsl_io_mapping(options, true);
    for (int i = 0; i < HLSL_REGISTERS; i++) shaderc_compile_options_set_binding_base(options, kinds[i], from[i]);
    out->source_hash = hash_bytes(out->source_hash, from, sizeof from);
}

static bool compile(struct arena *arena, const struct shader_request *r, bool hlsl,
    shaderc_compile_options_t with_defines, shaderc_compile_options_t plain, struct spirv *out, struct error *err) {
    if (!add_defines(with_defines, r->defines, r->define_count, err)) return error_prefix(err, "%s: ", r->path);
    char *text = preprocess(arena, r, with_defines, out, err);
    if (!text || (!hlsl && !check_version(text, r->path, err))) return false;
    out->source_hash = source_hash(text);
    if (hlsl) {
        out->source_hash = hash_string(out->source_hash, r->entry);
        keep_registers_apart(text, plain, out);
    }
    if (r->only_hash) return true;
    out->any_device = !hlsl && committed_kind(text);
    if (r->commit && !out->any_device) return true; // it needs no file beside the source
    if (out->any_device && (!compile_newer(arena, r, text, plain, out, err) || out->words)) return out->words != NULL;
    const uint64_t source = out->source_hash;
    if (r->lines) { // the tokens do not have line numbers, but the cached file has
        shaderc_compile_options_set_generate_debug_info(plain);
        out->source_hash = hash_string(source, text);
    }
    const bool found = read_cache(arena, r->cache_folder, out);
    const bool made =
        found || translate(arena, line_name(arena, r->path), text, hlsl ? r->entry : "main", plain, out, err);
    if (made && !found) {
        if (out->unoptimized) out->source_hash = unoptimized_key(out->source_hash);
        compile_cache_write(r->cache_folder, out);
    }
    out->source_hash = source; // a result names the source, however it was compiled
    return made;
}

bool compile_source(struct arena *arena, const struct shader_request *r, struct spirv *out, struct error *err) {
    int64_t start = clock_ns();
    bool hlsl = shader_language(r->path) == LANGUAGE_HLSL;
    struct arena scratch = {0}; // the contents of includes
    struct includer includer = {.arena = &scratch,
        .folders = r->includes,
        .folder_count = r->include_count,
        .known = {{r->path, line_name(&scratch, r->path)}}};
    *out = (struct spirv){0};
    shaderc_compile_options_t with_defines = library_options(hlsl, err), plain = library_options(hlsl, err);
    bool ok = with_defines && plain;
    if (ok) {
        shaderc_compile_options_set_include_callbacks(with_defines, resolve, release, &includer);
        ok = compile(arena, r, hlsl, with_defines, plain, out, err);
    }
    if (with_defines) shaderc_compile_options_release(with_defines);
    if (plain) shaderc_compile_options_release(plain);
    arena_free(&scratch);
    out->ns = clock_ns() - start;
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
#include "interface.h"

#include "../../base/text.h"
#include "barriers.h"
#include "module.h"

#include <string.h>

// ---- entry point and workgroup size

static bool read_entry(
    struct arena *arena, const struct module *m, const char *wanted, uint32_t *entry, struct error *err) {
    const uint32_t *found = module_entry(m, wanted);
    if (found) {
        *entry = found[2];
        return true;
    }
    struct text others = {0};
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        const uint32_t *i = &m->words[at];
        if (spirv_op(i) == SpvOpEntryPoint && spirv_length(i) > 3 && i[1] == SpvExecutionModelGLCompute)
            text_format(&others, "%s%s", others.length ? ", " : "", module_text(i, 3));
    }
    if (!others.length) return error_set(err, STATUS_BAD_INPUT, "the module has no compute entry point");
    return error_set(err, STATUS_BAD_INPUT, "the module has no compute entry point \"%s\"; it has %s", wanted,
        arena_take(arena, &others));
}

// Reads the size on one axis from a constant.
static bool size_of(const struct module *m, uint32_t constant, int axis, struct shader_interface *out) {
    const uint32_t *literal = module_defined(m, constant, SpvOpConstant, 4);
    const uint32_t *special = module_defined(m, constant, SpvOpSpecConstant, 4);
    if (!literal && !special) return false;
    out->size[axis] = literal ? literal[3] : special[3];
    out->size_id[axis] = special && m->ids[constant].has_spec ? (int64_t)m->ids[constant].spec : -1;
    return true;
}

// Reads the size from a constant decorated WorkgroupSize. It overrides any execution mode (section 3.21, "BuiltIn").
static bool size_by_constant(const struct module *m, struct shader_interface *out) {
    for (uint32_t id = 1; id < m->bound; id++) {
        if (!m->ids[id].workgroup_size) continue;
        const uint32_t *i = module_defined(m, id, SpvOpSpecConstantComposite, 6);
        if (!i) i = module_defined(m, id, SpvOpConstantComposite, 6);
        return i && size_of(m, i[3], 0, out) && size_of(m, i[4], 1, out) && size_of(m, i[5], 2, out);
    }
    return false;
}

static bool size_by_mode(const struct module *m, uint32_t entry, struct shader_interface *out) {
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        const uint32_t *i = &m->words[at];
        uint32_t op = spirv_op(i);
        bool mode = op == SpvOpExecutionMode || op == SpvOpExecutionModeId;
        if (!mode || spirv_length(i) < 6 || i[1] != entry) continue;
        if (op == SpvOpExecutionMode && i[2] == SpvExecutionModeLocalSize) {
            memcpy(out->size, &i[3], sizeof out->size);
            return true;
        }
        if (op == SpvOpExecutionModeId && i[2] == SpvExecutionModeLocalSizeId)
            return size_of(m, i[3], 0, out) && size_of(m, i[4], 1, out) && size_of(m, i[5], 2, out);
    }
    return false;
}

// ---- bindings, push constants

static const char *name_of(struct arena *arena, const struct module *m, uint32_t variable, uint32_t type) {
    const uint32_t ids[2] = {variable, type};
    for (int i = 0; i < 2; i++) {
        uint32_t at = ids[i] < m->bound ? m->ids[ids[i]].name : 0;
        const char *name = at ? module_text(&m->words[at], 2) : "";
        if (*name) return arena_copy(arena, name);
    }
    return "";
}

// Returns the type behind a variable's pointer, inside arrays of descriptors.
static uint32_t pointee(const struct module *m, const uint32_t *variable, bool *many) {
    const uint32_t *pointer = module_defined(m, variable[1], SpvOpTypePointer, 4);
    uint32_t type = pointer ? pointer[3] : 0;
    const uint32_t *array = module_defined(m, type, SpvOpTypeArray, 4);
    if (!array) array = module_defined(m, type, SpvOpTypeRuntimeArray, 3);
    *many = array != NULL;
    return array ? array[2] : type;
}

// Reads words 3 and 7 of an image's type: its dimensions, and 2 for an image without a sampler.
static enum slot_kind kind_of_image(const struct module *m, uint32_t type) {
    const uint32_t *sampled = module_defined(m, type, SpvOpTypeSampledImage, 3);
    const uint32_t *image = module_defined(m, sampled ? sampled[2] : type, SpvOpTypeImage, 9);
    if (!image) return module_defined(m, type, SpvOpTypeSampler, 2) ? SLOT_SAMPLER : SLOT_OTHER;
    if (image[3] == SpvDimBuffer) return SLOT_TEXEL_BUFFER;
    return image[7] == 2 ? SLOT_STORAGE_IMAGE : SLOT_TEXTURE;
}

static enum slot_kind kind_of(const struct module *m, const uint32_t *variable, uint32_t type) {
    bool buffer_block = type < m->bound && m->ids[type].buffer_block;
    if (variable[3] == SpvStorageClassStorageBuffer || (variable[3] == SpvStorageClassUniform && buffer_block))
        return SLOT_STORAGE;
    return variable[3] == SpvStorageClassUniform ? SLOT_UNIFORM : kind_of_image(m, type);
}

static bool add_binding(struct arena *arena, const struct module *m, uint32_t id, const uint32_t *variable,
    struct shader_interface *out, struct error *err) {
    const struct id *known = &m->ids[id];
    if (out->binding_count == INTERFACE_BINDINGS)
        return error_set(err, STATUS_BAD_INPUT, "the shader has more than %d resources", INTERFACE_BINDINGS);
    struct shader_binding *b = &out->bindings[out->binding_count++];
    uint32_t type = pointee(m, variable, &b->many);
    b->set = known->set;
    b->binding = known->binding;
    b->used = known->use & USE_NAMED;
    b->read = known->use & USE_READ;
    b->written = known->use & USE_WRITTEN;
    b->measured = known->use & USE_MEASURED;
    b->kind = kind_of(m, variable, type);
    b->name = name_of(arena, m, id, type);
    const uint32_t *structure = module_defined(m, type, SpvOpTypeStruct, 3);
    const char *member = structure && spirv_length(structure) == 3 ? type_member_name(m, type, 0) : NULL;
    b->member = member ? arena_copy(arena, member) : "";
    if (b->kind <= SLOT_UNIFORM) type_storage(m, type, b);
    return true;
}

static bool read_variables(
    struct arena *arena, const struct module *m, struct shader_interface *out, struct error *err) {
    for (uint32_t id = 1; id < m->bound; id++) {
        const uint32_t *variable = module_defined(m, id, SpvOpVariable, 4);
        if (!variable) continue;
        bool many, used = m->ids[id].use & USE_NAMED;
        if (variable[3] == SpvStorageClassWorkgroup) {
            out->zeroed |= spirv_length(variable) > 4 && used;
        } else if (variable[3] == SpvStorageClassPushConstant) {
            // Prefers the block in use, because a module may declare several blocks of push constants.
            if (used || !out->push.bytes) type_block(m, pointee(m, variable, &many), &out->push);
        } else if (m->ids[id].has_binding && !add_binding(arena, m, id, variable, out, err)) {
            return false;
        }
    }
    return true;
}

// ---- the rest

static char constant_kind(const struct module *m, uint32_t id) {
    const uint32_t *number = module_defined(m, id, SpvOpSpecConstant, 4);
    if (!number)
        return module_defined(m, id, SpvOpSpecConstantTrue, 3) || module_defined(m, id, SpvOpSpecConstantFalse, 3)
                   ? 'b'
                   : '?';
    const uint32_t *integer = module_defined(m, number[1], SpvOpTypeInt, 4);
    const uint32_t *real = module_defined(m, number[1], SpvOpTypeFloat, 3);
    const uint32_t *type = integer ? integer : real;
    return !type || type[2] != 32 ? '?' : integer ? 'i' : 'f';
}

static void read_constants(struct arena *arena, const struct module *m, struct shader_interface *out) {
    for (uint32_t id = 1; id < m->bound && out->constant_count < INTERFACE_CONSTANTS; id++) {
        const uint32_t *value = module_defined(m, id, SpvOpSpecConstant, 4);
        if (!m->ids[id].has_spec) continue;
        out->constants[out->constant_count++] = (struct shader_constant){
            m->ids[id].spec, constant_kind(m, id), value ? value[3] : 0, name_of(arena, m, id, 0)};
    }
}

bool interface_read(struct arena *arena, const uint32_t *words, size_t count, const char *entry,
    struct shader_interface *out, struct error *err) {
    struct module module;
    uint32_t id = 0;
    *out = (struct shader_interface){.size_id = {-1, -1, -1}};
    bool ok = module_open(&module, words, count, err) && read_entry(arena, &module, entry, &id, err);
    if (ok) module_follow(&module);
    if (ok && !size_by_constant(&module, out) && !size_by_mode(&module, id, out))
        ok = error_set(err, STATUS_BAD_INPUT, "entry point \"%s\" has no workgroup size", entry);
    if (ok) {
        read_constants(arena, &module, out);
        for (size_t at = 0; spirv_next(words, module.declarations, &at);)
            if (spirv_op(&words[at]) == SpvOpCapability && spirv_length(&words[at]) > 1 &&
                out->capability_count < INTERFACE_CAPABILITIES)
                out->capabilities[out->capability_count++] = words[at + 1];
        out->parts = barriers_may_part(&module);
        ok = read_variables(arena, &module, out, err);
    }
    module_close(&module);
    return ok;
}

// ---- names of parameters

void interface_names(struct arena *arena, const uint32_t *words, size_t count, bool push, uint32_t set,
    uint32_t binding, const char *names[INTERFACE_WORDS]) {
    struct module m;
    struct error ignored;
    for (int i = 0; i < INTERFACE_WORDS; i++) names[i] = "";
    bool ok = module_open(&m, words, count, &ignored);
    for (uint32_t id = 1; ok && id < m.bound; id++) {
        const uint32_t *variable = module_defined(&m, id, SpvOpVariable, 4);
        bool many;
        if (!variable || (push ? variable[3] != SpvStorageClassPushConstant
                               : !m.ids[id].has_binding || m.ids[id].set != set || m.ids[id].binding != binding))
            continue;
        type_names(&m, pointee(&m, variable, &many), names);
        break;
    }
    for (int i = 0; i < INTERFACE_WORDS; i++) names[i] = *names[i] ? arena_copy(arena, names[i]) : "";
    module_close(&m);
}

// ---- declarations of a module

static void declare(const struct module *m, uint32_t id, const uint32_t *variable, struct shader_declarations *out) {
    struct shader_declared *d = &out->items[out->count];
    bool many;
    uint32_t type = pointee(m, variable, &many);
    *d = (struct shader_declared){.push = variable[3] == SpvStorageClassPushConstant};
    if (!d->push && !m->ids[id].has_binding) return;
    enum slot_kind kind = kind_of(m, variable, type);
    d->set = m->ids[id].set;
    d->binding = m->ids[id].binding;
    d->storage = kind == SLOT_STORAGE && !many;
    if (d->push || kind == SLOT_UNIFORM) type_block(m, type, &d->block);
    out->count++;
}

bool interface_declarations(
    struct arena *arena, const uint32_t *words, size_t count, struct shader_declarations *out, struct error *err) {
    struct module m;
    size_t variables = 0;
    *out = (struct shader_declarations){0};
    bool ok = module_open(&m, words, count, err);
    for (uint32_t id = 1; ok && id < m.bound; id++) variables += module_defined(&m, id, SpvOpVariable, 4) != NULL;
    if (ok) out->items = arena_alloc(arena, variables, sizeof *out->items);
    for (uint32_t id = 1; ok && id < m.bound; id++) {
        const uint32_t *variable = module_defined(&m, id, SpvOpVariable, 4);
        if (variable) declare(&m, id, variable, out);
    }
    module_close(&m);
    return ok;
}

static const struct {
    const char *name, *way;
} kinds[] = {
    [SLOT_STORAGE] = {"a storage buffer", NULL},
    [SLOT_UNIFORM] = {"a uniform buffer", NULL},
    [SLOT_STORAGE_IMAGE] = {"a storage image", "vkassay does not bind images; use the shader's variant for buffers"},
    [SLOT_TEXEL_BUFFER] = {"a texel buffer",
        "vkassay does not bind texel buffers; declare a storage buffer with an array of elements"},
    [SLOT_TEXTURE] = {"a texture", "vkassay does not bind textures; use the shader's variant for buffers"},
    [SLOT_SAMPLER] = {"a sampler", "vkassay does not bind samplers; use the shader's variant for buffers"},
    [SLOT_OTHER] = {"a resource other than a buffer", "vkassay binds only buffers"},
};

const char *binding_kind_name(const struct shader_binding *binding) {
    return binding->many ? "an array of descriptors" : kinds[binding->kind].name;
}

const char *binding_way(const struct shader_binding *binding) {
    return binding->many ? "vkassay does not bind arrays of descriptors; use a variant with one binding for each"
                         : kinds[binding->kind].way;
}

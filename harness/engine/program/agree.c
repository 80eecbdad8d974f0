// SPDX-License-Identifier: Apache-2.0
#include "agree.h"

#include "../../base/text.h"
#include "../../shader/spirv/spirv.h"
#include "../../shader/manifest/dispatches.h"
#include "controls.h"
#include "../../device/device_info.h"

#include <stdio.h>
#include <string.h>

// Skips shaders with float controls unknown to the device. Execution modes name a width; the capabilities do not.
static bool agree_controls(const struct loaded *loaded, const struct device_info *device, struct error *err) {
    static const struct {
        uint32_t bits;
        enum feature rte, specials, denorms;
    } widths[] = {{32, FEATURE_RTE_F32, FEATURE_SPECIALS_F32, FEATURE_DENORMS_F32},
        {16, FEATURE_RTE_F16, FEATURE_SPECIALS_F16, FEATURE_DENORMS_F16}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct policy asks = controls_declared(loaded->spirv.words, loaded->spirv.count, widths[i].bits);
        const struct {
            bool asked;
            enum feature feature;
        } each[] = {{asks.rte, widths[i].rte}, {asks.specials, widths[i].specials}, {asks.denorms, widths[i].denorms}};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            if (each[k].asked && !device->features[each[k].feature])
                return error_of_kind(err, ERROR_SKIP,
                    "the shader declares a float control; the device lacks the feature %s",
                    feature_name(each[k].feature));
    }
    return true;
}

// Capabilities that vkassay enables if the device has their feature. Feature -1: nothing is checked here, and only
// the driver could refuse the shader. Numbers: SPIR-V specification 1.6, 3.31 "Capability". Features: Vulkan
// specification, appendix "Vulkan Environment for SPIR-V", "Capabilities".
#define CAPABILITY(NAME, FEATURE)                                                                                      \
    { SpvCapability##NAME, FEATURE }
static const struct capability {
    uint32_t number;
    int feature;
} capabilities[] = {
    CAPABILITY(Matrix, -1),
    CAPABILITY(Shader, -1),
    CAPABILITY(Float16, FEATURE_FLOAT16),
    CAPABILITY(Float64, FEATURE_FLOAT64),
    CAPABILITY(Int64, FEATURE_INT64),
    CAPABILITY(Int16, FEATURE_INT16),
    CAPABILITY(Int8, FEATURE_INT8),
    CAPABILITY(ImageQuery, -1),
    CAPABILITY(GroupNonUniform, FEATURE_SUBGROUP_BASIC),
    CAPABILITY(GroupNonUniformVote, FEATURE_SUBGROUP_ARITHMETIC),
    CAPABILITY(GroupNonUniformArithmetic, FEATURE_SUBGROUP_ARITHMETIC),
    CAPABILITY(GroupNonUniformBallot, FEATURE_SUBGROUP_BASIC),
    CAPABILITY(GroupNonUniformShuffle, FEATURE_SUBGROUP_SHUFFLE),
    CAPABILITY(GroupNonUniformShuffleRelative, FEATURE_SUBGROUP_SHUFFLE),
    CAPABILITY(GroupNonUniformClustered, FEATURE_SUBGROUP_BASIC),
    CAPABILITY(GroupNonUniformQuad, FEATURE_SUBGROUP_BASIC),
    CAPABILITY(StorageBuffer16BitAccess, FEATURE_STORAGE16),
    CAPABILITY(StorageBuffer8BitAccess, FEATURE_STORAGE8),
    CAPABILITY(DenormPreserve, -1),
    CAPABILITY(SignedZeroInfNanPreserve, -1),
    CAPABILITY(RoundingModeRTE, -1),
    CAPABILITY(ShaderClockKHR, FEATURE_SHADER_CLOCK),
    CAPABILITY(VulkanMemoryModel, -1),
    CAPABILITY(VulkanMemoryModelDeviceScope, -1),
    CAPABILITY(CooperativeMatrixNV, FEATURE_COOPERATIVE_MATRIX_NV),
    {CAPABILITY_COOPERATIVE_MATRIX_KHR, FEATURE_COOPERATIVE_MATRIX_KHR},
    {CAPABILITY_COOPERATIVE_MATRIX_REDUCTIONS_NV, FEATURE_MATRIX2_REDUCTIONS},
    {CAPABILITY_COOPERATIVE_MATRIX_CONVERSIONS_NV, FEATURE_MATRIX2_CONVERSIONS},
    {CAPABILITY_COOPERATIVE_MATRIX_PER_ELEMENT_OPERATIONS_NV, FEATURE_MATRIX2_PER_ELEMENT},
    {CAPABILITY_COOPERATIVE_MATRIX_TENSOR_ADDRESSING_NV, FEATURE_MATRIX2_TENSOR},
    {CAPABILITY_TENSOR_ADDRESSING_NV, FEATURE_MATRIX2_TENSOR},
    {CAPABILITY_COOPERATIVE_MATRIX_BLOCK_LOADS_NV, FEATURE_MATRIX2_BLOCK_LOADS},
    {CAPABILITY_BFLOAT16_TYPE_KHR, FEATURE_BFLOAT16},
    {CAPABILITY_BFLOAT16_DOT_PRODUCT_KHR, FEATURE_BFLOAT16_DOT},
    {CAPABILITY_BFLOAT16_COOPERATIVE_MATRIX_KHR, FEATURE_BFLOAT16_MATRIX},
    {CAPABILITY_FLOAT8_EXT, FEATURE_FLOAT8},
    {CAPABILITY_FLOAT8_COOPERATIVE_MATRIX_EXT, FEATURE_FLOAT8_MATRIX},
    CAPABILITY(DotProduct, FEATURE_INTEGER_DOT),
    CAPABILITY(DotProductInputAll, FEATURE_INTEGER_DOT),
    CAPABILITY(DotProductInput4x8Bit, FEATURE_INTEGER_DOT),
    CAPABILITY(DotProductInput4x8BitPacked, FEATURE_INTEGER_DOT),
    CAPABILITY(PhysicalStorageBufferAddresses, FEATURE_BUFFER_ADDRESS),
    CAPABILITY(AtomicFloat32AddEXT, FEATURE_ATOMIC_FLOAT_ADD),
};

static const struct capability *capability_numbered(uint32_t number) {
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        if (capabilities[i].number == number) return &capabilities[i];
    return NULL;
}

static const char *name_of(struct arena *arena, uint32_t number) {
    const char *name = capability_name(number);
    return name ? name : arena_format(arena, "%u of SPIR-V", number);
}

const char *agree_never_enabled(struct arena *arena, const struct shader_interface *shader) {
    for (int i = 0; i < shader->capability_count; i++)
        if (!capability_numbered(shader->capabilities[i]))
            return arena_format(arena, "the shader declares the capability %s, but vkassay never enables it",
                name_of(arena, shader->capabilities[i]));
    return NULL;
}

static bool agree_capabilities(
    struct arena *arena, const struct loaded *loaded, const struct device_info *device, struct error *err) {
    const char *never = agree_never_enabled(arena, &loaded->shader);
    if (never) return error_of_kind(err, ERROR_SKIP, "%s", never);
    for (int i = 0; i < loaded->shader.capability_count; i++) {
        const uint32_t number = loaded->shader.capabilities[i];
        const int feature = capability_numbered(number)->feature;
        if (feature >= 0 && !device->features[feature])
            return error_of_kind(err, ERROR_SKIP,
                "the shader declares the capability %s; the device lacks the feature %s", name_of(arena, number),
                feature_name((enum feature)feature));
    }
    if (loaded->shader.zeroed && !device->features[FEATURE_ZERO_SHARED])
        return error_of_kind(err, ERROR_SKIP,
            "the shader initialises its shared memory; the device lacks the feature %s",
            feature_name(FEATURE_ZERO_SHARED));
    return true;
}

static bool agree_size(
    const struct point *point, const struct pass *pass, const struct shader_interface *shader, struct error *err) {
    uint32_t wg[3], is[3];
    pass_workgroup(point->kernel, pass, &point->shape, wg);
    bool same = true;
    for (int axis = 0; axis < 3; axis++) {
        is[axis] = shader->size_id[axis] >= 0 ? wg[axis] : shader->size[axis];
        same &= is[axis] == wg[axis];
    }
    if (same) return true;
    return error_set(err, STATUS_BAD_INPUT,
        "workgroup size: %u x %u x %u is fixed in the shader, but the manifest has %u x %u x %u; give the manifest "
        "\"local_size\": [%u, %u, %u] (\"tune\": true tries others), or take the shader's size from WG_X, WG_Y and "
        "WG_Z",
        is[0], is[1], is[2], wg[0], wg[1], wg[2], is[0], is[1], is[2]);
}

// Refuses a tunable whose specialization constant is in no pass: its shapes would not differ.
static bool agree_constants(const struct point *point, const struct loaded *loaded, struct error *err) {
    const struct kernel *kernel = point->kernel;
    for (int t = 0; t < kernel->tunable_count; t++) {
        const struct tunable *tunable = &kernel->tunables[t];
        bool there = tunable->id < 3;
        for (int p = 0; p < kernel->pass_count; p++) {
            const struct shader_interface *shader = &loaded[p].shader;
            there |= shader_language(kernel->passes[p].shader) == LANGUAGE_WGSL; // replaced in the text
            for (int i = 0; i < shader->constant_count; i++) there |= shader->constants[i].id == (uint32_t)tunable->id;
        }
        if (!there)
            return error_set(err, STATUS_BAD_INPUT,
                "tunable %s is specialization constant %d, which the shader does not have", tunable->name, tunable->id);
    }
    return true;
}

// ---- constants by name

static bool has_constant(const struct pass *pass, int index, const struct loaded *loaded, char *kind) {
    *kind = 'i';
    if (loaded->spirv.redeclared & 1u << index) return true;
    for (int i = 0; i < loaded->shader.constant_count; i++) {
        const struct shader_constant *there = &loaded->shader.constants[i];
        if (!constant_is(&pass->constants[index], there->name, there->id)) continue;
        *kind = there->kind;
        return true;
    }
    return false;
}

// Returns whether any pass lists the constant in the manifest and has it in its shader.
static bool is_anywhere(const struct kernel *kernel, const struct loaded *loaded, const char *name) {
    char kind;
    for (int p = 0; p < kernel->pass_count; p++)
        for (int i = 0; i < kernel->passes[p].constant_count; i++)
            if (strcmp(kernel->passes[p].constants[i].name, name) == 0 &&
                has_constant(&kernel->passes[p], i, &loaded[p], &kind))
                return true;
    return false;
}

// Lists candidates for a constant of the manifest: constants of the text and specialization constants.
static const char *constants_there(struct arena *arena, const struct loaded *loaded) {
    struct text text = {0};
    text_append(&text, loaded->spirv.constants ? loaded->spirv.constants : "");
    for (int i = 0; i < loaded->shader.constant_count; i++)
        if (*loaded->shader.constants[i].name)
            text_format(&text, "%s%s", text.length ? ", " : "", loaded->shader.constants[i].name);
    return text.length ? arena_take(arena, &text) : "none by name";
}

static bool agree_named(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err) {
    const struct pass *pass = &point->kernel->passes[index];
    for (int i = 0; i < pass->constant_count; i++) {
        char kind;
        const char *name = pass->constants[i].name;
        double value;
        if (!has_constant(pass, i, &loaded[index], &kind) && !is_anywhere(point->kernel, loaded, name))
            return error_set(err, STATUS_BAD_INPUT, "the shader declares no constant \"%s\"; it has %s", name,
                constants_there(arena, &loaded[index]));
        if (kind == '?')
            return error_set(err, STATUS_BAD_INPUT, "the constant \"%s\" is neither of 32 bits nor a boolean", name);
        if (!constant_value(point->kernel, &pass->constants[i], point->dims, &point->shape, &value))
            return error_set(err, STATUS_BAD_INPUT, "the value of the constant \"%s\" overflows", name);
    }
    return true;
}

// Refuses used bindings without a buffer, wherever they are.
static bool agree_kinds(struct arena *arena, const struct shader_interface *shader, struct error *err) {
    for (int i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *b = &shader->bindings[i];
        if (b->used && binding_way(b))
            return error_set(err, STATUS_BAD_INPUT, "%s: the shader has %s there: %s",
                binding_place_text(arena, (struct binding_place){b->set, b->binding}), binding_kind_name(b),
                binding_way(b));
    }
    return true;
}

static bool agree_pass(struct arena *arena, const struct point *point, const struct loaded *loaded, int index,
    const struct device_info *device, struct error *err) {
    return agree_named(arena, point, loaded, index, err) && agree_kinds(arena, &loaded[index].shader, err) &&
           agree_capabilities(arena, &loaded[index], device, err) && agree_controls(&loaded[index], device, err) &&
           agree_size(point, &point->kernel->passes[index], &loaded[index].shader, err) &&
           agree_bindings(arena, point, loaded, index, err) &&
           agree_parameters(arena, point, &loaded[index], index, err);
}

bool agree(struct arena *arena, const struct point *point, const struct loaded loaded[KERNEL_PASSES],
    const struct device_info *device, struct error *err) {
    const struct kernel *kernel = point->kernel;
    for (int p = 0; p < kernel->pass_count; p++) {
        if (agree_pass(arena, point, loaded, p, device, err)) continue;
        const char *slash = strrchr(kernel->passes[p].shader, '/');
        return error_prefix(err, "%s: ", slash ? slash + 1 : kernel->passes[p].shader);
    }
    return agree_constants(point, loaded, err);
}

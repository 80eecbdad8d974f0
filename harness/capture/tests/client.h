// SPDX-License-Identifier: Apache-2.0
// A small Vulkan program for tests of the layer. Its kernel writes y = x * f + add: f is a push constant, add a
// uniform. So a recorded dispatch can be checked by its own record.
#ifndef VKASSAY_CAPTURE_CLIENT_H
#define VKASSAY_CAPTURE_CLIENT_H

#include <assert.h>
#include <shaderc/shaderc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { ELEMENTS = 256, ROWS = 4, BYTES = ELEMENTS * 4, UNIFORM = 256, GRID_AT = 12 * BYTES };

struct client {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkDescriptorPool sets;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkBuffer buffer; // rows of x, rows of y, uniforms, the grid of an indirect dispatch
    VkDeviceMemory memory;
    float *mapped;
    unsigned messages; // of the validation layer
    VkDebugUtilsMessengerEXT messenger;
};

struct push {
    uint32_t n;
    float f;
};

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        const VkResult must_result = (call);                                                                           \
        if (must_result != VK_SUCCESS) {                                                                               \
            fprintf(stderr, "client: %s: %d\n", #call, must_result);                                                   \
            _Exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)

static const char client_shader[] =
    "#version 450\n"
    "#ifdef ADDRESS\n#extension GL_EXT_buffer_reference_uvec2 : require\n"
    "layout(buffer_reference, std430) buffer At { float v[]; };\n#endif\n"
    "layout(local_size_x = 64) in;\n"
    "layout(constant_id = 7) const uint STEP = 1;\n"
    "layout(binding = 0) readonly buffer X { float x[]; };\n"
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
    "layout(binding = 2) uniform U { float add; };\n"
    "#ifdef TEXEL\nlayout(binding = 3, r32f) uniform imageBuffer texels;\n#endif\n"
    "layout(push_constant) uniform Push { uint n; float f; };\n"
    "shared float tile[64];\n"
    "void main() {\n    uint i = gl_GlobalInvocationID.x * STEP, at = gl_LocalInvocationID.x;\n"
    "    float v = i < n ? x[i] : 0;\n"
    "#ifdef RACE\n    tile[at] = v;\n    v = tile[at ^ 1];\n#endif\n"
    "#ifdef UNSET\n    if (at != 9) tile[at] = v;\n    barrier();\n    v = tile[at ^ 1];\n#endif\n"
    "#ifdef HALF\n    v = unpackHalf2x16(packHalf2x16(vec2(2000 * v))).x;\n#endif\n"
    "#ifdef PAST\n    if (i == 255) y[i + 6] = v;\n#endif\n"
    "#ifdef RELU\n    if (i < n) y[i] = max(v, 0);\n#elif defined WRONG\n    if (i < n) y[i] = max(v, 0.01);\n"
    "#else\n    if (i < n) y[i] = v * f + add;\n#endif\n"
    "#ifdef TEXEL\n    if (n == 0) imageStore(texels, 0, vec4(f));\n#endif\n"
    "#ifdef ADDRESS\n    if (n == 0) At(uvec2(n, n)).v[0] = f;\n#endif\n}\n";

static inline VKAPI_ATTR VkBool32 VKAPI_CALL client_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
    VkDebugUtilsMessageTypeFlagsEXT type, const VkDebugUtilsMessengerCallbackDataEXT *data, void *user) {
    (void)severity;
    (void)type;
    fprintf(stderr, "client: %s\n", data->pMessage);
    ++*(unsigned *)user;
    return VK_FALSE;
}

static inline void client_instance(struct client *c, bool validate) {
    const VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    const char *const layer = "VK_LAYER_KHRONOS_validation", *const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, .pfnUserCallback = client_message,
        .pUserData = &c->messages};
    const VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application,
        .enabledLayerCount = validate, .ppEnabledLayerNames = &layer, .enabledExtensionCount = validate,
        .ppEnabledExtensionNames = &extension};
    uint32_t one = 1;
    MUST(vkCreateInstance(&info, NULL, &c->instance));
    if (validate)
        MUST(((PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(c->instance, "vkCreateDebugUtilsMessengerEXT"))(
            c->instance, &messenger, NULL, &c->messenger));
    const VkResult found = vkEnumeratePhysicalDevices(c->instance, &one, &c->physical);
    if (found != VK_SUCCESS && found != VK_INCOMPLETE) _Exit(99);
}

static inline void client_device(struct client *c) {
    const float priority = 1;
    const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    VkPhysicalDeviceVulkan13Features f13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
    VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &f13,
        .timelineSemaphore = VK_TRUE,
        .bufferDeviceAddress = VK_TRUE};
    const VkDeviceQueueCreateInfo queue = {
        VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &f12, .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue, .enabledExtensionCount = 1, .ppEnabledExtensionNames = extensions};
    const VkCommandPoolCreateInfo pool = {
        VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    MUST(vkCreateDevice(c->physical, &info, NULL, &c->device));
    vkGetDeviceQueue(c->device, 0, 0, &c->queue);
    MUST(vkCreateCommandPool(c->device, &pool, NULL, &c->pool));
}

// Fills x with small numbers and y with -1. Uniform u adds u.
static inline void client_buffer(struct client *c) {
    const VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 13 * BYTES,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT};
    VkMemoryRequirements needs;
    VkPhysicalDeviceMemoryProperties types;
    uint32_t type = 0;
    MUST(vkCreateBuffer(c->device, &info, NULL, &c->buffer));
    vkGetBufferMemoryRequirements(c->device, c->buffer, &needs);
    vkGetPhysicalDeviceMemoryProperties(c->physical, &types);
    const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    while (!(needs.memoryTypeBits >> type & 1) || (types.memoryTypes[type].propertyFlags & host) != host) type++;
    const VkMemoryAllocateInfo memory = {
        VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    MUST(vkAllocateMemory(c->device, &memory, NULL, &c->memory));
    MUST(vkBindBufferMemory(c->device, c->buffer, c->memory, 0));
    MUST(vkMapMemory(c->device, c->memory, 0, VK_WHOLE_SIZE, 0, (void **)&c->mapped));
    for (int i = 0; i < ROWS * ELEMENTS; i++) {
        c->mapped[i] = (float)(i % 97) - 40;
        c->mapped[ROWS * ELEMENTS + i] = -1;
    }
    for (int u = 0; u < 16; u++) c->mapped[2 * ROWS * ELEMENTS + u * UNIFORM / 4] = (float)u;
    const uint32_t grid[] = {ELEMENTS / 64, 1, 1};
    memcpy((char *)c->mapped + GRID_AT, grid, sizeof grid);
}

static inline shaderc_compilation_result_t client_compile(const char *define) {
    shaderc_compiler_t compiler = shaderc_compiler_initialize();
    shaderc_compile_options_t options = shaderc_compile_options_initialize();
    shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
    if (define) shaderc_compile_options_add_macro_definition(options, define, strlen(define), "1", 1);
    shaderc_compilation_result_t result = shaderc_compile_into_spv(
        compiler, client_shader, strlen(client_shader), shaderc_glsl_compute_shader, "client.comp", "main", options);
    if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success) {
        fprintf(stderr, "client: %s\n", shaderc_result_get_error_message(result));
        _Exit(99);
    }
    shaderc_compile_options_release(options);
    shaderc_compiler_release(compiler);
    return result;
}

// Makes the layout of sets, of this type of storage buffers and uniforms, and the pipeline. `define` selects the
// shader, NULL: the plain one.
static inline void client_pipeline(
    struct client *c, const char *define, VkDescriptorSetLayoutCreateFlags flags, bool dynamic) {
    const VkDescriptorType storage =
        dynamic ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const bool texel = define && strcmp(define, "TEXEL") == 0;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {2, dynamic ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
            VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {0, storage, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, storage, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {3, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    const VkDescriptorSetLayoutCreateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .flags = flags,
        .bindingCount = texel ? 4 : 3, .pBindings = bindings};
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(struct push)};
    const uint32_t step = 1;
    const VkSpecializationMapEntry entry = {7, 0, sizeof step};
    const VkSpecializationInfo constants = {1, &entry, sizeof step, &step};
    shaderc_compilation_result_t code = client_compile(define);
    const VkShaderModuleCreateInfo module_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = shaderc_result_get_length(code),
        .pCode = (const uint32_t *)(const void *)shaderc_result_get_bytes(code)};
    VkShaderModule module;
    MUST(vkCreateDescriptorSetLayout(c->device, &set, NULL, &c->set_layout));
    const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
        .pSetLayouts = &c->set_layout, .pushConstantRangeCount = 1, .pPushConstantRanges = &range};
    MUST(vkCreatePipelineLayout(c->device, &layout, NULL, &c->layout));
    MUST(vkCreateShaderModule(c->device, &module_info, NULL, &module));
    const VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT,
        .stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = module, .pName = "main", .pSpecializationInfo = &constants},
        .layout = c->layout};
    MUST(vkCreateComputePipelines(c->device, VK_NULL_HANDLE, 1, &info, NULL, &c->pipeline));
    vkDestroyShaderModule(c->device, module, NULL); // a pipeline does not need it any more
    shaderc_result_release(code);
}

// The ranges of a dispatch over a row, with this uniform.
static inline void client_ranges(const struct client *c, int row, int uniform, VkDescriptorBufferInfo out[3]) {
    out[0] = (VkDescriptorBufferInfo){c->buffer, (VkDeviceSize)row * BYTES, BYTES};
    out[1] = (VkDescriptorBufferInfo){c->buffer, (VkDeviceSize)(ROWS + row) * BYTES, BYTES};
    out[2] = (VkDescriptorBufferInfo){c->buffer, (VkDeviceSize)2 * ROWS * BYTES + (VkDeviceSize)uniform * UNIFORM, 16};
}

static inline VkDescriptorSet client_set(struct client *c, int row, int uniform, bool dynamic) {
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 256},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 128}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 16},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 16}, {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 16}};
    const VkDescriptorPoolCreateInfo pool = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 128,
        .poolSizeCount = sizeof sizes / sizeof *sizes, .pPoolSizes = sizes};
    VkDescriptorBufferInfo ranges[3];
    VkDescriptorSet set;
    if (!c->sets) MUST(vkCreateDescriptorPool(c->device, &pool, NULL, &c->sets));
    const VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = c->sets,
        .descriptorSetCount = 1, .pSetLayouts = &c->set_layout};
    MUST(vkAllocateDescriptorSets(c->device, &info, &set));
    client_ranges(c, row, uniform, ranges);
    VkWriteDescriptorSet writes[2] = {
        {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set,
            .descriptorCount = 2, // on to binding 1
            .descriptorType = dynamic ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = ranges},
        {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .dstBinding = 2, .descriptorCount = 1,
            .descriptorType = dynamic ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
            .pBufferInfo = ranges + 2}};
    vkUpdateDescriptorSets(c->device, 2, writes, 0, NULL);
    return set;
}

static inline VkCommandBuffer client_begin(
    struct client *c, VkCommandBufferLevel level, VkCommandBufferUsageFlags usage) {
    const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = c->pool,
        .level = level, .commandBufferCount = 1};
    const VkCommandBufferInheritanceInfo inherited = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = usage, .pInheritanceInfo = &inherited};
    VkCommandBuffer commands;
    MUST(vkAllocateCommandBuffers(c->device, &info, &commands));
    MUST(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

static inline void client_bind(struct client *c, VkCommandBuffer commands, VkDescriptorSet set, float f) {
    const struct push push = {ELEMENTS - 3, f};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->pipeline);
    vkCmdPushConstants(commands, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    if (set) vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1, &set, 0, NULL);
}

static inline void client_submit(struct client *c, VkCommandBuffer commands) {
    const VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    MUST(vkQueueSubmit(c->queue, 1, &info, VK_NULL_HANDLE));
}

static inline void client_run(struct client *c, VkCommandBuffer commands) {
    MUST(vkEndCommandBuffer(commands));
    client_submit(c, commands);
    MUST(vkQueueWaitIdle(c->queue));
}

static inline void client_open(struct client *c, bool validate) {
    client_instance(c, validate);
    client_device(c);
    client_buffer(c);
}

static inline void client_close(struct client *c) {
    vkDestroyPipeline(c->device, c->pipeline, NULL);
    vkDestroyPipelineLayout(c->device, c->layout, NULL);
    vkDestroyDescriptorSetLayout(c->device, c->set_layout, NULL);
    vkDestroyDescriptorPool(c->device, c->sets, NULL);
    vkDestroyCommandPool(c->device, c->pool, NULL);
    vkDestroyBuffer(c->device, c->buffer, NULL);
    vkFreeMemory(c->device, c->memory, NULL);
    vkDestroyDevice(c->device, NULL);
    if (c->messenger)
        ((PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(c->instance, "vkDestroyDebugUtilsMessengerEXT"))(
            c->instance, c->messenger, NULL);
    vkDestroyInstance(c->instance, NULL);
}

#endif

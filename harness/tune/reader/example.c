// SPDX-License-Identifier: Apache-2.0
// Runs an addition at the workgroup size from a tuned table: example TUNED.JSON [N]
//
// It needs only Vulkan; libshaderc stands in for your backend's source of SPIR-V.
#define VKASSAY_TUNED_IMPLEMENTATION
#include "vkassay_tuned.h"

#include <shaderc/shaderc.h>
#include <vulkan/vulkan.h>

// Four additions at a time, and ITEMS of them in each invocation, like vkassay's add.vec4.
static const char shader[] =
    "#version 450\n"
    "layout(local_size_x_id = 0) in;\n"
    "layout(constant_id = 3) const uint ITEMS = 1;\n"
    "layout(binding = 0) readonly buffer A { vec4 a[]; };\n"
    "layout(binding = 1) readonly buffer B { vec4 b[]; };\n"
    "layout(binding = 2) writeonly buffer C { vec4 c[]; };\n"
    "void main() {\n"
    "    uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x * ITEMS + gl_LocalInvocationID.x;\n"
    "    for (uint i = 0; i < ITEMS; i++) {\n"
    "        uint at = first + i * gl_WorkGroupSize.x;\n"
    "        if (at < a.length()) c[at] = a[at] + b[at];\n"
    "    }\n"
    "}\n";

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        VkResult result = (call);                                                                                      \
        if (result != VK_SUCCESS) {                                                                                    \
            fprintf(stderr, "%s: VkResult %d\n", #call, (int)result);                                                  \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *bytes = malloc((size_t)64 << 20);
    *length = file && bytes ? fread(bytes, 1, (size_t)64 << 20, file) : 0;
    if (file) fclose(file);
    return bytes;
}

static VkPhysicalDevice first_device(VkInstance instance, VkPhysicalDeviceProperties *properties) {
    VkPhysicalDevice device;
    uint32_t count = 1;
    VkResult result = vkEnumeratePhysicalDevices(instance, &count, &device);
    if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || !count) {
        fprintf(stderr, "no Vulkan device\n");
        exit(1);
    }
    vkGetPhysicalDeviceProperties(device, properties);
    return device;
}

static uint32_t compute_family(VkPhysicalDevice device) {
    VkQueueFamilyProperties families[16];
    uint32_t count = 16, i = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families);
    while (i < count && !(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) i++;
    return i;
}

static uint32_t host_memory(VkPhysicalDevice device, uint32_t allowed) {
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t i = 0;
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    while (
        i < memory.memoryTypeCount && (!(allowed >> i & 1) || (memory.memoryTypes[i].propertyFlags & wanted) != wanted))
        i++;
    return i;
}

static VkPipeline make_pipeline(VkDevice device, VkPipelineLayout layout, const struct vkassay_choice *choice) {
    shaderc_compiler_t compiler = shaderc_compiler_initialize();
    shaderc_compilation_result_t spirv =
        shaderc_compile_into_spv(compiler, shader, sizeof shader - 1, shaderc_compute_shader, "add", "main", NULL);
    if (shaderc_result_get_compilation_status(spirv) != shaderc_compilation_status_success) {
        fprintf(stderr, "%s\n", shaderc_result_get_error_message(spirv));
        exit(1);
    }
    VkShaderModule module;
    CHECK(vkCreateShaderModule(device,
        &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = shaderc_result_get_length(spirv),
            .pCode = (const uint32_t *)(const void *)shaderc_result_get_bytes(spirv)},
        NULL, &module));
    // The tuned values become specialization constants.
    const uint32_t constants[2] = {choice->wg[0], (uint32_t)vkassay_tunable(choice, "ITEMS", 1)};
    const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {3, 4, 4}};
    const VkSpecializationInfo tuned = {2, entries, sizeof constants, constants};
    VkPipeline pipeline;
    CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1,
        &(VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .layout = layout,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = &tuned}},
        NULL, &pipeline));
    vkDestroyShaderModule(device, module, NULL);
    shaderc_result_release(spirv);
    shaderc_compiler_release(compiler);
    return pipeline;
}

// Adds on the device and returns 0 if every sum is right.
static int add(VkPhysicalDevice physical, const struct vkassay_choice *choice, uint32_t n) {
    const float priority = 1;
    uint32_t family = compute_family(physical);
    VkDevice device;
    CHECK(vkCreateDevice(physical,
        &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
            .queueCreateInfoCount = 1,
            .pQueueCreateInfos = &(VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                .queueFamilyIndex = family,
                .queueCount = 1,
                .pQueuePriorities = &priority}},
        NULL, &device));
    VkQueue queue;
    vkGetDeviceQueue(device, family, 0, &queue);

    VkBuffer buffers[3];
    VkDeviceMemory memories[3];
    float *data[3];
    for (int i = 0; i < 3; i++) {
        VkMemoryRequirements needs;
        void *mapped;
        CHECK(vkCreateBuffer(device,
            &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                .size = (VkDeviceSize)n * 4,
                .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
            NULL, &buffers[i]));
        vkGetBufferMemoryRequirements(device, buffers[i], &needs);
        CHECK(vkAllocateMemory(device,
            &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                .allocationSize = needs.size,
                .memoryTypeIndex = host_memory(physical, needs.memoryTypeBits)},
            NULL, &memories[i]));
        CHECK(vkBindBufferMemory(device, buffers[i], memories[i], 0));
        CHECK(vkMapMemory(device, memories[i], 0, VK_WHOLE_SIZE, 0, &mapped));
        data[i] = mapped;
    }
    for (uint32_t i = 0; i < n; i++) {
        data[0][i] = (float)(i % 1000);
        data[1][i] = 0.5f;
        data[2][i] = -1;
    }

    VkDescriptorSetLayoutBinding bindings[3];
    for (uint32_t i = 0; i < 3; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayout set_layout;
    CHECK(vkCreateDescriptorSetLayout(device,
        &(VkDescriptorSetLayoutCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 3, .pBindings = bindings},
        NULL, &set_layout));
    VkPipelineLayout layout;
    CHECK(vkCreatePipelineLayout(device,
        &(VkPipelineLayoutCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout},
        NULL, &layout));
    VkDescriptorPool pool;
    CHECK(vkCreateDescriptorPool(device,
        &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
            .maxSets = 1,
            .poolSizeCount = 1,
            .pPoolSizes = &(VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3}},
        NULL, &pool));
    VkDescriptorSet set;
    CHECK(vkAllocateDescriptorSets(device,
        &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = pool,
            .descriptorSetCount = 1,
            .pSetLayouts = &set_layout},
        &set));
    for (uint32_t i = 0; i < 3; i++)
        vkUpdateDescriptorSets(device, 1,
            &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                .dstSet = set,
                .dstBinding = i,
                .descriptorCount = 1,
                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                .pBufferInfo = &(VkDescriptorBufferInfo){buffers[i], 0, VK_WHOLE_SIZE}},
            0, NULL);
    VkPipeline pipeline = make_pipeline(device, layout, choice);

    VkCommandPool commands;
    CHECK(vkCreateCommandPool(device,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family},
        NULL, &commands));
    VkCommandBuffer command;
    CHECK(vkAllocateCommandBuffers(device,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = commands,
            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = 1},
        &command));
    CHECK(vkBeginCommandBuffer(
        command, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    uint32_t share = choice->wg[0] * (uint32_t)vkassay_tunable(choice, "ITEMS", 1) * 4;
    vkCmdDispatch(command, (n + share - 1) / share, 1, 1);
    vkCmdPipelineBarrier(command, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
        &(VkMemoryBarrier){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
            .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_HOST_READ_BIT},
        0, NULL, 0, NULL);
    CHECK(vkEndCommandBuffer(command));
    CHECK(vkQueueSubmit(queue, 1,
        &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &command},
        VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));

    uint32_t wrong = 0;
    for (uint32_t i = 0; i < n; i++) wrong += data[2][i] != (float)(i % 1000) + 0.5f;
    printf("%u sums in workgroups of %u: %u wrong\n", n, choice->wg[0], wrong);

    vkDestroyCommandPool(device, commands, NULL);
    vkDestroyPipeline(device, pipeline, NULL);
    vkDestroyDescriptorPool(device, pool, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
    for (int i = 0; i < 3; i++) {
        vkDestroyBuffer(device, buffers[i], NULL);
        vkFreeMemory(device, memories[i], NULL);
    }
    vkDestroyDevice(device, NULL);
    return wrong != 0;
}

int main(int argc, char **argv) {
    const int64_t dims[1] = {argc > 2 ? strtol(argv[2], NULL, 10) / 4 * 4 : 65536};
    struct vkassay_tuned tuned = {0};
    struct vkassay_choice choice;
    char why[200];
    size_t length = 0;
    char *json = argc > 1 ? read_file(argv[1], &length) : NULL;
    if (!json || dims[0] < 4 || dims[0] > 1 << 26) {
        fprintf(stderr, "usage: example TUNED.JSON [N], N from 4 to 67108864\n");
        free(json);
        return 64;
    }
    if (!vkassay_tuned_add(&tuned, json, length, why, sizeof why)) {
        fprintf(stderr, "%s: %s\n", argv[1], why);
        free(json);
        return 65;
    }
    free(json);

    VkInstance instance;
    VkPhysicalDeviceProperties properties;
    CHECK(vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO}, NULL, &instance));
    VkPhysicalDevice physical = first_device(instance, &properties);
    tuned.device = (struct vkassay_device){
        properties.vendorID, properties.deviceID, properties.driverVersion, properties.deviceName};
    optimal_workgroup_size(&tuned, "add.vec4", NULL, "f32", dims, 1, &choice);
    if (choice.warning[0]) fprintf(stderr, "warning: %s\n", choice.warning);
    int status = add(physical, &choice, (uint32_t)dims[0]);
    vkDestroyInstance(instance, NULL);
    vkassay_tuned_free(&tuned);
    return status;
}

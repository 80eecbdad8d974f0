// SPDX-License-Identifier: Apache-2.0
// A program that tests its kernels before it uses them: example FOLDER, with a module FOLDER/KERNEL.spv for each case.
// Each kernel takes its dims as push constants. One of rows has a workgroup for each, another an invocation for each
// element.
#include "selftest.h" // vkassay export result.jsonl --format selftest --out selftest.h

#include <stdbool.h>
#include <vulkan/vulkan.h>

enum { WORKGROUP = 64 };

struct app {
    const char *folder;
    VkDevice device;
    VkQueue queue;
    VkCommandPool commands;
    VkDescriptorPool descriptors;
    uint32_t memory_type;
};

#define CHECK(CALL)                                                                                                    \
    if ((CALL) != VK_SUCCESS) {                                                                                        \
        fprintf(stderr, "failed: %s\n", #CALL);                                                                        \
        exit(70);                                                                                                      \
    }

static void open_device(struct app *app) {
    const float priority = 1;
    uint32_t one = 1;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceMemoryProperties memory;
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
    CHECK(vkCreateInstance(
        &(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &about}, NULL,
        &instance))
    if (vkEnumeratePhysicalDevices(instance, &one, &physical) < 0 || one == 0) exit(69);
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    CHECK(vkCreateDevice(physical,
        &(VkDeviceCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue},
        NULL, &app->device))
    vkGetDeviceQueue(app->device, 0, 0, &app->queue);
    CHECK(vkCreateCommandPool(app->device,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO}, NULL, &app->commands))
    const VkDescriptorPoolSize sizes = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4096};
    CHECK(vkCreateDescriptorPool(app->device,
        &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
            .maxSets = 512,
            .poolSizeCount = 1,
            .pPoolSizes = &sizes},
        NULL, &app->descriptors))
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (app->memory_type = 0; (memory.memoryTypes[app->memory_type].propertyFlags & wanted) != wanted;)
        app->memory_type++;
}

// Makes a buffer with these contents and binds it. Returns its memory, mapped.
static void *bind(struct app *app, VkDescriptorSet set, uint32_t binding, const void *data, uint32_t bytes) {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;
    CHECK(vkCreateBuffer(app->device,
        &(VkBufferCreateInfo){
            .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
        NULL, &buffer))
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(app->device, buffer, &needs);
    CHECK(vkAllocateMemory(app->device,
        &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
            .allocationSize = needs.size,
            .memoryTypeIndex = app->memory_type},
        NULL, &memory))
    CHECK(vkBindBufferMemory(app->device, buffer, memory, 0))
    CHECK(vkMapMemory(app->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped))
    memcpy(mapped, data, bytes);
    const VkDescriptorBufferInfo whole = {buffer, 0, VK_WHOLE_SIZE};
    vkUpdateDescriptorSets(app->device, 1,
        &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = set,
            .dstBinding = binding,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &whole},
        0, NULL);
    return mapped;
}

static bool load_module(const struct app *app, const char *kernel, VkShaderModule *out) {
    static uint32_t code[1 << 16];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.spv", app->folder, kernel);
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    const size_t bytes = fread(code, 1, sizeof code, file);
    fclose(file);
    return vkCreateShaderModule(app->device,
               &(VkShaderModuleCreateInfo){
                   .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = code},
               NULL, out) == VK_SUCCESS;
}

static void make_pipeline(const struct app *app, VkShaderModule module, uint32_t bindings,
    VkDescriptorSetLayout *set_layout, VkPipelineLayout *layout, VkPipeline *pipeline) {
    VkDescriptorSetLayoutBinding each[VKASSAY_SELFTEST_OPERANDS];
    for (uint32_t i = 0; i < bindings; i++)
        each[i] = (VkDescriptorSetLayoutBinding){.binding = i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    CHECK(vkCreateDescriptorSetLayout(app->device,
        &(VkDescriptorSetLayoutCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = bindings, .pBindings = each},
        NULL, set_layout))
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 64};
    CHECK(vkCreatePipelineLayout(app->device,
        &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
            .setLayoutCount = 1,
            .pSetLayouts = set_layout,
            .pushConstantRangeCount = 1,
            .pPushConstantRanges = &range},
        NULL, layout))
    const uint32_t size[3] = {WORKGROUP, 1, 1};
    const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo special = {3, entries, sizeof size, size};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .module = module,
            .pName = "main",
            .pSpecializationInfo = &special},
        .layout = *layout};
    CHECK(vkCreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline))
}

// Dispatches the pipeline once and waits.
static void dispatch(const struct app *app, const struct vkassay_selftest_case *c, VkPipeline pipeline,
    VkPipelineLayout layout, VkDescriptorSet set) {
    uint32_t dims[VKASSAY_SELFTEST_NUMBERS], count = 0;
    for (; c->dims[count].name; count++) dims[count] = (uint32_t)c->dims[count].value;
    VkCommandBuffer command;
    CHECK(vkAllocateCommandBuffers(app->device,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = app->commands,
            .commandBufferCount = 1},
        &command))
    CHECK(vkBeginCommandBuffer(
        command, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}))
    vkCmdBindPipeline(command, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(command, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdPushConstants(command, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 * count, dims);
    vkCmdDispatch(command, count > 1 ? dims[0] : (dims[0] + WORKGROUP - 1) / WORKGROUP, 1, 1);
    CHECK(vkEndCommandBuffer(command))
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &command};
    CHECK(vkQueueSubmit(app->queue, 1, &submit, VK_NULL_HANDLE))
    CHECK(vkQueueWaitIdle(app->queue))
}

static int run(void *user, const struct vkassay_selftest_case *c, void *const *operands) {
    struct app *app = user;
    VkShaderModule module;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorSet set;
    void *mapped[VKASSAY_SELFTEST_OPERANDS];
    if (!load_module(app, c->kernel, &module)) return -1;
    make_pipeline(app, module, c->operand_count, &set_layout, &layout, &pipeline);
    CHECK(vkAllocateDescriptorSets(app->device,
        &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = app->descriptors,
            .descriptorSetCount = 1,
            .pSetLayouts = &set_layout},
        &set))
    for (uint32_t i = 0; i < c->operand_count; i++) mapped[i] = bind(app, set, i, operands[i], c->operands[i].bytes);
    dispatch(app, c, pipeline, layout, set);
    for (uint32_t i = 0; i < c->operand_count; i++) memcpy(operands[i], mapped[i], c->operands[i].bytes);
    return 0;
}

static void report(void *user, const struct vkassay_selftest_case *c, const char *reason) {
    (void)user;
    printf("%s/%s refused: %s\n", c->kernel, c->type, reason);
}

int main(int argc, char **argv) {
    struct app app = {.folder = argc > 1 ? argv[1] : "."};
    open_device(&app);
    const int failed = vkassay_selftest(vkassay_selftest_cases, VKASSAY_SELFTEST_CASES, run, &app, report);
    printf("%d of %d kernels are refused\n", failed, VKASSAY_SELFTEST_CASES);
    return failed > 0;
}

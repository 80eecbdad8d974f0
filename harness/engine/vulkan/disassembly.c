// SPDX-License-Identifier: Apache-2.0
// The driver's texts of a pipeline's machine code: its intermediate code and assembly.
#include "internal.h"
#include "../../base/memory.h"

#include <stdlib.h>

// Appends the texts of one executable. `bytes` is NULL in the first call: it asks for their lengths.
static void read_texts(struct gpu *gpu, const VkPipelineExecutableInfoKHR *info, const char *executable,
    PFN_vkGetPipelineExecutableInternalRepresentationsKHR list, struct text *out) {
    uint32_t count = 0;
    if (list(gpu->device, info, &count, NULL) != VK_SUCCESS || !count) return;
    VkPipelineExecutableInternalRepresentationKHR *items = memory_alloc(count, sizeof *items);
    for (uint32_t i = 0; i < count; i++)
        items[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
    bool ok = list(gpu->device, info, &count, items) >= VK_SUCCESS;
    for (uint32_t i = 0; ok && i < count; i++) items[i].pData = memory_alloc(items[i].dataSize + 1, 1);
    ok = ok && list(gpu->device, info, &count, items) >= VK_SUCCESS;
    for (uint32_t i = 0; i < count; i++) {
        if (ok && items[i].isText && items[i].dataSize)
            text_format(out, "==== %s: %s\n%.*s\n", executable, items[i].name, (int)items[i].dataSize,
                (const char *)items[i].pData);
        free(items[i].pData);
    }
    free(items);
}

void program_disassembly(struct gpu *gpu, const struct program *program, struct text *out) {
    PFN_vkGetPipelineExecutablePropertiesKHR executables =
        (PFN_vkGetPipelineExecutablePropertiesKHR)vkGetDeviceProcAddr(
            gpu->device, "vkGetPipelineExecutablePropertiesKHR");
    PFN_vkGetPipelineExecutableInternalRepresentationsKHR list =
        (PFN_vkGetPipelineExecutableInternalRepresentationsKHR)vkGetDeviceProcAddr(
            gpu->device, "vkGetPipelineExecutableInternalRepresentationsKHR");
    const VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = program->pipeline};
    uint32_t count = 0;
    if (!gpu->disassembles || !gpu->info.features[FEATURE_PIPELINE_STATISTICS] || !executables || !list) return;
    if (executables(gpu->device, &info, &count, NULL) != VK_SUCCESS || !count) return;
    VkPipelineExecutablePropertiesKHR *has = memory_alloc(count, sizeof *has);
    for (uint32_t i = 0; i < count; i++) has[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
    if (executables(gpu->device, &info, &count, has) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++) {
            const VkPipelineExecutableInfoKHR one = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                .pipeline = program->pipeline,
                .executableIndex = i};
            read_texts(gpu, &one, has[i].description, list, out);
        }
    free(has);
}

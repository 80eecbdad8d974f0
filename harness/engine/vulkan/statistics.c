// SPDX-License-Identifier: Apache-2.0
// The driver's statistics of a pipeline's machine code. A pipeline may have several executables, for example one for
// each subgroup size. Then the largest figure of each name counts.
#include "internal.h"
#include "../../base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double value_of(const VkPipelineExecutableStatisticKHR *s) {
    switch (s->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        return s->value.b32 != 0;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        return (double)s->value.i64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
        return (double)s->value.u64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
        return s->value.f64;
    default:
        return 0;
    }
}

static void keep(struct program *program, const char *name, double value) {
    int i = 0;
    while (i < program->statistic_count && strcmp(program->statistics[i].name, name) != 0) i++;
    if (i == PROGRAM_STATISTICS) return;
    struct program_statistic *statistic = &program->statistics[i];
    if (i == program->statistic_count) {
        program->statistic_count++;
        snprintf(statistic->name, sizeof statistic->name, "%.63s", name);
        statistic->value = value;
    } else if (value > statistic->value) {
        statistic->value = value;
    }
}

// Ignores failures: such a driver has no statistics.
static void read_executable(
    struct gpu *gpu, struct program *program, uint32_t index, PFN_vkGetPipelineExecutableStatisticsKHR list) {
    const VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
        .pipeline = program->pipeline,
        .executableIndex = index};
    uint32_t count = 0;
    if (list(gpu->device, &info, &count, NULL) != VK_SUCCESS || !count) return;
    VkPipelineExecutableStatisticKHR *items = memory_alloc(count, sizeof *items);
    for (uint32_t i = 0; i < count; i++) items[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    if (list(gpu->device, &info, &count, items) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++) keep(program, items[i].name, value_of(&items[i]));
    free(items);
}

void statistics_read(struct gpu *gpu, struct program *program) {
    if (!gpu->info.features[FEATURE_PIPELINE_STATISTICS]) return;
    PFN_vkGetPipelineExecutablePropertiesKHR executables =
        (PFN_vkGetPipelineExecutablePropertiesKHR)vkGetDeviceProcAddr(
            gpu->device, "vkGetPipelineExecutablePropertiesKHR");
    PFN_vkGetPipelineExecutableStatisticsKHR list = (PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(
        gpu->device, "vkGetPipelineExecutableStatisticsKHR");
    const VkPipelineInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
        .pipeline = program->pipeline,
    };
    uint32_t count = 0;
    if (!executables || !list || executables(gpu->device, &info, &count, NULL) != VK_SUCCESS) return;
    for (uint32_t i = 0; i < count; i++) read_executable(gpu, program, i, list);
}

const struct program_statistic *program_statistics(const struct program *program, int *count) {
    *count = program->statistic_count;
    return program->statistic_count ? program->statistics : NULL;
}

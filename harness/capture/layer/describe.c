// SPDX-License-Identifier: Apache-2.0
#include "describe.h"
#include "output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Puts the words of the command line, as far as they fit.
static void put_program(struct json_line *line) {
    char words[65536];
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd < 0 ? 0 : read(fd, words, sizeof words - 1);
    if (fd >= 0) close(fd);
    words[length > 0 ? length : 0] = '\0';
    json_line_format(line, "\"program\":[");
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(words + at) + 1) {
        if (at) json_line_format(line, ",");
        json_line_string(line, words + at);
    }
    json_line_format(line, "]");
}

static void put_date(struct json_line *line) {
    const time_t now = time(NULL);
    struct tm parts;
    char text[40] = "";
    if (gmtime_r(&now, &parts)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    json_line_format(line, ",\"date\":\"%s\"", text);
}

static const char *kind_of_device(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

// Below Vulkan 1.2, the names of the driver are empty; without VkPhysicalDeviceProperties2, the UUID is, too.
static void put_device(struct json_line *line, const struct physical_calls *call, VkPhysicalDevice physical) {
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
    call->properties(physical, &all.properties);
    if (all.properties.apiVersion >= VK_API_VERSION_1_2) id.pNext = &driver;
    if (call->properties2) call->properties2(physical, &all);
    const VkPhysicalDeviceProperties *core = &all.properties;
    json_line_format(line, "\"device\":{\"name\":");
    json_line_string(line, core->deviceName);
    json_line_format(line, ",\"vendor\":%u,\"id\":%u,\"type\":\"%s\",\"driver_name\":", core->vendorID, core->deviceID,
        kind_of_device(core->deviceType));
    json_line_string(line, driver.driverName);
    json_line_format(line, ",\"driver_info\":");
    json_line_string(line, driver.driverInfo);
    json_line_format(
        line, ",\"driver_version\":%u,\"api_version\":%u,\"uuid\":", core->driverVersion, core->apiVersion);
    json_line_hex(line, id.deviceUUID, call->properties2 ? sizeof id.deviceUUID : 0);
    json_line_format(line, "}");
}

struct physical_calls physical_calls(VkInstance instance, PFN_vkGetInstanceProcAddr get) {
    const PFN_vkVoidFunction core = get(instance, "vkGetPhysicalDeviceProperties2"),
                             extension = get(instance, "vkGetPhysicalDeviceProperties2KHR");
    return (struct physical_calls){(PFN_vkGetPhysicalDeviceProperties)get(instance, "vkGetPhysicalDeviceProperties"),
        (PFN_vkGetPhysicalDeviceProperties2)(extension ? extension : core),
        (PFN_vkGetPhysicalDeviceMemoryProperties)get(instance, "vkGetPhysicalDeviceMemoryProperties"),
        (PFN_vkGetPhysicalDeviceQueueFamilyProperties)get(instance, "vkGetPhysicalDeviceQueueFamilyProperties")};
}

void describe_device(const struct physical_calls *call, VkPhysicalDevice physical, int number) {
    struct json_line line = {0};
    json_line_format(&line, "{\"capture\":1,");
    put_program(&line);
    json_line_format(&line, ",\"pid\":%ld", (long)getpid());
    put_date(&line);
    json_line_format(&line, ",\"at\":%d,", number);
    put_device(&line, call, physical);
    json_line_format(&line, "}");
    output_line(&line);
    json_line_free(&line);
}

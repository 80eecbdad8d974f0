// SPDX-License-Identifier: Apache-2.0
// The first lines of the output: the program and the device.
#ifndef VKASSAY_CAPTURE_DESCRIBE_H
#define VKASSAY_CAPTURE_DESCRIBE_H

#include <vulkan/vulkan.h>

// Functions of an instance for the description of physical devices.
struct physical_calls {
    PFN_vkGetPhysicalDeviceProperties properties;
    PFN_vkGetPhysicalDeviceProperties2 properties2; // NULL: absent
    PFN_vkGetPhysicalDeviceMemoryProperties memory;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties families;
};
struct physical_calls physical_calls(VkInstance instance, PFN_vkGetInstanceProcAddr get);

// Writes the line of a device.
void describe_device(const struct physical_calls *call, VkPhysicalDevice physical, int number);

#endif

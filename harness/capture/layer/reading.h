// SPDX-License-Identifier: Apache-2.0
// A thread for each device waits for the fences of submissions, reads the copied operands and writes them.
#ifndef VKASSAY_CAPTURE_READING_H
#define VKASSAY_CAPTURE_READING_H

#include "recording.h"
#include "state.h"

struct vk_submission {
    struct vk_submission *next;
    VkFence fence;
    uint64_t clock, first; // of the submissions of this process; number of its first dispatch
    size_t count;
    struct recording *recordings[]; // each is held
};

// All expect the lock.
void submission_release(struct vk_submission *submission);
void reading_lose(struct vk_submission *submission); // counts its dispatches as not recorded, and releases it

// Hands over a submission with its fence. False: there is no thread, and the submission stays with the caller.
bool reading_push(struct vk_device *device, struct vk_submission *submission);

VkFence fence_take(struct vk_device *device); // unsignalled; VK_NULL_HANDLE: none can be made

// Without the lock: reads the rest and ends the thread. The device must be idle.
void reading_end(struct vk_device *device);

void reading_forget(struct vk_device *device, void *unused); // after fork(): the thread is the parent's

// Without the lock: waits at most so long for the rest of all devices, at the end of the process.
void reading_wait(int seconds);

#endif

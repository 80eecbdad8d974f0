// SPDX-License-Identifier: Apache-2.0
// The built-in profiles of limits by number (profile.h).
#ifndef VKASSAY_DEVICE_BUILTIN_PROFILES_H
#define VKASSAY_DEVICE_BUILTIN_PROFILES_H

enum { PROFILE_MOBILE, PROFILE_WEBGPU, PROFILE_WEBGPU_MAX, PROFILES };

#endif

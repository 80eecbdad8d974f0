// SPDX-License-Identifier: Apache-2.0
// Profiles: the limits that a backend ships to, even if the device at hand has more. A profile is built in and has a
// name, or comes from a file:
//
//     {"schema_version": 1, "name": "kiosk", "allows": {"max_invocations": 128, "max_size": [128, 128, 64]},
//      "without": ["subgroup_basic", "float16"]}
//
// A limit missing from "allows" and a feature missing from "without" are as on the device.
#ifndef VKASSAY_DEVICE_PROFILE_H
#define VKASSAY_DEVICE_PROFILE_H

#include "../base/error.h"
#include "../base/text.h"
#include "limits.h"

struct device_info;

// The most that any single dispatch of a shape needs at some dims, and the features needed.
struct needs {
    struct limit_values limits;
    bool features[FEATURE_COUNT];
};

struct profile_info {
    const char *summary; // for help texts
    struct profile profile;
};
enum { PROFILE_MOBILE, PROFILE_WEBGPU, PROFILE_WEBGPU_MAX, PROFILES }; // the built-in ones
extern const struct profile_info profiles[]; // the built-in ones, from narrow to wide; the last summary is NULL

// Finds a profile by name, or reads it from a file. Features to add follow, each behind a '+': "webgpu+subgroups",
// "webgpu+f16", or one by its own name. An unknown name is STATUS_USAGE, and the error lists the known ones.
bool profile_find(const char *asked, struct profile *out, struct error *err);

// Returns whether both profiles are equal, their names included.
bool profile_same(const struct profile *a, const struct profile *b);

// Holds a device to the profile and stores it in `info`. Features and max_groups, by which grids are folded, become
// the profile's. Other limits stay the device's, because its peaks are measured with them; plans hold points to the
// profile. A profile without a name changes nothing.
void device_hold(struct device_info *info, const struct profile *profile);

// Narrows all limits to the profile, for a device on which nothing is run.
void device_clamp(struct device_info *info, const struct profile *profile);

// The first limit or feature beyond a profile.
struct excess {
    const struct limit *limit; // NULL: it is the feature
    enum feature feature;
    double needed, allowed;
};
bool profile_fits(const struct profile *profile, const struct needs *needs, struct excess *excess);

// The same without limits that follow from the size of the tensors: buffers and groups.
bool profile_fits_shape(const struct profile *profile, const struct needs *needs);

// Appends "max_invocations: 512, at most 256" or "without subgroup_basic".
void excess_append(struct text *text, const struct excess *excess);

extern const struct kind kind_profile, kind_needs; // struct profile, const struct needs *
extern const struct kind kind_profile_file;        // struct profile as a file

#endif

// SPDX-License-Identifier: Apache-2.0
// Profiles of limits: what a backend ships to, however much more the device at hand has. They are the program's own, by
// name, or a file's:
//
//     {"schema_version": 1, "name": "kiosk", "allows": {"max_invocations": 128, "max_size": [128, 128, 64]},
//      "without": ["subgroup_basic", "float16"]}
//
// A limit that stands not among those that it allows, and a feature that is not among those it is without, are as on
// the device.
#ifndef VKASSAY_DEVICE_PROFILE_H
#define VKASSAY_DEVICE_PROFILE_H

#include "limits.h"

// What one dispatch after the other of a shape at some dims takes.
struct needs {
    bool known;
    struct limit_values limits;
    bool features[FEATURE_COUNT];
};

struct profile_info {
    const char *summary; // for help
    struct profile profile;
};
extern const struct profile_info profiles[]; // the program's own, from narrow to wide; ends with NULL summary
enum { PROFILE_MOBILE, PROFILE_WEBGPU, PROFILE_WEBGPU_MAX, PROFILES };

// A profile by name, or from a file; features that it is asked for beside follow, each behind a '+':
// "webgpu+subgroups", "webgpu+f16", or one by its name. STATUS_USAGE names those there are.
bool profile_find(const char *asked, struct profile *out, struct error *err);

// Whether both say the same, their names too.
bool profile_same(const struct profile *a, const struct profile *b);

// Holds the device to the profile, which it keeps: features and the groups that a grid is folded by become the
// profile's. Its other limits stay, as its peaks are measured with what there is; plans hold points to the profile. One
// without a name changes nothing.
void device_hold(struct device_info *info, const struct profile *profile);

// The same of all limits, of a device on which nothing is run.
void device_narrow(struct device_info *info, const struct profile *profile);

// The first thing that goes beyond a profile.
struct excess {
    const struct limit *limit; // NULL: the feature
    enum feature feature;
    double needed, allowed;
};
bool profile_fits(const struct profile *profile, const struct needs *needs, struct excess *excess);

// The same but for what follows from the size of the tensors: buffers and groups.
bool profile_fits_shape(const struct profile *profile, const struct needs *needs);

// "max_invocations: 512, at most 256"; "without subgroup_basic".
void excess_append(struct text *text, const struct excess *excess);

extern const struct kind kind_profile, kind_needs; // struct profile, struct needs

#endif

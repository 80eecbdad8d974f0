// SPDX-License-Identifier: Apache-2.0
// Reads the tuned tables of vkassay and returns the workgroup size for a kernel's dispatch. It is a single header for
// C99 or C++11 and needs only the standard library. In one source file, before the include:
//
//     #define VKASSAY_TUNED_IMPLEMENTATION
//
// A compiled-in table (`vkassay export RESULT --format header`) needs no parsing and no allocation. Otherwise,
// vkassay_tuned_add reads tuned.json:
//
//     struct vkassay_tuned tuned = {0};         // of one device, or of many joined by `vkassay tune --join`
//     char why[200];
//     if (!vkassay_tuned_add(&tuned, json, length, why, sizeof why)) ...;
//
//     tuned.device = ...;                       // from VkPhysicalDeviceProperties
//     struct vkassay_choice choice;
//     const int64_t dims[] = {4096, 1024};      // in the order of `vkassay list operators`
//     if (optimal_workgroup_size(&tuned, "softmax.cached", NULL, "f32", dims, 2, &choice)) ...;
//     vkassay_tuned_free(&tuned);
#ifndef VKASSAY_TUNED_H
#define VKASSAY_TUNED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { VKASSAY_DIMS = 20, VKASSAY_TUNABLES = 12, VKASSAY_WARNING = 320 };

// The members vendorID, deviceID, driverVersion and deviceName of VkPhysicalDeviceProperties.
struct vkassay_device {
    uint32_t vendor_id, device_id, driver_version;
    const char *name;
};

struct vkassay_tunable {
    const char *name;
    int64_t value;
};

struct vkassay_entry {
    struct vkassay_device device; // measured on this device
    const char *kernel, *source_hash, *dtype;
    int dim_count;
    int64_t dims[VKASSAY_DIMS];
    uint32_t wg[3];
    int tunable_count; // besides the workgroup size
    struct vkassay_tunable tunables[VKASSAY_TUNABLES];
    double median_ns;
    double default_loss;  // how much slower the kernel's default shape was; 0.1: a tenth; < 0: unknown
    int scope;            // enum vkassay_scope; VKASSAY_FOR_DEVICE in a table of one device
    int64_t tried, legal; // shapes tried, and shapes able to run there; 0: unknown
    int unfinished;       // the search was stopped early: an untried shape may be faster
    double lo_ns, hi_ns;  // the 95 % interval of median_ns; 0: unknown
    int undecided;        // other shapes were timed, and none was told apart from the fastest
};

// The devices that an entry serves. A table of many devices (`tune --join`) also has shapes for groups. A group's
// shape has the smallest greatest loss on its devices. Members without a common value in the group's device are 0.
enum vkassay_scope { VKASSAY_FOR_DEVICE, VKASSAY_FOR_FAMILY, VKASSAY_FOR_VENDOR, VKASSAY_FOR_ALL };

struct vkassay_tuned {
    const struct vkassay_entry *entries;
    size_t count;
    struct vkassay_device device; // the device to choose for; fill it in
    void *blocks;                 // memory of read tables; NULL: the entries are constant
};

// The source of a choice, from worst to best.
enum vkassay_level {
    VKASSAY_NONE,         // no entry for this kernel and dtype
    VKASSAY_GENERIC,      // another vendor's device
    VKASSAY_VENDOR,       // another device of the vendor
    VKASSAY_ARCHITECTURE, // a chip of the same family: the PCI device id differs only in the lower byte
    VKASSAY_EXACT         // this device
};

enum { VKASSAY_STALE_DRIVER = 1, VKASSAY_STALE_SOURCE = 2 };
// VKASSAY_NOISE: the interval of the entry's time is wider than +-20 %, so another shape may be much faster.
// VKASSAY_UNDECIDED: no other shape was told apart from the fastest. With both, nothing is known of the shapes.
enum { VKASSAY_UNFINISHED = 1, VKASSAY_NOISE = 2, VKASSAY_UNDECIDED = 4 };

struct vkassay_choice {
    enum vkassay_level level;
    int stale;  // VKASSAY_STALE_...: measured with another driver or another version of the kernel
    int search; // VKASSAY_UNFINISHED (the search was stopped early), VKASSAY_NOISE, VKASSAY_UNDECIDED; else 0
    const struct vkassay_entry *entry;
    double distance;               // product of the ratios between the dims and the entry's; 1: the same dims
    uint32_t wg[3];                // 64, 1, 1 at level VKASSAY_NONE
    char warning[VKASSAY_WARNING]; // why the choice may not be the best here; "" if there is no reason
};

// Adds the entries of a tuned.json. `json` need not end with a NUL and may be freed afterwards. Returns 0 if it is no
// tuned table or memory ran out; then `why` gives the reason, and the table is unchanged.
int vkassay_tuned_add(struct vkassay_tuned *tuned, const char *json, size_t length, char *why, size_t why_size);
void vkassay_tuned_free(struct vkassay_tuned *tuned);

// Finds the best known shape for these dims on tuned->device and returns its level; 0: no entry for kernel and dtype.
// Entries of the nearest device come first. At the same level, entries for its family, its vendor or all come before
// another device's own. Then come entries that are not stale, and then the nearest dims, by the smallest product of the
// ratios between them. For equal distance, a finished search comes first, and then one without noise.
//
// `source_hash` is that of a result ("tokens:..."), or NULL to skip the comparison.
enum vkassay_level optimal_workgroup_size(const struct vkassay_tuned *tuned, const char *kernel,
    const char *source_hash, const char *dtype, const int64_t *dims, int dim_count, struct vkassay_choice *choice);

// Returns the value of another tunable of the chosen entry, such as "ITEMS"; `otherwise` if it has no such tunable.
int64_t vkassay_tunable(const struct vkassay_choice *choice, const char *name, int64_t otherwise);

#ifdef __cplusplus
}
#endif

#endif

#if defined(VKASSAY_TUNED_IMPLEMENTATION) && !defined(VKASSAY_TUNED_IMPLEMENTED)
#define VKASSAY_TUNED_IMPLEMENTED

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- choice

static enum vkassay_level vkassay_level_of_device(const struct vkassay_device *a, const struct vkassay_device *b) {
    if (a->vendor_id != b->vendor_id) return VKASSAY_GENERIC;
    if (a->device_id >> 8 != b->device_id >> 8) return VKASSAY_VENDOR;
    // Software devices share an id of 0; their names tell them apart.
    int same_name = !a->name || !b->name || strcmp(a->name, b->name) == 0;
    return a->device_id == b->device_id && same_name ? VKASSAY_EXACT : VKASSAY_ARCHITECTURE;
}

// An entry for a group serves only devices of the group.
static enum vkassay_level vkassay_level_of(const struct vkassay_entry *entry, const struct vkassay_device *device) {
    enum vkassay_level level = vkassay_level_of_device(&entry->device, device);
    if (entry->scope == VKASSAY_FOR_DEVICE) return level;
    if (entry->scope == VKASSAY_FOR_ALL) return VKASSAY_GENERIC;
    if (entry->scope == VKASSAY_FOR_VENDOR) return level >= VKASSAY_VENDOR ? VKASSAY_VENDOR : VKASSAY_NONE;
    return level >= VKASSAY_ARCHITECTURE ? VKASSAY_ARCHITECTURE : VKASSAY_NONE;
}

// Compares hashes such as "tokens:0123456789abcdef": how the hash was made, then the hash. Older hashes are only
// digits and depended on the shader compiler's version. Hashes made in different ways, or unknown ones (""), are not
// compared.
static int vkassay_stale(
    const struct vkassay_entry *entry, enum vkassay_level level, uint32_t driver_version, const char *source_hash) {
    const char *colon = source_hash ? strchr(source_hash, ':') : NULL;
    int same_way = colon && strncmp(source_hash, entry->source_hash, (size_t)(colon - source_hash) + 1) == 0;
    int stale = same_way && strcmp(source_hash, entry->source_hash) != 0 ? VKASSAY_STALE_SOURCE : 0;
    return stale |
           (level == VKASSAY_EXACT && entry->device.driver_version != driver_version ? VKASSAY_STALE_DRIVER : 0);
}

// Returns 1 for the same dims, else the product of the ratios by which they differ.
static double vkassay_distance(const struct vkassay_entry *entry, const int64_t *dims, int dim_count) {
    double distance = 1;
    for (int i = 0; i < dim_count; i++) {
        double a = dims[i] > 1 ? (double)dims[i] : 1, b = entry->dims[i] > 1 ? (double)entry->dims[i] : 1;
        distance *= a > b ? a / b : b / a;
    }
    return distance;
}

static void vkassay_warn(const struct vkassay_tuned *tuned, struct vkassay_choice *choice) {
    const struct vkassay_device *from = &choice->entry->device;
    if (choice->entry->scope != VKASSAY_FOR_DEVICE)
        snprintf(choice->warning, sizeof choice->warning, "%.80s was not tuned on %.50s: this is a compromise of %.50s",
            choice->entry->kernel, tuned->device.name ? tuned->device.name : "this device",
            from->name ? from->name : "several devices");
    else if (choice->level != VKASSAY_EXACT)
        snprintf(choice->warning, sizeof choice->warning, "%s was tuned on %.100s, not on %.60s", choice->entry->kernel,
            from->name ? from->name : "another device", tuned->device.name ? tuned->device.name : "this device");
    else if (choice->stale)
        snprintf(choice->warning, sizeof choice->warning, "%.100s was tuned with another %s%s%s", choice->entry->kernel,
            choice->stale & VKASSAY_STALE_DRIVER ? "driver" : "", choice->stale == 3 ? " and another " : "",
            choice->stale & VKASSAY_STALE_SOURCE ? "version of its source" : "");
}

// Appends to the warning, so the words on device and driver stay.
static void vkassay_warn_of_search(struct vkassay_choice *choice) {
    const struct vkassay_entry *entry = choice->entry;
    size_t length = strlen(choice->warning);
    char share[64] = "";
    if (!entry->unfinished) return;
    if (entry->tried > 0 && entry->legal > 0)
        snprintf(
            share, sizeof share, ": %lld of %lld shapes were tried", (long long)entry->tried, (long long)entry->legal);
    snprintf(choice->warning + length, sizeof choice->warning - length, "%s%.60s: its search was not finished%s",
        length ? "; " : "", entry->kernel, share);
}

static void vkassay_warn_of_noise(struct vkassay_choice *choice) {
    const struct vkassay_entry *entry = choice->entry;
    size_t length = strlen(choice->warning);
    if (!(choice->search & VKASSAY_NOISE)) return;
    snprintf(choice->warning + length, sizeof choice->warning - length, "%s%.60s: its time is noise, +-%.0f %%%s",
        length ? "; " : "", entry->kernel, 50 * (entry->hi_ns - entry->lo_ns) / entry->median_ns,
        entry->undecided ? ", and no shape was told apart from the fastest" : "");
}

// Suites space sizes by factors up to 16, so a size within their range has a nearer entry.
static void vkassay_warn_of_distance(struct vkassay_choice *choice) {
    size_t length = strlen(choice->warning);
    if (choice->distance <= 16) return;
    snprintf(choice->warning + length, sizeof choice->warning - length,
        "%s%.60s: the nearest tuned sizes are away by a factor of %.0f", length ? "; " : "", choice->entry->kernel,
        choice->distance);
}

// The limit of +-20 % is that of vkassay's own warnings.
static int vkassay_doubts(const struct vkassay_entry *entry) {
    const double half = (entry->hi_ns - entry->lo_ns) / 2;
    return (entry->unfinished ? VKASSAY_UNFINISHED : 0) |
           (entry->median_ns > 0 && half > 0.2 * entry->median_ns ? VKASSAY_NOISE : 0) |
           (entry->undecided ? VKASSAY_UNDECIDED : 0);
}

// Returns whether doubts of an entry weigh less than another's. VKASSAY_UNDECIDED alone is none: any shape will do.
static int vkassay_is_surer(int doubts, int than) {
    if ((doubts ^ than) & VKASSAY_UNFINISHED) return than & VKASSAY_UNFINISHED;
    return !(doubts & VKASSAY_NOISE) && (than & VKASSAY_NOISE);
}

static int vkassay_matches(const struct vkassay_entry *entry, const char *kernel, const char *dtype, int dim_count) {
    return entry->dim_count == dim_count && strcmp(entry->kernel, kernel) == 0 && strcmp(entry->dtype, dtype) == 0;
}

enum vkassay_level optimal_workgroup_size(const struct vkassay_tuned *tuned, const char *kernel,
    const char *source_hash, const char *dtype, const int64_t *dims, int dim_count, struct vkassay_choice *choice) {
    int best_rank = 0;
    memset(choice, 0, sizeof *choice);
    choice->wg[0] = 64;
    choice->wg[1] = choice->wg[2] = 1;
    for (size_t i = 0; i < tuned->count; i++) {
        const struct vkassay_entry *entry = &tuned->entries[i];
        if (!vkassay_matches(entry, kernel, dtype, dim_count)) continue;
        enum vkassay_level level = vkassay_level_of(entry, &tuned->device);
        if (level == VKASSAY_NONE) continue;
        int stale = vkassay_stale(entry, level, tuned->device.driver_version, source_hash);
        double distance = vkassay_distance(entry, dims, dim_count);
        int rank = 2 * (int)level + (entry->scope != VKASSAY_FOR_DEVICE);
        int better = !choice->entry || rank > best_rank;
        if (!better && rank == best_rank && !stale != !choice->stale)
            better = !stale;
        else if (!better && rank == best_rank)
            better = distance < choice->distance ||
                     (distance == choice->distance && vkassay_is_surer(vkassay_doubts(entry), choice->search));
        if (!better) continue;
        choice->entry = entry;
        choice->level = level;
        choice->stale = stale;
        choice->search = vkassay_doubts(entry);
        choice->distance = distance;
        best_rank = rank;
    }
    if (!choice->entry) {
        snprintf(choice->warning, sizeof choice->warning, "%.100s in %.20s was not tuned", kernel, dtype);
        return VKASSAY_NONE;
    }
    memcpy(choice->wg, choice->entry->wg, sizeof choice->wg);
    vkassay_warn(tuned, choice);
    vkassay_warn_of_search(choice);
    vkassay_warn_of_noise(choice);
    vkassay_warn_of_distance(choice);
    return choice->level;
}

int64_t vkassay_tunable(const struct vkassay_choice *choice, const char *name, int64_t otherwise) {
    for (int i = 0; choice->entry && i < choice->entry->tunable_count; i++)
        if (strcmp(choice->entry->tunables[i].name, name) == 0) return choice->entry->tunables[i].value;
    return otherwise;
}

// ---- reading: the needed part of JSON, in a copy with strings terminated in place

struct vkassay_block { // memory of one file: the block, then the text
    struct vkassay_block *next;
    struct vkassay_entry *entries; // all entries; only in the newest block
};

struct vkassay_cursor {
    char *at, *end; // *end is our NUL
    int depth;
    const char *fault; // the first one; NULL: none yet
};

static int vkassay_fault(struct vkassay_cursor *c, const char *fault) {
    if (!c->fault) c->fault = fault;
    return 0;
}

static void vkassay_space(struct vkassay_cursor *c) {
    while (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r') c->at++;
}

// Takes the next character after spaces, if it is the wanted one.
static int vkassay_take(struct vkassay_cursor *c, char wanted) {
    vkassay_space(c);
    if (c->at >= c->end || *c->at != wanted) return 0;
    c->at++;
    return 1;
}

// Reads a string and ends it by a NUL in place. \uXXXX becomes '?', because no name here needs it.
static int vkassay_string(struct vkassay_cursor *c, const char **out) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (!vkassay_take(c, '"')) return vkassay_fault(c, "expected a string");
    char *put = c->at;
    *out = put;
    while (c->at < c->end && *c->at != '"') {
        char letter = *c->at++;
        if ((unsigned char)letter < ' ') return vkassay_fault(c, "a control character in a string");
        if (letter == '\\' && *c->at == 'u') {
            for (int i = 0; i < 5; i++, c->at++)
                if (c->at >= c->end) return vkassay_fault(c, "a string without end");
            letter = '?';
        } else if (letter == '\\') {
            const char *escape = *c->at ? strchr(from, *c->at) : NULL;
            c->at++;
            if (!escape) return vkassay_fault(c, "an unknown escape in a string");
            letter = to[escape - from];
        }
        *put++ = letter;
    }
    if (c->at >= c->end) return vkassay_fault(c, "a string without end");
    c->at++;
    *put = '\0';
    return 1;
}

// Reads digits by hand, because strtod depends on the locale.
static int vkassay_number(struct vkassay_cursor *c, double *out) {
    double value = 0, scale = 1;
    int exponent = 0, sign = 1;
    vkassay_space(c);
    int negative = *c->at == '-';
    c->at += negative;
    if (*c->at < '0' || *c->at > '9') return vkassay_fault(c, "expected a number");
    for (; *c->at >= '0' && *c->at <= '9'; c->at++) value = value * 10 + (*c->at - '0');
    if (*c->at == '.')
        for (c->at++; *c->at >= '0' && *c->at <= '9'; c->at++) value += (*c->at - '0') * (scale /= 10);
    if (*c->at == 'e' || *c->at == 'E') {
        c->at++;
        if (*c->at == '-' || *c->at == '+') sign = *c->at++ == '-' ? -1 : 1;
        for (; *c->at >= '0' && *c->at <= '9'; c->at++)
            if (exponent < 400) exponent = exponent * 10 + (*c->at - '0');
    }
    for (; exponent > 0; exponent--) value = sign < 0 ? value / 10 : value * 10;
    *out = negative ? -value : value;
    return 1;
}

static int vkassay_integer(struct vkassay_cursor *c, int64_t most, int64_t *out) {
    double value;
    if (!vkassay_number(c, &value)) return 0;
    if (!(value >= 0 && value <= (double)most)) return vkassay_fault(c, "a number out of range");
    *out = (int64_t)value;
    return 1;
}

static int vkassay_u32(struct vkassay_cursor *c, uint32_t *out) {
    int64_t value;
    if (!vkassay_integer(c, UINT32_MAX, &value)) return 0;
    *out = (uint32_t)value;
    return 1;
}

static int vkassay_word(struct vkassay_cursor *c, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return 0;
    c->at += length;
    return 1;
}

typedef int vkassay_member(struct vkassay_cursor *c, const char *key, void *user);

// Reads an object; `member` reads the value of each key.
static int vkassay_object(struct vkassay_cursor *c, vkassay_member *member, void *user) {
    const char *key;
    if (!vkassay_take(c, '{')) return vkassay_fault(c, "expected an object");
    if (++c->depth > 32) return vkassay_fault(c, "nested too deeply");
    if (!vkassay_take(c, '}')) {
        do {
            if (!vkassay_string(c, &key)) return 0;
            if (!vkassay_take(c, ':')) return vkassay_fault(c, "expected a colon");
            if (!member(c, key, user)) return 0;
        } while (vkassay_take(c, ','));
        if (!vkassay_take(c, '}')) return vkassay_fault(c, "expected the end of an object");
    }
    c->depth--;
    return 1;
}

static int vkassay_array(struct vkassay_cursor *c, vkassay_member *item, void *user) {
    if (!vkassay_take(c, '[')) return vkassay_fault(c, "expected an array");
    if (++c->depth > 32) return vkassay_fault(c, "nested too deeply");
    if (!vkassay_take(c, ']')) {
        do {
            if (!item(c, "", user)) return 0;
        } while (vkassay_take(c, ','));
        if (!vkassay_take(c, ']')) return vkassay_fault(c, "expected the end of an array");
    }
    c->depth--;
    return 1;
}

// Skips any value.
static int vkassay_skip(struct vkassay_cursor *c, const char *key, void *user) {
    const char *text;
    double number;
    (void)key;
    (void)user;
    vkassay_space(c);
    if (*c->at == '{') return vkassay_object(c, vkassay_skip, NULL);
    if (*c->at == '[') return vkassay_array(c, vkassay_skip, NULL);
    if (*c->at == '"') return vkassay_string(c, &text);
    if (vkassay_word(c, "true") || vkassay_word(c, "false") || vkassay_word(c, "null")) return 1;
    return vkassay_number(c, &number);
}

struct vkassay_reading {
    struct vkassay_entry *entries; // NULL during the count
    size_t count;
    struct vkassay_entry *entry; // the current entry
    struct vkassay_device device;
    int64_t version;
};

static int vkassay_read_dim(struct vkassay_cursor *c, const char *key, void *user) {
    struct vkassay_entry *entry = (struct vkassay_entry *)user;
    (void)key;
    if (entry->dim_count == VKASSAY_DIMS) return vkassay_fault(c, "too many dims");
    return vkassay_integer(c, (int64_t)1 << 53, &entry->dims[entry->dim_count++]);
}

struct vkassay_axis {
    uint32_t *wg;
    int count;
};

static int vkassay_read_axis(struct vkassay_cursor *c, const char *key, void *user) {
    struct vkassay_axis *axis = (struct vkassay_axis *)user;
    (void)key;
    if (axis->count == 3) return vkassay_fault(c, "more than three sizes in wg");
    return vkassay_u32(c, &axis->wg[axis->count++]);
}

static int vkassay_read_tunable(struct vkassay_cursor *c, const char *key, void *user) {
    struct vkassay_entry *entry = (struct vkassay_entry *)user;
    if (strcmp(key, "wg") == 0) {
        struct vkassay_axis axis = {entry->wg, 0};
        return vkassay_array(c, vkassay_read_axis, &axis) &&
               ((axis.count == 3 && entry->wg[0] && entry->wg[1] && entry->wg[2]) ||
                   vkassay_fault(c, "expected three sizes above 0 in wg"));
    }
    if (entry->tunable_count == VKASSAY_TUNABLES) return vkassay_fault(c, "too many tunables");
    struct vkassay_tunable *tunable = &entry->tunables[entry->tunable_count++];
    tunable->name = key;
    return vkassay_integer(c, (int64_t)1 << 53, &tunable->value);
}

static int vkassay_read_default(struct vkassay_cursor *c, const char *key, void *user) {
    struct vkassay_entry *entry = (struct vkassay_entry *)user;
    vkassay_space(c);
    return strcmp(key, "loss") == 0 && *c->at != 'n' ? vkassay_number(c, &entry->default_loss)
                                                     : vkassay_skip(c, key, NULL);
}

static int vkassay_read_device(struct vkassay_cursor *c, const char *key, void *user) {
    struct vkassay_device *device = (struct vkassay_device *)user;
    if (strcmp(key, "name") == 0) return vkassay_string(c, &device->name);
    if (strcmp(key, "vendor_id") == 0) return vkassay_u32(c, &device->vendor_id);
    if (strcmp(key, "device_id") == 0) return vkassay_u32(c, &device->device_id);
    if (strcmp(key, "driver_version") == 0) return vkassay_u32(c, &device->driver_version);
    return vkassay_skip(c, key, NULL);
}

static int vkassay_read_scope(struct vkassay_cursor *c, int *scope) {
    static const char *const names[] = {"device", "family", "vendor", "portable"};
    const char *name;
    if (!vkassay_string(c, &name)) return 0;
    for (*scope = 0; *scope < 4; ++*scope)
        if (strcmp(names[*scope], name) == 0) return 1;
    return vkassay_fault(c, "an unknown scope");
}

// Reads true or false; anything else, such as null, is false.
static int vkassay_read_flag(struct vkassay_cursor *c, int *flag) {
    *flag = vkassay_word(c, "true");
    return *flag || vkassay_skip(c, "", NULL);
}

// Reads a count, or null.
static int vkassay_read_count(struct vkassay_cursor *c, int64_t *count) {
    return *c->at == 'n' ? vkassay_skip(c, "", NULL) : vkassay_integer(c, (int64_t)1 << 53, count);
}

static int vkassay_read_member(struct vkassay_cursor *c, const char *key, void *user) {
    struct vkassay_entry *entry = (struct vkassay_entry *)user;
    vkassay_space(c);
    if (strcmp(key, "kernel") == 0) return vkassay_string(c, &entry->kernel);
    if (strcmp(key, "source_hash") == 0) return vkassay_string(c, &entry->source_hash);
    if (strcmp(key, "dtype") == 0) return vkassay_string(c, &entry->dtype);
    if (strcmp(key, "dims") == 0) return vkassay_object(c, vkassay_read_dim, entry);
    if (strcmp(key, "shape") == 0) return vkassay_object(c, vkassay_read_tunable, entry);
    if (strcmp(key, "median_ns") == 0) return vkassay_number(c, &entry->median_ns);
    if (strcmp(key, "lo_ns") == 0) return vkassay_number(c, &entry->lo_ns);
    if (strcmp(key, "hi_ns") == 0) return vkassay_number(c, &entry->hi_ns);
    if (strcmp(key, "undecided") == 0) return vkassay_read_flag(c, &entry->undecided);
    if (strcmp(key, "device") == 0) return vkassay_object(c, vkassay_read_device, &entry->device);
    if (strcmp(key, "scope") == 0) return vkassay_read_scope(c, &entry->scope);
    if (strcmp(key, "shapes") == 0) return vkassay_read_count(c, &entry->tried);
    if (strcmp(key, "legal") == 0) return vkassay_read_count(c, &entry->legal);
    if (strcmp(key, "unfinished") == 0) return vkassay_read_flag(c, &entry->unfinished);
    if (strcmp(key, "default") == 0 && *c->at == '{') return vkassay_object(c, vkassay_read_default, entry);
    return vkassay_skip(c, key, NULL);
}

static int vkassay_read_entry(struct vkassay_cursor *c, const char *key, void *user) {
    struct vkassay_reading *reading = (struct vkassay_reading *)user;
    struct vkassay_entry *entry = &reading->entries[reading->count];
    (void)key;
    memset(entry, 0, sizeof *entry);
    entry->default_loss = -1;
    if (!vkassay_object(c, vkassay_read_member, entry)) return 0;
    if (!entry->kernel || !entry->source_hash || !entry->dtype || !entry->wg[0])
        return vkassay_fault(c, "an entry without kernel, source_hash, dtype or shape");
    reading->count++;
    return 1;
}

static int vkassay_read_root(struct vkassay_cursor *c, const char *key, void *user) {
    struct vkassay_reading *reading = (struct vkassay_reading *)user;
    if (strcmp(key, "schema_version") == 0) return vkassay_integer(c, 1000, &reading->version);
    if (strcmp(key, "device") == 0) return vkassay_object(c, vkassay_read_device, &reading->device);
    if (strcmp(key, "tuned") == 0) return vkassay_array(c, vkassay_read_entry, reading);
    return vkassay_skip(c, key, NULL);
}

// Counts the "kernel" keys: each entry has one, and no other spelling of the key is read. Adds one more, because a
// bad entry is found only after it was read.
static size_t vkassay_most_entries(const char *json, size_t length) {
    static const char key[] = "\"kernel\"";
    size_t count = 1;
    for (size_t i = 0; i + sizeof key - 1 <= length; i++) count += memcmp(json + i, key, sizeof key - 1) == 0;
    return count;
}

static int vkassay_say(char *why, size_t why_size, const char *what, size_t at) {
    if (why && why_size) snprintf(why, why_size, "%s, at byte %lu", what, (unsigned long)at);
    return 0;
}

int vkassay_tuned_add(struct vkassay_tuned *tuned, const char *json, size_t length, char *why, size_t why_size) {
    size_t kept = tuned->count;
    if (length > (size_t)64 << 20) return vkassay_say(why, why_size, "a table of more than 64 MiB", length);
    size_t most = vkassay_most_entries(json, length);
    struct vkassay_block *block = (struct vkassay_block *)malloc(sizeof *block + length + 1);
    struct vkassay_entry *entries = (struct vkassay_entry *)malloc((kept + most + 1) * sizeof *entries);
    char *text = (char *)(block + 1);
    struct vkassay_reading reading;
    memset(&reading, 0, sizeof reading);
    int ok = block && entries;
    if (!ok) vkassay_say(why, why_size, "out of memory", 0);
    if (ok) {
        memcpy(text, json, length);
        text[length] = '\0';
        struct vkassay_cursor cursor = {text, text + length, 0, NULL};
        reading.entries = entries + kept;
        ok = vkassay_object(&cursor, vkassay_read_root, &reading);
        if (ok) vkassay_space(&cursor);
        if (ok && cursor.at != cursor.end) ok = vkassay_fault(&cursor, "text after the table");
        if (ok && reading.version != 1 && reading.version != 2)
            ok = vkassay_fault(&cursor, "expected \"schema_version\": 1 or 2");
        if (ok && reading.version == 1 && !reading.device.name)
            ok = vkassay_fault(&cursor, "expected a device with a name");
        if (!ok) vkassay_say(why, why_size, cursor.fault ? cursor.fault : "no table", (size_t)(cursor.at - text));
    }
    if (!ok) {
        free(block);
        free(entries);
        return 0;
    }
    struct vkassay_block *before = (struct vkassay_block *)tuned->blocks;
    if (kept) memcpy(entries, tuned->entries, kept * sizeof *entries);
    for (size_t i = 0; i < reading.count && reading.version == 1; i++) {
        entries[kept + i].device = reading.device;
        entries[kept + i].scope = VKASSAY_FOR_DEVICE;
    }
    if (before) free(before->entries);
    if (before) before->entries = NULL;
    block->next = before;
    block->entries = entries;
    tuned->blocks = block;
    tuned->entries = entries;
    tuned->count = kept + reading.count;
    return 1;
}

void vkassay_tuned_free(struct vkassay_tuned *tuned) {
    struct vkassay_block *block = (struct vkassay_block *)tuned->blocks;
    if (!block) return;
    free(block->entries);
    while (block) {
        struct vkassay_block *next = block->next;
        free(block);
        block = next;
    }
    tuned->entries = NULL;
    tuned->count = 0;
    tuned->blocks = NULL;
}

#endif
